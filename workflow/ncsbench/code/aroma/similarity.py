"""Compiled similarities of an answer and a method, pruned or not.

With Q and M the feature multisets of answer and method, S(.) their sets of distinct features and
I the sum of the minima of the counts. An empty side gives 0. Containment is the similarity of the
Aroma paper's section 2. The pruned similarities are those of its section 3.3, in the two readings
of DEV-22. The others are standard symmetric similarities, except for the last.

The charged overlap was chosen for this project (DEV-38). It is a containment that also penalises
the length of the method, at a lower rate than that of the answer::

    I / (7/8 |Q| + 1/8 |M|)  =  8 I / (7 |Q| + |M|)

This is no new formula: it is Tversky's index (Features of similarity, Psychological Review 84,
1977, ratio model) with the weight 7/8 for features that only the answer has and 1/8 for features
that only the method has. Containment has the weights 1 and 0, Dice 1/2 and 1/2. Our own are the
use as a judge, the weights and the threshold; docs/judge.md says how they were found.

Pruning (section 3.3) is greedy. Each step adds the leaf that gives the largest multiset Jaccard
similarity between the answer and all leaves chosen so far; it ends when no leaf raises the
similarity. Ties go to the leaf that comes first in the text.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.code.aroma.features import FeatureSet, make_features, make_uses, write_features
from ncsbench.code.aroma.similarity_names import ANSWER_WEIGHT, METHOD_WEIGHT, SIMILARITIES
from ncsbench.code.aroma.trees import Forest


@njit(cache=True)
def _make_tables(starts: Any, ids: Any) -> Any:
    """Make a hash table of the ids of each answer: start of each table, and index of each id.

    A table has a power of 2 of slots, int32; -1 marks a free one. The ids are hashes, so that
    their low bits are random.
    """
    table_starts = np.zeros(len(starts), np.int64)
    for answer in range(len(starts) - 1):
        size = 4
        while size < 4 * (starts[answer + 1] - starts[answer]):
            size *= 2
        table_starts[answer + 1] = table_starts[answer] + size
    tables = np.full(table_starts[-1], -1, np.int32)
    for answer in range(len(starts) - 1):
        table = tables[table_starts[answer] : table_starts[answer + 1]]
        mask = np.uint64(len(table) - 1)
        for i in range(starts[answer], starts[answer + 1]):
            slot = ids[i] & mask
            while table[slot] >= 0:
                slot = (slot + np.uint64(1)) & mask
            table[slot] = i - starts[answer]
    return table_starts, tables


@njit(cache=True)
def find_places(ids: Any, answer_ids: Any) -> Any:
    """Index of each feature in the ids of an answer, int32; -1 where the answer lacks it."""
    _, table = _make_tables(np.array([0, len(answer_ids)]), answer_ids)
    places = np.empty(len(ids), np.int32)
    _look_up(ids, answer_ids, table, places)
    return places


@njit(cache=True)
def _look_up(ids: Any, answer_ids: Any, table: Any, places: Any) -> None:
    """Write the places that ``find_places`` returns, with the answer's table (``_make_tables``)."""
    mask = np.uint64(len(table) - 1)
    for i in range(len(ids)):
        slot = ids[i] & mask
        while table[slot] >= 0 and answer_ids[table[slot]] != ids[i]:
            slot = (slot + np.uint64(1)) & mask
        places[i] = table[slot]


@njit(cache=True)
def count_common(places: Any, answer_counts: Any) -> Any:
    """Compute I and the number of distinct common features, from indices by ``find_places``."""
    has = np.zeros(len(answer_counts), np.int32)
    common = distinct = 0
    for place in places:
        if place >= 0:
            has[place] += 1
            common += has[place] <= answer_counts[place]
            distinct += has[place] == 1
    return common, distinct


@njit(cache=True)
def _make_pruning(leaves: Any, features: Any, answer: Any) -> Any:
    """Make working arrays to prune methods of at most so many leaves and features to an answer.

    An entry is a feature of the answer that a leaf owns. The entries of a leaf are a linked list.

    Returns:
        int32 arrays. Per leaf: firsts, its first entry or -1; gains, at least the number of
        features that it adds; candidates, leaves that may still be added, ascending. Per entry:
        nexts, the leaf's next entry or -1; places, index of the feature in the answer; counts,
        how often the leaf owns it. Per feature of the answer: rest, what chosen leaves lack of it.
    """
    firsts, gains = np.empty(leaves, np.int32), np.empty(leaves, np.int32)
    nexts, places = np.empty(features, np.int32), np.empty(features, np.int32)
    by_leaf = firsts, gains, np.empty(leaves, np.int32)
    by_entry = nexts, places, np.empty(features, np.int32)
    return by_leaf, by_entry, np.empty(answer, np.int32)


@njit(cache=True)
def prune_leaves(places: Any, owners: Any, begun: Any, answer_counts: Any) -> Any:
    """Choose greedily the leaves of a method that resemble an answer most.

    Args:
        places: index in the answer of each feature that a leaf owns (``find_places``).
        owners: the leaf that owns each of these features.
        begun: bool, shape (leaves,), true for leaves that are chosen in any case.
        answer_counts: int32, how often the answer has each of its features.

    Returns:
        bool, shape (leaves,), true for kept leaves; the number of features that they own; the
        number of these that the answer has, too.
    """
    sizes = np.zeros(len(begun), np.int32)
    for owner in owners:
        sizes[owner] += 1
    pruning = _make_pruning(len(begun), len(places), len(answer_counts))
    kept = begun.copy()
    size, shared = _choose_leaves(places, owners, sizes, answer_counts, pruning, kept)
    return kept, size, shared


@njit(cache=True)
def _choose_leaves(
    places: Any, owners: Any, sizes: Any, answer_counts: Any, pruning: Any, kept: Any
) -> Any:
    """Add to ``kept`` the leaves that ``prune_leaves`` chooses; count their features, and I.

    A leaf that does not raise the similarity now never will: its overlap with the rest of the
    answer only shrinks, while the similarity that it must beat grows. Such leaves are dropped.
    For the same reason an old gain is an upper bound, so that a leaf's gain is computed anew
    only where the old one would make it the best. Similarities are compared as fractions.
    """
    (_, gains, candidates), _, rest = pruning
    rest[: len(answer_counts)] = answer_counts
    _group_by_leaf(places, owners, len(sizes), pruning)
    size = shared = hopeful = 0
    for leaf in range(len(sizes)):
        if kept[leaf]:
            size += sizes[leaf]
            shared += _gain_of_leaf(leaf, pruning, True)
        else:
            candidates[hopeful] = leaf
            hopeful += gains[leaf] > 0
    union = answer_counts.sum() + size - shared
    while True:
        best = -1
        best_shared, best_union = shared, union
        left = 0
        for candidate in range(hopeful):
            leaf = candidates[candidate]
            gain = gains[leaf]
            candidates[left] = leaf
            left += gain * union > shared * (sizes[leaf] - gain)
            if (shared + gain) * best_union > best_shared * (union + sizes[leaf] - gain):
                gain = gains[leaf] = _gain_of_leaf(leaf, pruning, False)
                more = union + sizes[leaf] - gain
                if (shared + gain) * best_union > best_shared * more:
                    best, best_shared, best_union = leaf, shared + gain, more
        hopeful = left
        if best < 0:
            return size, shared
        kept[best] = True
        shared, union = best_shared, best_union
        size += sizes[best]
        gains[best] = 0
        _gain_of_leaf(best, pruning, True)


@njit(cache=True)
def _group_by_leaf(places: Any, owners: Any, leaves: Any, pruning: Any) -> None:
    """Write the entries of each leaf, and its gain: the part of them that the answer has."""
    (firsts, gains, _), (nexts, entry_places, counts), rest = pruning
    firsts[:leaves] = -1
    gains[:leaves] = 0
    made = 0
    for i in range(len(places)):
        place, leaf = places[i], owners[i]
        if place < 0:
            continue
        entry = firsts[leaf]
        while entry >= 0 and entry_places[entry] != place:  # a leaf has few features
            entry = nexts[entry]
        if entry < 0:
            entry = made
            made += 1
            entry_places[entry], counts[entry] = place, 0
            nexts[entry], firsts[leaf] = firsts[leaf], entry
        counts[entry] += 1
        gains[leaf] += counts[entry] <= rest[place]


@njit(cache=True)
def _gain_of_leaf(leaf: Any, pruning: Any, taken: Any) -> Any:
    """Count the features of a leaf that the rest of the answer has; if ``taken``, take them."""
    (firsts, _, _), (nexts, places, counts), rest = pruning
    gain = 0
    entry = firsts[leaf]
    while entry >= 0:
        shared = min(counts[entry], rest[places[entry]])
        gain += shared
        if taken:
            rest[places[entry]] -= shared
        entry = nexts[entry]
    return gain


UNPRUNED = tuple(similarity for similarity in SIMILARITIES if not similarity.startswith("pruned"))
"""Similarities that follow from sizes alone (``similarity_of_sizes``)."""


@njit(cache=True)
def similarity_of_sizes(
    number: Any, common: Any, answer: Any, method: Any,
    common_distinct: Any, answer_distinct: Any, method_distinct: Any,
) -> Any:  # fmt: skip
    """Compute one of the similarities that need no pruning.

    Args:
        number: position of the similarity in ``UNPRUNED``.
        common: I (see the module's docstring).
        answer: size of Q.
        method: size of M.
        common_distinct: size of the intersection of S(Q) and S(M).
        answer_distinct: size of S(Q).
        method_distinct: size of S(M).

    Returns:
        containment: I / |Q|; set containment: that of S(Q), S(M); Jaccard: I / (|Q| + |M| - I);
        Dice: 2 I / (|Q| + |M|); set cosine: common distinct features / sqrt(|S(Q)| |S(M)|);
        charged overlap: 8 I / (7 |Q| + |M|).
    """
    if not common:
        return 0.0
    if number == 0:
        similarity = common / answer
    elif number == 1:
        similarity = common_distinct / answer_distinct
    elif number == 2:
        similarity = common / (answer + method - common)
    elif number == 3:
        similarity = 2 * common / (answer + method)
    elif number == 4:
        similarity = common_distinct / sqrt(answer_distinct * method_distinct)
    else:
        charged = ANSWER_WEIGHT * answer + METHOD_WEIGHT * method
        similarity = (ANSWER_WEIGHT + METHOD_WEIGHT) * common / charged
    return similarity


@njit(cache=True)
def score_bodies(
    forest: Any, distinct: Any, bodies: Any, answers: Any, starts: Any, ids: Any, counts: Any
) -> Any:
    """Compute every similarity of pairs of a method and an answer.

    The second similarity has the features computed anew from the pruned tree: the ranking score
    of Aroma's reference code (DEV-22). Kept leaves are joined across the gaps, so that it may be
    above or below the first, with the kept leaves' original features.

    Args:
        forest: a ``trees.Forest``.
        distinct: int32, shape (bodies of the forest,), number of distinct features of each.
        bodies: int64, shape (pairs,), body of the method. Features are collected once for pairs
            of the same method that follow each other.
        answers: int64, shape (pairs,), number of the answer.
        starts: int64, shape (answers + 1,); answer i has the features from ``starts[i]`` on.
        ids: uint64, ids of the answers' features.
        counts: int32, how often the answer has each of them.

    Returns:
        float64, shape (pairs, similarities), in the order of ``SIMILARITIES``.
    """
    scores = np.zeros((len(bodies), 2 + len(UNPRUNED)), np.float64)
    most_leaves = 0
    for body in bodies:
        most_leaves = max(most_leaves, forest.body_leaves[body + 1] - forest.body_leaves[body])
    table_starts, tables = _make_tables(starts, ids)
    uses = make_uses(most_leaves)
    whole, pruned = make_features(most_leaves), make_features(most_leaves)
    all_places = np.empty(len(whole[0]), np.int32)
    pruning = _make_pruning(most_leaves, len(all_places), len(ids))
    all_leaves, all_sizes = np.arange(most_leaves), np.empty(most_leaves, np.int32)
    leaves = made = 0
    for pair in range(len(bodies)):
        body, answer = bodies[pair], answers[pair]
        if not pair or body != bodies[pair - 1]:
            leaves = forest.body_leaves[body + 1] - forest.body_leaves[body]
            made = write_features(forest, body, all_leaves[:leaves], uses, whole)
            all_sizes[:leaves] = 0
            for owner in whole[1][:made]:
                all_sizes[owner] += 1
        answer_ids = ids[starts[answer] : starts[answer + 1]]
        answer_counts = counts[starts[answer] : starts[answer + 1]]
        table = tables[table_starts[answer] : table_starts[answer + 1]]
        places, sizes = all_places[:made], all_sizes[:leaves]
        _look_up(whole[0][:made], answer_ids, table, places)
        overlap, overlap_distinct = count_common(places, answer_counts)
        if not overlap:
            continue
        kept = np.zeros(leaves, np.bool_)
        size, shared = _choose_leaves(places, whole[1], sizes, answer_counts, pruning, kept)
        answer_size = answer_counts.sum()
        scores[pair, 0] = _jaccard(shared, answer_size, size)
        size = write_features(forest, body, np.flatnonzero(kept), uses, pruned)
        _look_up(pruned[0][:size], answer_ids, table, all_places)
        shared, _ = count_common(all_places[:size], answer_counts)
        scores[pair, 1] = _jaccard(shared, answer_size, size)
        for number in range(len(UNPRUNED)):
            scores[pair, 2 + number] = similarity_of_sizes(
                number, overlap, answer_size, made,
                overlap_distinct, len(answer_ids), distinct[body],
            )  # fmt: skip
    return scores


def score_pair(
    answer: FeatureSet, forest: Forest, distinct: NDArray[np.int32], body: int
) -> NDArray[np.float64]:
    """Compute every similarity of an answer and a method: one row of ``score_bodies``."""
    pair, starts = np.array([body]), np.array([0, len(answer.ids)])
    scores: NDArray[np.float64] = score_bodies(
        forest, distinct, pair, np.zeros(1, np.int64), starts, answer.ids, answer.counts
    )[0]
    return scores


@njit(cache=True)
def _jaccard(common: Any, answer: Any, method: Any) -> Any:
    union = answer + method - common
    return common / union if union else 0.0
