"""Intersections of clusters against a plain transcription of their definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.evaluation.structural_search.search import (
    Intersection,
    Kept,
    OwnedFeatures,
    intersect_cluster,
)

Bag = Counter[int]


class Features(NamedTuple):
    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]


def arrays(bag: Bag) -> Features:
    ids = sorted(bag)
    return Features(np.array(ids, np.uint64), np.array([bag[i] for i in ids], np.int32))


def owned(leaves: Sequence[Bag], kept: Kept | None = None) -> OwnedFeatures:
    entries = [
        (feature, number)
        for number, leaf in enumerate(leaves)
        if kept is None or kept[number]
        for feature in leaf.elements()
    ]
    ids, owners = zip(*entries, strict=True) if entries else ((), ())
    return np.array(ids, np.uint64), np.array(owners, np.int32)


def features_of_kept(leaves: Sequence[Bag]) -> Callable[[Kept], OwnedFeatures]:
    return lambda kept: owned(leaves, kept)


def jaccard(first: Bag, second: Bag) -> Fraction:
    union = (first | second).total()
    return Fraction((first & second).total(), union) if union else Fraction(0)


def plainly_added(
    wanted: Bag, leaves: Sequence[Bag], allowed: set[int], kept: set[int]
) -> set[int]:
    kept = set(kept)
    while True:
        total = sum((leaves[number] for number in kept), Bag())
        scores = [
            (jaccard(wanted, total + leaves[number]), -number) for number in sorted(allowed - kept)
        ]
        best, number = max(scores, default=(Fraction(0), 0))
        if best <= jaccard(wanted, total):
            return kept
        kept.add(-number)


def plain_intersection(
    query: Bag, leaves: Sequence[Bag], others: Sequence[Bag], intersection: Intersection
) -> set[int]:
    kept = set(range(len(leaves)))
    for other in others:
        if intersection == "union":
            kept = plainly_added(query | other, leaves, kept, set())
        else:
            kept = plainly_added(other, leaves, kept, plainly_added(query, leaves, kept, set()))
    return kept


BAGS = st.lists(st.integers(0, 9), max_size=12).map(Counter)
LEAVES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4).map(Counter), max_size=8)


@settings(max_examples=300)
@given(BAGS, LEAVES, st.lists(BAGS, min_size=1, max_size=3), st.sampled_from(["union", "sequence"]))
def test_the_same_leaves_as_by_the_definition(
    query: Bag, leaves: list[Bag], others: list[Bag], intersection: Intersection
) -> None:
    kept = intersect_cluster(
        arrays(query), features_of_kept(leaves), len(leaves), [*map(arrays, others)], intersection
    )
    expected = plain_intersection(query, leaves, others, intersection)
    assert set(np.flatnonzero(kept).tolist()) == expected


@pytest.mark.parametrize("intersection", ["union", "sequence"])
def test_what_the_members_share_is_kept_besides_the_query(intersection: Intersection) -> None:
    leaves = [Counter([1, 2]), Counter([50, 51]), Counter([3, 4]), Counter([60, 61])]
    query, other = Counter([1, 2]), Counter([1, 2, 3, 4, 70])
    kept = intersect_cluster(
        arrays(query), features_of_kept(leaves), 4, [arrays(other)], intersection
    )
    assert kept.tolist() == [True, False, True, False]


def test_the_union_drops_a_poor_leaf_that_pruning_in_sequence_keeps_dev_36() -> None:
    # The second leaf is half of the query's rest: worth it for the short query alone, not beside
    # all that the other member wants.
    leaves = [Counter(range(20)), Counter([100, 200, 201, 202])]
    query, other = Counter([100]), Counter(range(20))
    arguments = arrays(query), features_of_kept(leaves), 2, [arrays(other)]
    assert intersect_cluster(*arguments, "sequence").tolist() == [True, True]
    assert intersect_cluster(*arguments, "union").tolist() == [True, False]
