"""Rankings with every similarity of every result, as dense arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.rankings import ranks_in_run
from ncsbench.base.runs.trec_files import path_of_run, read_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.measures.results import Judge
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedRanking:
    """Results of one run, or the published examples.

    Attributes:
        name: the model.
        ids: method ids, int64, shape (questions, depth); -1 where there is no result.
        similarities: float64, shape (similarities, questions, depth); 0 where there is no result.
    """

    name: str
    ids: NDArray[np.int64]
    similarities: NDArray[np.float64]

    def accepted(self, similarity: str, threshold: float) -> Mask:
        """Results with a similarity strictly above the threshold, shape (questions, depth)."""
        above: Mask = self.similarities[SIMILARITIES.index(similarity)] > threshold
        return above

    def first_ranks(self, similarity: str, threshold: float) -> NDArray[np.int32]:
        """Rank of the first accepted result, int32, shape (questions,), from 1, 0 = not found."""
        return first_hits(self.accepted(similarity, threshold))


@dataclass(frozen=True)
class StudyQuestions:
    """The questions that are evaluated.

    Attributes:
        query_ids: int32, shape (questions,).
        keys: Stack Overflow id and occurrence of each question.
    """

    query_ids: NDArray[np.int32]
    keys: tuple[tuple[str, int], ...]


def first_hits(hits: Mask) -> NDArray[np.int32]:
    """Rank of the first hit of each question, int32, from 1; 0 = no hit."""
    if not hits.shape[1]:
        return np.zeros(len(hits), np.int32)
    return np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, 0).astype(np.int32)


def read_study_questions(path: Path) -> StudyQuestions:
    """Read the questions of a table of ``QUESTION_SCHEMA``."""
    table = read_table(path, QUESTION_SCHEMA, ["query_id", "stackoverflow_id", "occurrence"])
    keys = zip(*(table[name].to_pylist() for name in table.column_names[1:]), strict=True)
    return StudyQuestions(table["query_id"].to_numpy().astype(np.int32), tuple(keys))


def read_judged_runs(
    models: Sequence[str],
    *,
    query_ids: NDArray[np.int32],
    depth: int,
    results: Path,
    judgements: Path | pa.Table,
) -> list[JudgedRanking]:
    """Read the runs ``results/runs/<model>.trec.gz`` with their judgements, down to a rank.

    ``judgements`` is a folder with ``<model>.parquet``, or a table of ``JUDGEMENT_SCHEMA`` with the
    pairs of all the models, sorted by question and method.
    """
    rankings = []
    for model in models:
        run = read_run(path_of_run(results, model))
        ranks = ranks_in_run(run)
        counted = ranks <= depth
        if isinstance(judgements, Path):
            path = judgements / f"{model}.parquet"
            judged = read_table(path, JUDGEMENT_SCHEMA)
        else:
            path, judged = path_of_run(results, model), judgements
        ranked = (run.query_ids[counted], ranks[counted], run.ids[counted])
        rankings.append(join_judgements(model, ranked, judged, query_ids, depth, path))
    return rankings


def join_judgements(
    name: str,
    ranked: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]],
    judged: pa.Table,
    query_ids: NDArray[np.int32],
    depth: int,
    path: Path,
) -> JudgedRanking:
    """Join rows, ranks and ids of results with their judgements, which come from ``path``."""
    evaluated = np.isin(ranked[0], query_ids)
    result_query_ids, ranks, result_ids = (
        ranked[0][evaluated],
        ranked[1][evaluated],
        ranked[2][evaluated],
    )
    judged_query_ids, judged_ids = judged["query_id"].to_numpy(), judged["id"].to_numpy()
    width = max(int(ids.max(initial=0)) for ids in (judged_ids, result_ids)) + 1
    known = judged_query_ids.astype(np.int64) * width + judged_ids
    wanted = result_query_ids.astype(np.int64) * width + result_ids
    places = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    missing = np.ones(len(wanted), np.bool_) if not len(known) else known[places] != wanted
    if missing.any():
        query_id, id_ = result_query_ids[missing][0], result_ids[missing][0]
        raise DataError(f"{path}: method {id_} of question {query_id} is not judged; judge again")
    order = np.argsort(query_ids, kind="stable")
    questions = order[np.searchsorted(query_ids[order], result_query_ids)]
    ids = np.full((len(query_ids), depth), -1, np.int64)
    ids[questions, ranks - 1] = result_ids
    similarities = np.zeros((len(SIMILARITIES), len(query_ids), depth), np.float64)
    for number, similarity in enumerate(SIMILARITIES):
        similarities[number, questions, ranks - 1] = judged[similarity].to_numpy()[places]
    return JudgedRanking(name, ids, similarities)


def rank_ceiling(
    matches: pa.Table, judge: Judge, query_ids: NDArray[np.int32]
) -> NDArray[np.int32]:
    """First ranks of a perfect ranking: 1 where the corpus holds an accepted method, else 0.

    Args:
        matches: ``judge``, ``query_id`` and ``similarity`` as in ``MATCH_SCHEMA``: the best method
            of the whole corpus for each question, not only those that some model retrieved.
        judge: any similarity, with a threshold not below that of the matches.
        query_ids: query ids of the questions, shape (questions,).

    Returns:
        int32, shape (questions,), in the order of ``query_ids``.
    """
    accepted = pc.and_(
        pc.equal(matches["judge"], judge.similarity),
        pc.greater(matches["similarity"], judge.threshold),
    )
    return np.isin(query_ids, matches["query_id"].filter(accepted).to_numpy()).astype(np.int32)
