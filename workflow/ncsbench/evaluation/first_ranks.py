"""First ranks (FRank): where a ranking has its first accepted method."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.runs import ranks_in_run
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES, Run
from ncsbench.storage import iterate_tables


@dataclass(frozen=True)
class AcceptedPairs:
    """Pairs of a question and a method that answers it.

    Attributes:
        rows: question rows, int32, shape (n,).
        ids: method ids, int64, shape (n,).
    """

    rows: NDArray[np.int32]
    ids: NDArray[np.int64]


def read_accepted(path: Path, *, measure: str, threshold: float) -> AcceptedPairs:
    """Read the judged pairs whose similarity is strictly above ``threshold``.

    Source: NCSED paper (a similarity above 0.25 counts as answered).

    Args:
        path: Parquet file of ``records.JUDGEMENT_SCHEMA``.
        measure: one of ``records.MEASURES``.
        threshold: similarity, in [0, 1].

    Raises:
        ConfigurationError: for an unknown measure.
        DataError: for a file that is not a table of judgements.
    """
    if measure not in MEASURES:
        raise ConfigurationError(f"measure {measure!r} is unknown; choose {', '.join(MEASURES)}")
    rows = [np.zeros(0, dtype=np.int32)]
    ids = [np.zeros(0, dtype=np.int64)]
    for table in iterate_tables(path, JUDGEMENT_SCHEMA, ["row", "id", measure], rows=1 << 20):
        above = table[measure].to_numpy() > threshold
        rows.append(table["row"].to_numpy()[above])
        ids.append(table["id"].to_numpy()[above])
    return AcceptedPairs(rows=np.concatenate(rows), ids=np.concatenate(ids))


def first_ranks(
    run: Run, accepted: AcceptedPairs, rows: NDArray[np.int32], depth: int
) -> NDArray[np.int32]:
    """Rank of the first accepted method for every question.

    Args:
        run: rankings, ordered as ``records.Run`` says.
        accepted: the pairs that count as answers, in any order.
        rows: rows of the questions to evaluate, shape (questions,); rankings of other rows are
            ignored, questions without a ranking are not answered.
        depth: the last rank looked at (50 in the published sheet).

    Returns:
        int32, shape (questions,), in the order of ``rows``; from 1, 0 = not found (``NF``).
    """
    ranks = ranks_in_run(run)
    hits = _is_accepted(run, accepted) & (ranks <= depth)
    # Results stand in the order of their ranks, so the first hit of a row is its best.
    hit_rows, first = np.unique(run.rows[hits], return_index=True)
    return _look_up(rows, hit_rows, ranks[hits][first])


def ceiling_ranks(accepted: AcceptedPairs, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """First ranks of a perfect ranking: 1 where the corpus holds any accepted method, else 0.

    Args:
        accepted: all accepted pairs of the corpus, not only those some model retrieved.
        rows: rows of the questions, shape (questions,).

    Returns:
        int32, shape (questions,).
    """
    answerable = np.unique(accepted.rows)
    return _look_up(rows, answerable, np.ones(len(answerable), dtype=np.int32))


def _is_accepted(run: Run, accepted: AcceptedPairs) -> NDArray[np.bool_]:
    # Dense numbers for the run's ids keep row * width + id far from the limits of int64.
    ids, dense = np.unique(run.ids, return_inverse=True)
    positions = np.searchsorted(ids, accepted.ids)
    retrieved = positions < len(ids)
    retrieved[retrieved] = ids[positions[retrieved]] == accepted.ids[retrieved]
    keys = run.rows.astype(np.int64) * len(ids) + dense
    wanted = accepted.rows[retrieved].astype(np.int64) * len(ids) + positions[retrieved]
    return np.isin(keys, wanted)


def _look_up(
    rows: NDArray[np.int32], known: NDArray[np.int32], values: NDArray[np.int32]
) -> NDArray[np.int32]:
    """``values`` of ``known`` (ascending) at ``rows``; 0 for rows that are not known."""
    found = np.isin(rows, known)
    result = np.zeros(len(rows), dtype=np.int32)
    result[found] = values[np.searchsorted(known, rows[found])]
    return result
