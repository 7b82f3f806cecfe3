"""The features of all answers, read once and joined into arrays for compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.features import FeatureSet
from ncsbench.judge.answers import features_of_answer


@dataclass(frozen=True)
class AnswerFeatures:
    """Features of n answers.

    Attributes:
        query_ids: int32, shape (n,), query ids of the answers that can be read, ascending.
        starts: int64, shape (n + 1,); answer i has the features from ``starts[i]`` on.
        ids: uint64, ascending within each answer.
        counts: int32.
    """

    query_ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.query_ids)

    def __getitem__(self, index: int) -> FeatureSet:
        part = slice(self.starts[index], self.starts[index + 1])
        return FeatureSet(self.ids[part], self.counts[part])


def read_answers(answers: Mapping[int, str]) -> AnswerFeatures:
    """Features of the answers given by query id; those that cannot be read are left out."""
    read = {query_id: features_of_answer(answers[query_id]) for query_id in sorted(answers)}
    found = {query_id: features for query_id, features in read.items() if features is not None}
    sizes = [len(features.ids) for features in found.values()]
    return AnswerFeatures(
        query_ids=np.array(list(found), np.int32),
        starts=np.cumsum([0, *sizes]).astype(np.int64),
        ids=np.concatenate([np.zeros(0, np.uint64), *(f.ids for f in found.values())]),
        counts=np.concatenate([np.zeros(0, np.int32), *(f.counts for f in found.values())]),
    )
