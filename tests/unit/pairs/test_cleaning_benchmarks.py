"""The files of a benchmark of a cleaning run, and the guard that they make."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import write_table
from ncsbench.pairs.cleaned_pairs.benchmark_files import (
    CODE_SCHEMA,
    DISTRACTORS,
    POSITIVES,
    QUERIES,
    QUERY_SCHEMA,
    load_benchmark,
)
from ncsbench.pairs.cleaned_pairs.benchmarks import load_guard

CODE = {
    "id": 0,
    "key": "github:o/a/A.java#L1-L3",
    "url": "",
    "code": "int f() {}",
    "class_name": "",
}
ASKED = {"query": 0, "text": "sort a list", "group": "sort a list", "positives": [0]}


def write_benchmark(folder: Path) -> Path:
    """A benchmark with one query that has a positive, and one that has none at hand."""
    queries = [
        ASKED | {"at_hand": 1, "published": 1},
        ASKED | {"query": 1, "text": "open a map", "positives": [], "at_hand": 0, "published": 3},
    ]
    write_table(folder / QUERIES, pa.Table.from_pylist(queries, QUERY_SCHEMA), QUERY_SCHEMA)
    for name in (POSITIVES, DISTRACTORS):
        write_table(folder / name, pa.Table.from_pylist([CODE], CODE_SCHEMA), CODE_SCHEMA)
    return folder


def test_only_queries_with_positives_are_ranked(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "annotated"))
    assert benchmark.queries["text"].to_pylist() == ["sort a list"]
    assert len(benchmark.positives) == len(benchmark.distractors) == 1


def test_a_guard_names_queries_and_questions_without_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(
        json.dumps([{"stackoverflow_id": 7, "question": "draw a circle", "answer": "draw();"}])
    )
    guard = load_guard([write_benchmark(tmp_path / "annotated")], [path])
    held = [guard.find_text(f"how to {text}") for text in ("open a map", "draw a circle", "go")]
    assert [one and one.held for one in held] == ["annotated:1", "stackoverflow:7", None]
    overlap = guard.find_code("int f() { }")
    assert overlap is not None
    assert (overlap.reason, overlap.held) == ("equal", CODE["key"])
