"""Searching among some of the methods of an index, as if only these were in the corpus.

Vectors, frequencies of words and the candidates of a post-ranking stay those of the whole corpus.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.indexes.top_results import Ranking, collect_run, split_run
from ncsbench.rankers.checked_search import Searcher
from ncsbench.runs.rankings import Query, Run


def search_among(
    ranker: Searcher, queries: list[Query], *, k: int, allowed: NDArray[np.bool_]
) -> Run:
    """The ``k`` best of the allowed methods for every query.

    Since a smaller depth gives the beginning of the same ranking, it is enough to look ever deeper
    until ``k`` allowed methods were met or the ranking ends.

    Args:
        ranker: ready to search.
        queries: the queries.
        k: how many to return, at least 1.
        allowed: whether a method may be returned, shape (methods,), index = method id.
    """
    found: dict[int, Ranking] = {}
    depth, before = 2 * k, dict.fromkeys((query.query_id for query in queries), -1)
    while queries:
        rankings = split_run(ranker.search(queries, k=depth))
        for row, (ids, scores) in rankings.items():
            kept = np.flatnonzero(allowed[ids])[:k]
            found[row] = (ids[kept], scores[kept])
        lengths = {row: len(ids) for row, (ids, _) in rankings.items()}
        queries = [
            query
            for query in queries
            if before[query.query_id] < lengths.get(query.query_id, -1)
            and len(found[query.query_id][0]) < k
        ]
        before |= lengths
        depth *= 2
    return collect_run(found.items())


def choose_repositories(corpus: CorpusFolder, part: int, parts: int) -> NDArray[np.bool_]:
    """Which methods lie in the ``part``-th, the (part + parts)-th, ... repository by name.

    Args:
        corpus: the corpus.
        part: from 1 to ``parts``.
        parts: in how many parts the repositories are divided.

    Returns:
        Bool, shape (methods,).
    """
    allowed: list[NDArray[np.bool_]] = [np.zeros(0, dtype=np.bool_)]
    number, last = -1, None
    for table in corpus.iterate_methods(["repository"]):
        names = table["repository"].combine_chunks().dictionary_encode()
        taken = []
        # Ids ascend with the repositories' names: a name that was left does not come again.
        for name in names.dictionary.to_pylist():
            number += name != last
            last = name
            taken.append(number % parts == part - 1)
        allowed.append(np.array(taken, dtype=np.bool_)[names.indices.to_numpy()])
    return np.concatenate(allowed)
