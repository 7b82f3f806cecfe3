"""An exact join of near-equal bags of tokens, and the clusters that it forms.

Two bags are near if the Jaccard similarity of their sets and that of their multisets reach a
threshold each. Pairs are found by prefixes: with the rarest tokens first, two sets that are similar
enough share one of the first few, so that a short index of these gives all candidates (Xiao et al.:
Efficient Similarity Joins for Near-Duplicate Detection, 2011). Nothing is estimated. Every compiled
function is in this file, since numba keeps its code until the file changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

_SLACK = 1e-9  # of the filters: they may let a pair pass that is compared in vain, never drop one


@dataclass(frozen=True)
class Nearness:
    """Thresholds from which two bags are near.

    The similarities are those of Allamanis: The Adverse Effects of Code Duplication in Machine
    Learning Models of Code, 2019, the minimum is that of CodeSearchNet (DEV-106).

    Attributes:
        set_jaccard: least Jaccard similarity of the sets, above 0 and at most 1.
        multiset_jaccard: least Jaccard similarity of the multisets, at most 1.
        minimum: bags of fewer tokens, repetitions counted, are near to nothing.
    """

    set_jaccard: float = 0.8
    multiset_jaccard: float = 0.7
    minimum: int = 10


def find_first_near(
    offsets: NDArray[np.int64], tokens: NDArray[np.int32], nearness: Nearness
) -> NDArray[np.int64]:
    """Position of the first bag of each bag's cluster.

    A cluster is the transitive closure of being near, so that it does not depend on any order.

    Args:
        offsets: int64, shape (bags + 1,); bag i has ``tokens[offsets[i]:offsets[i + 1]]``.
        tokens: int32, from 0, in any order.
        nearness: the thresholds.

    Returns:
        int64, shape (bags,); a bag that is near to no earlier one, also not by way of others, has
        its own position.
    """
    frequencies = np.bincount(tokens)
    ranks = np.empty(len(frequencies), np.int32)
    ranks[np.argsort(frequencies, kind="stable")] = np.arange(len(frequencies), dtype=np.int32)
    starts, items, counts, hashes = _sort_bags(offsets, tokens, ranks)
    sizes = np.diff(offsets)
    first = np.arange(len(sizes))
    counted = np.flatnonzero(sizes >= max(nearness.minimum, 1))
    # Equal bags first: of a thousand copies one is compared with the rest of the corpus.
    by_hash = counted[np.argsort(hashes[counted], kind="stable")]
    _join_equal(by_hash, hashes, starts, items, counts, first)
    single = counted[first[counted] == counted]
    widths = np.diff(starts)
    order = single[np.argsort(widths[single], kind="stable")]
    most = int(widths.max(initial=0)) + 1
    similarity = nearness.set_jaccard
    least = [math.ceil(similarity * width - _SLACK) for width in range(most)]
    shared = [
        math.ceil(2 * similarity / (1 + similarity) * width - _SLACK) for width in range(most)
    ]
    _join_near(
        order, starts, items, counts, sizes, len(frequencies), first,
        np.array(least, np.int64), np.array(shared, np.int64),
        similarity, nearness.multiset_jaccard,
    )  # fmt: skip
    _point_to_first(first)
    return first


@njit(cache=True)
def _sort_bags(offsets: Any, tokens: Any, ranks: Any) -> Any:
    """The distinct tokens of each bag by rank, the count of each, and a hash of both."""
    bags = len(offsets) - 1
    starts = np.zeros(bags + 1, np.int64)
    items = np.empty(len(tokens), np.int32)
    counts = np.empty(len(tokens), np.int32)
    hashes = np.empty(bags, np.uint64)
    end = 0
    for bag in range(bags):
        ordered = np.sort(ranks[tokens[offsets[bag] : offsets[bag + 1]]])
        mixed = np.uint64(14695981039346656037)
        start = end
        for item in ordered:
            if end > start and items[end - 1] == item:
                counts[end - 1] += 1
            else:
                items[end], counts[end] = item, 1
                end += 1
            mixed = (mixed ^ np.uint64(item)) * np.uint64(1099511628211)
            mixed ^= mixed >> np.uint64(29)
        starts[bag + 1] = end
        hashes[bag] = mixed
    return starts, items[:end].copy(), counts[:end].copy(), hashes


@njit(cache=True)
def _find(first: Any, bag: Any) -> Any:
    while first[bag] != bag:
        first[bag] = first[first[bag]]
        bag = first[bag]
    return bag


@njit(cache=True)
def _unite(first: Any, one: Any, other: Any) -> None:
    one, other = _find(first, one), _find(first, other)
    if one < other:
        first[other] = one
    else:
        first[one] = other


@njit(cache=True)
def _point_to_first(first: Any) -> None:
    for bag in range(len(first)):  # a root is the lowest of its cluster
        first[bag] = first[first[bag]]


@njit(cache=True)
def _join_equal(
    by_hash: Any, hashes: Any, starts: Any, items: Any, counts: Any, first: Any
) -> None:
    """Unite equal bags; a bag whose hash is that of another by chance is left to the join."""
    begin = 0
    for place in range(1, len(by_hash)):
        one, other = by_hash[begin], by_hash[place]
        if hashes[one] != hashes[other]:
            begin = place
            continue
        a, b, width = starts[one], starts[other], starts[one + 1] - starts[one]
        if starts[other + 1] - b == width and (
            (items[a : a + width] == items[b : b + width]).all()
            and (counts[a : a + width] == counts[b : b + width]).all()
        ):
            first[other] = one


@njit(cache=True)
def _count_bits(bits: Any) -> Any:
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + (
        (bits >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def _join_near(
    order: Any, starts: Any, items: Any, counts: Any, sizes: Any, vocabulary: Any, first: Any,
    least: Any, shared: Any, set_jaccard: Any, multiset_jaccard: Any,
) -> None:  # fmt: skip
    """Unite near bags.

    Bags are taken by ascending width (number of distinct tokens), so that a bag is compared with
    narrower ones alone. Of two near bags of widths w >= v, v is at least ``least[w]``, and so is
    the number of common tokens; of the narrower one they are at least ``shared[v]``. So the bags
    share one of the first w - least[w] + 1 tokens of the one and v - shared[v] + 1 of the other.
    """
    bits, ends = _sign_bags(order, starts, items, shared, vocabulary)
    begins = ends.copy()
    listed = np.empty(ends[-1], np.int32)
    places = np.empty(ends[-1], np.int32)
    seen = np.full(len(first), -1, np.int32)
    for bag in order:
        start, width = starts[bag], starts[bag + 1] - starts[bag]
        for place in range(start, start + width - least[width] + 1):
            item = items[place]
            while begins[item] < ends[item]:  # too narrow for this bag and all that follow
                other = listed[begins[item]]
                if starts[other + 1] - starts[other] >= least[width]:
                    break
                begins[item] += 1
            for entry in range(begins[item], ends[item]):
                other = listed[entry]
                if seen[other] == bag:
                    continue
                seen[other] = bag
                total = width + starts[other + 1] - starts[other]
                needed = np.int64(np.ceil(set_jaccard / (1 + set_jaccard) * total - _SLACK))
                if _count_bits(bits[bag] ^ bits[other]) > total - 2 * needed:
                    continue
                if _find(first, bag) == _find(first, other):
                    continue
                # This is the first common token: no token before it is common.
                if _are_near(
                    place, starts[bag + 1], starts[other] + places[entry], starts[other + 1],
                    items, counts, needed, total, sizes[bag] + sizes[other],
                    set_jaccard, multiset_jaccard,
                ):  # fmt: skip
                    _unite(first, bag, other)
        for place in range(start, start + width - shared[width] + 1):
            end = ends[items[place]]
            listed[end], places[end] = bag, place - start
            ends[items[place]] += 1


@njit(cache=True)
def _sign_bags(order: Any, starts: Any, items: Any, shared: Any, vocabulary: Any) -> Any:
    """Signatures of 64 bits, one per bag; starts of each token's list of bags, then the end.

    The bit of a token is turned over once for each distinct token that has it, so two bags differ
    in no more bits than tokens.
    """
    bits = np.zeros(len(starts) - 1, np.uint64)
    lengths = np.zeros(vocabulary + 1, np.int64)
    for bag in order:
        start, end = starts[bag], starts[bag + 1]
        for place in range(start, end):
            bits[bag] ^= np.uint64(1) << np.uint64(items[place] & 63)
        for place in range(start, end - shared[end - start] + 1):
            lengths[items[place] + 1] += 1
    return bits, np.cumsum(lengths)


@njit(cache=True)
def _are_near(
    one: Any, one_end: Any, two: Any, two_end: Any, items: Any, counts: Any, needed: Any,
    total: Any, size: Any, set_jaccard: Any, multiset_jaccard: Any,
) -> Any:  # fmt: skip
    """Say whether two bags are near, given a place in each: common items lie from there on.

    ``total`` and ``size`` are the sums of both bags' distinct and of all tokens, ``needed`` the
    least number of common ones.
    """
    common = least = 0
    while one < one_end and two < two_end:
        if common + min(one_end - one, two_end - two) < needed:
            return False
        if items[one] == items[two]:
            common += 1
            least += min(counts[one], counts[two])
            one += 1
            two += 1
        elif items[one] < items[two]:
            one += 1
        else:
            two += 1
    # A quotient of whole numbers is rounded as the threshold was, so equal ones are equal here.
    return common / (total - common) >= set_jaccard and least / (size - least) >= multiset_jaccard
