"""Scoring pairs of an answer and a method given by its text, where a corpus has no index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.judge.answer_features import AnswerFeatures
from ncsbench.judge.index_shards import build_block
from ncsbench.judge.judge_index import BLOCK, IndexBlock
from ncsbench.judge.scores import score_pairs


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
    """What ``score_pairs`` gives, from texts of methods by id; ``KeyError`` where one is missing.

    Args:
        answers: features of the answers.
        texts: the methods.
        rows: query ids, shape (n,), in any order.
        ids: method ids, shape (n,); a pair given twice is scored once.
    """
    known, dense = np.unique(np.asarray(ids, np.int64), return_inverse=True)
    index = _Texts([texts[id_] for id_ in known.tolist()])
    judged = score_pairs(answers=answers, index=index, query_ids=rows, ids=dense.astype(np.int64))
    position = judged.schema.get_field_index("id")
    found = pa.array(known[judged["id"].to_numpy()], pa.int64())
    return judged.set_column(position, judged.schema.field("id"), found)
