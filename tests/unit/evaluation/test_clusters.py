"""Clusters and their intersections against a plain transcription of their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import islice
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.evaluation.structural_search.clusters import Cluster, ClusterOptions, find_clusters
from ncsbench.evaluation.structural_search.search import (
    Kept,
    OwnedFeatures,
    intersect_cluster,
)


class Features(NamedTuple):
    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]


def arrays(counter: Counter[int]) -> Features:
    ids = sorted(counter)
    return Features(np.array(ids, np.uint64), np.array([counter[i] for i in ids], np.int32))


def clusters(
    methods: Iterable[Counter[int]], pruned: Iterable[Counter[int]], options: ClusterOptions
) -> list[Cluster]:
    return list(find_clusters([arrays(m) for m in methods], [arrays(p) for p in pruned], options))


def shared(counters: Sequence[Counter[int]], members: Sequence[int]) -> int:
    return reduce(lambda a, b: a & b, (counters[member] for member in members)).total()


def plain_clusters(
    methods: Sequence[Counter[int]], pruned: Sequence[Counter[int]], options: ClusterOptions
) -> list[Cluster]:
    found: list[Cluster] = []
    growing: list[Cluster] = [(first,) for first in range(len(methods))]
    while growing:
        grown: list[Cluster] = []
        for cluster in growing:
            best, best_common = None, 0
            for candidate in range(cluster[-1] + 1, len(methods)):
                members = (*cluster, candidate)
                common, kept = shared(methods, members), shared(pruned, members)
                size = pruned[cluster[0]].total()
                if not size or kept / size <= options.likeness or common <= options.gain * kept:
                    continue
                if common > best_common:
                    best, best_common = candidate, common
            if best is not None:
                grown.append((*cluster, best))
        found += grown
        growing = grown
    found.sort(key=lambda cluster: (cluster[0], -len(cluster)))
    return [
        cluster
        for place, cluster in enumerate(found)
        if all(
            len({*cluster} & {*earlier}) / len({*cluster} | {*earlier}) <= options.overlap
            for earlier in found[:place]
        )
    ]


RESULTS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 3), min_size=1, max_size=4).map(Counter),
        st.lists(st.integers(0, 9), max_size=12).map(Counter),
    ),
    max_size=8,
)
OPTIONS = st.builds(
    ClusterOptions,
    gain=st.sampled_from([0.5, 1.0, 1.5]),
    likeness=st.sampled_from([0.0, 0.5, 0.9]),
    overlap=st.sampled_from([0.3, 0.5, 0.7, 1.0]),
)


@settings(max_examples=400)
@given(RESULTS, OPTIONS)
def test_the_same_clusters_as_by_the_definition(
    results: list[tuple[Counter[int], Counter[int]]], options: ClusterOptions
) -> None:
    pruned = [kept for kept, _ in results]
    methods = [kept + rest for kept, rest in results]
    assert clusters(methods, pruned, options) == plain_clusters(methods, pruned, options)


QUERY = Counter(range(10))
ADDITION = Counter(range(100, 110))


def test_pruned_parts_are_compared_with_the_first_one_alone_dev_35() -> None:
    # Compared with the whole first method, as the paper prints it, 0.9 and 1.5 exclude each other.
    small = Counter(range(9))
    methods = [QUERY + ADDITION, small + ADDITION]
    assert clusters(methods, [QUERY, small], ClusterOptions()) == []
    assert clusters(methods[::-1], [small, QUERY], ClusterOptions()) == [(0, 1)]


def test_a_cluster_grows_by_the_larger_intersection_dev_35() -> None:
    query, most = Counter(range(20)), Counter(range(19))
    methods = [
        query + Counter(range(100, 140)),
        query + Counter(range(100, 120)),  # 40 in common, 20 of them with the query: 2.0
        most + Counter(range(120, 140)),  # 39 in common, 19 of them: more in proportion
    ]
    pruned = [query, query, most]
    assert clusters(methods, pruned, ClusterOptions())[0] == (0, 1)


def test_a_cluster_like_an_earlier_one_is_dropped() -> None:
    methods = [QUERY + ADDITION] * 4
    assert clusters(methods, [QUERY] * 4, ClusterOptions()) == [(0, 1, 2, 3)]
    unbounded = clusters(methods, [QUERY] * 4, ClusterOptions(overlap=1.0))
    assert unbounded[:3] == [(0, 1, 2, 3), (0, 1, 2), (0, 1)]
    assert len(unbounded) == 6


def test_a_hundred_near_copies_take_one_chain() -> None:
    methods = [QUERY + ADDITION + Counter([1000 + number]) for number in range(100)]
    found = find_clusters(
        [arrays(method) for method in methods], [arrays(QUERY)] * 100, ClusterOptions()
    )
    assert list(islice(found, 1)) == [tuple(range(100))]


Bag = Counter[int]


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


def plain_intersection(query: Bag, leaves: Sequence[Bag], others: Sequence[Bag]) -> set[int]:
    kept = set(range(len(leaves)))
    for other in others:
        kept = plainly_added(other, leaves, kept, plainly_added(query, leaves, kept, set()))
    return kept


BAGS = st.lists(st.integers(0, 9), max_size=12).map(Counter)
LEAVES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4).map(Counter), max_size=8)


@settings(max_examples=300)
@given(BAGS, LEAVES, st.lists(BAGS, min_size=1, max_size=3))
def test_the_same_leaves_as_by_the_definition(
    query: Bag, leaves: list[Bag], others: list[Bag]
) -> None:
    kept = intersect_cluster(
        arrays(query), features_of_kept(leaves), len(leaves), [*map(arrays, others)]
    )
    expected = plain_intersection(query, leaves, others)
    assert set(np.flatnonzero(kept).tolist()) == expected


def test_what_the_members_share_is_kept_besides_the_query() -> None:
    leaves = [Counter([1, 2]), Counter([50, 51]), Counter([3, 4]), Counter([60, 61])]
    query, other = Counter([1, 2]), Counter([1, 2, 3, 4, 70])
    kept = intersect_cluster(arrays(query), features_of_kept(leaves), 4, [arrays(other)])
    assert kept.tolist() == [True, False, True, False]


def test_pruning_to_the_query_first_keeps_a_leaf_that_a_union_would_drop_dev_36() -> None:
    # The second leaf is half of the query's rest: worth it for the short query alone, not beside
    # all that the other member wants.
    leaves = [Counter(range(20)), Counter([100, 200, 201, 202])]
    query, other = Counter([100]), Counter(range(20))
    kept = intersect_cluster(arrays(query), features_of_kept(leaves), 2, [arrays(other)])
    assert kept.tolist() == [True, True]
