"""Agreement of two people on grades: which pairs both graded, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.kappa import quadratic_kappa, weighted_kappa
from ncsbench.label_files.label_file import Label
from ncsbench.label_files.scales import RELEVANCE, Scale
from ncsbench.text.safe_text import show_line

_SHOWN = 200


@dataclass(frozen=True)
class GradeAgreement:
    """How two people graded the same pairs of question and method, or the same comments.

    Attributes:
        counts: int64, shape (grades, grades): pairs by the first's grade and the second's; the
            index of a grade is the grade.
        first_alone: what only the first graded, as ``Label.identify`` has it.
        second_alone: what only the second graded.
        once: pairs of one file that have one label.
    """

    counts: NDArray[np.int64]
    first_alone: Sequence[tuple[str, ...]] = ()
    second_alone: Sequence[tuple[str, ...]] = ()
    once: int = 0

    @property
    def pairs(self) -> int:
        """Pairs that both graded."""
        return int(self.counts.sum())

    @property
    def observed(self) -> float | None:
        """Share of the pairs with the same grade; None without pairs."""
        return float(np.trace(self.counts)) / self.pairs if self.pairs else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is undefined."""
        return weighted_kappa(self.counts, 1.0 - np.eye(len(self.counts)))

    @property
    def quadratic_kappa(self) -> float | None:
        """Cohen's kappa that counts a disagreement by the square of the distance of the grades."""
        return quadratic_kappa(self.counts)

    def describe(self) -> list[str]:
        """Lines for a reader: numbers of pairs, both kappas, and the counts by grades."""
        lines = [f"pairs graded {'twice' if self.once else 'by both'}: {self.pairs:,}"]
        for who, alone in (("first", self.first_alone), ("second", self.second_alone)):
            if alone:
                example = show_line(", ".join(alone[0][1:]))[:_SHOWN]
                lines.append(f"by the {who} only: {len(alone):,}, such as {example}")
        if self.once:
            lines.append(f"graded once: {self.once:,}")
        for name, value in (
            ("same grade", self.observed),
            ("Cohen's kappa", self.kappa),
            ("quadratic kappa", self.quadratic_kappa),
        ):
            lines.append(f"{name}: {'undefined' if value is None else f'{value:.4f}'}")
        if self.pairs:
            width = max(len(f"{count:,}") for count in self.counts.ravel().tolist())
            lines.append("grades of the first (rows) and the second (columns):")
            lines += [
                f"  {grade}  " + "  ".join(f"{count:>{width},}" for count in row)
                for grade, row in enumerate(self.counts.tolist())
            ]
        return lines


def compare_labels(
    first: Iterable[Label], second: Iterable[Label], scale: Scale = RELEVANCE
) -> GradeAgreement:
    """Agreement of two files; of several labels for a pair in one of them the first counts."""
    one, other = (_list_grades(labels, scale) for labels in (first, second))
    both = [pair for pair in one if pair in other]
    return GradeAgreement(
        counts=_count([(one[pair][0], other[pair][0]) for pair in both], scale),
        first_alone=[pair for pair in one if pair not in other],
        second_alone=[pair for pair in other if pair not in one],
    )


def compare_within(labels: Iterable[Label], scale: Scale = RELEVANCE) -> GradeAgreement:
    """Agreement of the first two labels of each pair that one file has several of (DEV-109)."""
    found = _list_grades(labels, scale).values()
    return GradeAgreement(
        counts=_count([(grades[0], grades[1]) for grades in found if len(grades) > 1], scale),
        once=sum(len(grades) == 1 for grades in found),
    )


def _list_grades(labels: Iterable[Label], scale: Scale) -> Mapping[tuple[str, ...], list[int]]:
    grades: dict[tuple[str, ...], list[int]] = {}
    for label in labels:
        grades.setdefault(label.identify(scale), []).append(label.grade)
    return grades


def _count(grades: Sequence[tuple[int, int]], scale: Scale) -> NDArray[np.int64]:
    counts = np.zeros((len(scale.grades), len(scale.grades)), np.int64)
    for first, second in grades:
        counts[first, second] += 1
    return counts
