"""Measures of rankings by the names of ir_measures: nDCG@10, RR@10, R@50, P@5, Success@1, AP.

They need the grades of results and the grades of everything that is right. Values are equal to
those of ir_measures 0.4 (MacAvaney et al., ECIR 2022), whose definitions are trec_eval's: the gain
of a result is its grade, the discount the logarithm to base 2 of its rank plus 1 (Järvelin and
Kekäläinen, TOIS 2002), and every grade above 0 is right for all measures but nDCG.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.statistics.measure_names import FAMILIES, parse_measure

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Truth:
    """Grades of the results of a run, and of everything that is right.

    Attributes:
        grades: grade of each result in order of rank, 0 for a result that is not right, float64,
            shape (questions, depth).
        ideal: grades of everything that is right, descending, then 0, float64, shape
            (questions, n).
    """

    grades: Values
    ideal: Values

    def cut(self, depth: int | None) -> Truth:
        """Return the same truth for the results down to a rank; None for all."""
        return Truth(self.grades[:, :depth], self.ideal)

    @property
    def right(self) -> Values:
        """Number of all that is right for each question, float64, shape (questions,)."""
        found: Values = np.count_nonzero(self.ideal > 0, axis=1).astype(np.float64)
        return found


def measure_questions(measure: str, truth: Truth) -> Values:
    """Return the value of each question, float64, shape (questions,), in [0, 1].

    A question for which nothing is right has the value 0, as in trec_eval.

    Args:
        measure: a name such as ``nDCG@10``; without a rank, all results count.
        truth: grades of the results and of everything that is right.

    Raises:
        ConfigurationError: for an unknown measure.
    """
    family, depth = parse_measure(measure)
    return _MEASURES[family](truth.cut(depth), depth)


def grade_places(grades: Sequence[float], width: int) -> Values:
    """Return grades, descending, as a row of ``Truth.ideal``, shape (width,)."""
    row = np.zeros(width, np.float64)
    row[: len(grades)] = sorted(grades, reverse=True)
    return row


def _discounted(grades: Values) -> Values:
    found: Values = (grades / np.log2(np.arange(2, grades.shape[1] + 2))).sum(axis=1)
    return found


def _share(part: Values, whole: Values) -> Values:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _ndcg(truth: Truth, depth: int | None) -> Values:
    return _share(_discounted(truth.grades), _discounted(truth.ideal[:, :depth]))


def _reciprocal_rank(truth: Truth, depth: int | None) -> Values:
    del depth
    ranks = np.arange(1, truth.grades.shape[1] + 1)
    found: Values = np.where(truth.grades > 0, 1 / ranks, 0.0).max(axis=1, initial=0.0)
    return found


def _recall(truth: Truth, depth: int | None) -> Values:
    del depth
    return _share(np.count_nonzero(truth.grades > 0, axis=1).astype(np.float64), truth.right)


def _precision(truth: Truth, depth: int | None) -> Values:
    found: Values = (truth.grades > 0).sum(axis=1, dtype=np.float64) / float(depth or 1)
    return found


def _success(truth: Truth, depth: int | None) -> Values:
    del depth
    found: Values = np.where((truth.grades > 0).any(axis=1), 1.0, 0.0)
    return found


def _average_precision(truth: Truth, depth: int | None) -> Values:
    del depth
    hits = truth.grades > 0
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return _share(np.where(hits, precision, 0.0).sum(axis=1), truth.right)


_MEASURES: Mapping[str, Callable[[Truth, int | None], Values]] = dict(
    zip(
        FAMILIES,
        (_ndcg, _reciprocal_rank, _recall, _precision, _success, _average_precision),
        strict=True,
    )
)
