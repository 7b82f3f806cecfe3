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

from ncsbench.code.aroma.features import collect_features
from ncsbench.code.aroma.similarity_names import ANSWER_WEIGHT, METHOD_WEIGHT, SIMILARITIES


@njit(cache=True)
def find_places(ids: Any, answer_ids: Any) -> Any:
    """Index of each feature in the ids of an answer, int32; -1 where the answer lacks it."""
    size = 4
    while size < 4 * len(answer_ids):
        size *= 2
    mask = np.uint64(size - 1)  # a hash table: ids are hashes, so their low bits are random
    table = np.full(size, -1, np.int32)
    for place in range(len(answer_ids)):
        slot = answer_ids[place] & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = place
    places = np.empty(len(ids), np.int32)
    for i in range(len(ids)):
        slot = ids[i] & mask
        while table[slot] >= 0 and answer_ids[table[slot]] != ids[i]:
            slot = (slot + np.uint64(1)) & mask
        places[i] = table[slot]
    return places


@njit(cache=True)
def prune_leaves(places: Any, owners: Any, leaves: Any, answer_counts: Any) -> Any:
    """Choose greedily the leaves of a method that resemble an answer most.

    A leaf that does not raise the similarity now never will: its overlap with the rest of the
    answer only shrinks, while the similarity that it must beat grows. Such leaves are dropped.

    Args:
        places: index in the answer of each feature that a leaf owns (``find_places``).
        owners: the leaf that owns each of these features.
        leaves: number of leaves.
        answer_counts: int32, how often the answer has each of its features.

    Returns:
        bool, shape (leaves,), true for kept leaves; the number of features that they own; the
        number of these that the answer has, too.
    """
    return add_leaves(places, owners, np.zeros(leaves, np.bool_), answer_counts)


@njit(cache=True)
def add_leaves(places: Any, owners: Any, begun: Any, answer_counts: Any) -> Any:
    """Choose leaves as ``prune_leaves``, beginning with ``begun``: bool, shape (leaves,)."""
    leaves = len(begun)
    starts, entry_places, entry_counts, sizes = _group_by_leaf(places, owners, leaves)
    holder_starts, holders = _group_by_place(starts, entry_places, leaves, len(answer_counts))
    most = np.zeros(len(answer_counts), np.int32)  # largest count of each feature in any leaf
    for entry in range(len(entry_places)):
        most[entry_places[entry]] = max(most[entry_places[entry]], entry_counts[entry])
    rest = answer_counts.copy()
    kept = begun.copy()
    size = common = np.int64(0)
    for leaf in np.flatnonzero(begun):
        size += sizes[leaf]
        for entry in range(starts[leaf], starts[leaf + 1]):
            shared = min(entry_counts[entry], rest[entry_places[entry]])
            rest[entry_places[entry]] -= shared
            common += shared
    gains = np.zeros(leaves, np.int64)
    candidates = np.empty(leaves, np.int64)
    hopeful = 0
    for leaf in np.flatnonzero(~begun):
        for entry in range(starts[leaf], starts[leaf + 1]):
            gains[leaf] += min(entry_counts[entry], rest[entry_places[entry]])
        if gains[leaf]:
            candidates[hopeful] = leaf
            hopeful += 1
    union = answer_counts.sum() + size - common
    while True:
        best, hopeful = _best_leaf(candidates, hopeful, gains, sizes, common, union)
        if best < 0:
            break
        kept[best] = True
        common += gains[best]
        size += sizes[best]
        union += sizes[best] - gains[best]
        gains[best] = 0
        for entry in range(starts[best], starts[best + 1]):
            place = entry_places[entry]
            before = rest[place]
            after = rest[place] = max(0, before - entry_counts[entry])
            if after >= most[place]:  # still enough for every leaf: no gain changes
                continue
            for holder in range(holder_starts[place], holder_starts[place + 1]):
                leaf, other = holders[holder]
                has = entry_counts[other]
                if gains[leaf]:
                    gains[leaf] -= min(has, before) - min(has, after)
    return kept, size, common


@njit(cache=True)
def _best_leaf(
    candidates: Any, hopeful: Any, gains: Any, sizes: Any, common: Any, union: Any
) -> Any:
    """Choose the leaf to add, or -1; move the remaining candidates to the front and count them."""
    best, best_score = -1, common / union if union else 0.0
    left = 0
    for place in range(hopeful):
        leaf = candidates[place]
        gain, size = gains[leaf], sizes[leaf]
        # Not gain / (size - gain) > common / union, in whole numbers: never worth adding.
        if gain * union <= common * (size - gain):
            continue
        candidates[left] = leaf
        left += 1
        score = (common + gain) / (union + size - gain)
        if score > best_score:
            best, best_score = leaf, score
    return best, left


@njit(cache=True)
def _group_by_leaf(places: Any, owners: Any, leaves: Any) -> Any:
    """Group known features by leaf, with counts, and count all features of each leaf."""
    sizes = np.zeros(leaves, np.int64)
    starts = np.zeros(leaves + 1, np.int64)
    for i in range(len(places)):
        sizes[owners[i]] += 1
        if places[i] >= 0:
            starts[owners[i] + 1] += 1
    for leaf in range(leaves):
        starts[leaf + 1] += starts[leaf]
    grouped = np.empty(starts[leaves], np.int32)
    filled = starts[:leaves].copy()
    for i in range(len(places)):
        if places[i] >= 0:
            grouped[filled[owners[i]]] = places[i]
            filled[owners[i]] += 1
    # Merge features that a leaf owns twice, in place: a leaf has few features.
    counts = np.empty(len(grouped), np.int32)
    merged_starts = np.zeros(leaves + 1, np.int64)
    end = 0
    for leaf in range(leaves):
        begin = end
        for i in range(starts[leaf], starts[leaf + 1]):
            place = grouped[i]
            entry = begin
            while entry < end and grouped[entry] != place:
                entry += 1
            if entry == end:
                grouped[end] = place
                counts[end] = 0
                end += 1
            counts[entry] += 1
        merged_starts[leaf + 1] = end
    return merged_starts, grouped[:end], counts[:end], sizes


@njit(cache=True)
def _group_by_place(starts: Any, entry_places: Any, leaves: Any, size: Any) -> Any:
    """Group by feature of the answer the leaves that own it, and the entries that say so."""
    holder_starts = np.zeros(size + 1, np.int64)
    for place in entry_places:
        holder_starts[place + 1] += 1
    for place in range(size):
        holder_starts[place + 1] += holder_starts[place]
    holders = np.empty((len(entry_places), 2), np.int64)
    filled = holder_starts[:size].copy()
    for leaf in range(leaves):
        for entry in range(starts[leaf], starts[leaf + 1]):
            place = entry_places[entry]
            holders[filled[place], 0] = leaf
            holders[filled[place], 1] = entry
            filled[place] += 1
    return holder_starts, holders


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
def pruned_jaccard_leaf(answer_counts: Any, places: Any, owners: Any, leaves: Any) -> Any:
    """Jaccard similarity with the kept leaves' original features, and the kept leaves."""
    kept, size, common = prune_leaves(places, owners, leaves, answer_counts)
    return _jaccard(common, answer_counts.sum(), size), kept


@njit(cache=True)
def pruned_jaccard_refeaturised(
    answer_ids: Any, answer_counts: Any, forest: Any, body: Any, kept: Any
) -> Any:
    """Jaccard similarity with the features computed anew from the pruned tree.

    This is the ranking score of Aroma's reference code (DEV-22): kept leaves are joined across
    the gaps, so that the score may be above or below that with the original features.
    """
    if not kept.any():
        return 0.0
    ids, _ = collect_features(forest, body, kept)
    places = find_places(ids, answer_ids)
    common, _ = count_common(places, answer_counts)
    return _jaccard(common, answer_counts.sum(), len(places))


@njit(cache=True)
def count_common(places: Any, answer_counts: Any) -> Any:
    """Compute I and the number of distinct common features, from indices by ``find_places``."""
    has = np.zeros(len(answer_counts), np.int32)
    for place in places:
        if place >= 0:
            has[place] += 1
    common = distinct = 0
    for place in range(len(has)):
        if has[place]:
            common += min(has[place], answer_counts[place])
            distinct += 1
    return common, distinct


@njit(cache=True)
def score_pair(
    answer_ids: Any, answer_counts: Any, forest: Any, body: Any, method_distinct: Any, scores: Any
) -> None:
    """Write the similarity of an answer with a method under each of ``SIMILARITIES``."""
    for similarity in range(len(scores)):
        scores[similarity] = 0.0
    ids, owners = collect_features(forest, body, np.zeros(0, np.bool_))
    places = find_places(ids, answer_ids)
    common, common_distinct = count_common(places, answer_counts)
    if not common:
        return
    leaves = forest.body_leaves[body + 1] - forest.body_leaves[body]
    scores[0], kept = pruned_jaccard_leaf(answer_counts, places, owners, leaves)
    scores[1] = pruned_jaccard_refeaturised(answer_ids, answer_counts, forest, body, kept)
    for number in range(len(UNPRUNED)):
        scores[2 + number] = similarity_of_sizes(
            number, common, answer_counts.sum(), len(ids),
            common_distinct, len(answer_ids), method_distinct,
        )  # fmt: skip


@njit(cache=True)
def _jaccard(common: Any, answer: Any, method: Any) -> Any:
    union = answer + method - common
    return common / union if union else 0.0
