"""The methods of several rankings in one order, without copies of each other.

The order is that of ``rank_fusion``; then results that hardly differ from a better one are removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import gather_tokens
from ncsbench.corpus.indexes.top_results import Ranking, take_top
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.rankers.combined.rank_fusion import RankFusion, sum_reciprocal_ranks
from ncsbench.rankers.lexical.order_options import FusedOptions
from ncsbench.rankers.protocol import Ranker


class Fused(RankFusion, kind="fused", options=FusedOptions):
    """The methods that the parts find, by sum of reciprocal ranks, without near copies.

    Ties are ordered by ascending id. The index always says which method is the first of equal ones:
    no option changes it.
    """

    _options: FusedOptions

    def _has_first(self) -> bool:
        return True

    @property
    def _made_with(self) -> dict[str, Any]:
        return {}

    def _rank(self, rankings: Sequence[NDArray[np.int64]], k: int) -> Ranking:
        least = self._options.near_copies
        if not least > 0:
            return super()._rank(rankings, k)
        methods, sums = sum_reciprocal_ranks(rankings, k=self._options.k)
        methods, sums = take_top(methods, sums, k=max(1, len(methods)))
        # Nearly always the first methods are enough; the others change nothing about them.
        kept = keep_distinct(methods[: 2 * k], self._corpus.words, least=least, k=k)
        if len(kept) < k and len(methods) > 2 * k:
            kept = keep_distinct(methods, self._corpus.words, least=least, k=k)
        return methods[kept], sums[kept]


def keep_distinct(
    ranked: NDArray[np.int64], words: TokenLists, *, least: float, k: int
) -> NDArray[np.int64]:
    """Choose the first methods of a ranking that are no near copies of a chosen method before.

    Args:
        ranked: distinct ids of methods, best first, int64, shape (n,).
        words: words of all methods.
        least: two methods are near copies where they share at least this part of their distinct
            words (size of the intersection divided by that of the union), above 0. A method without
            words has no copies.
        k: largest number of methods to choose.

    Returns:
        Positions in ``ranked``, ascending, int64, at most ``k``.
    """
    from scipy.sparse import csr_matrix

    rows, tokens = gather_tokens(words, ranked)
    distinct, columns = np.unique(tokens, return_inverse=True)
    shape = (len(ranked), len(distinct))
    held = csr_matrix((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)
    held.data[:] = 1  # Repeated words were summed.
    sizes = np.diff(held.indptr)
    shared = (held @ held.T).toarray()
    unions = sizes[:, np.newaxis] + sizes - shared
    near = shared >= least * np.maximum(unions, 1)
    leaves = np.zeros(len(ranked), np.bool_)
    stays: list[int] = []
    for place in range(len(ranked)):
        if len(stays) < k and not leaves[place]:
            stays.append(place)
            leaves |= near[place]
    return np.array(stays, dtype=np.int64)


RANKER: type[Ranker] = Fused
