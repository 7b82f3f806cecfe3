"""The pairs of an epoch of UNIF, and hard negatives: similar code of other pairs.

Sets of pairs are sampled in proportion to the square roots of their sizes: a large set gives more
pairs than a small one, but does not drown it. Hard negatives are wrong code that BM25 ranks high
for a query.

BM25, with the usual parameters, searches the distinct code of the pairs by the words that training
knows; a repeated word of a query counts once::

    idf(w)  = ln(1 + (N - df + 0.5) / (df + 0.5))
    s(d, q) = SUM over words w of q: idf(w) * tf(w,d) / (tf(w,d) + k1 * (1 - b + b * dl / avgdl))

(Robertson, Zaragoza 2009). A word that much code has says little and costs most. So the words of a
query are taken from the rarest on, as long as they have at most ``_POSTINGS`` postings together;
the rarest word is always taken. Thus the cost hardly grows with the amount of code.
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
    """Return the number of pairs that an epoch takes of each set.

    The number is sqrt(size of the set * size of the largest set), rounded: each pair of the largest
    set is taken once, pairs of a set of a quarter of its size twice.

    Args:
        sets: number of the set of each pair, shape (n,).

    Returns:
        Numbers of pairs by number of the set, shape (greatest number + 1,); 0 for a number without
        pairs.
    """
    sizes = np.bincount(sets)
    counts: NDArray[np.int64] = np.rint(np.sqrt(sizes * float(sizes.max()))).astype(np.int64)
    return counts


def draw_balanced(sets: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw the pairs of an epoch, set by set: whole copies of the set, and the rest at random.

    Args:
        sets: number of the set of each pair, shape (n,).
        generator: draws the rest; not used for a set without a rest.

    Returns:
        Pairs, shape (sum of ``balance_sets``,).
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
_BLOCK = 256  # Queries at a time: at most some 100 MB of scores.


def find_hard_negatives(
    queries: TokenLists,
    codes: TokenLists,
    query_groups: NDArray[np.int64],
    code_groups: NDArray[np.int64],
    *,
    count: int,
) -> NDArray[np.int64]:
    """Find, for each of n pairs, other pairs whose code BM25 ranks highest for its query.

    The code of pairs with the same query is left out, and no code is taken twice. Ties are in the
    order of the pairs.

    Args:
        queries: words of the queries; n lists.
        codes: words of the code; n lists, over another vocabulary.
        query_groups: numbers that equal queries share, shape (n,).
        code_groups: numbers that equal code shares, shape (n,).
        count: number of pairs to find for each pair.

    Returns:
        Pairs, best first, int64, shape (n, count); where there are fewer, the pair itself fills the
        row.
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
    """Return the amounts that words add to scores of code: sparse, (words, distinct code)."""
    counts = count_terms(codes).tocsc()
    lengths = np.diff(codes.offsets)
    norms = _K1 * (1 - _B + _B * lengths / lengths.mean())
    having = np.diff(counts.indptr)
    idf = np.log1p((len(codes) - having + 0.5) / (having + 0.5))
    frequencies = counts.data.astype(np.float64)
    counts.data = np.repeat(idf, having) * frequencies / (frequencies + norms[counts.indices])
    return counts.T


def _choose_words(queries: TokenLists, vocabulary: list[str], impacts: Any) -> Any:
    """Choose the words of each query to search by: sparse 1s, shape (distinct queries, words)."""
    from scipy.sparse import csr_matrix

    numbers = {word: number for number, word in enumerate(vocabulary)}
    of_code = np.array([numbers.get(word, -1) for word in queries.vocabulary], np.int64)
    words = of_code[queries.tokens]
    owners = np.repeat(np.arange(len(queries)), np.diff(queries.offsets))
    keys = np.unique((owners * len(vocabulary) + words)[words >= 0])
    owners, words = np.divmod(keys, len(vocabulary))
    having = np.diff(impacts.indptr)
    # By query, and within a query from the rarest word on.
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
