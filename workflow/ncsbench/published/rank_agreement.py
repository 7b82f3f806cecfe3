"""How first ranks agree with those of a published score sheet, question by question.

Spearman's correlation of the ranks; Cohen's kappa (1960) on yes and no.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.kappa import weighted_kappa
from ncsbench.evaluation.metrics import PUBLISHED_DEPTH
from ncsbench.evaluation.rank_correlation import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.score_sheet import ScoreSheet, join_score_sheet


@dataclass(frozen=True)
class Agreement:
    """How many of the same questions two systems find.

    Attributes:
        both, first_only, second_only, neither: questions that both, one or neither of them finds.
    """

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def questions(self) -> int:
        """Questions that were compared."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def observed(self) -> float | None:
        """Share of the questions on which they agree; None without questions."""
        return (self.both + self.neither) / self.questions if self.questions else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without questions, and where both find all or both find none."""
        counts = np.array([[self.both, self.first_only], [self.second_only, self.neither]])
        return weighted_kappa(counts, 1 - np.eye(2))


@dataclass(frozen=True)
class RankAgreement:
    """Agreement of two systems' first ranks on the same questions.

    Attributes:
        found: which of them finds an accepted method at all.
        answered: the same within the first ten ranks.
        spearman_found: correlation over the questions that both find; None where it is undefined.
        spearman_all: over all questions, not found as one rank below the last; None likewise.
    """

    found: Agreement
    answered: Agreement
    spearman_found: float | None
    spearman_all: float | None


def join_published_ranks(
    sheet: ScoreSheet, keys: Sequence[tuple[str, int]]
) -> dict[str, NDArray[np.int32]]:
    """First ranks of every model of a sheet on the questions at hand (DEV-30).

    Args:
        sheet: the published sheet.
        keys: Stack Overflow id and occurrence of every question, as in ``QUESTION_SCHEMA``.

    Returns:
        int32, shape (questions,), by model; 0 = not found, -1 = the sheet lacks the question.
    """
    positions = join_score_sheet(sheet, keys)
    known = positions >= 0
    joined = {}
    for column, model in enumerate(sheet.models):
        ranks = np.full(len(keys), -1, dtype=np.int32)
        ranks[known] = sheet.first_ranks[positions[known], column]
        joined[model] = ranks
    return joined


def compare_first_ranks(
    first: NDArray[np.int32], second: NDArray[np.int32], depth: int = PUBLISHED_DEPTH
) -> RankAgreement:
    """Agreement of two systems on the same questions.

    Args:
        first: first ranks of one system, int32, shape (questions,), 0 = not found.
        second: of the other, for the same questions in the same order.
        depth: the last rank that counts; deeper ones are not found.

    Raises:
        ValueError: where the numbers of questions differ.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} questions cannot be compared")
    ranks = [rank_not_found_last(each, depth) for each in (first, second)]
    both = (ranks[0] <= depth) & (ranks[1] <= depth)
    return RankAgreement(
        found=_agree_within(ranks, depth),
        answered=_agree_within(ranks, min(10, depth)),
        spearman_found=correlate_ranks(ranks[0][both], ranks[1][both]),
        spearman_all=correlate_ranks(ranks[0], ranks[1]),
    )


def _agree_within(ranks: list[NDArray[np.int64]], last: int) -> Agreement:
    first, second = (system <= last for system in ranks)
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    return Agreement(*map(int, map(np.count_nonzero, cells)))
