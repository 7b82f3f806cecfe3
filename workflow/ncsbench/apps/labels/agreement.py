"""Agreement of two raters of the same rows: two people, or people and a judge or a filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.labels.label_sheet import RELEVANCE, YES_NO, GradedSheet, Pair, match_query
from ncsbench.base.files.storage import read_table
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.statistics.agreement import quadratic_kappa, weighted_kappa
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter


@dataclass(frozen=True)
class GradeAgreement:
    """Agreement of two raters on the same rows.

    Attributes:
        counts: int64, shape (grades, grades): rows by the first rater's grade and the second's; the
            index of a grade is the grade.
        first_alone: number of rows that only the first rater graded.
        second_alone: number of rows that only the second rater graded.
    """

    counts: NDArray[np.int64]
    first_alone: int = 0
    second_alone: int = 0

    @property
    def rows(self) -> int:
        """Number of rows that both graded."""
        return int(self.counts.sum())

    @property
    def observed(self) -> float | None:
        """Share of the rows with the same grade; None without rows."""
        return float(np.trace(self.counts)) / self.rows if self.rows else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is undefined."""
        return weighted_kappa(self.counts, 1.0 - np.eye(len(self.counts)))

    @property
    def quadratic_kappa(self) -> float | None:
        """Cohen's kappa that weights a disagreement by the square of the distance of the grades."""
        return quadratic_kappa(self.counts)

    def describe(self, first: str, second: str) -> list[str]:
        """Write lines for a reader: numbers of rows, the kappas, and the counts by grades."""
        lines = [f"{first} and {second}: rows that both graded: {self.rows:,}"]
        for who, alone in ((first, self.first_alone), (second, self.second_alone)):
            if alone:
                lines.append(f"  by {who} alone: {alone:,}")
        figures = [("same grade", self.observed), ("Cohen's kappa", self.kappa)]
        if len(self.counts) > len(YES_NO):  # else both kappas are equal
            figures.append(("quadratic kappa", self.quadratic_kappa))
        for name, value in figures:
            lines.append(f"  {name}: {'undefined' if value is None else f'{value:.4f}'}")
        if self.rows:
            width = max(len(f"{count:,}") for count in self.counts.ravel().tolist())
            lines.append(f"  grades of {first} (rows) and of {second} (columns):")
            lines += [
                f"    {grade}  " + "  ".join(f"{count:>{width},}" for count in row)
                for grade, row in enumerate(self.counts.tolist())
            ]
        return lines


def compare_grades(
    first: Mapping[Pair, int], second: Mapping[Pair, int], scale: tuple[int, ...]
) -> GradeAgreement:
    """Count the grades of two raters on the rows that both graded."""
    both = [pair for pair in first if pair in second]
    counts = np.zeros((len(scale), len(scale)), np.int64)
    for pair in both:
        counts[first[pair], second[pair]] += 1
    return GradeAgreement(counts, len(first) - len(both), len(second) - len(both))


def describe_grades(sheet: GradedSheet, name: str) -> str:
    """Write a line with the number of rows of each grade."""
    counts = Counter(sheet.grades.values())
    said = ", ".join(f"{counts[grade]:,} of grade {grade}" for grade in reversed(sheet.scale))
    left = f"; not graded yet: {sheet.left:,}" if sheet.left else ""
    return f"{name}: {said}{left}"


_YES = {RELEVANCE: 2.0, YES_NO: 0.5}
"""The mean grade from which on people's decision is yes (DEV-110)."""


def decide(sheets: Sequence[GradedSheet]) -> dict[Pair, int]:
    """Decide each row, 1 for yes, by the mean grade of those who graded the row (DEV-110).

    Args:
        sheets: graded sheets of one scale.
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
    """Compare people with each judge of a dataset, on the methods that its rows retrieved.

    Args:
        dataset: the dataset whose judgements are read.
        people: decisions of people on its methods, from ``decide``.

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
    """Compare people with a filter, whose decision is yes for each comment that it keeps.

    Args:
        comment_filter: made by ``ncsbench clean fit``.
        people: decisions of people on comments, from ``decide``.
        texts: the comments.
    """
    decisions = comment_filter.apply(texts[pair] for pair in people)
    kept = {pair: int(one.kept) for pair, one in zip(people, decisions, strict=True)}
    return compare_grades(people, kept, YES_NO)
