"""Predictions scored against the annotations of the CodeSearchNet challenge, as tables and text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ncsbench.artifacts.csv_tables import Row, format_number, name_cells
from ncsbench.codesearchnet.challenge_scores import (
    KINDS,
    Kind,
    QueryScore,
    mean_score,
    score_queries,
)
from ncsbench.codesearchnet.submission import NOT_SCORED, Submission
from ncsbench.function_corpus.annotations import TITLES, Annotations
from ncsbench.tables.text_formats import TextTable, format_table

COLUMNS = (
    *("language", "within", "all", "queries", "queries_without_rows"),
    *("judged", "judged_found", "rows"),
)
"""Columns of the table by language, in order."""
QUERY_COLUMNS = (
    *("language", "query", "within", "all"),
    *("judged", "positives", "judged_found", "rows"),
)
"""Columns of the table by query, in order."""
AVERAGE = "Avg"
"""The row of plain means over languages, as in the paper's Table 4."""

_DIGITS = 4
_QUERY_DIGITS = 6
_NAMED = 3
_RANGES = 20
_SHOWN = 200


@dataclass(frozen=True)
class Evaluation:
    """Scores of a submission.

    Attributes:
        scores: of every query that has a relevance above 0, by language.
        skipped: annotated queries without one, by language.
        submission: what was scored.
    """

    scores: Mapping[str, Sequence[QueryScore]]
    skipped: Mapping[str, int]
    submission: Submission

    def average(self, kind: Kind) -> float | None:
        """The plain mean of the languages' means; None where no query is scored."""
        means = [mean_score(scores, kind) for scores in self.scores.values()]
        known = [mean for mean in means if mean is not None]
        return math.fsum(known) / len(known) if known else None

    def by_language(self) -> list[Row]:
        """Rows of ``COLUMNS``, the average last."""
        rows = [_describe(TITLES[one], scores) for one, scores in self.scores.items()]
        everything = [score for scores in self.scores.values() for score in scores]
        means = {kind: _show(self.average(kind)) for kind in KINDS}
        return [*rows, {**_describe(AVERAGE, everything), **means}]

    def by_query(self) -> list[Row]:
        """Rows of ``QUERY_COLUMNS``: languages in the order of tables, queries in that of files."""
        records = (
            (
                *(TITLES[language], one.query),
                *(_show(getattr(one, kind), _QUERY_DIGITS) for kind in KINDS),
                *(one.judged, one.positives, one.found, one.rows),
            )
            for language, scores in self.scores.items()
            for one in scores
        )
        return name_cells(QUERY_COLUMNS, records)

    def describe(self) -> str:
        """The table by language, then what was scored and what was not, for a terminal."""
        rows = self.by_language()
        header = ("language", "Within", "All", "queries", "without rows", "judged", "found", "rows")
        cells = tuple(tuple(row[column] for column in COLUMNS) for row in rows)
        caption = "NDCG of the CodeSearchNet challenge; the ideal is that of all annotations"
        table = TextTable(caption, header, "l" + "r" * (len(header) - 1), cells)
        return "\n".join([format_table(table), "", *self._describe_rows()])

    def _describe_rows(self) -> Iterable[str]:
        submission = self.submission
        scored = sum(score.rows for scores in self.scores.values() for score in scores)
        yield f"scored: {scored:,} of {submission.rows:,} rows"
        if beside := sum(map(len, submission.rankings.values())) - scored:
            yield f"{NOT_SCORED}: query without relevance in its language, {beside:,} rows"
        if submission.left_out:
            counts = [
                f"{TITLES[one]} {submission.left_out[one]:,}"
                for one in TITLES
                if one in submission.left_out
            ]
            yield f"{NOT_SCORED}: rows of languages that were not asked for: {', '.join(counts)}"
        remarks = sorted(submission.remarks, key=lambda one: (one.effect != NOT_SCORED, one.kind))
        for (effect, kind), group in groupby(remarks, key=lambda one: (one.effect, one.kind)):
            rows = list(group)
            found = [f"line {one.line}: {one.text[:_SHOWN]!r}" for one in rows]
            behind = _show_lines([one.line for one in rows[_NAMED:]])
            yield f"{effect}: {kind}, {_name_first(found, behind=behind)}"
        if submission.ignored_columns:
            yield f"not read: {_name_first(list(map(repr, submission.ignored_columns)), 'column')}"
        for language, scores in self.scores.items():
            empty = [repr(score.query) for score in scores if not score.rows]
            if empty:
                yield f"no row, so 0: {TITLES[language]}, {_name_first(empty, 'query', 'queries')}"
        skipped = [f"{TITLES[one]} {count}" for one, count in self.skipped.items() if count]
        if skipped:
            yield f"skipped, no relevance above 0: annotated queries of {', '.join(skipped)}"


def evaluate_submission(submission: Submission, annotations: Annotations) -> Evaluation:
    """Score every language that has annotations, also where the submission has none of it."""
    scores, skipped = {}, {}
    for language in annotations.languages:
        relevances = annotations.relevances(language)
        scores[language] = score_queries(submission.of_language(language), relevances)
        skipped[language] = len(relevances) - len(scores[language])
    return Evaluation(scores, skipped, submission)


def _describe(name: str, scores: Sequence[QueryScore]) -> Row:
    means = (_show(mean_score(scores, kind)) for kind in KINDS)
    without = sum(not score.rows for score in scores)
    sums = (sum(getattr(one, of) for one in scores) for of in ("judged", "found", "rows"))
    return name_cells(COLUMNS, [(name, *means, len(scores), without, *sums)])[0]


def _show(value: float | None, digits: int = _DIGITS) -> str:
    return "" if value is None else format_number(value, digits)


def _name_first(found: Sequence[str], one: str = "row", several: str = "", behind: str = "") -> str:
    """How many there are, the first ones, and where the others are."""
    more = f" and {len(found) - _NAMED:,} more{behind}" if len(found) > _NAMED else ""
    name = one if len(found) == 1 else several or f"{one}s"
    return f"{len(found):,} {name} ({'; '.join(found[:_NAMED])}{more})"


def _show_lines(lines: Sequence[int]) -> str:
    """Ascending numbers of lines, those that follow each other as a range; the first ranges."""
    runs = groupby(enumerate(lines), key=lambda pair: pair[1] - pair[0])
    ranges = [[line for _, line in run] for _, run in runs]
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in ranges[:_RANGES]]
    return f": lines {', '.join(shown)}{', ...' if len(ranges) > _RANGES else ''}"
