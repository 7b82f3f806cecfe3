"""The files of a benchmark: queries, what counts as right, and the distractors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import read_table
from ncsbench.pairs.benchmark_overlap import BenchmarkGuard, Positive
from ncsbench.questions.question_entries import read_entries

QUERIES, POSITIVES, DISTRACTORS = "queries.parquet", "positives.parquet", "distractors.parquet"

QUERY_SCHEMA = pa.schema(
    [
        pa.field("query", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("positives", pa.list_(pa.int32()), nullable=False),
        pa.field("at_hand", pa.int32(), nullable=False),
        pa.field("published", pa.int32(), nullable=False),
    ]
)
"""One row a query, ``query`` is the row. ``group``: queries with the same are not independent, so
that a bootstrap draws groups. ``positives``: ascending ids of ``CODE_SCHEMA``, ``at_hand`` of the
``published`` ones. A query without any at hand is not ranked, but no training sees it either."""

CODE_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int32(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("class_name", pa.string(), nullable=False),
    ]
)
"""One row a piece of code, ``id`` is the row. ``key``: as that of a training pair of the same
method, or ``cosbench:<id>``. ``url`` and ``class_name`` are empty where they are not known."""


@dataclass(frozen=True)
class Benchmark:
    """A benchmark to rank.

    Attributes:
        queries: those with positives at hand (``QUERY_SCHEMA``).
        positives: their code (``CODE_SCHEMA``).
        distractors: code that is wrong for every query (``CODE_SCHEMA``).
    """

    queries: pa.Table
    positives: pa.Table
    distractors: pa.Table


def load_benchmark(folder: Path) -> Benchmark:
    """Read a benchmark; ``DataError`` where a file of it is missing or another one's."""
    queries = read_table(folder / QUERIES, QUERY_SCHEMA)
    return Benchmark(
        queries=queries.filter(pc.greater(queries["at_hand"], 0)),
        positives=read_table(folder / POSITIVES, CODE_SCHEMA),
        distractors=read_table(folder / DISTRACTORS, CODE_SCHEMA),
    )


def read_positives(folder: Path) -> list[Positive]:
    """What a benchmark counts as right, for a guard, in the order of the ids."""
    table = read_table(folder / POSITIVES, CODE_SCHEMA, ["key", "code", "url"])
    return [Positive(**row) for row in table.to_pylist()]


def load_guard(folders: Iterable[Path], questions: Iterable[Path]) -> BenchmarkGuard:
    """Find what training data hold of benchmarks.

    A ledger names a query ``<benchmark>:<query>``, and a question ``stackoverflow:<id>``: texts of
    questions stay out of results.

    Args:
        folders: of the benchmarks, named as these; distractors need not be there.
        questions: files of evaluation questions in the published form of NCSED.
    """
    positives: list[Positive] = []
    names: dict[str, str] = {}
    for folder in folders:
        positives += read_positives(folder)
        for row in read_table(folder / QUERIES, QUERY_SCHEMA, ["query", "text"]).to_pylist():
            names.setdefault(row["text"], f"{folder.name}:{row['query']}")
    for path in questions:
        for row in read_entries([path]):
            names.setdefault(row["question"], f"stackoverflow:{row['stackoverflow_id']}")
    return BenchmarkGuard(positives, names, names=names)
