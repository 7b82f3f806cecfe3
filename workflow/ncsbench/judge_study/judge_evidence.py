"""``judge_evidence.csv``: what public sources say about the published judge, for every judge.

One row per similarity and threshold, with the six lines of ``evidence_lines``, what they are made
of, and the order of systems beside that under the present judge. A cell without data is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.judged_rankings import JudgedRanking
from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.evaluation.rank_correlation import correlate_orders
from ncsbench.judge_study.answer_profiles import answered_by_tercile, measure_distance
from ncsbench.judge_study.evidence_lines import (
    LINES,
    Evidence,
    Line,
    compare_judges,
    distance_from,
    share_of_questions,
    share_over_questions,
)
from ncsbench.judge_study.slot_order import FEWEST_LINES, SHORTEST, SlotOrder
from ncsbench.judge_study.study_pairs import ANY_LENGTH, EXAMPLES
from ncsbench.judge_study.study_settings import EvidenceSettings

CANDIDATE_SHARE = 518 / 2000
"""Of the pairs of NCS 2018, section 4.1, those that section 6.1 judges automatically (inferred)."""

COLUMNS = (
    *("dataset", "judge", "threshold", "present"),
    *(f"{line}{part}" for line in LINES for part in ("", "_low", "_high")),
    *("best_kept_count", "best_kept_questions", "examples_count", "examples_known"),
    *("slots_of", "slots_agreeing", "slots_opposed"),
    *("shortest_agreeing", "shortest_opposed", "fewest_lines_agreeing", "fewest_lines_opposed"),
    *("candidates_matched", "candidates_asked"),
    *("terciles", "published_terciles", "random_accepted", "random_pairs", "kendall_tau"),
    *("lines_ahead", "lines_behind", "beats_present"),
)
"""Columns, in order.

Lines: the figure with its interval. ``slots_of``: the examples that were ordered, ``reference`` or
``corpus``; ``agreeing`` and ``opposed``: pairs of slots in the order and against it, also of two
orders that look at no answer. ``terciles``: of each published system, questions answered within ten
by tercile of answer size. ``kendall_tau``: of the systems' MRR with those under the present judge.
``lines_ahead``: better than the present judge with intervals apart; ``lines_behind``: worse.
"""


@dataclass(frozen=True)
class JudgeEvidence:
    """What the lines are computed from.

    Attributes:
        subjects: examples and random methods of the judge study, by name.
        runs: the systems.
        in_best: which published examples are among the best methods of the corpus, by similarity:
            rows (question, similarity of the example), float64; ``known_examples`` counts all.
        known_examples: published examples in the corpus of each question, shape (questions,).
        slots: orders of slots by name, and which examples they are of; the reference's first.
        candidates: best similarity of each matched candidate by similarity; None without posts.
        asked: number of candidate questions.
        members: tercile of each question, shape (questions, 3).
        published: first ranks by published system, int32, shape (questions,), 0 = not found.
        weights: how often each question is in each resample.
    """

    subjects: Mapping[str, JudgedRanking]
    runs: Sequence[JudgedRanking]
    in_best: Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]
    known_examples: NDArray[np.int64]
    slots: Sequence[tuple[str, Mapping[str, SlotOrder]]]
    candidates: Mapping[str, NDArray[np.float64]] | None
    asked: int
    members: NDArray[np.float64]
    published: Mapping[str, NDArray[np.int32]]
    weights: NDArray[np.float32]


def build_judge_evidence(data: JudgeEvidence, settings: EvidenceSettings) -> list[Row]:
    """Rows of ``judge_evidence.csv``."""
    described = {
        (similarity, threshold): _describe(data, settings, similarity, threshold)
        for similarity in SIMILARITIES
        for threshold in settings.thresholds
    }
    present = (settings.judge, settings.threshold)
    lines, _ = described[present]
    order = _mean_ranks(data, *present)
    rows = []
    for judge, (ours, cells) in described.items():
        theirs = {**lines, "slots": _slots(data, present[0], {}, cells.get("slots_of"))}
        compared = compare_judges(ours, theirs)
        tau = correlate_orders(_mean_ranks(data, *judge), order)
        rows.append(
            {
                **dict.fromkeys(COLUMNS, ""),
                "dataset": settings.dataset,
                "judge": judge[0],
                "threshold": f"{judge[1]:.10g}",
                "present": _say(judge == present),
                **_show_lines(ours),
                **cells,
                "kendall_tau": "" if tau is None else format_number(tau, 6),
                "lines_ahead": " ".join(compared.ahead),
                "lines_behind": " ".join(compared.behind),
                "beats_present": _say(compared.beats),
            }
        )
    return rows


def write_judge_evidence(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_evidence``, atomically."""
    write_rows(path, COLUMNS, rows)


def _describe(
    data: JudgeEvidence, settings: EvidenceSettings, similarity: str, threshold: float
) -> tuple[dict[Line, Evidence | None], Row]:
    """All lines of one judge, and the cells that they are made of."""
    cells: Row = {}
    lines: dict[Line, Evidence | None] = {
        "best_kept": _best_kept(data, similarity, threshold, cells),
        "examples": _examples(data, similarity, threshold, cells),
        "slots": _slots(data, similarity, cells),
        "candidates": _candidates(data, similarity, threshold, cells),
        "profiles": _profiles(data, settings, similarity, threshold, cells),
        "random": _random(data, similarity, threshold, cells),
    }
    return lines, cells


def _best_kept(
    data: JudgeEvidence, similarity: str, threshold: float, cells: Row
) -> Evidence | None:
    if EXAMPLES not in data.subjects:
        return None
    examples = data.subjects[EXAMPLES]
    shown = (examples.ids >= 0).any(axis=1)
    kept = int(np.count_nonzero(examples.first_ranks(similarity, threshold)[shown]))
    asked = int(np.count_nonzero(shown))
    cells |= {"best_kept_count": str(kept), "best_kept_questions": str(asked)}
    return share_of_questions(kept, asked)


def _examples(
    data: JudgeEvidence, similarity: str, threshold: float, cells: Row
) -> Evidence | None:
    questions, values = data.in_best[similarity]
    found = np.bincount(questions[values > threshold], minlength=len(data.known_examples))
    cells |= {
        "examples_count": str(found.sum()),
        "examples_known": str(data.known_examples.sum()),
    }
    return share_over_questions(
        found.astype(np.float64), data.known_examples.astype(np.float64), data.weights
    )


def _slots(
    data: JudgeEvidence, similarity: str, cells: Row, only: str | None = None
) -> Evidence | None:
    """The first order of slots by the similarity, or that of ``only`` these examples.

    Two judges are compared on the same examples.
    """
    for of_examples, orders in data.slots:
        if similarity not in orders or only not in (None, of_examples):
            continue
        for name, prefix in (
            (similarity, "slots"),
            (SHORTEST, "shortest"),
            (FEWEST_LINES, "fewest_lines"),
        ):
            order = orders[name]
            cells[f"{prefix}_agreeing"] = str(order.agreeing.sum())
            cells[f"{prefix}_opposed"] = str(order.opposed.sum())
        cells["slots_of"] = of_examples
        order = orders[similarity]
        agreeing, both = (
            counts.astype(np.float64) for counts in (order.agreeing, order.agreeing + order.opposed)
        )
        return share_over_questions(agreeing, both, data.weights)
    return None


def _candidates(
    data: JudgeEvidence, similarity: str, threshold: float, cells: Row
) -> Evidence | None:
    if data.candidates is None:
        return None
    matched = int(np.count_nonzero(data.candidates[similarity] > threshold))
    cells |= {"candidates_matched": str(matched), "candidates_asked": str(data.asked)}
    return distance_from(CANDIDATE_SHARE, share_of_questions(matched, data.asked))


def _profiles(
    data: JudgeEvidence,
    settings: EvidenceSettings,
    similarity: str,
    threshold: float,
    cells: Row,
) -> Evidence | None:
    rebuilt = [
        (settings.models[run.name], run)
        for run in data.runs
        if settings.models[run.name] in data.published
    ]
    ours = [
        answered_by_tercile(run.first_ranks(similarity, threshold), data.members)
        for _, run in rebuilt
    ]
    theirs = [answered_by_tercile(data.published[system], data.members) for system, _ in rebuilt]
    for column, profiles in (("terciles", ours), ("published_terciles", theirs)):
        cells[column] = " ".join(
            f"{system} {'/'.join(f'{count:.0f}' for count in profile.sum(axis=0))}"
            for (system, _), profile in zip(rebuilt, profiles, strict=True)
        )
    if not rebuilt or not data.members.any():
        return None
    return measure_distance(np.stack(ours), np.stack(theirs), data.weights)


def _random(data: JudgeEvidence, similarity: str, threshold: float, cells: Row) -> Evidence | None:
    if ANY_LENGTH not in data.subjects:
        return None
    drawn = data.subjects[ANY_LENGTH]
    accepted = drawn.accepted(similarity, threshold).sum(axis=1)
    pairs = (drawn.ids >= 0).sum(axis=1)
    cells |= {"random_accepted": str(accepted.sum()), "random_pairs": str(pairs.sum())}
    return share_over_questions(accepted.astype(np.float64), pairs.astype(np.float64), data.weights)


def _mean_ranks(data: JudgeEvidence, similarity: str, threshold: float) -> NDArray[np.float64]:
    """The MRR of every system, shape (systems,)."""
    values = [
        mean_reciprocal_rank(run.first_ranks(similarity, threshold), run.ids.shape[1])
        for run in data.runs
    ]
    return np.array(values, np.float64)


def _show_lines(lines: Mapping[Line, Evidence | None]) -> Row:
    cells: Row = {}
    for name, evidence in lines.items():
        if evidence is not None:
            interval = evidence.interval
            cells[name] = format_number(evidence.value, 6)
            cells[f"{name}_low"] = format_number(interval.low, 6)
            cells[f"{name}_high"] = format_number(interval.high, 6)
    return cells


def _say(yes: bool) -> str:
    return "yes" if yes else "no"
