"""The rows of both tables of UNIF that training touches, taken from an embedding and put back.

A word of no pair never has a gradient, and Adam leaves its row alone: training the rows of the
words that occur gives what training whole tables would, up to the rounding of the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists
from ncsbench.models.embedding import Embedding
from ncsbench.models.pair_words import PairWords
from ncsbench.models.unif_checkpoint import Tensors
from ncsbench.models.unif_network import UnifNetwork
from ncsbench.models.unif_weights import UnifWeights

_ATTENTION = 1  # Stream of random numbers, beside those of unif_training.


@dataclass(frozen=True)
class UsedRows:
    """Rows of the embedding that occur, ascending.

    Attributes:
        queries: in queries of any pair.
        codes: in code of any pair.
    """

    queries: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def compact(cls, pairs: PairWords) -> tuple[UsedRows, PairWords]:
        """The rows, and the pairs with words numbered within them."""
        rows = cls(_used(pairs.queries), _used(pairs.codes))
        queries, codes = _renumber(pairs.queries, rows.queries), _renumber(pairs.codes, rows.codes)
        return rows, replace(pairs, queries=queries, codes=codes)

    def create_network(self, embedding: Embedding, *, seed: int) -> UnifNetwork:
        """Tables of these rows and an attention vector from ±1/sqrt(dimension) (DEV-63)."""
        dimension = embedding.vectors.shape[1]
        draws = np.random.default_rng([seed, _ATTENTION]).random((dimension,), dtype=np.float32)
        attention = (2 * draws - 1) / np.float32(math.sqrt(dimension))
        vectors = embedding.vectors
        return UnifNetwork(vectors[self.queries], vectors[self.codes], attention)

    def spread(
        self, embedding: Embedding, trained: Tensors, about: Mapping[str, Any]
    ) -> UnifWeights:
        """Whole tables with the trained rows; all others keep the embedding's vectors (DEV-62)."""
        query_table, code_table = embedding.vectors.copy(), embedding.vectors.copy()
        query_table[self.queries] = trained["query_table"]
        code_table[self.codes] = trained["code_table"]
        attention = trained["attention"]
        return UnifWeights(embedding.vocabulary, query_table, code_table, attention, about)


def _used(lists: TokenLists) -> NDArray[np.int64]:
    return np.unique(lists.tokens).astype(np.int64)


def _renumber(lists: TokenLists, used: NDArray[np.int64]) -> TokenLists:
    words = [lists.vocabulary[row] for row in used.tolist()]
    return TokenLists(words, lists.offsets, np.searchsorted(used, lists.tokens).astype(np.int32))
