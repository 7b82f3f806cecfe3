"""Late interaction: each word of a query beside the word of a method that is most like it.

Khattab and Zaharia (SIGIR 2020), with one vector a word, whatever stands around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists
from ncsbench.indexes.document_vectors import normalise_rows
from ncsbench.indexes.token_rows import gather_tokens


@dataclass(frozen=True)
class CodeVectors:
    """Vectors of the words of methods.

    Attributes:
        words: of all methods.
        word_ids: words with a vector, int32, ascending indices into the vocabulary, shape (m,).
        vectors: theirs, not normalised, float32, shape (m, dimension).
    """

    words: TokenLists
    word_ids: NDArray[np.int32]
    vectors: NDArray[np.float32]

    def compare(
        self, asked: NDArray[np.float32], methods: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The highest cosine of each of some words with a word of each of some methods.

        Args:
            asked: vectors of words of a query, shape (q, dimension).
            methods: ids, int64, shape (c,), in any order.

        Returns:
            float64, shape (c, q); 0 for a method none of whose words has a vector.
        """
        best = np.zeros((len(methods), len(asked)), dtype=np.float64)
        rows, tokens = gather_tokens(self.words, methods)
        known = np.isin(tokens, self.word_ids)
        rows, tokens = rows[known], tokens[known]
        if not len(rows):
            return best
        distinct, places = np.unique(tokens, return_inverse=True)
        chosen = self.vectors[np.searchsorted(self.word_ids, distinct)].astype(np.float64)
        chosen = normalise_rows(chosen)
        having, firsts = np.unique(rows, return_index=True)
        # Not by a matrix product, whose bits depend on the machine's kernels.
        for column, vector in enumerate(normalise_rows(asked.astype(np.float64))):
            cosines = (chosen * vector).sum(axis=1)
            best[having, column] = np.maximum.reduceat(cosines[places], firsts)
        return best
