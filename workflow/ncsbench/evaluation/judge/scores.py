"""Scores pairs of a question's answer and a method by every similarity.

Methods come from the index of a corpus, or as texts where there is no index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.code.aroma.similarity import score_bodies
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import AnswerFeatures
from ncsbench.evaluation.judge.judge_index import BLOCK, IndexBlock, build_block
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA


class Blocks(Protocol):
    """An index of a corpus: in a folder (``JudgeIndex``) or in memory."""

    @property
    def methods(self) -> int:
        """Number of methods."""

    def blocks(self) -> Iterator[IndexBlock]:
        """Iterate over all methods, in blocks in the order of their ids."""


def score_pairs(
    *,
    answers: AnswerFeatures,
    index: Blocks,
    query_ids: NDArray[np.int32],
    ids: NDArray[np.int64],
) -> pa.Table:
    """Compute every similarity for the wanted pairs of question and method.

    Args:
        answers: features of the answers.
        index: index of the corpus.
        query_ids: ids of questions, shape (n,), in any order.
        ids: method ids, shape (n,); a pair given twice is scored once.

    Returns:
        A table of ``JUDGEMENT_SCHEMA``, sorted by (query_id, id), one line per pair. Answers
        and methods that cannot be read as Java have similarity 0 with everything (DEV-21, DEV-23).

    Raises:
        DataError: where a pair names a method that the index does not have.
    """
    order = np.lexsort((ids, query_ids))  # sorting whole rows, as np.unique does, is slower
    pairs = np.stack([query_ids[order], ids[order]], axis=1).astype(np.int64)
    pairs = pairs[np.append(True, np.any(pairs[1:] != pairs[:-1], axis=1))[: len(pairs)]]
    outside = pairs[(pairs[:, 1] < 0) | (pairs[:, 1] >= index.methods), 1]
    if len(outside):
        raise DataError(f"method {outside[0]} is to be judged but is not in the corpus")
    scores = np.zeros((len(pairs), len(SIMILARITIES)), np.float64)
    places = np.searchsorted(answers.query_ids, pairs[:, 0])
    readable = places < len(answers)
    readable[readable] = answers.query_ids[places[readable]] == pairs[readable, 0]
    for block in index.blocks():
        numbers = pairs[:, 1] - block.first_id
        here = np.flatnonzero(readable & (numbers >= 0) & (numbers < len(block)))
        here = here[np.argsort(numbers[here], kind="stable")]  # pairs of a method together
        if len(here):
            scores[here] = score_bodies(
                block.forest, block.distinct, numbers[here], places[here],
                answers.starts, answers.ids, answers.counts,
            )  # fmt: skip
    return pa.table([pairs[:, 0], pairs[:, 1], *scores.T], schema=JUDGEMENT_SCHEMA)


@dataclass(frozen=True)
class _Texts:
    texts: list[str]

    @property
    def methods(self) -> int:
        return len(self.texts)

    def blocks(self) -> Iterator[IndexBlock]:
        for start in range(0, len(self.texts), BLOCK):
            yield build_block(self.texts[start : start + BLOCK], start)


def score_texts(
    *,
    answers: AnswerFeatures,
    texts: Mapping[int, str],
    rows: NDArray[np.int32],
    ids: NDArray[np.int64],
) -> pa.Table:
    """Score pairs as ``score_pairs`` does, from texts by id; ``KeyError`` where a text is missing.

    ``rows`` are the query ids there.
    """
    known, dense = np.unique(np.asarray(ids, np.int64), return_inverse=True)
    index = _Texts([texts[id_] for id_ in known.tolist()])
    judged = score_pairs(answers=answers, index=index, query_ids=rows, ids=dense.astype(np.int64))
    position = judged.schema.get_field_index("id")
    found = pa.array(known[judged["id"].to_numpy()], pa.int64())
    return judged.set_column(position, judged.schema.field("id"), found)
