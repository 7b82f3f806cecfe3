"""Compiled pruning of a method to the part that resembles an answer (Aroma paper, section 3.3).

Pruning is greedy. Each step adds the leaf that gives the largest multiset Jaccard similarity
between the answer and all leaves chosen so far; it ends when no leaf raises the similarity. Ties go
to the leaf that comes first in the text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


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
        owners: the leaf that owns it.
        leaves: number of leaves.
        answer_counts: int32, how often the answer has each of its features.

    Returns:
        bool, shape (leaves,), the kept ones; the number of features they own; the number of
        those in common with the answer.
    """
    starts, entry_places, entry_counts, sizes = _group_by_leaf(places, owners, leaves)
    holder_starts, holders = _group_by_place(starts, entry_places, leaves, len(answer_counts))
    most = np.zeros(len(answer_counts), np.int32)  # that a leaf has of each feature
    for entry in range(len(entry_places)):
        most[entry_places[entry]] = max(most[entry_places[entry]], entry_counts[entry])
    rest = answer_counts.copy()
    gains = np.zeros(leaves, np.int64)
    candidates = np.empty(leaves, np.int64)
    hopeful = 0
    for leaf in range(leaves):
        for entry in range(starts[leaf], starts[leaf + 1]):
            gains[leaf] += min(entry_counts[entry], rest[entry_places[entry]])
        if gains[leaf]:
            candidates[hopeful] = leaf
            hopeful += 1
    kept = np.zeros(leaves, np.bool_)
    union = np.int64(0)
    for count in answer_counts:
        union += count
    size = common = np.int64(0)
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
    """The leaf to add, or -1, and the number of candidates left; these are moved to the front."""
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
    """Per leaf its known features with counts, and the number of all its features."""
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
    # Merge what a leaf owns twice, in place: a leaf has few features.
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
    """Per feature of the answer the leaves that own it, and the entries that say so."""
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
