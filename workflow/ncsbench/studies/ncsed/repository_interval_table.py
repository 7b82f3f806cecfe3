"""``repository_intervals/<model>.csv``: how figures change if the corpus has other repositories.

Repositories are drawn with replacement (DEV-99). Methods of a repository that is not drawn leave
the rankings; methods of a repository that is drawn twice occur in them twice, so that a resample
has on average as many methods as the corpus. So rankings must be deeper than the last rank that
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, name_cells, write_rows
from ncsbench.base.runs.rankings import Run, ranks_in_run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.corpus.layout.layout import CorpusFolder, number_repositories
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    first_hits,
    join_judgements,
    read_study_questions,
)
from ncsbench.evaluation.measures.judging import score_run
from ncsbench.evaluation.measures.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.measures.results import format_value
from ncsbench.evaluation.statistics.intervals import Interval, interval_between
from ncsbench.studies.ncsed.table_settings import REPOSITORY_COLUMNS, RepositorySettings


def write_repository_intervals(
    settings: RepositorySettings,
    run: Path,
    questions: Path,
    index: JudgeIndex,
    corpus: CorpusFolder,
    output: Path,
) -> None:
    """Write intervals over repositories of a model's figures in Table 1.

    Args:
        settings: judges, depth, seed and number of resamples.
        run: TREC run file, with rankings deeper than the last rank that counts.
        questions: questions as Parquet.
        index: folder of the judge's index of the corpus.
        corpus: folder of the corpus, which says in which repository each method lies.
        output: the table to write; without rows where there are fewer than two repositories.
    """
    query_ids = read_study_questions(questions).query_ids
    repositories, names = number_repositories(corpus)
    number = len(names)
    rows: list[Row] = []
    if number > 1 and len(query_ids):
        ranked = read_run(run)
        if (outside := ranked.ids[ranked.ids >= len(repositories)]).size:
            raise DataError(f"{run}: method {outside[0]} is not in the corpus")
        # The generator's seed is the same for every model, and so are its draws.
        counts = draw_repositories(
            number, np.random.default_rng(settings.seed), resamples=settings.samples
        )
        ranks = ranks_in_run(ranked)
        counted = find_counted(repositories[ranked.ids], ranks, counts, depth=settings.depth)
        ranks = ranks[counted]
        ranked = Run(ranked.query_ids[counted], ranked.ids[counted], ranked.scores[counted])
        ranking = join_judgements(
            run.stem,
            (ranked.query_ids, ranks, ranked.ids),
            score_run(ranked, questions, index),
            query_ids,
            int(ranks.max(initial=1)),
            run,
        )
        lie = np.where(ranking.ids < 0, -1, repositories[ranking.ids])
        rows = _list_intervals(settings, ranking, lie, counts)
    write_rows(output, REPOSITORY_COLUMNS, rows)


def _list_intervals(
    settings: RepositorySettings,
    ranking: JudgedRanking,
    repositories: NDArray[np.int64],
    counts: NDArray[np.int16],
) -> list[Row]:
    accepted = [ranking.accepted(*judge) for judge in settings.judges]
    resampled = rank_resampled(repositories, accepted, counts, depth=settings.depth)
    rows = []
    for (judge, threshold), hits, found in zip(settings.judges, accepted, resampled, strict=True):
        first = first_hits(hits[:, : settings.depth])
        for metric in METRICS:
            interval = repository_interval(first, found, metric, depth=settings.depth)
            bounds = (format_value(metric, end) for end in (interval.low, interval.high))
            rows.append((judge, repr(float(threshold)), metric, *bounds))
    return name_cells(REPOSITORY_COLUMNS, rows)


def draw_repositories(
    repositories: int, generator: np.random.Generator, *, resamples: int
) -> NDArray[np.int16]:
    """Draw how often each repository is in a resample, int16, shape (resamples, repositories)."""
    shares = np.full(repositories, 1 / repositories)
    return generator.multinomial(repositories, shares, size=resamples).astype(np.int16)


def find_counted(
    repositories: NDArray[np.int64],
    ranks: NDArray[np.int32],
    counts: NDArray[np.int16],
    *,
    depth: int = PUBLISHED_DEPTH,
) -> NDArray[np.bool_]:
    """Find the results that the corpus or any resample ranks among the first, and no others.

    Judging takes longer than all else, and far down the rankings no resample counts a result.

    Args:
        repositories: repository of each result of a run, shape (n,).
        ranks: rank of each result, from 1, query after query, shape (n,).
        counts: the result of ``draw_repositories``.
        depth: the last rank that counts.

    Returns:
        bool, shape (n,); true for the first results of each query, at least ``depth`` of them.
    """
    counted = ranks <= depth
    queries = np.cumsum(ranks == 1) - 1
    before = np.zeros((queries.max(initial=-1) + 1, len(counts)), np.int16)
    for rank in range(1, int(ranks.max(initial=0)) + 1):
        here = np.flatnonzero(ranks == rank)
        counted[here] |= (before[queries[here]] < depth).any(axis=1)
        if not counted[here].any():
            break
        drawn = before[queries[here]] + counts.T[repositories[here]]
        before[queries[here]] = np.minimum(drawn, depth)
    return counted


def rank_resampled(
    repositories: NDArray[np.int64],
    accepted: Sequence[NDArray[np.bool_]],
    counts: NDArray[np.int16],
    *,
    depth: int = PUBLISHED_DEPTH,
) -> list[NDArray[np.int32]]:
    """Find the first rank of every question in every resample.

    Args:
        repositories: repositories of the results of a ranking, shape (questions, ranks); -1 where
            there is no result.
        accepted: for each judge, true where a result answers the question, of the same shape.
        counts: the result of ``draw_repositories``.
        depth: the last rank that counts.

    Returns:
        For each judge int32, shape (questions, resamples), from 1, 0 = not found.
    """
    questions, ranks = repositories.shape
    weights = np.concatenate([counts, np.zeros((len(counts), 1), np.int16)], axis=1).T
    before = np.zeros((questions, len(counts)), np.int16)
    found = [np.zeros(before.shape, np.int32) for _ in accepted]
    for rank in range(ranks):
        here = weights[repositories[:, rank]]
        for judge, first in zip(accepted, found, strict=True):
            rows = np.flatnonzero(judge[:, rank])
            new = (first[rows] == 0) & (here[rows] > 0) & (before[rows] < depth)
            first[rows] = np.where(new, before[rows] + 1, first[rows])
        before = np.minimum(before + here, depth)
        if (before == depth).all():
            break
    return found


def repository_interval(
    first_ranks: NDArray[np.int32],
    resampled: NDArray[np.int32],
    metric: Metric,
    *,
    depth: int = PUBLISHED_DEPTH,
) -> Interval:
    """Compute the percentile interval of a metric over repositories, moved around the figure.

    About half of the right methods are in only one of two resamples, so that resamples answer fewer
    questions than the corpus, which has all right methods: only the spread of the resamples says
    something about the figure.

    Args:
        first_ranks: first ranks in the whole corpus, shape (questions,), from 1, 0 = not found.
        resampled: first ranks in the resamples, shape (questions, resamples).
        metric: one of ``metrics.METRICS``.
        depth: the last rank the MRR counts.
    """
    value = float(question_shares(first_ranks, metric, depth).sum())
    figures = question_shares(resampled, metric, depth).sum(axis=0)
    spread = interval_between(figures - figures.mean())
    most = 1.0 if metric == "mrr" else float(len(first_ranks))
    return Interval(max(0.0, value + spread.low), min(most, value + spread.high))
