"""Scoring pairs of a question's answer and a method under every measure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.judge.answer_features import AnswerFeatures
from ncsbench.judge.index import JudgeIndex
from ncsbench.judge.similarity import score_pair
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES


def score_pairs(
    *,
    answers: AnswerFeatures,
    index: JudgeIndex,
    rows: NDArray[np.int32],
    ids: NDArray[np.int64],
) -> pa.Table:
    """Every measure for the wanted pairs of question and method.

    Args:
        answers: features of the answers.
        index: index of the corpus.
        rows: question rows, shape (n,), in any order.
        ids: method ids, shape (n,); a pair given twice is scored once.

    Returns:
        A table of ``records.JUDGEMENT_SCHEMA``, sorted by (row, id), one line per pair. Answers
        and methods that cannot be read as Java have similarity 0 with everything (DEV-21, DEV-23).

    Raises:
        DataError: a pair names a method that the index does not have.
    """
    pairs = np.unique(np.stack([rows.astype(np.int64), ids.astype(np.int64)], axis=1), axis=0)
    outside = pairs[(pairs[:, 1] < 0) | (pairs[:, 1] >= index.methods), 1]
    if len(outside):
        raise DataError(f"method {outside[0]} is to be judged but is not in the corpus")
    scores = np.zeros((len(pairs), len(MEASURES)), np.float64)
    places = np.searchsorted(answers.rows, pairs[:, 0])
    readable = places < len(answers)
    readable[readable] = answers.rows[places[readable]] == pairs[readable, 0]
    for block in index.blocks():
        numbers = pairs[:, 1] - block.first_id
        here = np.flatnonzero(readable & (numbers >= 0) & (numbers < len(block)))
        if len(here):
            scores[here] = _score_block(
                block.forest, block.distinct, numbers[here], places[here],
                answers.starts, answers.ids, answers.counts, len(MEASURES),
            )  # fmt: skip
    return pa.table([pairs[:, 0], pairs[:, 1], *scores.T], schema=JUDGEMENT_SCHEMA)


@njit(cache=True)
def _score_block(
    forest: Any, distinct: Any, methods: Any, places: Any,
    starts: Any, ids: Any, counts: Any, measures: Any,
) -> Any:  # fmt: skip
    scores = np.empty((len(methods), measures), np.float64)
    for pair in range(len(methods)):
        first, end = starts[places[pair]], starts[places[pair] + 1]
        method = methods[pair]
        score_pair(
            ids[first:end], counts[first:end], forest, method, distinct[method], scores[pair]
        )
    return scores
