"""All answers at once, so that a method is compared with each of them in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.judge.answers import features_of_answer
from ncsbench.judge.features import FeatureIndex, MethodFeatures
from ncsbench.judge.similarity import Overlap


@dataclass(frozen=True)
class AnswerIndex:
    """Features of n answers, and an inverted index over them.

    Attributes:
        rows: question rows of the answers that can be read as Java, ascending.
        features: ids of the answers' features; others need none.
        counts: per answer, counts by feature id.
        sizes: int64, shape (n,), number of features of each answer.
        distinct: int64, shape (n,), number of distinct features of each answer.
        offsets: int64, shape (features + 1,); feature f occurs in the answers
            ``places[offsets[f]:offsets[f + 1]]``, as often as ``times`` says.
        places: int64, positions in ``rows``.
        times: int64, aligned with ``places``.
    """

    rows: tuple[int, ...]
    features: FeatureIndex
    counts: tuple[dict[int, int], ...]
    sizes: NDArray[np.int64]
    distinct: NDArray[np.int64]
    offsets: NDArray[np.int64]
    places: NDArray[np.int64]
    times: NDArray[np.int64]

    def overlap(self, method: MethodFeatures) -> Overlap:
        """Overlap of every answer with ``method``."""
        known = self.features.known(method.counts)
        ids = np.fromiter(known.keys(), dtype=np.int64, count=len(known))
        has = np.fromiter(known.values(), dtype=np.int64, count=len(known))
        starts, ends = self.offsets[ids], self.offsets[ids + 1]
        lengths = ends - starts
        # Positions of all entries of these features: each range counted on from its start.
        before = np.cumsum(lengths) - lengths
        entries = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
        places = self.places[entries]
        common = np.zeros(len(self.rows), dtype=np.int64)
        np.add.at(common, places, np.minimum(self.times[entries], np.repeat(has, lengths)))
        return Overlap(
            answer=self.sizes,
            method=method.counts.total(),
            common=common,
            answer_distinct=self.distinct,
            method_distinct=len(method.counts),
            common_distinct=np.bincount(places, minlength=len(self.rows)).astype(np.int64),
        )


def index_answers(answers: Mapping[int, str]) -> AnswerIndex:
    """Read and index the answers, given by question row."""
    read = {row: features_of_answer(answers[row]) for row in sorted(answers)}
    features = FeatureIndex()
    rows = tuple(row for row, answer in read.items() if answer is not None)
    counts = tuple(features.add(answer.counts) for answer in read.values() if answer is not None)
    entries = np.array(
        [
            (feature, place, times)
            for place, answer in enumerate(counts)
            for feature, times in answer.items()
        ],
        dtype=np.int64,
    ).reshape(-1, 3)
    entries = entries[np.lexsort((entries[:, 1], entries[:, 0]))]
    return AnswerIndex(
        rows=rows,
        features=features,
        counts=counts,
        sizes=np.array([sum(answer.values()) for answer in counts], dtype=np.int64),
        distinct=np.array([len(answer) for answer in counts], dtype=np.int64),
        offsets=np.searchsorted(entries[:, 0], np.arange(len(features) + 1)).astype(np.int64),
        places=entries[:, 1].copy(),
        times=entries[:, 2].copy(),
    )
