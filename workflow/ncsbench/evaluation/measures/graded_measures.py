"""Measures of rankings by the names of ir_measures: nDCG@10, RR@10, R@50, P@5, Success@1, AP.

They need the grades of results and the grades of everything that is right. Values are equal to
those of ir_measures 0.4 (MacAvaney et al., ECIR 2022), whose definitions are trec_eval's: the gain
of a result is its grade, the discount the logarithm to base 2 of its rank plus 1 (Järvelin and
Kekäläinen, TOIS 2002), and every grade above 0 is right for all measures but nDCG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator

from ncsbench.errors import ConfigurationError

Values = NDArray[np.float64]
_NAME = re.compile(r"([A-Za-z]+)(?:@([1-9][0-9]{0,5}))?")
DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@5", "R@10", "R@50", "AP")
"""Measures of tables whose configuration names no others."""


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
    function, depth = _parse(measure)
    return function(truth.cut(depth), depth)


def check_measure(name: str) -> str:
    """Return the name of a measure; ``ValueError`` for an unknown one."""
    try:
        _parse(name)
    except ConfigurationError as error:
        raise ValueError(str(error)) from error
    return name


MeasureName = Annotated[str, AfterValidator(check_measure)]
"""Name of a measure, such as ``nDCG@10``."""


def grade_places(grades: Sequence[float], width: int) -> Values:
    """Return grades, descending, as a row of ``Truth.ideal``, shape (width,)."""
    row = np.zeros(width, np.float64)
    row[: len(grades)] = sorted(grades, reverse=True)
    return row


def _parse(name: str) -> tuple[Callable[[Truth, int | None], Values], int | None]:
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in _MEASURES or (found[1] in _NEED_RANK and not found[2]):
        raise ConfigurationError(
            f"measure {name!r}: is unknown; choose from {', '.join(_MEASURES)}, with a rank such "
            "as nDCG@10 or R@50"
        )
    return _MEASURES[found[1]], int(found[2]) if found[2] else None


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
    found: Values = (truth.grades > 0).sum(axis=1, dtype=np.float64) / (depth or 1)
    return found


def _success(truth: Truth, depth: int | None) -> Values:
    del depth
    return np.where((truth.grades > 0).any(axis=1), 1.0, 0.0)


def _average_precision(truth: Truth, depth: int | None) -> Values:
    del depth
    hits = truth.grades > 0
    precision = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return _share(np.where(hits, precision, 0.0).sum(axis=1), truth.right)


_MEASURES: Mapping[str, Callable[[Truth, int | None], Values]] = {
    "nDCG": _ndcg,
    "RR": _reciprocal_rank,
    "R": _recall,
    "P": _precision,
    "Success": _success,
    "AP": _average_precision,
}
_NEED_RANK = ("R", "P", "Success")
