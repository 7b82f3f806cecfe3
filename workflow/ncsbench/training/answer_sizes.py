"""How large the code is that a query asks for: ridge regression (Hoerl and Kennard 1970).

With x the distinct words of a query as zeros and ones, and s the number of distinct words of its
code, over all pairs::

    minimise  SUM (ln(1 + s) - b - w x)^2  +  ridge * |w|^2

The intercept b is not penalised: a query without a known word has the mean of the pairs but for
what their words explain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ncsbench.errors import DataError
from ncsbench.training.word_sets import WordSets

SIZE_SCHEMA = pa.schema(
    [
        pa.field("word", pa.string(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
)
"""What a word of a query adds to ln(1 + distinct words of the code), by ascending word. The first
row, of the empty word, which no query has, is the intercept."""

_STEPS = 10_000
_RESIDUAL = 1e-12

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnswerSizes:
    """A fitted regression.

    Attributes:
        intercept: prediction for a query without a known word.
        weights: what each known word adds to it.
    """

    intercept: float
    weights: Mapping[str, float]

    def predict(self, words: Iterable[str]) -> float:
        """ln(1 + number of distinct words) of the code that a query with these words asks for.

        Repeated words count once, unknown ones for nothing.
        """
        known = [self.weights[word] for word in dict.fromkeys(words) if word in self.weights]
        return math.fsum([self.intercept, *known])  # the same in any order of the words

    def make_table(self) -> pa.Table:
        """The regression as ``SIZE_SCHEMA``."""
        words = sorted(self.weights)
        weights = [self.intercept, *(self.weights[word] for word in words)]
        return pa.table({"word": ["", *words], "weight": weights}, schema=SIZE_SCHEMA)


def read_sizes(table: pa.Table, *, where: str) -> AnswerSizes:
    """The regression that a table of ``SIZE_SCHEMA`` holds.

    Raises:
        DataError: naming ``where``, for one without an intercept, with a word twice or a weight
            that is no finite number.
    """
    words, weights = (table[name].to_pylist() for name in SIZE_SCHEMA.names)
    by_word = dict(zip(words, weights, strict=True))
    if "" not in by_word or len(by_word) < len(words) or not np.isfinite(weights).all():
        raise DataError(
            f"{where}: is no table of sizes: needs one row for each word, one for the empty word, "
            "and finite weights; learn it again"
        )
    return AnswerSizes(by_word.pop(""), by_word)


def fit_sizes(queries: WordSets, sizes: Floats, *, ridge: float) -> AnswerSizes:
    """Fit the regression.

    Args:
        queries: words of the queries of n pairs, n at least 1.
        sizes: number of distinct words of the code of each, shape (n,).
        ridge: weight of the penalty, above 0.

    Raises:
        DataError: where conjugate gradients do not end, which a larger ridge mends.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import LinearOperator, cg

    pairs, words = len(queries), len(queries.vocabulary)
    values = np.log1p(sizes)
    mean = float(values.mean())
    ones = np.ones(len(queries.tokens), dtype=np.float64)
    asked = csr_matrix((ones, queries.tokens, queries.offsets), shape=(pairs, words))
    across = asked.T.tocsr()
    shares = np.bincount(queries.tokens, minlength=words) / pairs

    def multiply(weights: Floats) -> Floats:
        # Columns less their means, which keeps the intercept out, without a full matrix.
        product: Floats = across @ (asked @ weights)
        product -= pairs * shares * (shares * weights).sum()
        return product + ridge * weights

    normal = LinearOperator((words, words), matvec=multiply, dtype=np.float64)
    # On one thread: a sum by several depends on their number.
    with threadpool_limits(1):
        found, steps = cg(normal, across @ (values - mean), rtol=_RESIDUAL, atol=0, maxiter=_STEPS)
    if steps:
        raise DataError(
            f"sizes of answers: not solved in {_STEPS} steps; raise the option 'ridge' from {ridge}"
        )
    weights = dict(zip(queries.vocabulary, found.tolist(), strict=True))
    return AnswerSizes(mean - float((shares * found).sum()), weights)
