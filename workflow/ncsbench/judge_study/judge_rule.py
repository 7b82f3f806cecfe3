"""``judge_rule.csv``: which judge is in the first column, by the rule of docs/judge-rule.md.

The rule was committed on 2026-11-26, before the table of all 287 questions was made. Each of three
judges fits each of five lines or does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, format_number, name_cells, write_rows
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.agreement import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.intervals import (
    Interval,
    draw_resamples,
    interval_between,
    resample_sum,
)
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    join_judgements,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.judging import read_question_answers
from ncsbench.evaluation.metrics import METRICS, question_shares, reciprocal_ranks
from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet
from ncsbench.evaluation.significance import adjust_by_holm, draw_signs, run_randomisation_test
from ncsbench.judge.answers import AnswerFeatures
from ncsbench.judge.compiled_code import compile_once
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge.scores import score_pairs
from ncsbench.judge_study.examples import read_judged_examples
from ncsbench.judge_study.study_settings import RuleSettings

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
COLUMNS = ("judge", "similarity", "threshold", "line", "value", "low", "high", "fits", "first")
"""Columns, in order. ``value``: of lines 1 to 5 the smallest corrected p; the gain; the share of
answered questions that chance answers; the share of pairs of examples in order; the mean
correlation. ``low`` and ``high``: its 95 % interval; of ``agreement`` that of the difference from
the best judge. ``first``: whether the rule puts the judge into the first column."""


_REPLACED = 10  # results of each question
_DRAWS = 20


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


def write_judge_rule(
    settings: RuleSettings,
    questions: Path,
    corpus: CorpusFolder,
    index: JudgeIndex,
    sheet: Path,
    judgements: Path,
    results: Path,
    study: Path,
    output: Path,
) -> None:
    """Write which judge is in the first column of Table 1, by the rule written beforehand.

    Args:
        settings: judges, seed and depth.
        questions: questions of the score sheet, as Parquet.
        corpus: folder of a built corpus.
        index: folder of the judge's index of the corpus.
        sheet: the published score sheet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        study: folder of the published examples and their judgements.
        output: CSV file to write.
    """
    compile_once()
    asked = read_study_questions(questions)
    rankings = read_judged_runs(
        tuple(REBUILT),
        query_ids=asked.query_ids,
        depth=settings.depth,
        results=results,
        judgements=judgements,
    )
    chance = _judge_random_methods(
        rankings[0].ids[:, :_REPLACED],
        query_ids=asked.query_ids,
        lines=corpus.read_lines(),
        answers=read_question_answers(questions),
        index=index,
        seed=settings.seed,
    )
    examples = read_judged_examples(study, asked.query_ids)
    judges = {}
    for name, (similarity, threshold) in settings.judges.items():
        similarities = examples.similarities[SIMILARITIES.index(similarity)]
        judges[name] = JudgedByOne(
            similarity=similarity,
            threshold=threshold,
            first_ranks={run.name: run.first_ranks(similarity, threshold) for run in rankings},
            chance=[
                float(one.accepted(similarity, threshold).any(axis=1).mean()) for one in chance
            ],
            examples=np.where(examples.ids >= 0, similarities, np.nan),
        )
    generator = np.random.default_rng(settings.seed)
    count, samples = len(asked.query_ids), settings.bootstrap_samples
    published = read_score_sheet(sheet)
    positions = join_score_sheet(published, asked.keys)
    if (positions < 0).any():
        raise DataError(
            f"{questions}: has questions that {sheet} lacks; the rule needs their ranks"
        )
    ranks = published.first_ranks[positions].T
    rows = build_judge_rule(
        judges,
        published=dict(zip(published.models, ranks, strict=True)),
        draws=draw_resamples(count, generator, resamples=samples),
        signs=draw_signs(count, np.random.default_rng(settings.seed), samples=samples),
        depth=settings.depth,
    )
    write_rows(output, COLUMNS, rows)


def _judge_random_methods(
    ids: NDArray[np.int64],
    *,
    query_ids: NDArray[np.int32],
    lines: NDArray[np.int32],
    answers: AnswerFeatures,
    index: JudgeIndex,
    seed: int,
) -> list[JudgedRanking]:
    """Results with each method replaced by a random one of as many lines, judged, in each draw."""
    by_lines = np.argsort(lines, kind="stable")
    lengths = lines[by_lines]
    first, end = (np.searchsorted(lengths, lines[ids], side=side) for side in ("left", "right"))
    drawn = [
        np.where(ids < 0, -1, by_lines[np.random.default_rng([seed, draw]).integers(first, end)])
        for draw in range(_DRAWS)
    ]
    rows = np.repeat(query_ids, ids.shape[1])
    judged = score_pairs(
        answers=answers,
        index=index,
        query_ids=np.concatenate([rows[one.ravel() >= 0] for one in drawn]),
        ids=np.concatenate([one[one >= 0] for one in drawn]),
    )
    return [_rank(one, query_ids, judged) for one in drawn]


def _rank(ids: NDArray[np.int64], query_ids: NDArray[np.int32], judged: pa.Table) -> JudgedRanking:
    questions, places = np.nonzero(ids >= 0)
    ranked = (query_ids[questions], (places + 1).astype(np.int32), ids[questions, places])
    return join_judgements("random", ranked, judged, query_ids, ids.shape[1], Path("random"))


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
    rows = []
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
            values = (figure, *((None, None) if interval is None else astuple(interval)))
            shown = (None if value is None else format_number(value, 6) for value in values)
            by = (name, judged.similarity, f"{judged.threshold:.10g}")
            rows.append((*by, line, *shown, "yes" if fits else "no"))
    named = name_cells(COLUMNS[:-1], rows)
    first = choose_judge(named, list(judges))
    return [{**row, "first": "yes" if row["judge"] == first else "no"} for row in named]


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
        [rank_not_found_last(one, depth) for one in (judged.first_ranks[row], published[system])]
        for row, system in REBUILT.items()
    ]
    resampled = [
        [correlate_ranks(ours[drawn], theirs[drawn]) or 0.0 for drawn in draws]
        for ours, theirs in pairs
    ]
    whole = np.mean([correlate_ranks(*pair) or 0.0 for pair in pairs])
    return float(whole), np.mean(np.array(resampled, np.float64), axis=0)
