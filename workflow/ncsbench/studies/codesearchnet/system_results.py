"""The results of one system: its rankings for the challenge, and the ranks of the test pairs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.storage import read_json, write_json, write_tables
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.function_corpus.annotations import Place, read_annotations, read_queries
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA, make_url
from ncsbench.errors import DataError
from ncsbench.learning.encoders.encoder import load_encoder
from ncsbench.learning.unif.unif_weights import load_weights
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.model_index import index_learnt
from ncsbench.rankers.protocol import FitInputs, fit_ranker
from ncsbench.rankers.registry import create_ranker
from ncsbench.studies.codesearchnet.function_documents import (
    FunctionTexts,
    make_documents,
    open_functions,
    take_pairs,
    take_rows,
)
from ncsbench.studies.codesearchnet.submission import Prediction, write_predictions
from ncsbench.studies.codesearchnet.system_options import BorrowedFrom, SystemSettings
from ncsbench.studies.codesearchnet.system_ranks import (
    ALL,
    RANK_SCHEMA,
    draw_pools,
    rank_pool,
    write_challenge_ranks,
)

_LOG = logging.getLogger(__name__)
_POOL_SEED = 0  # seed of the order in which pairs are cut into pools, the same for all systems
_PLACE = [*Place._fields, "identifier"]
_OF_PAIRS = [
    *("function_id", "start_line", "end_line", "identifier"),
    *("docstring_tokens", "code", "code_tokens"),
]
_Inputs = Callable[[str], FitInputs]
"""The inputs of a ranker besides the corpus, such as learnt weights, by language."""


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
        record: JSON file to write of the settings, corpora and training behind the results.
        trained: folder that the training of the system wrote: an ``encoder`` or
            ``unif/<language>/weights``; read only for a system that learns.

    Raises:
        DataError: where the system is borrowed from a dataset that has trained its model anew.
    """
    inputs = _open_inputs(settings, trained)
    texts = read_queries(queries)
    judged = read_annotations(annotations, texts)
    asked = [Query(row, text) for row, text in enumerate(texts)]
    write_tables(ranks, _rank_pairs(settings, inputs, corpora), RANK_SCHEMA)
    found = list(_search_all(settings, inputs, corpora, asked))
    write_challenge_ranks(challenge, found, judged.urls)
    write_predictions(predictions, found)
    write_json(record, _describe_results(settings, corpora, trained))


def _open_inputs(settings: SystemSettings, trained: Path) -> _Inputs:
    """Return a function that gives the inputs that a system learnt, by language.

    These are an ``encoder``, which knows all languages, or the weights of each language.
    """
    joint = load_encoder(trained / "encoder") if settings.trainer == "encoder" else None

    def give(language: str) -> FitInputs:
        inputs = FitInputs()
        if joint is not None:
            inputs["encoder"] = joint
        if settings.trainer == "unif":
            inputs["weights"] = load_weights(trained / "unif" / language / "weights")
        return inputs

    return give


def _describe_results(
    settings: SystemSettings, corpora: Mapping[str, Path], trained: Path
) -> dict[str, Any]:
    """Describe the origin of the results of a system: its settings, corpora and training."""
    records = {
        "": {},
        "encoder": {"all": trained / "record"},
        "unif": {name: trained / "unif" / name / "record" for name in settings.languages},
    }
    manifests = {name: read_json(corpora[name] / "manifest.json") for name in settings.languages}
    return {
        "settings": settings.as_json(),
        "corpora": {name: manifest["corpus_hash"] for name, manifest in manifests.items()},
        "training": {
            name: read_json(folder / "about.json")
            for name, folder in records[settings.trainer].items()
        },
    }


def _search_all(
    settings: SystemSettings,
    inputs: _Inputs,
    corpora: Mapping[str, Path],
    queries: Sequence[Query],
) -> Iterator[Prediction]:
    for language in settings.languages:
        with one_corpus():
            texts = open_functions(corpora[language])
            run = _search(settings, inputs, texts, queries, settings.depth)
            wanted = np.unique(run.ids)
            places = list(take_rows(texts.tables(_PLACE), wanted))
        rows = np.searchsorted(wanted, run.ids)
        for query, row in zip(run.query_ids.tolist(), rows.tolist(), strict=True):
            *place, identifier = places[row].values()
            yield Prediction(language, queries[query].text, make_url(*place), identifier)


def _search(
    settings: SystemSettings,
    inputs: _Inputs,
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
            index = _index_borrowed(settings.borrowed, texts, Path(folder))
            ranker.load(index, corpus=replace(documents, methods=texts))
            return CheckedSearch(ranker, settings.system, len(documents)).search(queries, k=k)
    given = FitInputs(**inputs(texts.language), methods=texts)
    fit_ranker(ranker, settings.ranker.kind, documents, given)
    return CheckedSearch(ranker, settings.system, len(documents)).search(queries, k=k)


def _index_borrowed(borrowed: BorrowedFrom, texts: FunctionTexts, folder: Path) -> Path:
    """Make the index of a model and the indexes of its parts, and return the folder of the first.

    The model was trained by a dataset of the workflow.
    """
    if borrowed.learnt.fingerprint() != borrowed.files:
        raise DataError(f"{borrowed.dataset}: {borrowed.model} was trained anew; run it again")
    index = folder / "index"
    index_learnt(
        borrowed.learnt,
        corpus=texts,
        make_words=lambda options: make_documents(texts, options),
        words=folder / "words",
        output=index,
    )
    return index


def _rank_pairs(
    settings: SystemSettings, inputs: _Inputs, corpora: Mapping[str, Path]
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
    empty = pa.schema([FUNCTION_SCHEMA.field(name) for name in _OF_PAIRS]).empty_table()
    return texts, pa.concat_tables([empty, *(table.select(_OF_PAIRS) for table in chosen)])


def _rank_scope(
    settings: SystemSettings,
    inputs: _Inputs,
    pairs: dict[str, tuple[FunctionTexts, pa.Table]],
    scope: str,
    pool: int,
) -> pa.Table:
    """Rank the pairs of some languages in mixed pools; rows are ordered by language and id."""
    counts = [len(table) for _, table in pairs.values()]
    languages = np.repeat(np.arange(len(pairs)), counts)
    rows = np.concatenate([np.arange(count) for count in counts])
    ids = np.concatenate([table["function_id"].to_numpy() for _, table in pairs.values()])
    pools = draw_pools(sum(counts), pool, seed=_POOL_SEED)[: settings.pool_count or None]
    if not pools:
        _LOG.warning("pairs: %s: %d test pairs fill no pool of %d", scope, sum(counts), pool)
    ranks = np.zeros((2, len(rows)), np.int32)
    for positions in pools:
        scores = _score_pool(settings, inputs, pairs, languages[positions], rows[positions])
        ranks[:, positions] = rank_pool(scores)
    # Pairs are ordered by language and row, and so are their sorted places.
    places = np.sort(np.concatenate([np.zeros(0, np.int64), *pools]))
    return pa.table(
        {
            "language": np.array(list(pairs), object)[languages[places]],
            "function_id": ids[places],
            "scope": [scope] * len(places),
            "pool": [pool] * len(places),
            "code_rank": ranks[0, places],
            "query_rank": ranks[1, places],
        },
        schema=RANK_SCHEMA,
    )


def _score_pool(
    settings: SystemSettings,
    inputs: _Inputs,
    pairs: dict[str, tuple[FunctionTexts, pa.Table]],
    languages: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Score the functions of a pool for its queries, shape (pool, pool).

    The functions of each language are searched apart, as in the challenge; functions that a ranking
    lacks score minus infinity, below all others.
    """
    scores = np.full((len(rows), len(rows)), -np.inf)
    taken = {
        number: pairs_of_language[1].take(pa.array(rows[languages == number]))
        for number, pairs_of_language in enumerate(pairs.values())
    }
    columns = {number: np.flatnonzero(languages == number) for number in taken}
    words = {
        place: " ".join(tokens)
        for number, table in taken.items()
        for place, tokens in zip(
            columns[number].tolist(), table["docstring_tokens"].to_pylist(), strict=True
        )
    }
    queries = [Query(place, words[place]) for place in range(len(rows))]
    for (number, table), (texts, _) in zip(taken.items(), pairs.values(), strict=True):
        if len(table):
            run = _search(settings, inputs, take_pairs(texts, table), queries, None)
            scores[run.query_ids, columns[number][run.ids]] = run.scores
    return scores
