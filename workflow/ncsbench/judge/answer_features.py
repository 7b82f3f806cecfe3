"""The answers to judge against, read once and joined into arrays for compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.judge.answers import features_of_answer
from ncsbench.judge.features import FeatureSet


@dataclass(frozen=True)
class AnswerFeatures:
    """Features of n answers.

    Attributes:
        rows: int32, shape (n,), question rows of the answers that can be read, ascending.
        starts: int64, shape (n + 1,); answer i has the features from ``starts[i]`` on.
        ids: uint64, ascending within each answer.
        counts: int32.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> FeatureSet:
        part = slice(self.starts[place], self.starts[place + 1])
        return FeatureSet(self.ids[part], self.counts[part])


def read_answers(answers: Mapping[int, str]) -> AnswerFeatures:
    """Features of the answers given by question row; those that cannot be read are left out."""
    read = {row: features_of_answer(answers[row]) for row in sorted(answers)}
    found = {row: features for row, features in read.items() if features is not None}
    sizes = [len(features.ids) for features in found.values()]
    return AnswerFeatures(
        rows=np.array(list(found), np.int32),
        starts=np.cumsum([0, *sizes]).astype(np.int64),
        ids=np.concatenate([np.zeros(0, np.uint64), *(f.ids for f in found.values())]),
        counts=np.concatenate([np.zeros(0, np.int32), *(f.counts for f in found.values())]),
    )
