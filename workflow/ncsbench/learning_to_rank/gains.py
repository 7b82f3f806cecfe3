"""What candidates are worth: labels from the judgements of threads' answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.evaluation.evaluation_options import JudgeOptions
from ncsbench.learning_to_rank.tree_options import GainOptions

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Labels:
    """Which candidates the judges accept.

    Attributes:
        default: whether the lenient judge accepts, shape (candidates,).
        strict: whether the strict judge accepts, shape (candidates,).
    """

    default: Mask
    strict: Mask

    def count_gains(self, options: GainOptions) -> NDArray[np.int32]:
        """The gain of each candidate, shape (candidates,), from 0."""
        table = np.array([[0, options.strict], [options.default, options.both]], np.int32)
        gains: NDArray[np.int32] = table[self.default.astype(np.int8), self.strict.astype(np.int8)]
        return gains


def label_candidates(
    query_ids: NDArray[np.int32],
    methods: NDArray[np.int64],
    judgements: pa.Table,
    judges: JudgeOptions,
) -> Labels:
    """Look up what the judges say of candidates.

    Args:
        query_ids: the thread of each candidate, shape (candidates,), in any order.
        methods: its method id, shape (candidates,).
        judgements: table of ``JUDGEMENT_SCHEMA``, in any order; a pair may be there twice.
        judges: both judges, with thresholds that a similarity must exceed.

    Raises:
        DataError: where a candidate was not judged; names the first.
    """
    rows = find_judgements(query_ids, methods, judgements)

    def accept(similarity: str, threshold: float) -> Mask:
        above: Mask = judgements[similarity].to_numpy()[rows] > threshold
        return above

    return Labels(
        default=accept(judges.judge, judges.threshold),
        strict=accept(judges.strict_judge, judges.strict_threshold),
    )


def find_judgements(
    query_ids: NDArray[np.int32], methods: NDArray[np.int64], judgements: pa.Table
) -> NDArray[np.int64]:
    """Rows of the judgements of candidates, shape (candidates,).

    Args:
        query_ids: the query of each candidate, shape (candidates,), in any order.
        methods: its method id, shape (candidates,).
        judgements: table of ``JUDGEMENT_SCHEMA``, in any order; a pair may be there twice.

    Raises:
        DataError: where a candidate was not judged; names the first.
    """
    judged = np.stack([judgements["query_id"].to_numpy(), judgements["id"].to_numpy()], axis=1)
    wanted = np.stack([query_ids, methods], axis=1)
    # One number for each distinct pair, so that pairs are found by a binary search.
    width = max(int(pairs[:, 1].max(initial=0)) for pairs in (judged, wanted)) + 1
    known, rows = np.unique(judged[:, 0] * width + judged[:, 1], return_index=True)
    keys = wanted[:, 0] * width + wanted[:, 1]
    places = np.searchsorted(known, keys)
    found = places < len(known)
    found[found] = known[places[found]] == keys[found]
    if not found.all():
        query_id, method = wanted[int(np.argmin(found))]
        raise DataError(
            f"method {method} for query {query_id}: is a candidate but was not judged; score the"
            " run of the same candidates with `ncsbench judge score`"
        )
    asked: NDArray[np.int64] = rows[places]
    return asked
