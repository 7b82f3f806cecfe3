"""The evaluation questions from candidates, matches and a curation file."""

from __future__ import annotations

import csv
import json
import logging
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.artifacts.storage import write_json, write_table
from ncsbench.cli.questions import app
from ncsbench.corpus.corpus_schemas import METHOD_SCHEMA
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.published.score_sheet_table import read_published
from ncsbench.questions.attribution import ATTRIBUTION_SCHEMA
from ncsbench.questions.curation_file import Decision, Place
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.questions_file import read_questions
from ncsbench.questions.selection import Selected, select_questions
from ncsbench.questions.selection_funnel import FunnelStep, funnel_rows, read_funnel, write_funnel
from ncsbench.questions.selection_options import SelectSettings

YES, NO = Decision(True), Decision(False, "vague question")


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


def places(ids: set[int]) -> dict[int, Place]:
    return {id_: Place("o/r", f"{id_}.java", "1-2") for id_ in ids}


def choose(decisions: dict[str, Decision] | None, found: pa.Table = MATCHES) -> Selected:
    return select_questions(
        candidates=CANDIDATES, matches=found, judge="dice", decisions=decisions, find_places=places
    )


def test_the_best_three_matches_of_the_measure_are_the_examples() -> None:
    selected = choose(None)
    assert [q["examples"] for q in selected.questions] == [[4, 0, 2], [1], [0]]
    assert [(s.name, s.kept) for s in selected.steps] == [
        ("a match in the corpus", 3), ("curated (no curation file)", 3),
    ]  # fmt: skip


def test_with_a_curation_file_uncurated_candidates_are_left_out_and_counted_dev_49() -> None:
    selected = choose({"101": YES, "104": NO})
    assert [q["stackoverflow_id"] for q in selected.questions] == ["101"]
    assert [(s.name, s.kept, s.published) for s in selected.steps] == [
        ("a match in the corpus", 3, "matched by the corpus"),
        ("in the curation file", 2, ""),
        ("kept by the curation", 1, "curated"),
    ]


def test_unknown_ids_are_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        choose({"101": YES, "103": YES, "9": NO})
    assert "names 2 ids that are no candidates with a match: 103, 9" in caplog.text


def test_a_decision_holds_while_all_matches_were_seen_dev_49(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen = tuple(places({0, 1, 2, 4, 99}).values())
    decisions = {"101": Decision(True, seen=seen), "104": Decision(True, seen=seen[1:])}
    selected = choose(decisions)
    assert [q["stackoverflow_id"] for q in selected.questions] == ["101"]
    assert "1 questions of the curation file have matches that were not there" in caplog.text
    assert selected.steps[1] == FunnelStep("in the curation file", 1)
    # Ids may be others in another corpus; what counts is where the methods are.
    caplog.clear()
    moved = matches(("dice", 1, 1, 1000))
    assert choose({"101": Decision(True, seen=tuple(places({1000}).values()))}, moved).questions
    assert not caplog.messages


@pytest.mark.parametrize(
    ("decisions", "found", "message"),
    [
        ({}, MATCHES, "no question is left of 4 candidates: a match in the corpus 3, in the "),
        (None, MATCHES.slice(0, 0), "no question is left of 4 candidates: a match in the corpus 0"),
        (None, matches(("jaccard", 1, 1, 1)), "the matches are of jaccard, none of dice"),
    ],
)
def test_nothing_left_is_one_line(decisions: Any, found: pa.Table, message: str) -> None:
    with pytest.raises(DataError) as error:
        choose(decisions, found)
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
        {"judge": "dice"},
        {"judge": "dise", "curation": None},
        {"judge": "dice", "curation": 1},
    ],
)
def test_wrong_settings_are_refused(settings: Any) -> None:
    with pytest.raises(ConfigurationError):
        SelectSettings.parse(settings, where="settings")


@pytest.fixture
def call(tmp_path: Path, root: Path) -> list[str]:
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
    (tmp_path / "c.csv").write_text("id,keep,reason\n101,yes,\n104,yes,\n102,no,vague answer\n")
    settings = {"curation": str(tmp_path / "c.csv"), "judge": "dice"}
    write_json(tmp_path / "settings.json", settings)
    return [
        "select", "--settings", str(tmp_path / "settings.json"), "--candidates", str(folder),
        "--matches", str(tmp_path / "m.parquet"), "--corpus", str(tmp_path / "corpus"),
        "--published", str(root / "config" / "published" / "ncsed_funnel.csv"),
        "--output", str(tmp_path / "out"),
    ]  # fmt: skip


def test_the_command_writes_the_published_schema_with_credits(
    call: list[str], tmp_path: Path
) -> None:
    assert CliRunner().invoke(app, call, catch_exceptions=False).exit_code == 0
    out = tmp_path / "out"
    text = (out / "questions.json").read_text(encoding="ascii")
    first, second = json.loads(text)
    assert text.startswith('[\n  {\n    "stackoverflow_id": "101",\n    "question": "Gr\\u00f6')
    assert list(first) == [
        "stackoverflow_id", "question", "question_url", "question_author", "question_author_url",
        "answer", "answer_url", "answer_author", "answer_author_url", "examples", "examples_url",
    ]  # fmt: skip
    assert first["examples_url"] == ["https://g.invalid/4", "", "https://g.invalid/2"]
    read = read_questions([out / "questions.json"])
    assert read["stackoverflow_id"].to_pylist() == ["101", "104"]
    assert second["examples"] == [0]
    with (out / "attribution.csv").open(encoding="utf-8", newline="") as file:
        credits_ = list(csv.DictReader(file))
    assert [(c["stackoverflow_id"], c["post_id"], c["kind"]) for c in credits_] == [
        ("101", "101", "question"), ("101", "201", "answer"),
        ("104", "104", "question"), ("104", "204", "answer"),
    ]  # fmt: skip
    assert credits_[0]["author"] == "Zoë, A."
    assert (credits_[0]["licence"], credits_[0]["creation_date"]) == (
        "CC BY-SA 4.0", "2020-09-13T12:26:40Z",
    )  # fmt: skip
    assert (out / "funnel.csv").read_text().splitlines() == [
        "step,kept,removed,published", "candidates,4,,", "a match in the corpus,3,1,518",
        "in the curation file,3,0,", "kept by the curation,2,1,287",
    ]  # fmt: skip


def test_a_corpus_without_the_method_is_named(call: list[str], tmp_path: Path) -> None:
    table = pa.Table.from_pylist([], METHOD_SCHEMA)
    write_table(tmp_path / "corpus" / "methods" / "0000.parquet", table, METHOD_SCHEMA)
    with pytest.raises(DataError, match="has no method 0; build the corpus again"):
        CliRunner().invoke(app, call, catch_exceptions=False)


def test_agreement_of_two_files_is_printed(tmp_path: Path) -> None:
    for name, rows in (("a", "1,yes,\n2,no,x\n\x1b,no,\n"), ("b", "1,yes,\n2,yes,\n")):
        (tmp_path / name).write_text("id,keep,reason\n" + rows)
    result = CliRunner().invoke(app, ["agreement", str(tmp_path / "a"), str(tmp_path / "b")])
    assert "disagreement: 2\njudged by the first only: <U+001B>\n" in result.stdout
    assert "Cohen's kappa: 0.0000" in result.stdout
