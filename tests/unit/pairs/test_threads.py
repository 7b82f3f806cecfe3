"""Threads of posts that rankers are chosen by: chosen, grouped and cut into parts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.leak_checks.leaks import LeakFinder
from ncsbench.pairs.training_pairs.pair_options import ThreadSettings
from ncsbench.pairs.training_pairs.thread_parts import (
    PARTS,
    THREAD_PART_SCHEMA,
    read_part_queries,
    read_threads,
)
from ncsbench.pairs.training_pairs.threads import (
    choose_part,
    choose_threads,
    group_threads,
    write_threads,
)
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection import FunnelStep
from tests.unit.pairs.test_leaks import ANSWER, evaluation_questions
from tests.unit.posts.test_candidates import answer, block, question, store

SITE = "https://stackoverflow.com"


def code(number: int) -> str:
    """Java that shares little with that of another number."""
    names = (f"Reader{number}", f"open{number}", f"read{number}", f"close{number}")
    return "{0} in = new {0}(path);\nin.{1}();\nint n = in.{2}(buffer);\nin.{3}();".format(*names)


def asked(number: int, **changes: Any) -> dict[str, Any]:
    return question(number, title=f"How to read format{number}", **changes)


def answered(number: int, text: str = "", **changes: Any) -> dict[str, Any]:
    return answer(1000 + number, number, body=block(text or code(number)), **changes)


def choose(
    folder: Path,
    questions: list[dict[str, Any]],
    answers: list[dict[str, Any]],
    *,
    further: tuple[str, ...] = (),
    **changes: Any,
) -> tuple[pa.Table, list[FunnelStep]]:
    return choose_threads(
        store(folder / "q", questions, POST_QUESTION_SCHEMA),
        store(folder / "a", answers, POST_ANSWER_SCHEMA),
        ThreadSettings.parse({"site": SITE, **changes}, where="settings"),
        LeakFinder(evaluation_questions(ANSWER), further),
    )


def ids(threads: pa.Table) -> list[int]:
    return [int(text) for text in threads["stackoverflow_id"].to_pylist()]


def test_a_thread_has_any_of_the_tags_and_its_best_upvoted_java_answer(tmp_path: Path) -> None:
    found, counted = choose(
        tmp_path,
        [
            asked(1, tags=["android"], view_count=5, accepted_answer_id=1001),
            asked(2, tags=["java", "io"], view_count=9),
            asked(3, tags=["kotlin"]),
            asked(4),
            asked(5),
        ],
        [
            *(answered(n) for n in (1, 2, 3)),
            answer(9, 1, body=block(code(9)), score=7),
            answer(8, 1, body=block("<LinearLayout />"), score=8),
            answered(4, score=0),
            answered(5, "<LinearLayout />"),
        ],
    )
    rows = found.to_pylist()
    assert [(row["query_id"], row["question"]) for row in rows] == [
        (1, "How to read format2"),
        (2, "How to read format1"),
    ]
    # The accepted answer does not count before a better one; a better one without Java does not.
    assert rows[1]["answer"].strip() == code(9)
    assert rows[1]["answer_url"] == f"{SITE}/a/9"
    steps = {step.name: step.kept for step in counted}
    assert steps["tagged android or java"] == 4
    assert (steps["an upvoted answer"], steps["Java in an upvoted answer"]) == (3, 2)


def test_threads_have_no_evaluation_question_no_title_and_no_near_copy_of_an_answer(
    tmp_path: Path,
) -> None:
    questions = [asked(n) for n in (1, 2, 3, 101, 999)]
    questions.append(question(6, title="Home screen: go to the 1"))
    found, counted = choose(
        tmp_path,
        questions,
        [
            answered(1),
            answer(201, 2, body=block(code(2))),
            answered(3, ANSWER.replace("start", "home")),
            *(answered(n) for n in (101, 999, 6)),
        ],
        further=("999",),
    )
    assert ids(found) == [1]
    assert {step.name: step.kept for step in counted[-4:]} == {
        "no evaluation post": 3,
        "no evaluation title": 2,
        "no evaluation snippet": 1,
        "an answer that the judge can read": 1,
    }


def test_an_answer_that_the_judge_cannot_read_makes_no_thread(tmp_path: Path) -> None:
    found, _ = choose(tmp_path, [asked(1), asked(2)], [answered(1), answered(2, "x = (;\ny = );")])
    assert ids(found) == [1]


@pytest.mark.parametrize(
    ("questions", "answers"),
    [([], []), ([asked(1)], []), ([asked(1)], [answered(1, "<LinearLayout />")])],
)
def test_posts_without_a_thread_end_in_one_line(
    tmp_path: Path, questions: list[dict[str, Any]], answers: list[dict[str, Any]]
) -> None:
    with pytest.raises(DataError, match=r"no thread is left; questions by step: .* 0$") as error:
        choose(tmp_path, questions, answers)
    assert "\n" not in str(error.value)


def threads_of(*texts: tuple[int, str, str]) -> pa.Table:
    rows = [
        {
            **dict.fromkeys(QUESTION_SCHEMA.names, ""),
            **{"query_id": row, "stackoverflow_id": str(post), "occurrence": 1},
            **{"question": title, "answer": text, "examples": [], "examples_url": []},
        }
        for row, (post, title, text) in enumerate(texts, 1)
    ]
    return pa.Table.from_pylist(rows, QUESTION_SCHEMA)


def test_threads_with_one_title_or_nearly_one_answer_are_a_group_by_way_of_others_too() -> None:
    renamed = code(1).replace("in.", "stream.").replace(" in ", " stream ")
    table = threads_of(
        (30, "Read a file", code(1)),
        (20, "Write a file", renamed),
        (50, "a file: write", code(2)),
        (10, "Something else", code(3)),
        (40, "Leave the screen", "finish();"),
        (45, "Close the window", "finish();"),
    )
    assert group_threads(table) == [20, 20, 20, 10, 40, 40]
    backwards = group_threads(table.take(list(range(5, -1, -1))))
    assert backwards == [40, 40, 10, 20, 20, 20]


def test_an_answer_within_more_code_is_no_near_duplicate() -> None:
    more = "\n".join(code(n) for n in (1, 4, 5, 6))
    assert group_threads(threads_of((1, "one", code(1)), (2, "two", more))) == [1, 2]


def test_a_group_keeps_its_part_whatever_else_there_is_and_parts_have_their_shares() -> None:
    counts = Counter(choose_part(group) for group in range(1, 20_001))
    assert set(counts) == set(PARTS)
    for part, share in (("training", 0.8), ("selection", 0.1), ("test", 0.1)):
        assert abs(counts[part] / 20_000 - share) < 0.01
    # Threads that were chosen once keep their part in later versions.
    parts = [choose_part(group) for group in (4, 1, 20, 101)]
    assert parts == ["training", "training", "selection", "training"]


def test_the_stage_writes_threads_parts_funnel_and_counts_the_same_twice(tmp_path: Path) -> None:
    numbers = range(1, 41)
    posts = store(tmp_path / "q", [asked(n) for n in numbers], POST_QUESTION_SCHEMA)
    answers = store(tmp_path / "a", [answered(n) for n in numbers], POST_ANSWER_SCHEMA)
    questions, settings = tmp_path / "questions", ThreadSettings(site=SITE)
    write_table(questions, evaluation_questions(ANSWER), QUESTION_SCHEMA)
    written = []
    for _ in range(2):
        write_threads(settings, posts, answers, questions, tmp_path / "made")
        written.append([path.read_bytes() for path in sorted((tmp_path / "made").iterdir())])
    assert written[0] == written[1] and len(written[0]) == 4
    counts = json.loads((tmp_path / "made/counts.json").read_text())
    assert (counts["threads"], counts["groups"]) == (40, 40)
    assert sum(part["threads"] for part in counts["parts"].values()) == 40
    assert read_rows(tmp_path / "made/funnel.csv", ("step", "kept", "removed"))[-1]["kept"] == "40"
    parts = read_table(tmp_path / "made/thread_parts.parquet", THREAD_PART_SCHEMA).to_pylist()
    assert {row["part"] for row in parts} <= set(PARTS)
    assert [row["query_id"] for row in parts] == list(range(1, 41))
    files = tmp_path / "made/threads.parquet", tmp_path / "made/thread_parts.parquet"
    queries = [one.query_id for one in read_part_queries(*files, "training")]
    assert queries == [row["query_id"] for row in parts if row["part"] == "training"]
    assert len(read_part_queries(files[0], None, None)) == 40
    for part, message in (
        ("trainin", "--part trainin: is no part of threads; did you mean 'training'"),
        (None, "--thread-parts and --part go together"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            read_part_queries(*files, part)
    chosen = read_threads(tmp_path / "made", ["training", "test"])["query_id"].to_pylist()
    assert chosen == [row["query_id"] for row in parts if row["part"] in {"training", "test"}]
