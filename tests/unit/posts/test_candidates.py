"""Candidate questions from the posts of a dump."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.storage import write_tables
from ncsbench.errors import ConfigurationError
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.questions import candidates as module
from ncsbench.posts.questions.candidates import (
    Candidates,
    PopularQuestions,
    choose_candidates,
    find_popular,
    take_snippet,
)
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection_options import CandidateSettings

SETTINGS: dict[str, Any] = {
    "site": "https://so.invalid", "tags": ["android", "java"], "count": 100,
    "popularity": "views", "answer": "accepted", "snippet": "first", "java_only": True,
    "title_rules": [],
}  # fmt: skip
JAVA, OTHER = "toast.cancel();", "<LinearLayout />"


def block(code: str) -> str:
    return f"<p>So:</p><pre><code>{code.replace('<', '&lt;')}\n</code></pre>"


def question(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": number, "title": f"How to {number}", "tags": ["java", "android"], "view_count": 10,
        "accepted_answer_id": None, "score": 1, "creation_date": datetime(2012, 3, 4, tzinfo=UTC),
        "owner_user_id": 7, "owner_display_name": None, "licence": "CC BY-SA 3.0", "body": "",
        "offset": 0,
    } | changes  # fmt: skip


def answer(number: int, parent: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": number, "parent_id": parent, "score": 1, "owner_user_id": None, "offset": 0,
        "creation_date": datetime(2019, 5, 6, 7, 8, 9, tzinfo=UTC), "owner_display_name": "Ann",
        "licence": "CC BY-SA 4.0", "body": block(JAVA),
    } | changes  # fmt: skip


def store(path: Path, rows: list[dict[str, Any]], schema: pa.Schema) -> Path:
    """In two row groups, so that streaming joins them."""
    half = len(rows) // 2
    parts = [pa.Table.from_pylist(part, schema) for part in (rows[:half], rows[half:])]
    write_tables(path, parts, schema)
    return path


def choose(
    folder: Path, questions: list[dict[str, Any]], answers: list[dict[str, Any]], **changes: Any
) -> Candidates:
    return choose_candidates(
        store(folder / "q", questions, POST_QUESTION_SCHEMA),
        store(folder / "a", answers, POST_ANSWER_SCHEMA),
        CandidateSettings.parse(SETTINGS | changes, where="settings"),
    )


def popular(questions: Path, **changes: Any) -> PopularQuestions:
    return find_popular(questions, CandidateSettings.parse(SETTINGS | changes, where="settings"))


def ids(chosen: Candidates) -> list[str]:
    return chosen.questions["stackoverflow_id"].to_pylist()


def chosen_answer(
    folder: Path, answers: list[dict[str, Any]], accepted: int | None = None, **changes: Any
) -> tuple[str, str] | None:
    found = choose(folder, [question(1, accepted_answer_id=accepted)], answers, **changes)
    rows = found.questions.to_pylist()
    return (rows[0]["answer_url"].rsplit("/")[-1], rows[0]["answer"]) if rows else None


def test_popular_by_views_and_those_without_views_after_them_by_score_dev_46(
    tmp_path: Path,
) -> None:
    questions = [
        question(9, view_count=5, score=99),
        question(4, view_count=None, score=3),
        question(3, view_count=8),
        question(2, view_count=5),
        question(6, view_count=None, score=70),
        question(1, view_count=0),
        question(5, view_count=None, score=3),
    ]
    path = store(tmp_path / "q", questions, POST_QUESTION_SCHEMA)

    def find(count: int, popularity: str) -> list[int]:
        found = popular(path, tags=["java"], count=count, popularity=popularity)
        assert (found.read, found.tagged) == (7, 7)
        return found.ids.tolist()

    assert find(9, "views") == [3, 2, 9, 1, 6, 4, 5]
    assert find(2, "views") == [3, 2]
    assert find(9, "score") == [9, 6, 4, 5, 1, 2, 3]


@given(st.lists(st.lists(st.sampled_from(["java", "android", "xml"]), max_size=4), max_size=9))
def test_all_tags_are_needed(tmp_path_factory: pytest.TempPathFactory, lists: list[Any]) -> None:
    questions = [question(i, tags=tags) for i, tags in enumerate(lists)]
    path = store(tmp_path_factory.mktemp("tags") / "q", questions, POST_QUESTION_SCHEMA)
    found = popular(path)
    assert len(popular(path, tags=[]).ids) == len(lists)
    assert found.ids.tolist() == [i for i, t in enumerate(lists) if {"android", "java"} <= {*t}]
    either = popular(path, tags_needed="any")
    assert either.ids.tolist() == [i for i, t in enumerate(lists) if {"android", "java"} & {*t}]


def test_the_accepted_answer_goes_before_the_best_dev_47(tmp_path: Path) -> None:
    answers = [
        answer(10, 1, score=5, body=block("ten();")),
        answer(11, 1, score=9, body=block("eleven();")),
        answer(12, 1, score=9, body=block("twelve();")),
    ]
    assert chosen_answer(tmp_path, answers, 10) == ("10", "ten();")
    assert chosen_answer(tmp_path, answers[::-1], 10) == ("10", "ten();")
    assert chosen_answer(tmp_path, answers, 10, answer="best") == ("11", "eleven();")
    assert chosen_answer(tmp_path, answers[::-1], None) == ("11", "eleven();")
    answers[0]["score"] = 0
    assert chosen_answer(tmp_path, answers, 10) == ("11", "eleven();")


def test_an_answer_without_code_leaves_its_place_to_the_next_dev_47(tmp_path: Path) -> None:
    answers = [
        answer(10, 1, score=9, body="<p>Call <code>run()</code>.</p>"),
        answer(11, 1, score=5, body=block(OTHER)),
        answer(12, 1, score=3),
        answer(13, 1, score=0, body=block("low();")),
    ]
    assert chosen_answer(tmp_path, answers, 10) == ("12", JAVA)
    assert chosen_answer(tmp_path, answers, 10, java_only=False) == ("11", OTHER)
    assert chosen_answer(tmp_path, answers[:2], 10) is None
    assert chosen_answer(tmp_path, answers[3:], 10) is None


def test_which_blocks_of_an_answer_are_taken_dev_48(tmp_path: Path) -> None:
    body = block(OTHER) + block("a();") + block("longest();\nb();") + block("c();")
    answers = [answer(10, 1, body=body)]
    expected = {
        "first": "a();",
        "longest": "longest();\nb();",
        "all": "a();\n\nlongest();\nb();\n\nc();",
    }
    for which, snippet in expected.items():
        assert chosen_answer(tmp_path, answers, snippet=which) == ("10", snippet)
    assert chosen_answer(tmp_path, answers, java_only=False) == ("10", OTHER)
    assert take_snippet(["aa", "bb", "c"], "longest") == "aa"


def test_candidates_have_the_published_fields_and_their_posts_are_credited(tmp_path: Path) -> None:
    questions = [
        question(3, view_count=1, owner_display_name="Bob"),
        question(1, view_count=2, owner_user_id=None),
    ]
    chosen = choose(tmp_path, questions, [answer(20, 3), answer(21, 1, owner_user_id=8)])
    first, second = chosen.questions.to_pylist()
    assert chosen.questions.schema.equals(QUESTION_SCHEMA)
    assert first == {
        "query_id": 1, "stackoverflow_id": "1", "occurrence": 1, "question": "How to 1",
        "question_url": "https://so.invalid/questions/1", "question_author": "",
        "question_author_url": "", "answer": JAVA, "answer_url": "https://so.invalid/a/21",
        "answer_author": "Ann", "answer_author_url": "https://so.invalid/users/8",
        "examples": [], "examples_url": [],
    }  # fmt: skip
    assert (second["query_id"], second["question_author"]) == (2, "Bob")
    credits_ = chosen.attribution.to_pylist()
    assert [(c["query_id"], c["post_id"], c["kind"], c["licence"]) for c in credits_] == [
        (1, 1, "question", "CC BY-SA 3.0"), (1, 21, "answer", "CC BY-SA 4.0"),
        (2, 3, "question", "CC BY-SA 3.0"), (2, 20, "answer", "CC BY-SA 4.0"),
    ]  # fmt: skip


def test_each_step_says_how_many_it_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(title: str, rules: Any) -> str | None:
        return next((rule for rule in rules if rule in title), None)

    monkeypatch.setattr(module, "rejecting_rule", reject)
    questions = [
        question(1, tags=["java"]),
        question(2, view_count=1),
        question(3, title="reason"),
        question(4, title=" "),
        question(5, title="opinion reason"),
        *(question(number) for number in (6, 7, 8, 9)),
    ]
    answers = [
        answer(17, 7, body="<p>No.</p>"),
        answer(18, 8, body=block(OTHER)),
        answer(19, 9),
        answer(20, 3),
    ]
    chosen = choose(tmp_path, questions, answers, count=7, title_rules=["reason", "opinion"])
    assert [(step.name, step.kept) for step in chosen.steps] == [
        ("questions of the dump with a tag that is read", 9),
        ("tagged android and java", 8),
        ("most popular by views", 7),
        ("title not rejected by: empty", 6),
        ("title not rejected by: reason", 4),
        ("title not rejected by: opinion", 4),
        ("an upvoted answer", 3),
        ("code in an upvoted answer", 2),
        ("Java in an upvoted answer", 1),
    ]
    assert ids(chosen) == ["9"]


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_dump_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, random: Any
) -> None:
    questions = [question(i, view_count=[None, 1, 2][i % 3]) for i in range(9)]
    answers = [answer(20 + i, i % 9, score=i % 3, body=block(f"run{i}();")) for i in range(30)]
    one = choose(tmp_path_factory.mktemp("one"), questions, answers)
    random.shuffle(questions)
    random.shuffle(answers)
    two = choose(tmp_path_factory.mktemp("two"), questions, answers)
    assert one.questions.equals(two.questions) and one.steps == two.steps


def test_no_posts_give_no_candidates(tmp_path: Path) -> None:
    chosen = choose(tmp_path, [], [])
    assert len(chosen.questions) == len(chosen.attribution) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, "count: 0 is less than the minimum of 1"),
        ({"count": True}, "count: True is not of type 'integer'"),
        ({"popularity": "fame"}, "popularity: 'fame' is not one of 'views', 'score', 'links' or"),
        ({"snippet": ["first"]}, "snippet: ['first'] is not one of"),
        ({"tags": "java"}, "tags: 'java' is not a list"),
        ({"title_rules": [1]}, "title_rules.0: 1 is not of type 'string'"),
        ({"title_rules": ["Reasons"]}, "'Reasons' is no title rule; did you mean 'reason'?"),
        ({"java_only": 1}, "java_only: 1 is not of type 'boolean'"),
        ({"site": ""}, "site: ''"),
        ({"tag": []}, "unknown key 'tag'; did you mean 'tags'?"),
    ],
)
def test_wrong_settings_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match="setting") as error:
        CandidateSettings.parse(SETTINGS | changes, where="settings")
    assert message in str(error.value)


@pytest.mark.parametrize("settings", [[], {"tags": []}])
def test_settings_of_another_form_are_refused(settings: Any) -> None:
    with pytest.raises(ConfigurationError):
        CandidateSettings.parse(settings, where="settings")
