"""Similarity of two methods of a corpus, one of them as the query; used to find copies."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

import numpy as np

from ncsbench.aroma.features import FeatureSet, body_feature_ids, count_features
from ncsbench.aroma.similarity import score_pair
from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.judge.judge_index import IndexBlock, JudgeIndex


class MethodComparison:
    """Compares methods of an index by one similarity.

    Args:
        index: index of the corpus.
        similarity: one of ``SIMILARITIES``.
        threshold: two methods are near-identical where each as the query has a similarity
            strictly above it with the other.
    """

    def __init__(self, index: JudgeIndex, similarity: str, threshold: float) -> None:
        self._blocks = list(index.blocks())
        self._firsts = [block.first_id for block in self._blocks]
        self._similarity = SIMILARITIES.index(similarity)
        self._threshold = threshold
        self.features = lru_cache(maxsize=4096)(self._read_features)

    def are_equal(self, first: int, second: int) -> bool:
        """Whether two methods have the same features, equally often, and any at all."""
        ours, theirs = self.features(first), self.features(second)
        return (
            len(ours.ids) > 0
            and np.array_equal(ours.ids, theirs.ids)
            and np.array_equal(ours.counts, theirs.counts)
        )

    def are_near_identical(self, first: int, second: int) -> bool:
        """Whether each of two methods is similar enough to the other."""
        return self._is_above(first, second) and self._is_above(second, first)

    def _is_above(self, query: int, method: int) -> bool:
        features = self.features(query)
        block, body = self._find(method)
        scores = np.zeros(len(SIMILARITIES), np.float64)
        score_pair(
            features.ids, features.counts, block.forest, body, block.distinct[body], scores
        )  # fmt: skip
        return bool(scores[self._similarity] > self._threshold)

    def _read_features(self, method: int) -> FeatureSet:
        block, body = self._find(method)
        return count_features(body_feature_ids(block.forest, body)[0])

    def _find(self, method: int) -> tuple[IndexBlock, int]:
        block = self._blocks[bisect_right(self._firsts, method) - 1]
        return block, method - block.first_id
