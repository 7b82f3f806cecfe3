"""The results of one system: its rankings for the challenge, and the ranks of the test pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.artifacts.storage import write_tables
from ncsbench.codesearchnet.borrowed_systems import index_borrowed
from ncsbench.codesearchnet.challenge_ranks import write_challenge_ranks
from ncsbench.codesearchnet.distractor_ranks import ALL, RANK_SCHEMA, draw_pools, rank_pool
from ncsbench.codesearchnet.function_documents import (
    FunctionTexts,
    make_documents,
    open_functions,
    take_pairs,
)
from ncsbench.codesearchnet.submission import Prediction, write_predictions
from ncsbench.codesearchnet.system_inputs import Inputs, open_inputs, write_record
from ncsbench.codesearchnet.system_options import SystemSettings
from ncsbench.function_corpus.annotations import read_annotations, read_queries
from ncsbench.function_corpus.function_schema import make_url
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.protocol import FitInputs, fit_ranker
from ncsbench.rankers.registry import create_ranker
from ncsbench.runs.rankings import Query, Run

_PLACE = ["repo", "sha", "path", "start_line", "end_line", "identifier"]
_OF_PAIRS = [
    *("function_id", "start_line", "end_line", "identifier"),
    *("docstring_tokens", "code", "code_tokens"),
]


def write_results(
    settings: SystemSettings,
    corpora: Mapping[str, Path],
    queries: Path,
    annotations: Path,
    predictions: Path,
    ranks: Path,
    challenge: Path,
    record: Path,
    trained: Path = Path(),
) -> None:
    """Rank the functions of every language for the queries, and test pairs among distractors.

    Args:
        settings: the system.
        corpora: folder of the corpus of each language.
        queries: CSV file of the queries of the challenge.
        annotations: annotations of the challenge, ``annotationStore.csv``.
        predictions: CSV file to write, in the form of a submission.
        ranks: Parquet file of ``RANK_SCHEMA`` to write, of the test pairs.
        challenge: Parquet file of ``CHALLENGE_SCHEMA`` to write, for Table 4.
        record: JSON file to write of what the results come from.
        trained: folder of what its training made; read where it learns something.
    """
    inputs = open_inputs(settings, trained)
    texts = read_queries(queries)
    judged = read_annotations(annotations, texts)
    asked = [Query(row, text) for row, text in enumerate(texts)]
    write_tables(ranks, _rank_pairs(settings, inputs, corpora), RANK_SCHEMA)
    found = list(_search_all(settings, inputs, corpora, asked))
    write_challenge_ranks(challenge, found, judged.urls)
    write_predictions(predictions, found)
    write_record(settings, corpora, trained, record)


def _search_all(
    settings: SystemSettings,
    inputs: Inputs,
    corpora: Mapping[str, Path],
    queries: Sequence[Query],
) -> Iterator[Prediction]:
    for language in settings.languages:
        with one_corpus():
            texts = open_functions(corpora[language])
            run = _search(settings, inputs, texts, queries, settings.depth)
            wanted = np.unique(run.ids)
            places = read_places(texts, wanted)
        rows = np.searchsorted(wanted, run.ids)
        for query, row in zip(run.query_ids.tolist(), rows.tolist(), strict=True):
            url, identifier = places[row]
            yield Prediction(language, queries[query].text, url, identifier)


def _search(
    settings: SystemSettings,
    inputs: Inputs,
    texts: FunctionTexts,
    queries: Sequence[Query],
    depth: int | None,
) -> Run:
    """Rank functions, to the end where ``depth`` is None."""
    documents = make_documents(texts, settings.words)
    k = depth or max(len(documents), 1)
    ranker = create_ranker(settings.ranker, seed=settings.seed)
    if settings.borrowed is not None:
        with TemporaryDirectory() as folder:
            index = index_borrowed(settings.borrowed, texts, Path(folder))
            ranker.load(index, corpus=replace(documents, methods=texts))
            return CheckedSearch(ranker, settings.system, len(documents)).search(queries, k=k)
    given = FitInputs(**inputs(texts.language), methods=texts)
    fit_ranker(ranker, settings.ranker.kind, documents, given)
    return CheckedSearch(ranker, settings.system, len(documents)).search(queries, k=k)


def read_places(texts: FunctionTexts, wanted: NDArray[np.int64]) -> list[tuple[str, str]]:
    """Addresses and identifiers of functions, given by ascending ids."""
    places: list[tuple[str, str]] = []
    start = 0
    for table in texts.tables(_PLACE):
        inside = wanted[(wanted >= start) & (wanted < start + len(table))] - start
        for row in table.take(pa.array(inside)).to_pylist():
            identifier = row.pop("identifier")
            places.append((make_url(**row), identifier))
        start += len(table)
    return places


def _rank_pairs(
    settings: SystemSettings, inputs: Inputs, corpora: Mapping[str, Path]
) -> Iterator[pa.Table]:
    pairs = {language: _read_test_pairs(corpora[language]) for language in settings.languages}
    for pool in settings.pools:
        for language in settings.languages:
            yield _rank_scope(settings, inputs, {language: pairs[language]}, language, pool)
        yield _rank_scope(settings, inputs, pairs, ALL, pool)


def _read_test_pairs(folder: Path) -> tuple[FunctionTexts, pa.Table]:
    with one_corpus():
        texts = open_functions(folder)
        chosen = [
            table.filter(pc.and_(table["is_pair"], pc.equal(table["part"], "test")))
            for table in texts.tables([*_OF_PAIRS, "is_pair", "part"])
        ]
    return texts, pa.concat_tables(chosen).select(_OF_PAIRS) if chosen else _nothing()


def _nothing() -> pa.Table:
    from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA

    return pa.schema([FUNCTION_SCHEMA.field(name) for name in _OF_PAIRS]).empty_table()


def _rank_scope(
    settings: SystemSettings,
    inputs: Inputs,
    pairs: dict[str, tuple[FunctionTexts, pa.Table]],
    scope: str,
    pool: int,
) -> pa.Table:
    """Ranks of the pairs of some languages, mixed, in the order of languages and ids."""
    counts = [len(table) for _, table in pairs.values()]
    languages = np.repeat(np.arange(len(pairs)), counts)
    rows = np.concatenate([np.arange(count) for count in counts])
    names = np.array(list(pairs))
    found: list[tuple[int, int, int, int]] = []
    pools = draw_pools(sum(counts), pool, seed=settings.pool_seed)
    for positions in pools[: settings.pool_count or len(pools)]:
        scores = _score_pool(settings, inputs, pairs, languages[positions], rows[positions])
        code_ranks, query_ranks = rank_pool(scores)
        found += zip(
            *(languages[positions].tolist(), rows[positions].tolist()),
            *(code_ranks.tolist(), query_ranks.tolist()),
            strict=True,
        )
    found.sort()
    ids = [table["function_id"].to_numpy() for _, table in pairs.values()]
    return pa.table(
        {
            "language": [str(names[language]) for language, *_ in found],
            "function_id": [int(ids[language][row]) for language, row, *_ in found],
            "scope": [scope] * len(found),
            "pool": [pool] * len(found),
            "code_rank": [ranks[2] for ranks in found],
            "query_rank": [ranks[3] for ranks in found],
        },
        schema=RANK_SCHEMA,
    )


def _score_pool(
    settings: SystemSettings,
    inputs: Inputs,
    pairs: dict[str, tuple[FunctionTexts, pa.Table]],
    languages: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Scores of the functions of a pool for its queries, shape (pool, pool).

    The functions of each language are searched apart, as the challenge does; what a ranking lacks
    stands below all that it has.
    """
    scores = np.full((len(rows), len(rows)), -np.inf)
    taken = {
        number: pairs_of_language[1].take(pa.array(rows[languages == number]))
        for number, pairs_of_language in enumerate(pairs.values())
    }
    queries = [Query(0, "")] * len(rows)
    for number, table in taken.items():
        tokens = table["docstring_tokens"].to_pylist()
        for place, words in zip(np.flatnonzero(languages == number).tolist(), tokens, strict=True):
            queries[place] = Query(place, " ".join(words))
    for (number, table), (texts, _) in zip(taken.items(), pairs.values(), strict=True):
        if len(table):
            run = _search(settings, inputs, take_pairs(texts, table), queries, None)
            columns = np.flatnonzero(languages == number)
            scores[run.query_ids, columns[run.ids]] = run.scores
    return scores
