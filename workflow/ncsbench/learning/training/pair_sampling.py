"""Which pairs an epoch of UNIF takes, and code of other pairs that it is told from.

Sets are taken in proportion to the square root of their sizes: a large set brings more than a small
one, but does not drown it. Hard negatives are code that BM25 takes for the answer to a query.

BM25 with the usual numbers over the distinct code of the pairs, by the words that training has, a
repeated word of a query counted once::

    idf(w)  = ln(1 + (N - df + 0.5) / (df + 0.5))
    s(d, q) = SUM over words w of q: idf(w) * tf(w,d) / (tf(w,d) + k1 * (1 - b + b * dl / avgdl))

(Robertson, Zaragoza 2009). A word that much code has tells little and costs most: the words of a
query are taken from the rarest on, as long as they have at most ``_POSTINGS`` postings together,
the rarest in any case. So the cost hardly grows with the number of codes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import count_terms
from ncsbench.corpus.indexes.top_results import take_top
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.learning.training.pair_words import take_lists


def balance_sets(sets: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pairs of each set an epoch takes: sqrt(its size * size of the largest), rounded.

    The largest set is taken once, a quarter of it twice.

    Args:
        sets: number of the set of each pair, shape (n,).

    Returns:
        Shape (greatest number + 1,); 0 for a number without pairs.
    """
    sizes = np.bincount(sets)
    counts: NDArray[np.int64] = np.rint(np.sqrt(sizes * float(sizes.max()))).astype(np.int64)
    return counts


def draw_balanced(sets: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Pairs of an epoch, set by set: as often as a set fits wholly, and the rest at random.

    Args:
        sets: number of the set of each pair, shape (n,).
        generator: draws the rest; not asked where a set fits evenly.

    Returns:
        Shape (sum of ``balance_sets``,).
    """
    drawn = []
    for number, count in enumerate(balance_sets(sets).tolist()):
        own = np.flatnonzero(sets == number)
        times, rest = divmod(count, max(len(own), 1))
        drawn.append(np.tile(own, times))
        if rest:
            drawn.append(generator.permutation(own)[:rest])
    return np.concatenate(drawn)


_K1, _B = 1.2, 0.75
_POSTINGS = 1 << 15
_BLOCK = 256  # queries at a time: at most some 100 MB of scores


def find_hard_negatives(
    queries: TokenLists,
    codes: TokenLists,
    query_groups: NDArray[np.int64],
    code_groups: NDArray[np.int64],
    *,
    count: int,
) -> NDArray[np.int64]:
    """For each of n pairs other pairs whose code BM25 ranks highest for its query.

    No code of any pair with the same query is among them, and no code twice. Ties stand in the
    order of the pairs.

    Args:
        queries: words of the queries; n lists.
        codes: words of the code; n lists, over another vocabulary.
        query_groups: equal queries share a number; shape (n,).
        code_groups: equal code shares a number; shape (n,).
        count: how many.

    Returns:
        Pairs, best first, int64, shape (n, count); the pair itself where there are fewer.
    """
    from scipy.sparse import csr_matrix

    _, first_query, query = np.unique(query_groups, return_index=True, return_inverse=True)
    _, first_code, code = np.unique(code_groups, return_index=True, return_inverse=True)
    impacts = _weigh_words(take_lists(codes, first_code))
    asked = _choose_words(take_lists(queries, first_query), codes.vocabulary, impacts)
    right = csr_matrix(
        (np.ones(len(query), np.bool_), (query, code)), shape=(len(first_query), len(first_code))
    )
    found = np.full((len(first_query), count), -1)
    for start in range(0, len(found), _BLOCK):
        scores = asked[start : start + _BLOCK] @ impacts
        for row, own in enumerate(found[start : start + _BLOCK]):
            known = right.indices[right.indptr[start + row] : right.indptr[start + row + 1]]
            part = slice(scores.indptr[row], scores.indptr[row + 1])
            best, _ = take_top(scores.indices[part], scores.data[part], k=count + len(known))
            best = best[~np.isin(best, known)][:count]
            own[: len(best)] = first_code[best]
    of_pairs = found[query]
    return np.where(of_pairs < 0, np.arange(len(query))[:, None], of_pairs)


def _weigh_words(codes: TokenLists) -> Any:
    """What a word adds to the score of code: sparse float64, shape (words, distinct code)."""
    counts = count_terms(codes).tocsc()
    lengths = np.diff(codes.offsets)
    norms = _K1 * (1 - _B + _B * lengths / lengths.mean())
    having = np.diff(counts.indptr)
    idf = np.log1p((len(codes) - having + 0.5) / (having + 0.5))
    frequencies = counts.data.astype(np.float64)
    counts.data = np.repeat(idf, having) * frequencies / (frequencies + norms[counts.indices])
    return counts.T


def _choose_words(queries: TokenLists, vocabulary: list[str], impacts: Any) -> Any:
    """The words by which queries are searched: sparse ones, shape (distinct queries, words)."""
    from scipy.sparse import csr_matrix

    numbers = {word: number for number, word in enumerate(vocabulary)}
    of_code = np.array([numbers.get(word, -1) for word in queries.vocabulary], np.int64)
    words = of_code[queries.tokens]
    owners = np.repeat(np.arange(len(queries)), np.diff(queries.offsets))
    keys = np.unique((owners * len(vocabulary) + words)[words >= 0])
    owners, words = np.divmod(keys, len(vocabulary))
    having = np.diff(impacts.indptr)
    # By query, and within it from the rarest word on.
    order = np.lexsort((words, having[words], owners))
    owners, words = owners[order], words[order]
    ends = np.cumsum(having[words])
    _, first, position = np.unique(owners, return_index=True, return_inverse=True)
    before = ends - having[words]
    kept = ends - before[first][position] <= _POSTINGS
    kept[first] = True
    return csr_matrix(
        (np.ones(np.count_nonzero(kept)), (owners[kept], words[kept])),
        shape=(len(queries), len(vocabulary)),
    )
