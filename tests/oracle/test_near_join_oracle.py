"""The join of near bags against all pairs compared one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.corpus.methods.near_join import Nearness, find_first_near

Bags = list[list[int]]


def join(bags: Bags, nearness: Nearness) -> list[int]:
    tokens = np.array([token for bag in bags for token in bag], np.int32)
    offsets = np.cumsum([0, *map(len, bags)]).astype(np.int64)
    return find_first_near(offsets, tokens, nearness).tolist()


def are_near(one: list[int], other: list[int], nearness: Nearness) -> bool:
    if min(len(one), len(other)) < nearness.minimum:
        return False
    a, b = Counter(one), Counter(other)
    sets = Fraction(len(a.keys() & b.keys()), len(a.keys() | b.keys()))
    multisets = Fraction((a & b).total(), (a | b).total())
    return sets >= Fraction(str(nearness.set_jaccard)) and multisets >= Fraction(
        str(nearness.multiset_jaccard)
    )


def join_plainly(bags: Bags, nearness: Nearness) -> list[int]:
    first = list(range(len(bags)))
    for one in range(len(bags)):
        for other in range(one + 1, len(bags)):
            if are_near(bags[one], bags[other], nearness):
                low, high = sorted((first[one], first[other]))
                first = [low if root == high else root for root in first]
    return first


@st.composite
def bags_with_copies(draw: st.DrawFn) -> Bags:
    """Bags of few distinct tokens, and copies of them with some tokens added, dropped, changed."""
    token = st.integers(0, 30) | st.integers(0, 3)
    bags = draw(st.lists(st.lists(token, max_size=30), min_size=1, max_size=12))
    for _ in range(draw(st.integers(0, 12))):
        copy = list(draw(st.sampled_from(bags)))
        for _ in range(draw(st.integers(0, 3))):
            place = draw(st.integers(0, len(copy)))
            copy[place : place + draw(st.integers(0, 1))] = draw(st.lists(token, max_size=2))
        bags.append(draw(st.permutations(copy)))
    return draw(st.permutations(bags))


@settings(max_examples=150)
@given(
    bags_with_copies(),
    st.sampled_from([0.8, 0.7, 0.5, 0.99, 1.0]),
    st.sampled_from([0.7, 0.8, 0.0, 1.0]),
    st.integers(1, 12),
)
def test_the_join_finds_what_comparing_all_pairs_finds_dev_106(
    bags: Bags, sets: float, multisets: float, minimum: int
) -> None:
    nearness = Nearness(sets, multisets, minimum)
    assert join(bags, nearness) == join_plainly(bags, nearness)


@pytest.mark.parametrize("seed", range(3))
def test_many_bags_of_one_vocabulary_dev_106(seed: int) -> None:
    """Sizes and frequencies as of code: a few words are everywhere, most are rare."""
    generator = np.random.default_rng(seed)
    bags: Bags = []
    for _ in range(250):
        if bags and generator.random() < 0.5:
            copy = np.array(bags[generator.integers(len(bags))])
            changed = generator.random(len(copy)) < 0.06
            copy[changed] = generator.integers(0, 400, changed.sum())
            bags.append(copy.tolist())
        else:
            size = generator.integers(5, 80)
            bags.append(np.minimum(generator.zipf(1.3, size), 400).tolist())
    found = join(bags, Nearness())
    assert found == join_plainly(bags, Nearness())
    assert 20 < len({root for place, root in enumerate(found) if root != place}) < 200
    # The clusters are the same whatever the order.
    order = generator.permutation(len(bags))
    other = join([bags[place] for place in order], Nearness())
    clusters = [
        {frozenset(np.flatnonzero(np.array(roots) == root).tolist()) for root in set(roots)}
        for roots in (found, [other[place] for place in np.argsort(order)])
    ]
    assert clusters[0] == clusters[1]
