"""What training data and distractors must not hold of benchmarks, from their files.

Apart from these, since who ranks needs no guard.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.artifacts.storage import read_table
from ncsbench.cleaning.benchmark_files import CODE_SCHEMA, POSITIVES, QUERIES, QUERY_SCHEMA
from ncsbench.pairs.benchmark_overlap import BenchmarkGuard, Positive
from ncsbench.questions.question_entries import read_entries


def read_positives(path: Path) -> list[Positive]:
    """Read what a benchmark counts as right, for a guard, in the order of the ids."""
    table = read_table(path, CODE_SCHEMA, ["key", "code", "url"])
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
        positives += read_positives(folder / POSITIVES)
        for row in read_table(folder / QUERIES, QUERY_SCHEMA, ["query", "text"]).to_pylist():
            names.setdefault(row["text"], f"{folder.name}:{row['query']}")
    for path in questions:
        for row in read_entries([path]):
            names.setdefault(row["question"], f"stackoverflow:{row['stackoverflow_id']}")
    return BenchmarkGuard(positives, names, names=names)
