"""What approximate search costs: exact search beside Annoy, in pools of several sizes.

The published figures of the encoders were made with 10 trees, which find few of the nearest
functions of a large corpus (DEV-161).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.artifacts.csv_tables import Row, name_cells
from ncsbench.codesearchnet.challenge_scores import KINDS, mean_score, score_queries, show_score
from ncsbench.codesearchnet.function_documents import open_functions
from ncsbench.codesearchnet.system_results import read_places
from ncsbench.encoders.encoder import Encoder
from ncsbench.errors import ConfigurationError
from ncsbench.function_corpus.annotations import TITLES, Annotations
from ncsbench.functions.function_texts import tokenize_docstring
from ncsbench.indexes.document_vectors import fit_into_unit_ball, scale_query
from ncsbench.indexes.top_results import Ranking
from ncsbench.indexes.vector_search import AnnoyForest, check_annoy, find_nearest
from ncsbench.rankers.joint_encoder import encode_methods

COLUMNS = (
    *("language", "pool", "functions", "annotated", "search", "trees"),
    *("found_share", "queries", "ndcg_within", "ndcg_all"),
)
"""Columns of the table; ``found_share`` is the share of the exact results that were found."""
POOLS, TREES = (1000, 10_000, 0), (10, 200)
"""Pools and numbers of trees where none are named."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ComparisonOptions:
    """What is compared.

    Attributes:
        pools: numbers of functions; 0 for all of the corpus.
        trees: of Annoy.
        depth: functions of a ranking, which Annoy is asked for too.
        seed: of the order in which functions fill a pool, and of Annoy.
    """

    pools: Sequence[int] = POOLS
    trees: Sequence[int] = TREES
    depth: int = 100
    seed: int = 0


def compare_searches(
    corpora: Mapping[str, Path],
    encoder: Encoder,
    annotations: Annotations,
    options: ComparisonOptions,
) -> Iterator[Row]:
    """Rows of ``COLUMNS`` by language, pool and search.

    A pool has the annotated functions of the corpus first and then others in a seeded order, so
    that smaller ones lie in larger. One that a corpus cannot fill is left out, with a warning.

    Args:
        corpora: folder of each language's corpus; others than these are not looked at.
        encoder: of all these languages.
        annotations: with the queries that are asked.
        options: what is compared.

    Raises:
        ConfigurationError: where Annoy is not installed, or the encoder does not know a language.
    """
    check_annoy()
    for language in TITLES:
        if language in corpora:
            with one_corpus():
                yield from _compare_in(language, corpora[language], encoder, annotations, options)


def _compare_in(
    language: str,
    folder: Path,
    encoder: Encoder,
    annotations: Annotations,
    options: ComparisonOptions,
) -> Iterator[Row]:
    texts = open_functions(folder)
    count = sum(len(table) for table in texts.tables(["function_id"]))
    vectors = encode_methods(texts, count, encoder)
    known = np.flatnonzero(fit_into_unit_ball(vectors, normalise=True))
    urls = [url for url, _ in read_places(texts, np.arange(count))]
    relevances = annotations.relevances(language)
    judged = {url for of_query in relevances.values() for url in of_query}
    is_judged = np.array([url in judged for url in urls], bool)
    asked = _embed(encoder, annotations.queries)
    order = np.random.default_rng(options.seed).permutation(known)
    order = np.concatenate([known[is_judged[known]], order[~is_judged[order]]])
    for pool in options.pools:
        if pool > len(order):
            _LOG.warning(
                "%s: has %d functions with a vector; a pool of %d is left out",
                *(language, len(order), pool),
            )
            continue
        ids = np.sort(order[: pool or len(order)])
        found = _search_pool(list(asked.values()), vectors[ids], ids, options)
        exact = [set(ranking.tolist()) for ranking, _ in found[None]]
        for trees, rankings in found.items():
            shares = [
                len(right & set(ranking.tolist())) / len(right)
                for right, (ranking, _) in zip(exact, rankings, strict=True)
                if right
            ]
            ranked = {
                query: [urls[id_] for id_ in ranking.tolist()]
                for query, (ranking, _) in zip(asked, rankings, strict=True)
            }
            scores = score_queries(ranked, relevances)
            share = show_score(math.fsum(shares) / len(shares) if shares else None)
            cells = (
                *(TITLES[language], pool or "all", len(ids), int(is_judged[ids].sum())),
                *("exact" if trees is None else "annoy", trees, share, len(scores)),
                *(show_score(mean_score(scores, kind)) for kind in KINDS),
            )
            yield from name_cells(COLUMNS, [cells])


def _embed(encoder: Encoder, queries: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Unit vectors of the queries that have one."""
    found = {
        query: scale_query(encoder.embed_queries([tokenize_docstring(query)])[0], normalise=True)
        for query in queries
    }
    return {query: vector for query, vector in found.items() if vector is not None}


def _search_pool(
    queries: Sequence[NDArray[np.float64]],
    vectors: NDArray[np.float32],
    ids: NDArray[np.int64],
    options: ComparisonOptions,
) -> dict[int | None, list[Ranking]]:
    """Rankings of all queries by number of trees; None for exact search."""
    asked = np.array(queries)
    k = options.depth
    found: dict[int | None, list[Ranking]] = {None: find_nearest(asked, vectors, ids, k=k)}
    for trees in options.trees:
        forest = AnnoyForest.build(vectors, trees=trees, seed=options.seed)
        found[trees] = forest.find_nearest(asked, vectors, ids, k=k, neighbours=k)
    return found


def find_corpora(folder: Path, languages: Sequence[str]) -> dict[str, Path]:
    """Folders of the corpora of some languages below a folder; those that are not there left out.

    Raises:
        ConfigurationError: where none is there.
    """
    found = {name: folder / name for name in languages if (folder / name).is_dir()}
    if not found:
        raise ConfigurationError(
            f"{folder}: has no corpus of {', '.join(languages)}; name the folder with those"
        )
    return found
