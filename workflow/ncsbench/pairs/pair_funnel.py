"""Counts how many questions, answers, methods and pairs each step of making pairs keeps."""

from __future__ import annotations

from collections.abc import Iterable

from ncsbench.artifacts.csv_tables import name_cells

FUNNEL_COLUMNS = ("unit", "step", "kept", "removed")


class Funnel:
    """Counts of the steps, in the order in which the steps were named."""

    def __init__(self, steps: Iterable[tuple[str, str]]) -> None:
        """Name all steps.

        Args:
            steps: unit ("answer") and what the step keeps ("with code"), in order.
        """
        self._counts = {step: [0, 0] for step in steps}

    def count(self, unit: str, step: str, *, kept: int = 0, removed: int = 0) -> None:
        """Add to a step."""
        counts = self._counts[unit, step]
        counts[0] += kept
        counts[1] += removed

    def passes(self, unit: str, step: str, kept: object) -> bool:
        """Count one unit by the truth of ``kept``, and give that back."""
        self._counts[unit, step][0 if kept else 1] += 1
        return bool(kept)

    def rows(self) -> list[dict[str, str]]:
        """One row a step, with ``FUNNEL_COLUMNS``."""
        counts = ((*step, *kept_removed) for step, kept_removed in self._counts.items())
        return name_cells(FUNNEL_COLUMNS, counts)
