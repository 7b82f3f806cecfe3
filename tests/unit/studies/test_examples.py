"""The table of the methods that resemble each answer most."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from ncsbench.base.files.storage import write_table
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.examples import EXAMPLE_COLUMNS, METHOD_COLUMNS, write_examples


def question(row: int, number: str) -> dict[str, object]:
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    return texts | {
        "query_id": row, "stackoverflow_id": number, "occurrence": 1, "examples": [],
        "examples_url": [],
    }  # fmt: skip


def test_matches_are_listed_with_the_places_of_the_methods(tmp_path: Path) -> None:
    matches = [
        {"judge": "dice", "query_id": 2, "rank": 1, "id": 7, "similarity": 2 / 3},
        {"judge": "dice", "query_id": 2, "rank": 2, "id": 3, "similarity": 0.5},
        {"judge": "dice", "query_id": 5, "rank": 1, "id": 7, "similarity": 0.25},
    ]
    write_table(tmp_path / "m", pa.Table.from_pylist(matches, MATCH_SCHEMA), MATCH_SCHEMA)
    questions = [question(2, "88"), question(4, "89"), question(5, "88")]
    write_table(tmp_path / "q", pa.Table.from_pylist(questions, QUESTION_SCHEMA), QUESTION_SCHEMA)
    methods = [
        {"id": i, "filepath": f"o/r/{i}.java", "method_name": "run", "start_line": i,
         "end_line": i + 1, "url": None if i == 3 else "https://example.org"}
        for i in range(9)
    ]  # fmt: skip
    tables = [pa.Table.from_pylist(methods[:4]), pa.Table.from_pylist(methods[4:])]
    assert tables[0].column_names == METHOD_COLUMNS
    corpus: Any = SimpleNamespace(iterate_methods=lambda _: tables)
    write_examples(tmp_path / "m", tmp_path / "q", corpus, output=tmp_path / "examples.csv")
    with (tmp_path / "examples.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == EXAMPLE_COLUMNS
    assert [(r["query_id"], r["stackoverflow_id"], r["rank"], r["id"], r["url"]) for r in rows] == [
        ("2", "88", "1", "7", "https://example.org"),
        ("2", "88", "2", "3", ""),
        ("5", "88", "1", "7", "https://example.org"),
    ]
    assert rows[0]["similarity"] == "0.666667"
