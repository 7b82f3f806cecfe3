"""Clusters against a plain transcription of their definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import islice
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.evaluation.structural_search.clusters import Cluster, ClusterOptions, find_clusters


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
            best, best_score = None, 0.0
            for candidate in range(cluster[-1] + 1, len(methods)):
                members = (*cluster, candidate)
                common, kept = shared(methods, members), shared(pruned, members)
                size = pruned[cluster[0]].total()
                if not size or kept / size <= options.likeness or common <= options.gain * kept:
                    continue
                score = common if options.growth == "common" else common / max(kept, 1)
                if score > best_score:
                    best, best_score = candidate, score
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
    growth=st.sampled_from(["common", "gain"]),
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


def test_of_two_ways_to_grow_the_code_takes_the_larger_intersection_dev_35() -> None:
    query, most = Counter(range(20)), Counter(range(19))
    methods = [
        query + Counter(range(100, 140)),
        query + Counter(range(100, 120)),  # 40 in common, 20 of them with the query: 2.0
        most + Counter(range(120, 140)),  # 39 in common, 19 of them: more in proportion
    ]
    pruned = [query, query, most]
    assert clusters(methods, pruned, ClusterOptions())[0] == (0, 1)
    assert clusters(methods, pruned, ClusterOptions(growth="gain"))[0] == (0, 2)


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
