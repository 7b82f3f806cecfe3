"""Agreement of two who graded the same: two people, or people and a judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.agreement import quadratic_kappa, weighted_kappa
from ncsbench.labels.label_sheet import YES_NO, GradedSheet, Pair


@dataclass(frozen=True)
class GradeAgreement:
    """How two graded the same rows.

    Attributes:
        counts: int64, shape (grades, grades): rows by the first's grade and the second's; the
            index of a grade is the grade.
        first_alone: number of rows that only the first graded.
        second_alone: number of rows that only the second graded.
    """

    counts: NDArray[np.int64]
    first_alone: int = 0
    second_alone: int = 0

    @property
    def rows(self) -> int:
        """Rows that both graded."""
        return int(self.counts.sum())

    @property
    def observed(self) -> float | None:
        """Share of the rows with the same grade; None without rows."""
        return float(np.trace(self.counts)) / self.rows if self.rows else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is undefined."""
        return weighted_kappa(self.counts, 1.0 - np.eye(len(self.counts)))

    @property
    def quadratic_kappa(self) -> float | None:
        """Cohen's kappa that counts a disagreement by the square of the distance of the grades."""
        return quadratic_kappa(self.counts)

    def describe(self, first: str, second: str) -> list[str]:
        """Lines for a reader: numbers of rows, the kappas, and the counts by grades."""
        lines = [f"{first} and {second}: rows that both graded: {self.rows:,}"]
        for who, alone in ((first, self.first_alone), (second, self.second_alone)):
            if alone:
                lines.append(f"  by {who} alone: {alone:,}")
        figures = [("same grade", self.observed), ("Cohen's kappa", self.kappa)]
        if len(self.counts) > len(YES_NO):  # else both kappas are one
            figures.append(("quadratic kappa", self.quadratic_kappa))
        for name, value in figures:
            lines.append(f"  {name}: {'undefined' if value is None else f'{value:.4f}'}")
        if self.rows:
            width = max(len(f"{count:,}") for count in self.counts.ravel().tolist())
            lines.append(f"  grades of {first} (rows) and of {second} (columns):")
            lines += [
                f"    {grade}  " + "  ".join(f"{count:>{width},}" for count in row)
                for grade, row in enumerate(self.counts.tolist())
            ]
        return lines


def compare_grades(
    first: Mapping[Pair, int], second: Mapping[Pair, int], scale: tuple[int, ...]
) -> GradeAgreement:
    """Count how two graded the rows that both graded."""
    both = [pair for pair in first if pair in second]
    counts = np.zeros((len(scale), len(scale)), np.int64)
    for pair in both:
        counts[first[pair], second[pair]] += 1
    return GradeAgreement(counts, len(first) - len(both), len(second) - len(both))


def describe_grades(sheet: GradedSheet, name: str) -> str:
    """A line with the number of rows of each grade."""
    counts = Counter(sheet.grades.values())
    said = ", ".join(f"{counts[grade]:,} of grade {grade}" for grade in reversed(sheet.scale))
    left = f"; not graded yet: {sheet.left:,}" if sheet.left else ""
    return f"{name}: {said}{left}"
