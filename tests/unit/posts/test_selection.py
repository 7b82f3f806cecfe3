"""The evaluation questions from candidates and matches."""

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.published.printed_figures import read_published
from ncsbench.evaluation.published.selected_questions import write_selection
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_questions
from ncsbench.posts.questions.selection import (
    ATTRIBUTION_SCHEMA,
    FunnelStep,
    Selected,
    funnel_rows,
    read_funnel,
    select_questions,
    write_funnel,
)
from ncsbench.posts.questions.selection_options import SelectSettings


def question(row: int) -> dict[str, Any]:
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    return texts | {
        "query_id": row, "stackoverflow_id": f"10{row}", "occurrence": 1,
        "question": f"Größe {row}",
        "answer": "run();", "examples": [], "examples_url": [],
    }  # fmt: skip


def matches(*found: tuple[str, int, int, int]) -> pa.Table:
    names = ("judge", "query_id", "rank", "id")
    rows = [dict(zip(names, match, strict=True)) | {"similarity": 0.5} for match in found]
    return pa.Table.from_pylist(rows, MATCH_SCHEMA)


MATCHES = matches(
    ("dice", 1, 1, 4), ("dice", 1, 2, 0), ("dice", 1, 3, 2), ("dice", 1, 4, 3),
    ("dice", 2, 1, 1), ("jaccard", 3, 1, 1), ("dice", 4, 1, 0),
)  # fmt: skip
CANDIDATES = pa.Table.from_pylist([question(row) for row in (1, 2, 3, 4)], QUESTION_SCHEMA)


def choose(found: pa.Table = MATCHES) -> Selected:
    return select_questions(candidates=CANDIDATES, matches=found, judge="dice")


def test_the_best_three_matches_of_the_measure_are_the_examples() -> None:
    selected = choose()
    assert [q["examples"] for q in selected.questions] == [[4, 0, 2], [1], [0]]


def test_no_reader_takes_out_vague_ones_dev_49() -> None:
    assert [(s.name, s.kept, s.published) for s in choose().steps] == [
        ("a match in the corpus", 3, "matched by the corpus"),
        ("vague ones taken out by hand (not done)", 3, "curated"),
    ]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (MATCHES.slice(0, 0), "no question is left: none of 4 candidates has a match in the"),
        (matches(("jaccard", 1, 1, 1)), "the matches are of jaccard, none of dice"),
    ],
)
def test_nothing_left_is_one_line(found: pa.Table, message: str) -> None:
    with pytest.raises(DataError) as error:
        choose(found)
    assert str(error.value).startswith(message)


def test_the_funnel_stands_beside_the_published_counts(tmp_path: Path, root: Path) -> None:
    steps = [
        FunnelStep("read", 90), FunnelStep("popular", 50, "most popular questions"),
        FunnelStep("found", 20, "matched by the corpus"), FunnelStep("kept", 20, "curated"),
    ]  # fmt: skip
    write_funnel(tmp_path / "f.json", steps)
    figures = read_published(root / "config" / "published" / "ncsed_funnel.csv")
    rows = funnel_rows(
        read_funnel(tmp_path / "f.json"), {figure.row: figure.value for figure in figures}
    )
    assert [tuple(row.values()) for row in rows] == [
        ("read", "90", "", ""), ("popular", "50", "40", "17000"),
        ("found", "20", "30", "518"), ("kept", "20", "0", "287"),
    ]  # fmt: skip
    write_json(tmp_path / "f.json", [{"step": 1}])
    with pytest.raises(DataError, match="is no list of the selection's steps"):
        read_funnel(tmp_path / "f.json")


@pytest.mark.parametrize(
    "settings",
    [
        [],
        {},
        {"judge": "dise"},
        {"judge": "dice", "curation": None},
    ],
)
def test_wrong_settings_are_refused(settings: Any) -> None:
    with pytest.raises(ConfigurationError):
        SelectSettings.parse(settings, where="settings")


@pytest.fixture
def select(tmp_path: Path, root: Path) -> Callable[[], None]:
    posts = [
        {
            "query_id": row, "kind": kind,
            "post_id": 100 + row if kind == "question" else 200 + row,
            "author": "Zoë, A.", "author_url": "", "link": "https://so.invalid",
            "licence": "CC BY-SA 4.0", "creation_date": 1_600_000_000_000,
        }
        for row in (1, 2, 3, 4)
        for kind in ("question", "answer")
    ]  # fmt: skip
    methods = [
        {
            "id": i, "repository": "o/r", "path": "A.java", "filepath": ":o/r/A.java", "lines": 1,
            "method_name": "m", "class_name": "C", "start_line": i, "end_line": i, "tokens": 1,
            "code": "", "url": None if i == 0 else f"https://g.invalid/{i}",
        }
        for i in range(5)
    ]  # fmt: skip
    folder = tmp_path / "candidates"
    shard = tmp_path / "corpus" / "methods" / "0000.parquet"
    write_table(folder / "questions.parquet", CANDIDATES, QUESTION_SCHEMA)
    write_table(tmp_path / "m.parquet", MATCHES, MATCH_SCHEMA)
    write_table(shard, pa.Table.from_pylist(methods, METHOD_SCHEMA), METHOD_SCHEMA)
    credits_ = pa.Table.from_pylist(posts, ATTRIBUTION_SCHEMA)
    write_table(folder / "attribution.parquet", credits_, ATTRIBUTION_SCHEMA)
    write_funnel(folder / "funnel.json", [FunnelStep("candidates", 4)])
    write_json(tmp_path / "corpus" / "manifest.json", {"shards": [{"first_id": 0}]})
    return partial(
        write_selection,
        SelectSettings(judge="dice"),
        candidates=folder,
        matches=tmp_path / "m.parquet",
        corpus=CorpusFolder(tmp_path / "corpus"),
        published=root / "config" / "published" / "ncsed_funnel.csv",
        output=tmp_path / "out",
    )


def test_the_published_schema_is_written_with_credits(
    select: Callable[[], None], tmp_path: Path
) -> None:
    select()
    out = tmp_path / "out"
    text = (out / "questions.json").read_text(encoding="ascii")
    first, _, third = json.loads(text)
    assert text.startswith('[\n  {\n    "stackoverflow_id": "101",\n    "question": "Gr\\u00f6')
    assert list(first) == [
        "stackoverflow_id", "question", "question_url", "question_author", "question_author_url",
        "answer", "answer_url", "answer_author", "answer_author_url", "examples", "examples_url",
    ]  # fmt: skip
    assert first["examples_url"] == ["https://g.invalid/4", "", "https://g.invalid/2"]
    read = read_questions([out / "questions.json"])
    assert read["stackoverflow_id"].to_pylist() == ["101", "102", "104"]
    assert third["examples"] == [0]
    with (out / "attribution.csv").open(encoding="utf-8", newline="") as file:
        credits_ = list(csv.DictReader(file))
    assert [(c["stackoverflow_id"], c["post_id"], c["kind"]) for c in credits_] == [
        ("101", "101", "question"), ("101", "201", "answer"),
        ("102", "102", "question"), ("102", "202", "answer"),
        ("104", "104", "question"), ("104", "204", "answer"),
    ]  # fmt: skip
    assert credits_[0]["author"] == "Zoë, A."
    assert (credits_[0]["licence"], credits_[0]["creation_date"]) == (
        "CC BY-SA 4.0", "2020-09-13T12:26:40Z",
    )  # fmt: skip
    assert (out / "funnel.csv").read_text().splitlines() == [
        "step,kept,removed,published", "candidates,4,,", "a match in the corpus,3,1,518",
        "vague ones taken out by hand (not done),3,0,287",
    ]  # fmt: skip


def test_a_corpus_without_the_method_is_named(select: Callable[[], None], tmp_path: Path) -> None:
    table = pa.Table.from_pylist([], METHOD_SCHEMA)
    write_table(tmp_path / "corpus" / "methods" / "0000.parquet", table, METHOD_SCHEMA)
    with pytest.raises(DataError, match="has no method 0; build the corpus again"):
        select()
