"""``judge_rule.csv``: which judge is in the first column, by the rule of docs/judge-rule.md.

The rule was committed on 2026-11-26, before the table of all 287 questions was made. Each of three
judges fits each of five lines or does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.evaluation.intervals import Interval, interval_between, resample_sum
from ncsbench.evaluation.metrics import METRICS, question_shares, reciprocal_ranks
from ncsbench.evaluation.rank_correlation import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.significance import adjust_by_holm, run_randomisation_test

Line = Literal[
    "post_ranking_figures", "post_ranking_gain", "false_answers", "example_order", "agreement"
]
LINES: tuple[Line, ...] = get_args(Line)
"""The lines of the rule, in its order."""

REBUILT = {"ncs": "NCS", "ncs_postrank": "NCS_postrank"}
"""The rows that the rule looks at, and the published systems that they rebuild."""

FALSE_ANSWERS = 0.214
"""Upper end of Clopper and Pearson's interval of 2 wrong of 31 accepted answers (NCS 2018)."""

LEVEL = 0.05
COLUMNS = ("judge", "similarity", "threshold", "line", "figure", "low", "high", "fits", "first")
"""Columns, in order. ``figure``: of lines 1 to 5 the smallest corrected p; the gain; the share of
answered questions that chance answers; the share of pairs of examples in order; the mean
correlation. ``low`` and ``high``: its 95 % interval; of ``agreement`` that of the difference from
the best judge. ``first``: whether the rule puts the judge into the first column."""


@dataclass(frozen=True)
class JudgedByOne:
    """What one judge says.

    Attributes:
        similarity: the similarity.
        threshold: what it must exceed.
        first_ranks: of the rows of ``REBUILT``, int32, shape (questions,), 0 = not found.
        chance: share of questions that random methods of as many lines answer, in each draw.
        examples: similarities of the published examples in the order of their slots, float64,
            shape (questions, slots); NaN where a slot has no example in the corpus.
    """

    similarity: str
    threshold: float
    first_ranks: Mapping[str, NDArray[np.int32]]
    chance: Sequence[float]
    examples: NDArray[np.float64]


def build_judge_rule(
    judges: Mapping[str, JudgedByOne],
    *,
    published: Mapping[str, NDArray[np.int32]],
    draws: NDArray[np.int32],
    signs: NDArray[np.int8],
    depth: int,
) -> list[Row]:
    """Rows of ``COLUMNS``.

    Args:
        judges: by name, the one first that leads where several fit all lines.
        published: first ranks of the published systems on the same questions, 0 = not found.
        draws: resampled questions.
        signs: sign flips of the questions (``significance.draw_signs``).
        depth: the last rank that counts.
    """
    correlations = {
        name: _correlate(judged, published, draws, depth) for name, judged in judges.items()
    }
    best = max(correlations.values(), key=lambda found: found[0])
    rows: list[Row] = []
    for name, judged in judges.items():
        agreement, resampled = correlations[name]
        behind = interval_between(resampled - best[1])
        p = _smallest_p(judged, published, signs, depth)
        gain, of_gain = _gain(judged.first_ranks, draws, depth)
        printed, _ = _gain(
            {row: published[system] for row, system in REBUILT.items()}, draws, depth
        )
        false = _share_by_chance(judged)
        ordered, of_order = _share_in_order(judged.examples, draws)
        found: dict[Line, tuple[float, Interval | None, bool]] = {
            "post_ranking_figures": (p, None, p >= LEVEL),
            "post_ranking_gain": (gain, of_gain, of_gain.low <= printed <= of_gain.high),
            "false_answers": (false, None, false <= FALSE_ANSWERS),
            "example_order": (ordered, of_order, of_order.low > 0.5),
            "agreement": (agreement, behind, behind.low <= 0 <= behind.high),
        }
        for line, (figure, interval, fits) in found.items():
            rows.append(
                {
                    "judge": name,
                    "similarity": judged.similarity,
                    "threshold": f"{judged.threshold:.10g}",
                    "line": line,
                    "figure": format_number(figure, 6),
                    "low": "" if interval is None else format_number(interval.low, 6),
                    "high": "" if interval is None else format_number(interval.high, 6),
                    "fits": "yes" if fits else "no",
                }
            )
    first = choose_judge(rows, list(judges))
    return [{**row, "first": "yes" if row["judge"] == first else "no"} for row in rows]


def choose_judge(rows: Sequence[Row], names: Sequence[str]) -> str:
    """The first judge that fits all lines; the strict one where no judge does."""
    failed = {row["judge"] for row in rows if row["fits"] == "no"}
    return next((name for name in names if name not in failed), "strict")


def _smallest_p(
    judged: JudgedByOne,
    published: Mapping[str, NDArray[np.int32]],
    signs: NDArray[np.int8],
    depth: int,
) -> float:
    """Line 1: the smallest p of NCS with post-ranking against the published one, by Holm."""
    p_values = [
        run_randomisation_test(
            question_shares(judged.first_ranks["ncs_postrank"], metric, depth)
            - question_shares(published["NCS_postrank"], metric, depth),
            signs,
        ).p
        for metric in METRICS
    ]
    return min(adjust_by_holm(p_values))


def _gain(
    first_ranks: Mapping[str, NDArray[np.int32]], draws: NDArray[np.int32], depth: int
) -> tuple[float, Interval]:
    """Line 2: MRR with post-ranking less MRR without, and its interval over questions."""
    gained = reciprocal_ranks(first_ranks["ncs_postrank"], depth) - reciprocal_ranks(
        first_ranks["ncs"], depth
    )
    return float(gained.mean()), interval_between(resample_sum(gained, draws) / len(gained))


def _share_by_chance(judged: JudgedByOne) -> float:
    """Line 3: the share of answered questions that chance answers; 1 where none is answered."""
    answered = float(question_shares(judged.first_ranks["ncs"], "answered_10").mean())
    chance = float(np.mean(judged.chance))
    if answered == 0 or chance == 1:
        return 1.0
    true = (answered - chance) / (1 - chance)
    return (1 - true) * chance / answered


def _share_in_order(
    examples: NDArray[np.float64], draws: NDArray[np.int32]
) -> tuple[float, Interval]:
    """Line 4: the share of pairs of examples whose earlier one is the more similar one.

    Two that are equally similar decide nothing.
    """
    agreeing, pairs = np.zeros((2, len(examples)))
    for first, second in combinations(range(examples.shape[1]), 2):
        agreeing += examples[:, first] > examples[:, second]
        pairs += abs(examples[:, first] - examples[:, second]) > 0
    if not pairs.any():
        return 0.0, Interval(0.0, 0.0)
    counts = resample_sum(pairs, draws)
    shares = resample_sum(agreeing, draws)[counts > 0] / counts[counts > 0]
    return float(agreeing.sum() / pairs.sum()), interval_between(shares)


def _correlate(
    judged: JudgedByOne,
    published: Mapping[str, NDArray[np.int32]],
    draws: NDArray[np.int32],
    depth: int,
) -> tuple[float, NDArray[np.float64]]:
    """Line 5: the mean of Spearman's correlations with the published ranks, also resampled."""
    pairs = [
        (
            rank_not_found_last(judged.first_ranks[row], depth),
            rank_not_found_last(published[system], depth),
        )
        for row, system in REBUILT.items()
    ]
    resampled = [
        [correlate_ranks(ours[drawn], theirs[drawn]) or 0.0 for drawn in draws]
        for ours, theirs in pairs
    ]
    whole = np.mean([correlate_ranks(*pair) or 0.0 for pair in pairs])
    return float(whole), np.mean(np.array(resampled, np.float64), axis=0)
