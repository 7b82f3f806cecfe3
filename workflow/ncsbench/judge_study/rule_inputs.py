"""Reads what the rule for the first judge looks at, and writes its table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    join_judgements,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.judging import read_question_answers
from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet
from ncsbench.evaluation.significance import draw_signs
from ncsbench.judge.answer_features import AnswerFeatures
from ncsbench.judge.compiled_code import compile_once
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge.scores import score_pairs
from ncsbench.judge_study.judge_rule import COLUMNS, REBUILT, JudgedByOne, build_judge_rule
from ncsbench.judge_study.study_pairs import EXAMPLES
from ncsbench.judge_study.study_settings import RuleSettings
from ncsbench.judge_study.study_subjects import read_study_subjects

_REPLACED = 10  # results of each question
_DRAWS = 20


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
        study: folder of the study's pairs and their judgements.
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
    examples = read_study_subjects(study, asked.query_ids)[EXAMPLES]
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
