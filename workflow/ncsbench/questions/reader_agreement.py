"""Agreement of two readers who judged the same items (Cohen 1960)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Agreement of two readers' yes and no on the same n items.

    Attributes:
        both_yes: items that both kept.
        first_only: items that only the first kept.
        second_only: items that only the second kept.
        both_no: items that neither kept.
        disputed: ids of the items they disagree on, in the order of the first.
        first_alone: ids that only the first judged, in their order.
        second_alone: ids that only the second judged, in their order.
    """

    both_yes: int
    first_only: int
    second_only: int
    both_no: int
    disputed: tuple[str, ...]
    first_alone: tuple[str, ...]
    second_alone: tuple[str, ...]

    @property
    def items(self) -> int:
        """Items that both judged."""
        return self.both_yes + self.first_only + self.second_only + self.both_no

    @property
    def observed(self) -> float | None:
        """Share of the items they agree on; None without items."""
        return (self.both_yes + self.both_no) / self.items if self.items else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without items, and where both give one and the same label to all.

        With p the observed share of agreement and e the one expected of independent readers with
        the same shares of yes, kappa is (p - e) / (1 - e); with e = 1 it is undefined.
        """
        n = self.items
        first_yes = self.both_yes + self.first_only
        second_yes = self.both_yes + self.second_only
        # Integers, so that the undefined case is met exactly: both sides times n squared.
        expected = first_yes * second_yes + (n - first_yes) * (n - second_yes)
        if expected == n * n:
            return None
        return (n * (self.both_yes + self.both_no) - expected) / (n * n - expected)


def compare_readers(first: Mapping[str, bool], second: Mapping[str, bool]) -> Agreement:
    """Count how two readers' decisions by id agree."""
    both = [id_ for id_ in first if id_ in second]
    pairs = [(first[id_], second[id_]) for id_ in both]
    return Agreement(
        both_yes=pairs.count((True, True)),
        first_only=pairs.count((True, False)),
        second_only=pairs.count((False, True)),
        both_no=pairs.count((False, False)),
        disputed=tuple(id_ for id_ in both if first[id_] != second[id_]),
        first_alone=tuple(id_ for id_ in first if id_ not in second),
        second_alone=tuple(id_ for id_ in second if id_ not in first),
    )


def cohen_kappa(first: Mapping[str, bool], second: Mapping[str, bool]) -> float | None:
    """Cohen's kappa of two readers on the ids that both judged; None where it is undefined."""
    return compare_readers(first, second).kappa


def describe_agreement(agreement: Agreement) -> list[str]:
    """Lines for a reader: counts, observed agreement, kappa, and the ids to talk about."""
    lines = [
        f"judged by both: {agreement.items}",
        f"kept by both: {agreement.both_yes}",
        f"kept by the first only: {agreement.first_only}",
        f"kept by the second only: {agreement.second_only}",
        f"kept by neither: {agreement.both_no}",
    ]
    if agreement.observed is not None:
        lines.append(f"observed agreement: {agreement.observed:.4f}")
    if agreement.kappa is not None:
        lines.append(f"Cohen's kappa: {agreement.kappa:.4f}")
    elif agreement.items:
        lines.append(
            "Cohen's kappa: undefined, since both give every question the same label, which "
            "leaves nothing that chance would not explain"
        )
    else:
        lines.append("Cohen's kappa: undefined, since no question was judged by both")
    for title, ids in (
        ("disagreement", agreement.disputed),
        ("judged by the first only", agreement.first_alone),
        ("judged by the second only", agreement.second_alone),
    ):
        lines.append(f"{title}: {', '.join(ids) or 'none'}")
    return lines
