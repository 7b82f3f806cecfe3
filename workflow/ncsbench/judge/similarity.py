"""Similarities of answers with a method that need no pruning.

With Q and M the feature multisets of answer and method, S(.) their sets of distinct features and
I the sum of the minima of the counts. An empty side gives 0. Containment is what the Aroma paper
(section 2) calls similarity; the others are the usual symmetric measures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Similarities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes from which the measures follow, for n answers and one method.

    Attributes:
        answer: size of Q, shape (n,).
        method: size of M.
        common: I, the size of the intersection of Q and M, shape (n,).
        answer_distinct: size of S(Q), shape (n,).
        method_distinct: size of S(M).
        common_distinct: size of the intersection of S(Q) and S(M), shape (n,).
    """

    answer: Integers
    method: int
    common: Integers
    answer_distinct: Integers
    method_distinct: int
    common_distinct: Integers


def containment(overlap: Overlap) -> Similarities:
    """I / |Q|: the share of the answer found in the method."""
    return _quotient(overlap.common, overlap.answer)


def set_containment(overlap: Overlap) -> Similarities:
    """Containment on the sets of distinct features."""
    return _quotient(overlap.common_distinct, overlap.answer_distinct)


def jaccard(overlap: Overlap) -> Similarities:
    """I / (|Q| + |M| - I)."""
    return _quotient(overlap.common, overlap.answer + overlap.method - overlap.common)


def dice(overlap: Overlap) -> Similarities:
    """2 I / (|Q| + |M|)."""
    return _quotient(2 * overlap.common, overlap.answer + overlap.method)


def set_cosine(overlap: Overlap) -> Similarities:
    """Common distinct features / sqrt(|S(Q)| |S(M)|)."""
    product = overlap.answer_distinct * overlap.method_distinct
    return _quotient(overlap.common_distinct, np.sqrt(product))


UNPRUNED = {
    "containment": containment,
    "set_containment": set_containment,
    "jaccard": jaccard,
    "dice": dice,
    "set_cosine": set_cosine,
}
"""The measures of ``records.MEASURES`` that do not prune the method."""


def _quotient(numerator: Integers, denominator: Integers | Similarities) -> Similarities:
    zeros = np.zeros(len(numerator), dtype=np.float64)
    return np.divide(numerator, denominator, out=zeros, where=denominator > 0)
