"""NDCG of the CodeSearchNet challenge, query by query (Husain et al. 2019, section 3.1).

As in the released ``relevanceeval.py``, the gain is ``2^relevance - 1`` (Burges et al. 2005), the
discount ``log2(rank + 1)`` (Järvelin and Kekäläinen 2002), and the ideal is over all annotated
functions of the query, found or not. The annotators' candidates and chance are scored, too.
Leaving out unjudged results: Sakai, Alternatives to bpref, SIGIR 2007.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, get_args

from ncsbench.base.files.csv_tables import Row, format_number, name_cells
from ncsbench.corpus.function_corpus.annotations import TITLES, Annotations, Relevances
from ncsbench.evaluation.statistics.text_formats import TextTable, format_table
from ncsbench.studies.codesearchnet.submission import NOT_SCORED, Ranking, Submission
from ncsbench.studies.codesearchnet.system_ranks import CANDIDATES, FunctionPool

Kind = Literal["within", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of NDCG: ranks count annotated functions alone (``within``) or all functions (``all``)."""
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

_QUERY_DIGITS = 6
_NAMED = 3
_RANGES = 20
_SHOWN = 200


@dataclass(frozen=True)
class QueryScore:
    """Scores of a ranking for one query.

    Attributes:
        query: the query in lower case.
        within: NDCG among annotated functions, in [0, 1] where no function is ranked twice.
        all: NDCG among all functions.
        rows: number of ranked functions.
        found: number of annotated functions among the ranked functions.
        judged: number of annotated functions of the query.
        positives: number of annotated functions with a relevance above 0.
    """

    query: str
    within: float
    all: float
    rows: int
    found: int
    judged: int
    positives: int


@dataclass(frozen=True)
class Evaluation:
    """Scores of a submission.

    Attributes:
        scores: scores of every query that has a relevance above 0, by language.
        skipped: numbers of annotated queries without a relevance above 0, by language.
        submission: the submission that was scored.
    """

    scores: Mapping[str, Sequence[QueryScore]]
    skipped: Mapping[str, int]
    submission: Submission

    def average(self, kind: Kind) -> float | None:
        """Return the plain mean of the languages' means; None where no query is scored."""
        means = [mean_score(scores, kind) for scores in self.scores.values()]
        known = [mean for mean in means if mean is not None]
        return math.fsum(known) / len(known) if known else None

    def by_language(self) -> list[Row]:
        """Return rows of ``COLUMNS``, the average last."""
        rows = [_describe(TITLES[one], scores) for one, scores in self.scores.items()]
        everything = [score for scores in self.scores.values() for score in scores]
        means = {kind: show_score(self.average(kind)) for kind in KINDS}
        return [*rows, {**_describe(AVERAGE, everything), **means}]

    def by_query(self) -> list[Row]:
        """Return rows of ``QUERY_COLUMNS``: languages in table order, queries in file order."""
        records = (
            (
                *(TITLES[language], one.query),
                *(show_score(getattr(one, kind), _QUERY_DIGITS) for kind in KINDS),
                *(one.judged, one.positives, one.found, one.rows),
            )
            for language, scores in self.scores.items()
            for one in scores
        )
        return name_cells(QUERY_COLUMNS, records)

    def describe(self) -> str:
        """Return the table by language, then counts of rows scored and not, for a terminal."""
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
    """Score every language that has annotations, also a language that the submission lacks."""
    scores, skipped = {}, {}
    for language in annotations.languages:
        relevances = annotations.relevances(language)
        scores[language] = score_queries(submission.of_language(language), relevances)
        skipped[language] = len(relevances) - len(scores[language])
    return Evaluation(scores, skipped, submission)


def score_queries(
    rankings: Mapping[str, Sequence[str]], relevances: Relevances
) -> list[QueryScore]:
    """Score every query that has a relevance above 0; the others have no ideal and are skipped.

    Args:
        rankings: URLs by query, best first; a query without URLs scores 0.
        relevances: relevances of the annotated functions of one language.

    Returns:
        The scores in the order of ``relevances``.
    """
    scores = []
    for query, judged in relevances.items():
        ranking, ideal = rankings.get(query, ()), _find_ideal(judged)
        if not ideal:
            continue
        within = _sum_gains(judged[url] for url in ranking if url in judged) / ideal
        among_all = _sum_gains(judged.get(url, 0.0) for url in ranking) / ideal
        found = len(judged.keys() & set(ranking))
        positives = sum(grade > 0 for grade in judged.values())
        scores.append(
            QueryScore(query, within, among_all, len(ranking), found, len(judged), positives)
        )
    return scores


def keep_pool(relevances: Relevances, pool: Container[str]) -> dict[str, dict[str, float]]:
    """Keep the relevances of functions in a pool, so that the ideal is what a search can find."""
    kept = {
        query: {url: grade for url, grade in judged.items() if url in pool}
        for query, judged in relevances.items()
    }
    return {query: judged for query, judged in kept.items() if judged}


def mean_score(scores: Sequence[QueryScore], kind: Kind) -> float | None:
    """Return the mean score over queries; None without queries."""
    values = [getattr(score, kind) for score in scores]
    return math.fsum(values) / len(values) if values else None


def show_score(score: float | None, digits: int = 4) -> str:
    """Return a score as text; empty for None."""
    return "" if score is None else format_number(score, digits)


def merge_candidates(
    systems: Sequence[Mapping[Ranking, Sequence[str]]], depth: int = CANDIDATES
) -> dict[Ranking, list[str]]:
    """Merge the first results of all systems into one ranking: by rank, then by order of systems.

    A function that several systems return is kept at its first place (DEV-141).
    """
    merged: dict[Ranking, list[str]] = {}
    for key in dict.fromkeys(key for rankings in systems for key in rankings):
        heads = [rankings.get(key, ())[:depth] for rankings in systems]
        by_rank = (head[rank] for rank in range(depth) for head in heads if rank < len(head))
        merged[key] = list(dict.fromkeys(by_rank))
    return merged


def score_chance(relevances: Relevances, pool: FunctionPool, *, depth: int) -> list[QueryScore]:
    """Compute the expected scores of a random order of the pool, query by query (DEV-142).

    The expectation is exact: each of the first ``depth`` ranks holds any function of the pool with
    the same chance, and the number of annotated functions among them is hypergeometric.

    Args:
        relevances: relevances whose gains give the ideal; functions outside the pool are never
            found.
        pool: the functions that are ordered.
        depth: number of ranks that are returned.

    Returns:
        The scores of every query with an ideal above 0, in the order of ``relevances``.
    """
    from scipy.stats import hypergeom  # slow to import, and only Table 4 asks for chance

    scores = []
    returned = min(depth, pool.functions)
    discounts = math.fsum(1 / math.log2(rank + 1) for rank in range(1, returned + 1))
    for query, judged in relevances.items():
        ideal = _find_ideal(judged)
        if not ideal:
            continue
        inside = [grade for url, grade in judged.items() if url in pool.judged]
        gains = math.fsum(map(_gain, inside))
        # Each of the annotated functions that are returned is the first with the same chance.
        within = math.fsum(
            float(hypergeom.sf(place - 1, pool.functions, len(inside), returned))
            / math.log2(place + 1)
            for place in range(1, len(inside) + 1)
        )
        of_within = within * gains / len(inside) / ideal if inside else 0.0
        of_all = discounts * gains / pool.functions / ideal if inside else 0.0
        positives = sum(grade > 0 for grade in judged.values())
        scores.append(QueryScore(query, of_within, of_all, returned, 0, len(judged), positives))
    return scores


def _find_ideal(judged: Mapping[str, float]) -> float:
    """Compute the discounted gain of all annotated functions of a query, the best ones first."""
    return _sum_gains(sorted(judged.values(), reverse=True))


def _sum_gains(grades: Iterable[float]) -> float:
    """Sum the discounted gains of relevances by rank, the best rank first."""
    ranked = enumerate(map(_gain, grades), 1)
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in ranked)


def _gain(grade: float) -> float:
    return float(2.0**grade - 1.0)


def _describe(name: str, scores: Sequence[QueryScore]) -> Row:
    means = (show_score(mean_score(scores, kind)) for kind in KINDS)
    without = sum(not score.rows for score in scores)
    sums = (sum(getattr(one, of) for one in scores) for of in ("judged", "found", "rows"))
    return name_cells(COLUMNS, [(name, *means, len(scores), without, *sums)])[0]


def _name_first(found: Sequence[str], one: str = "row", several: str = "", behind: str = "") -> str:
    """Name the first of some items, with the number of all and a note on the rest (``behind``)."""
    more = f" and {len(found) - _NAMED:,} more{behind}" if len(found) > _NAMED else ""
    name = one if len(found) == 1 else several or f"{one}s"
    return f"{len(found):,} {name} ({'; '.join(found[:_NAMED])}{more})"


def _show_lines(lines: Sequence[int]) -> str:
    """Show ascending numbers of lines; successive ones as a range, and only the first ranges."""
    runs = groupby(enumerate(lines), key=lambda pair: pair[1] - pair[0])
    ranges = [[line for _, line in run] for _, run in runs]
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in ranges[:_RANGES]]
    return f": lines {', '.join(shown)}{', ...' if len(ranges) > _RANGES else ''}"
