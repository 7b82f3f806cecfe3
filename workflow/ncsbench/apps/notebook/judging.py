"""Rankings judged by the answers to their questions, and the figures of Table 1 of one of them."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
import pandas as pd

from ncsbench.apps.notebook.corpora import Corpus
from ncsbench.base.files.corpus_stamps import check_same_corpus
from ncsbench.base.runs.ranking_frames import (
    CORPUS,
    check_argument,
    find_column,
    read_asked,
    read_ids,
    read_numbers,
    read_query_ids,
    read_ranks,
    read_texts,
)
from ncsbench.errors import ConfigurationError


def judge_rankings(rankings: pd.DataFrame, questions: pd.DataFrame, corpus: Corpus) -> pd.DataFrame:
    """Compare every method of rankings with the answer to its question.

    Args:
        rankings: a frame with ``query_id`` and ``method_id``, such as ``Ranker.search`` returns.
        questions: a frame with ``query_id`` and ``answer``.
        corpus: the corpus of the methods.

    Returns:
        The rankings with a column per similarity, each in [0, 1] (``docs/judge.md``).
        Answers and methods that cannot be read as Java are similar to nothing.

    Raises:
        DataError: for a method that the corpus does not have, and for rankings of another corpus.
    """
    from ncsbench.code.aroma.similarity_names import SIMILARITIES
    from ncsbench.evaluation.judge.answers import read_answers
    from ncsbench.evaluation.judge.scores import score_texts

    check_argument("corpus", corpus, Corpus)
    asked = read_query_ids(questions)
    answers = read_texts(find_column(questions, "answer"), "answer")
    rows = read_asked(rankings, asked)
    ids = read_ids(find_column(rankings, "method_id"), "method_id", last=len(corpus) - 1)
    if CORPUS in rankings.attrs:  # absent in rankings of another tool
        name, corpus_hash = rankings.attrs[CORPUS]
        check_same_corpus(name, corpus_hash, corpus.folder, corpus.corpus_hash)
    codes = corpus.methods(ids, ["code"])
    judged = score_texts(
        answers=read_answers(dict(zip(asked.tolist(), answers, strict=True))),
        texts=dict(zip(codes["method_id"], codes["code"], strict=True)),
        rows=rows.astype(np.int32),
        ids=ids,
    ).to_pandas()
    places = pd.MultiIndex.from_frame(judged[["query_id", "id"]]).get_indexer([rows, ids])
    return rankings.assign(**{name: judged[name].to_numpy()[places] for name in SIMILARITIES})


def evaluate_rankings(
    judged: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    judge: str = "pruned_jaccard_leaf",
    threshold: float = 0.25,
    depth: int = 50,
    resamples: int = 10_000,
    seed: int = 2019,
) -> dict[str, float]:
    """Compute the figures of Table 1 for judged rankings.

    A method answers its question where the similarity is strictly above the threshold.

    Args:
        judged: the result of ``judge_rankings``.
        questions: all questions that were asked; questions without a ranking count as not answered.
        judge: a column of ``judged``, with the similarity to use.
        threshold: threshold of the similarity.
        depth: the last rank that counts.
        resamples: number of resamples of the questions, for the 95 % interval of the MRR.
        seed: seed of the resamples.

    Returns:
        ``questions``, ``answered_1``, ``answered_5``, ``answered_10``, ``mrr``, ``mrr_low`` and
        ``mrr_high``, as in ``results/table1.csv``.
    """
    from ncsbench.evaluation.measures.judged_rankings import first_hits
    from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
    from ncsbench.evaluation.measures.rank_figures import metric_interval
    from ncsbench.evaluation.statistics.intervals import draw_resamples

    check_argument("depth", depth, Integral, least=1)
    check_argument("resamples", resamples, Integral, least=1)
    check_argument("threshold", threshold, Real, least=0)
    asked = read_query_ids(questions)
    if not len(asked):
        raise ConfigurationError("the frame of questions is empty; give those that were asked")
    rows = read_asked(judged, asked)
    found = read_ranks(judged, rows)
    above = (read_numbers(judged, judge) > threshold) & (found <= depth)
    hits = np.zeros((len(asked), depth), np.bool_)
    hits[pd.Index(asked).get_indexer(rows[above]), found[above] - 1] = True
    ranks = first_hits(hits)
    draws = draw_resamples(len(ranks), np.random.default_rng(seed), resamples=resamples)
    interval = metric_interval(ranks, "mrr", draws, depth=depth)
    return {
        "questions": len(questions),
        **{metric: measure_ranks(ranks, metric, depth) for metric in METRICS},
        "mrr_low": interval.low,
        "mrr_high": interval.high,
    }
