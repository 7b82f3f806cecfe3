"""``repository_intervals/<model>.csv``: intervals over repositories, from a deep run (DEV-99)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, name_cells, write_rows
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.repository_numbers import number_repositories
from ncsbench.evaluation.judged_rankings import JudgedRanking, first_hits, join_judgements
from ncsbench.evaluation.metrics import METRICS
from ncsbench.evaluation.repository_intervals import (
    draw_repositories,
    rank_resampled,
    repository_interval,
)
from ncsbench.evaluation.results import format_value
from ncsbench.judge.answer_features import AnswerFeatures
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge.scores import score_pairs
from ncsbench.runs.rankings import ranks_in_run
from ncsbench.runs.trec_files import read_run
from ncsbench.tables.repository_settings import REPOSITORY_COLUMNS, RepositorySettings


def write_repository_intervals(
    settings: RepositorySettings,
    *,
    run: Path,
    answers: AnswerFeatures,
    query_ids: NDArray[np.int32],
    index: JudgeIndex,
    corpus: CorpusFolder,
    output: Path,
) -> None:
    """Judge a deep run and write the intervals of every judge and metric.

    Args:
        settings: judges, depth, seed and number of resamples.
        run: a TREC run file.
        answers: features of the answers.
        query_ids: of all questions, int32, shape (questions,).
        index: index of the corpus.
        corpus: which methods lie in which repository.
        output: the table to write; without rows where there are fewer than two repositories.
    """
    repositories, names = number_repositories(corpus)
    number = len(names)
    rows: list[Row] = []
    if number > 1 and len(query_ids):
        ranked = read_run(run)
        judged = score_pairs(
            answers=answers, index=index, query_ids=ranked.query_ids, ids=ranked.ids
        )
        ranks = ranks_in_run(ranked)
        ranking = join_judgements(
            run.stem,
            (ranked.query_ids, ranks, ranked.ids),
            judged,
            query_ids,
            int(ranks.max(initial=1)),
            run,
        )
        # The same draws for every model.
        counts = draw_repositories(
            number, np.random.default_rng(settings.seed), resamples=settings.samples
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
