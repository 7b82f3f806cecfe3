"""UNIF: methods as attention-weighted sums of trained word vectors, searched by cosine.

For the words w of a method, repeated words counted as often as they stand there, with the trained
tables of code and query words and the attention vector a (UNIF paper; ``models.unif_network``)::

    v_code  = u( SUM over w: exp(a . code_table[w]) * code_table[w] ),  u(v) = v / ||v||
    v_query = u( SUM over w: query_table[w] )

The divisor of the softmax over a method's words is one number, which u() takes away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, TokenLists
from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words
from ncsbench.models.document_vectors import normalise_rows
from ncsbench.models.exact_search import find_nearest
from ncsbench.models.index_files import read_index, write_index
from ncsbench.models.options import parse_options
from ncsbench.models.protocol import FitInputs, Ranker
from ncsbench.models.ranking import check_depth, collect_run
from ncsbench.models.term_counts import count_terms
from ncsbench.records import Query, Run

# At 500 dimensions a block's sums take 131 MB.
_BLOCK = 1 << 16
_ARRAYS = ("methods", "document_vectors", "query_vectors", "word_ids")


@dataclass(frozen=True)
class UnifOptions:
    """Options of a model of kind ``unif``; those of its training stand in ``training``.

    Attributes:
        query_stop_words: whether stop words of a query are kept.
        stop_words: the stop words, lower-case; only read where they are removed.
    """

    query_stop_words: Literal["kept", "removed"] = "kept"
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.query_stop_words == "removed" and not self.stop_words:
            raise ConfigurationError(
                "option 'query_stop_words: removed' needs stop words; add 'stop_words: true'"
            )


class UNIF:
    """Unit document vectors (float32) and exact search by inner product."""

    takes_base: ClassVar[bool] = False

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        parsed = parse_options(UnifOptions, options, where="unif")
        removed = parsed.query_stop_words == "removed"
        self._left_out = frozenset(parsed.stop_words if removed else ())
        self._corpus: Documents | None = None
        self._methods: NDArray[np.int64]
        self._document_vectors: NDArray[np.float32]
        self._query_vectors: NDArray[np.float32]
        self._word_ids: NDArray[np.int32]
        self._rows: dict[str, int]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Embed the methods of ``corpus`` with trained weights."""
        weights = inputs.get("weights")
        if weights is None:
            raise ConfigurationError(
                "unif: needs trained weights; give the model file a block 'training'"
            )
        known = {word: row for row, word in enumerate(weights.words)}
        shared = [(i, known[w]) for i, w in enumerate(corpus.words.vocabulary) if w in known]
        rows = [row for _, row in shared]
        self._word_ids = np.array([index for index, _ in shared], dtype=np.int32)
        self._query_vectors = weights.query_table[rows]
        self._methods, self._document_vectors = embed_methods(
            corpus.words,
            word_ids=self._word_ids,
            vectors=weights.code_table[rows],
            attention=weights.attention,
        )
        self._attach(corpus)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by cosine.

        A query without a known word has an empty ranking; a method without one is never returned.
        """
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        vectors = {query.row: self.embed_query(query.text) for query in queries}
        known = {row: vector for row, vector in vectors.items() if vector is not None}
        rankings = find_nearest(
            np.array(list(known.values())), self._document_vectors, self._methods, k=k
        )
        return collect_run(zip(known, rankings, strict=True))

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Unit vector of a query, float64, shape (dimension,); None without a known word."""
        words = [word for word in split_words(text) if word not in self._left_out]
        rows = [self._rows[word] for word in words if word in self._rows]
        total = self._query_vectors[rows].sum(axis=0, dtype=np.float64)
        length = np.sqrt((total * total).sum())
        return total / length if length > 0 else None

    def save(self, folder: Path) -> None:
        """Write the vectors of methods and of the words of queries."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        arrays = (self._methods, self._document_vectors, self._query_vectors, self._word_ids)
        write_index(
            folder,
            corpus=self._corpus,
            options={},
            arrays=dict(zip(_ARRAYS, arrays, strict=True)),
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus``."""
        self._methods, self._document_vectors, self._query_vectors, self._word_ids = read_index(
            folder, corpus=corpus, options={}, names=_ARRAYS
        )
        self._attach(corpus)

    def _attach(self, corpus: Documents) -> None:
        words = [corpus.words.vocabulary[index] for index in self._word_ids.tolist()]
        self._rows = {word: row for row, word in enumerate(words)}
        self._corpus = corpus


def embed_methods(
    lists: TokenLists,
    *,
    word_ids: NDArray[np.int32],
    vectors: NDArray[np.float32],
    attention: NDArray[np.float32],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Vectors of all methods, made in blocks so that little more than the result is in memory.

    Args:
        lists: words of n methods.
        word_ids: words with a vector, ascending indices into the vocabulary, shape (m,).
        vectors: their trained vectors, shape (m, dimension).
        attention: shape (dimension,).

    Returns:
        The methods that have a vector, ascending, shape (r,), and their unit vectors, shape
        (r, dimension). Methods with the same bag of words have the same bits, wherever they lie.
    """
    # Not by a matrix product, whose bits depend on the machine's kernels.
    scores = (vectors.astype(np.float64) * attention).sum(axis=1)
    methods = [np.zeros(0, dtype=np.int64)]
    documents = np.empty((len(lists), vectors.shape[1]), dtype=np.float32)
    filled = 0
    for start in range(0, len(lists), _BLOCK):
        counts = count_terms(lists, start=start, stop=min(start + _BLOCK, len(lists)))
        weights = counts[:, word_ids].astype(np.float64)
        lengths = np.diff(weights.indptr)
        own = scores[weights.indices]
        # Without the highest score of each method the exponential could overflow.
        firsts = weights.indptr[:-1][lengths > 0]
        highest = np.maximum.reduceat(own, firsts) if len(firsts) else own
        weights.data *= np.exp(own - np.repeat(highest, lengths[lengths > 0]))
        sums = weights.astype(np.float32) @ vectors
        found = np.flatnonzero(sums.any(axis=1))
        documents[filled : filled + len(found)] = normalise_rows(sums[found])
        filled += len(found)
        methods.append(start + found)
    return np.concatenate(methods), documents[:filled]


RANKER: type[Ranker] = UNIF
