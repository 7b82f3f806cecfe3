"""Rankings judged by the answers to their questions, and figures of one or several of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.apps.notebook.corpora import Corpus, Dataset
from ncsbench.apps.notebook.rankers import create_ranker
from ncsbench.base.configuration.missing_packages import name_missing
from ncsbench.base.files.corpus_stamps import check_same_corpus
from ncsbench.base.runs.ranking_frames import (
    CORPUS,
    LAST_METHOD,
    check_argument,
    find_column,
    read_asked,
    read_keys,
    read_numbers,
    read_query_ids,
    read_ranks,
    read_texts,
)
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.evaluation.measures.judged_rankings import first_hits, join_judgements
from ncsbench.evaluation.measures.pooled_truth import measure_rankings
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions
from ncsbench.evaluation.statistics.measure_names import DEFAULT_MEASURES, parse_measure

_Ranked = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]
_KEYS = ["judge", "threshold", "measure", "model"]


@name_missing()
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
    check_argument("corpus", corpus, Corpus)
    rows = read_asked(rankings, read_query_ids(questions))
    ids = _read_methods(rankings, corpus)
    judged = _score(rows, ids, questions, corpus)
    pairs = (judged["query_id"].to_numpy(), judged["id"].to_numpy())
    places = pd.MultiIndex.from_arrays(pairs).get_indexer([rows, ids])
    return rankings.assign(**{name: judged[name].to_numpy()[places] for name in SIMILARITIES})


def _read_methods(rankings: pd.DataFrame, corpus: Corpus) -> NDArray[np.int64]:
    """Read the method of every row of rankings, which must not be of another corpus."""
    ids = corpus.find_ids(find_column(rankings, "method_id"))
    if CORPUS in rankings.attrs:  # absent in rankings of another tool
        name, corpus_hash = rankings.attrs[CORPUS]
        check_same_corpus(name, corpus_hash, corpus.folder, corpus.corpus_hash)
    return ids


def _score(
    rows: NDArray[np.int64], ids: NDArray[np.int64], questions: pd.DataFrame, corpus: Corpus
) -> pa.Table:
    """Compute every similarity of each distinct pair of a question and a method.

    Args:
        rows: position of the question of every result.
        ids: method of every result, in any order.
        questions: a frame with ``answer``.
        corpus: the corpus of the methods.

    Returns:
        A table of ``JUDGEMENT_SCHEMA``, whose ``query_id`` is the position of the question.
    """
    from ncsbench.evaluation.judge.answers import read_answers
    from ncsbench.evaluation.judge.scores import score_texts

    answers = read_texts(find_column(questions, "answer"), "answer")
    codes = corpus.methods(ids, ["code"])
    return score_texts(
        answers=read_answers(dict(enumerate(answers))),
        texts=dict(zip(codes["method_id"], codes["code"], strict=True)),
        rows=rows.astype(np.int32),
        ids=ids,
    )


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
    methods = read_keys(find_column(judged, "method_id"), "method_id", last=LAST_METHOD)
    found = read_ranks(judged, rows, methods.factorize(sort=True)[0])
    above = (read_numbers(judged, judge) > threshold) & (found <= depth)
    hits = np.zeros((len(asked), depth), np.bool_)
    hits[rows[above], found[above] - 1] = True
    ranks = first_hits(hits)
    draws = draw_resamples(len(ranks), np.random.default_rng(seed), resamples=resamples)
    interval = metric_interval(ranks, "mrr", draws, depth=depth)
    return {
        "questions": len(questions),
        **{metric: measure_ranks(ranks, metric, depth) for metric in METRICS},
        "mrr_low": interval.low,
        "mrr_high": interval.high,
    }


@name_missing()
def experiment(
    rankers: Sequence[Any] | Mapping[str, Any],
    dataset: Dataset,
    *,
    baseline: str | None = None,
    measures: Sequence[str] = DEFAULT_MEASURES,
    k: int = 50,
    per_question: bool = False,
    resamples: int = 10_000,
    seed: int = 2019,
) -> pd.DataFrame:
    """Compare rankers on the questions of a dataset.

    A judge decides which methods are right for a question, by their similarity to its answer; the
    judges are the three of Table 1 (``docs/judge.md``). As in TREC, the results of all the rankings
    are pooled: what none of them found does not count as right. So nDCG, R and AP change where a
    ranker is added.

    Args:
        rankers: rankers, names of models, functions under ``@ncsbench.ranker``, and frames of
            rankings; those without a name as pairs ``(name, frame)``, or all as a mapping of names.
        dataset: questions and corpus, such as ``load_sample`` gives.
        baseline: name of the ranker that the others are compared with.
        measures: names of ir_measures: nDCG, RR, R, P, Success and AP with a last rank, as nDCG@10.
        k: number of results of each question that are judged and count.
        per_question: True for the value of each question in place of means and their intervals.
        resamples: number of resamples of the questions, for intervals of 95 %.
        seed: seed of resamples and tests.

    Returns:
        One line for each judge, ranker (``model``) and measure: the mean ``value`` over all
        questions with the bounds ``low`` and ``high`` of its interval. With a baseline also the
        ``difference`` from it with ``difference_low`` and ``difference_high``, paired by question,
        and ``p_holm``: p of a randomisation test, corrected for all rankers under one judge and
        measure. With ``per_question`` a line for each question, with ``query_id`` and ``value``.

    Raises:
        ConfigurationError: for a measure, model or baseline that there is not.
        DataError: for a frame that is no ranking of the questions; its name is in the message.
    """
    from ncsbench.evaluation.statistics.figures import summarise
    from ncsbench.evaluation.statistics.resampling import Sampling

    check_argument("dataset", dataset, Dataset)
    check_argument("k", k, Integral, least=1)
    check_argument("resamples", resamples, Integral, least=1)
    measures = [measures] if isinstance(measures, str) else measures
    for measure in measures:
        parse_measure(measure)
    asked, named = read_query_ids(dataset.questions), _name(rankers)
    if baseline is not None and (baseline not in named or len(named) == 1):
        known = ", ".join(named)
        raise ConfigurationError(f"baseline {baseline!r}: must be one of several rankers: {known}")
    ranked = {name: _rank(name, one, dataset, asked, k) for name, one in named.items()}
    units = _measure(ranked, dataset, measures)
    if per_question:
        return units[_KEYS].assign(query_id=asked[units["unit"]], value=units["value"])
    figures = summarise(units, _KEYS, Sampling(seed, resamples))
    frame = figures.frame.drop(columns=["n", "runs"])
    if baseline is None:
        return frame
    pairs = [(name, baseline) for name in named if name != baseline]
    names = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    found = figures.against("model", pairs).frame.rename(columns=names)
    tested = found[[*_KEYS, *names.values()]].merge(_test(units, baseline, seed), on=_KEYS)
    return frame.merge(tested, how="left", on=_KEYS)


def _name(rankers: Any) -> dict[str, Any]:
    """Return what is compared by name; models, rankers and functions have their own names."""
    named: list[tuple[Any, Any]] = []
    given = rankers.items() if isinstance(rankers, Mapping) else rankers
    for one in given if isinstance(rankers, list | tuple | Mapping) else ():
        own = one if isinstance(one, str) else getattr(one, "__name__", None)
        name = own if isinstance(one, pd.DataFrame) else getattr(one, "name", own)
        named.append(one if isinstance(one, tuple) and len(one) == 2 else (name, one))
    names = [name for name, _ in named]
    if not names or not all(isinstance(name, str) for name in names):
        raise ConfigurationError('rankers: give a list, (name, frame) for a frame, or {"a": frame}')
    for name in names:
        if names.count(name) > 1:
            raise ConfigurationError(f"rankers: two have the name {name!r}; give (name, ranker)")
    return dict(named)


def _rank(name: str, item: Any, dataset: Dataset, asked: pd.Index[Any], k: int) -> _Ranked:
    """Return position of the question, rank, and id of the method of the first ``k`` results."""
    try:
        if isinstance(item, str):
            item = create_ranker(item, dataset.corpus)
        elif not isinstance(item, pd.DataFrame) and not hasattr(item, "search"):
            check_argument("ranker", item, Callable)
            try:
                signature(item, follow_wrapped=False).bind(dataset.corpus)
            except (TypeError, ValueError) as error:
                raise ConfigurationError("put @ncsbench.ranker above this function") from error
            item = item(dataset.corpus)
        frame = item if isinstance(item, pd.DataFrame) else item.search(dataset.questions, k=k)
        rows, ids = read_asked(frame, asked), _read_methods(frame, dataset.corpus)
        ranks = read_ranks(frame, rows, ids)
    except NcsbenchError as error:
        raise type(error)(f"{name}: {str(error).removeprefix(f'{name}: ')}") from error
    return rows[ranks <= k].astype(np.int32), ranks[ranks <= k], ids[ranks <= k]


def _measure(
    ranked: Mapping[str, _Ranked], dataset: Dataset, measures: Sequence[str]
) -> pd.DataFrame:
    """Return units of ``figures.summarise``: the value of every question by ``_KEYS``."""
    from ncsbench.evaluation.measures.rank_figures import list_units

    rows, ranks, ids = (np.concatenate(parts) for parts in zip(*ranked.values(), strict=True))
    judged = _score(rows, ids, dataset.questions, dataset.corpus)
    places = np.arange(len(dataset.questions), dtype=np.int32)
    runs = [
        join_judgements(name, one, judged, places, ranks.max(initial=1), Path())
        for name, one in ranked.items()
    ]
    values: dict[tuple[Any, ...], Mapping[str, Any]] = {
        (*judge, name): found
        for judge in EvaluationOptions().all_judges
        for name, found in measure_rankings(runs, Judge(*judge), measures).items()
    }
    return list_units(values, ["judge", "threshold", "model"])


def _test(units: pd.DataFrame, baseline: str, seed: int) -> pd.DataFrame:
    """Return ``_KEYS`` and ``p_holm`` of every ranker but the baseline."""
    from ncsbench.evaluation.measures.rank_figures import SAMPLES
    from ncsbench.evaluation.statistics.significance import (
        adjust_by_holm,
        draw_signs,
        run_randomisation_test,
    )

    signs = draw_signs(units["unit"].nunique(), np.random.default_rng(seed), samples=SAMPLES)
    rows = []
    for key, family in units.groupby(_KEYS[:3], sort=False):
        values = {name: part["value"].to_numpy() for name, part in family.groupby("model")}
        base = values.pop(baseline)
        tests = [run_randomisation_test(own - base, signs).p for own in values.values()]
        rows += [(*key, *one) for one in zip(values, adjust_by_holm(tests), strict=True)]
    return pd.DataFrame(rows, columns=[*_KEYS, "p_holm"])
