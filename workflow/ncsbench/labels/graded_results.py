"""Graded results as CosoBe publishes them: what a search engine showed, and a grade for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ncsbench.artifacts.typed_csv import read_typed
from ncsbench.errors import DataError
from ncsbench.evaluation.graded_rankings import CUT, Gain, ndcg
from ncsbench.label_files.label_file import read_grade

COLUMNS = ("session", "query_no", "query", "rank", "post_id", "title", "label", "clicked")
"""Columns of the file, in order."""
GRADES = (0, 1, 2)
"""Irrelevant, relevant, highly relevant."""
_DIGITS = 15
_SHOWN = 60


@dataclass(frozen=True)
class ShownResult:
    """One result that was shown.

    Attributes:
        post_id: of the post.
        grade: one of ``GRADES``.
        clicked: whether somebody did.
    """

    post_id: int
    grade: int
    clicked: bool


def read_shown_results(path: Path) -> Mapping[tuple[int, int], list[ShownResult]]:
    """Read the results of each query in the order of their ranks.

    Returns:
        Results by session and number of the query.

    Raises:
        DataError: naming file and line, for what is no such file, and for a rank that is there
            twice or left out.
    """
    found: dict[tuple[int, int], dict[int, ShownResult]] = {}
    _, rows = read_typed(path, COLUMNS)
    for where, cells in rows:
        row = dict(zip(COLUMNS, cells, strict=True))
        session, number, rank, post = (
            _whole(where, row[name], name) for name in ("session", "query_no", "rank", "post_id")
        )
        results = found.setdefault((session, number), {})
        if rank != len(results) + 1:
            raise DataError(
                f"{where}: rank {rank} follows {len(results)} of query {number} in session "
                f"{session}; ranks count 1, 2, 3, ..."
            )
        results[rank] = ShownResult(
            post_id=post,
            grade=read_grade(where, row["label"], "label", GRADES),
            clicked=bool(read_grade(where, row["clicked"], "clicked", (0, 1))),
        )
    return {query: list(results.values()) for query, results in found.items()}


def _whole(where: str, text: str, column: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS:
        return int(text)
    raise DataError(f"{where}: {column} {text[:_SHOWN]!r} is not a whole number")


def measure_shown(results: Mapping[tuple[int, int], Sequence[ShownResult]]) -> list[str]:
    """Lines with NDCG@10 for both gains, and precision@10 with a grade of at least 1.

    NDCG of a query without a relevant result is 0 in the mean over all queries.
    """
    graded = [[float(result.grade) for result in shown] for shown in results.values()]
    relevant = sum(any(grades) for grades in graded)
    lines = [f"queries: {len(graded):,}; with a relevant result: {relevant:,}"]
    if not relevant:
        return lines
    gains: tuple[Gain, ...] = get_args(Gain)
    for gain in gains:
        total = math.fsum(ndcg(grades, grades, gain=gain) or 0.0 for grades in graded)
        lines.append(
            f"NDCG@{CUT}, {gain} gain: {total / len(graded):.6f} over all, "
            f"{total / relevant:.6f} over those with one"
        )
    hits = sum(grade > 0 for grades in graded for grade in grades[:CUT])
    lines.append(f"precision@{CUT}: {hits / CUT / len(graded):.6f} over all")
    return lines
