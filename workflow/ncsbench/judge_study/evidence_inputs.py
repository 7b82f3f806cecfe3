"""Reads what the table of evidence is made of, and writes the table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    Mask,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet
from ncsbench.judge.judgement_schemas import ANSWER_COLUMNS, MATCH_SCHEMA
from ncsbench.judge_study.answer_profiles import cut_terciles
from ncsbench.judge_study.evidence_lines import count_draws
from ncsbench.judge_study.judge_evidence import (
    JudgeEvidence,
    build_judge_evidence,
    write_judge_evidence,
)
from ncsbench.judge_study.slot_order import SlotOrder, order_corpus_slots, order_reference_slots
from ncsbench.judge_study.study_pairs import EXAMPLES
from ncsbench.judge_study.study_settings import EvidenceSettings
from ncsbench.judge_study.study_subjects import read_study_subjects
from ncsbench.questions.question_schema import QUESTION_SCHEMA


def write_evidence(
    settings: EvidenceSettings,
    *,
    questions: Path,
    lines: NDArray[np.int32],
    answers: Path,
    sheet: Path,
    judgements: Path,
    results: Path,
    study: Path,
    candidates: tuple[Path, Path] | None,
    output: Path,
) -> None:
    """Write ``judge_evidence.csv``.

    Args:
        settings: rows, judges and thresholds.
        questions: table of ``QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        answers: table of ``ANSWER_COLUMNS``: how each answer was read.
        sheet: the published score sheet.
        judgements: folder with ``<model>.parquet``.
        results: folder with the runs in ``runs/<model>.trec.gz``.
        study: folder of the study's pairs, their judgements and ``matches.parquet``.
        candidates: candidate questions, and the best match of each; None where there are no posts.
        output: file to write.
    """
    asked = read_study_questions(questions)
    columns = ["stackoverflow_id", "examples_url"]
    texts = read_table(questions, QUESTION_SCHEMA, columns).to_pylist()
    subjects = read_study_subjects(study, asked.query_ids)
    examples = subjects.get(EXAMPLES)
    published, in_sheet = _read_published(sheet, asked.keys)
    sizes = {
        int(row["query_id"]): int(row["features"] or 0)
        for row in read_rows(answers, ANSWER_COLUMNS)
    }
    of_questions = np.array([sizes[row] for row in asked.query_ids.tolist()], np.int64)
    slots: list[tuple[str, Mapping[str, SlotOrder]]] = []
    if settings.example_scores is not None:
        links = [(text["stackoverflow_id"], text["examples_url"]) for text in texts]
        slots.append(("reference", order_reference_slots(settings.example_scores, links)))
    if examples is not None:
        ordered = order_corpus_slots(examples, answer_sizes=of_questions, lines=lines)
        slots.append(("corpus", ordered))
    draws = draw_resamples(
        len(asked.query_ids),
        np.random.default_rng(settings.seed),
        resamples=settings.bootstrap_samples,
    )
    data = JudgeEvidence(
        subjects=subjects,
        runs=read_judged_runs(
            tuple(settings.models),
            query_ids=asked.query_ids,
            depth=settings.depth,
            results=results,
            judgements=judgements,
        ),
        in_best=_find_examples(study / "matches.parquet", examples, asked.query_ids),
        known_examples=_count_examples(examples, len(asked.query_ids)),
        slots=slots,
        candidates=None if candidates is None else _read_best(candidates[1]),
        asked=0 if candidates is None else len(read_table(candidates[0], QUESTION_SCHEMA)),
        members=cut_terciles(of_questions, in_sheet & (of_questions > 0)),
        published=published,
        weights=count_draws(draws),
    )
    write_judge_evidence(output, build_judge_evidence(data, settings))


def _read_published(
    sheet: Path, keys: tuple[tuple[str, int], ...]
) -> tuple[dict[str, NDArray[np.int32]], Mask]:
    """Published first ranks by system, and which questions the sheet has."""
    published = read_score_sheet(sheet)
    positions = join_score_sheet(published, keys)
    ranks = published.first_ranks[np.maximum(positions, 0)]
    return dict(zip(published.models, ranks.T, strict=True)), positions >= 0


def _count_examples(examples: JudgedRanking | None, questions: int) -> NDArray[np.int64]:
    """Distinct published examples in the corpus of each question."""
    if examples is None:
        return np.zeros(questions, np.int64)
    return np.array([len(set(ids) - {-1}) for ids in examples.ids.tolist()], np.int64)


def _find_examples(
    matches: Path, examples: JudgedRanking | None, query_ids: NDArray[np.int32]
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Published examples among the best methods: question and similarity, by similarity."""
    found = read_table(matches, MATCH_SCHEMA, ["judge", "query_id", "id", "similarity"])
    rows = query_ids.tolist()
    known = {
        (rows[question], id_): question
        for question, ids in enumerate([] if examples is None else examples.ids.tolist())
        for id_ in ids
        if id_ >= 0
    }
    in_best: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
    for similarity in SIMILARITIES:
        best = found.filter(pc.equal(found["judge"], similarity)).to_pylist()
        kept = [row for row in best if (row["query_id"], row["id"]) in known]
        in_best[similarity] = (
            np.array([known[row["query_id"], row["id"]] for row in kept], np.int64),
            np.array([row["similarity"] for row in kept], np.float64),
        )
    return in_best


def _read_best(matches: Path) -> dict[str, NDArray[np.float64]]:
    """Similarity of the best match of every candidate that has one, by similarity."""
    found = read_table(matches, MATCH_SCHEMA, ["judge", "similarity"])
    return {
        similarity: found.filter(pc.equal(found["judge"], similarity))["similarity"].to_numpy()
        for similarity in SIMILARITIES
    }
