"""How far judges of methods and filters of comments say what people say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import read_table
from ncsbench.comment_filter.comment_filter import CommentFilter
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.labels.agreement import GradeAgreement, compare_grades
from ncsbench.labels.label_sheet import RELEVANCE, YES_NO, GradedSheet, Pair, match_query

_YES = {RELEVANCE: 2.0, YES_NO: 0.5}
"""The mean grade from which people say yes (DEV-110)."""


def decide(sheets: Sequence[GradedSheet]) -> dict[Pair, int]:
    """What people say of each row, 1 for yes: the mean over those who graded it (DEV-110).

    Args:
        sheets: of one scale.
    """
    found: dict[Pair, list[int]] = {}
    for sheet in sheets:
        for pair, grade in sheet.grades.items():
            found.setdefault(pair, []).append(grade)
    return {
        pair: int(sum(grades) / len(grades) >= _YES[sheets[0].scale])
        for pair, grades in found.items()
    }


def compare_judges(dataset: BuiltDataset, people: Mapping[Pair, int]) -> dict[str, GradeAgreement]:
    """Agreement of people and each judge of a dataset, on what its rows retrieved.

    Args:
        dataset: whose judgements are read.
        people: what they say of its methods, of ``decide``.

    Raises:
        DataError: where there is no run, or a run is not judged.
    """
    asked = dataset.read_questions()
    texts = zip(asked["query_id"].to_pylist(), asked["question"].to_pylist(), strict=True)
    titles = {query_id: match_query(text) for query_id, text in texts}
    wanted = {document for _, document in people}
    documents = {
        id_: document
        for id_, document in enumerate(dataset.list_document_ids())
        if document in wanted
    }
    said: dict[str, dict[Pair, int]] = {judge: {} for judge in dataset.judges}
    for name in dataset.find_runs():
        judged = read_table(dataset.data / "judgements" / f"{name}.parquet", JUDGEMENT_SCHEMA)
        graded = pc.is_in(judged["id"], pa.array(list(documents), pa.int64()))
        for row in judged.filter(graded).to_pylist():
            pair = (titles.get(row["query_id"], ""), documents[row["id"]])
            if pair in people:
                for judge, (similarity, threshold) in dataset.judges.items():
                    yes = int(row[similarity] > threshold)
                    said[judge][pair] = max(said[judge].get(pair, 0), yes)
    return {judge: compare_grades(people, found, YES_NO) for judge, found in said.items()}


def compare_filter(
    comment_filter: CommentFilter, people: Mapping[Pair, int], texts: Mapping[Pair, str]
) -> GradeAgreement:
    """Agreement of people and a filter, which says yes of what it keeps.

    Args:
        comment_filter: made by ``ncsbench clean fit``.
        people: what they say of comments, of ``decide``.
        texts: the comments.
    """
    decisions = comment_filter.apply(texts[pair] for pair in people)
    kept = {pair: int(one.kept) for pair, one in zip(people, decisions, strict=True)}
    return compare_grades(people, kept, YES_NO)
