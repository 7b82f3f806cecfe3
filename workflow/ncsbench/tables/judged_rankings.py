"""Rankings with the similarity of every result under every measure, as dense arrays."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.evaluation.runs import ranks_in_run, read_run
from ncsbench.judge.study_pairs import STUDY_PAIR_SCHEMA
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES, QUESTION_SCHEMA
from ncsbench.storage import read_table

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedRanking:
    """Results of one run, or of one subject of the judge study.

    Attributes:
        name: the model or subject.
        ids: method ids, int64, shape (questions, depth); -1 where there is no result.
        similarities: float64, shape (measures, questions, depth); 0 where there is no result.
    """

    name: str
    ids: NDArray[np.int64]
    similarities: NDArray[np.float64]

    def accepted(self, measure: str, threshold: float) -> Mask:
        """Results with a similarity strictly above the threshold, shape (questions, depth)."""
        above: Mask = self.similarities[MEASURES.index(measure)] > threshold
        return above

    def first_ranks(self, measure: str, threshold: float) -> NDArray[np.int32]:
        """Rank of the first accepted result, int32, shape (questions,), from 1, 0 = not found."""
        return first_hits(self.accepted(measure, threshold))


@dataclass(frozen=True)
class StudyQuestions:
    """The questions that are evaluated.

    Attributes:
        rows: int32, shape (questions,).
        keys: Stack Overflow id and occurrence of each.
    """

    rows: NDArray[np.int32]
    keys: tuple[tuple[str, int], ...]

    @cached_property
    def halves(self) -> dict[str, Mask]:
        """All questions, and the halves on which thresholds are chosen and reported.

        A question belongs to the choosing half if the SHA-256 of its Stack Overflow id is even.
        """
        digests = [hashlib.sha256(id_.encode()).digest()[-1] for id_, _ in self.keys]
        odd = np.array([digest & 1 for digest in digests], np.bool_)
        return {"all": np.ones(len(odd), np.bool_), "choosing": ~odd, "reporting": odd}


def first_hits(hits: Mask) -> NDArray[np.int32]:
    """Rank of the first hit of each question, int32, from 1, 0 = none."""
    if not hits.shape[1]:
        return np.zeros(len(hits), np.int32)
    return np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, 0).astype(np.int32)


def read_study_questions(path: Path) -> StudyQuestions:
    """Read the questions of a table of ``records.QUESTION_SCHEMA``."""
    table = read_table(path, QUESTION_SCHEMA, ["row", "stackoverflow_id", "occurrence"])
    keys = zip(*(table[name].to_pylist() for name in table.column_names[1:]), strict=True)
    return StudyQuestions(table["row"].to_numpy().astype(np.int32), tuple(keys))


def read_judged_runs(
    models: list[str],
    *,
    rows: NDArray[np.int32],
    depth: int,
    results: Path,
    judgements: Path,
) -> list[JudgedRanking]:
    """The runs ``results/runs/<model>.trec`` with ``judgements/<model>.parquet``, to a depth."""
    rankings = []
    for model in models:
        run = read_run(results / "runs" / f"{model}.trec")
        ranks = ranks_in_run(run)
        counted = ranks <= depth
        path = judgements / f"{model}.parquet"
        judged = read_table(path, JUDGEMENT_SCHEMA)
        ranked = (run.rows[counted], ranks[counted], run.ids[counted])
        rankings.append(_join(model, ranked, judged, rows, depth, path))
    return rankings


def read_study_subjects(folder: Path, rows: NDArray[np.int32]) -> dict[str, JudgedRanking]:
    """The pairs of the judge study by subject, each as deep as it is."""
    pairs = read_table(folder / "pairs.parquet", STUDY_PAIR_SCHEMA)
    path = folder / "judgements.parquet"
    judged = read_table(path, JUDGEMENT_SCHEMA)
    subjects = np.array(pairs["subject"].to_pylist(), np.str_)
    ranked = tuple(pairs[name].to_numpy() for name in ("row", "rank", "id"))
    rankings = {}
    for name in sorted(set(subjects.tolist())):
        here = subjects == name
        part = (ranked[0][here], ranked[1][here], ranked[2][here])
        rankings[name] = _join(name, part, judged, rows, int(part[1].max()), path)
    return rankings


def _join(
    name: str,
    ranked: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]],
    judged: pa.Table,
    rows: NDArray[np.int32],
    depth: int,
    path: Path,
) -> JudgedRanking:
    """Rows, ranks and ids with their judgements, which stand in ``path``."""
    evaluated = np.isin(ranked[0], rows)
    result_rows, ranks, result_ids = (
        ranked[0][evaluated],
        ranked[1][evaluated],
        ranked[2][evaluated],
    )
    judged_rows, judged_ids = judged["row"].to_numpy(), judged["id"].to_numpy()
    width = max(int(ids.max(initial=0)) for ids in (judged_ids, result_ids)) + 1
    known = judged_rows.astype(np.int64) * width + judged_ids
    wanted = result_rows.astype(np.int64) * width + result_ids
    places = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    missing = np.ones(len(wanted), np.bool_) if not len(known) else known[places] != wanted
    if missing.any():
        row, id_ = result_rows[missing][0], result_ids[missing][0]
        raise DataError(f"{path}: method {id_} of question row {row} is not judged; judge again")
    order = np.argsort(rows, kind="stable")
    questions = order[np.searchsorted(rows[order], result_rows)]
    ids = np.full((len(rows), depth), -1, np.int64)
    ids[questions, ranks - 1] = result_ids
    similarities = np.zeros((len(MEASURES), len(rows), depth), np.float64)
    for number, measure in enumerate(MEASURES):
        similarities[number, questions, ranks - 1] = judged[measure].to_numpy()[places]
    return JudgedRanking(name, ids, similarities)
