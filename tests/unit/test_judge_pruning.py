"""Greedy pruning against a plain transcription of its definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.judge.features import FeatureIndex, features_of_method
from ncsbench.judge.pruning import Leaves, index_leaves, prune_leaves, refeaturised_jaccard

FEATURES = st.integers(0, 6)
ANSWERS = st.lists(FEATURES, max_size=20).map(Counter)
METHODS = st.lists(st.lists(FEATURES, min_size=1, max_size=6).map(Counter), max_size=12)


def plain_jaccard(first: Counter[int], second: Counter[int]) -> Fraction:
    union = (first | second).total()
    return Fraction((first & second).total(), union) if union else Fraction(0)


def plain_pruning(answer: Counter[int], leaves: list[Counter[int]]) -> tuple[list[int], Fraction]:
    kept: list[int] = []
    total: Counter[int] = Counter()
    score = Fraction(0)
    while True:
        scores = [
            (plain_jaccard(answer, total + leaf), -number)
            for number, leaf in enumerate(leaves)
            if number not in kept
        ]
        best = max(scores, default=(score, 0))
        if best[0] <= score:
            return sorted(kept), score
        score = best[0]
        kept.append(-best[1])
        total += leaves[-best[1]]


def known(answer: Counter[int], leaves: list[Counter[int]]) -> Leaves:
    """Leaves as an index of the answer's features gives them."""
    return Leaves(
        [{f: n for f, n in leaf.items() if f in answer} for leaf in leaves],
        [leaf.total() for leaf in leaves],
    )


@settings(max_examples=300, deadline=None)
@given(ANSWERS, METHODS)
def test_the_same_leaves_as_by_the_definition(
    answer: Counter[int], leaves: list[Counter[int]]
) -> None:
    kept, score = plain_pruning(answer, leaves)
    pruned = prune_leaves(answer, known(answer, leaves))
    total = sum((leaves[number] for number in kept), Counter[int]())
    assert pruned.kept == tuple(kept)
    assert pruned.jaccard == float(score)
    assert pruned.size == total.total()
    assert pruned.common == (answer & total).total()


@settings(max_examples=200, deadline=None)
@given(ANSWERS, METHODS, st.sampled_from([0.0, 0.25, 0.5]))
def test_stopping_early_decides_alike_and_containment_is_a_bound(
    answer: Counter[int], leaves: list[Counter[int]], threshold: float
) -> None:
    full = prune_leaves(answer, known(answer, leaves)).jaccard
    early = prune_leaves(answer, known(answer, leaves), enough=threshold).jaccard
    assert (early > threshold) == (full > threshold)
    total = sum(leaves, Counter[int]())
    assert full <= ((answer & total).total() / answer.total() if answer else 0.0)


def test_of_equal_leaves_the_first_is_taken() -> None:
    leaves = [Counter([1, 9]), Counter([1, 8]), Counter([2, 7])]
    assert prune_leaves(Counter([1, 2]), known(Counter([1, 2]), leaves)).kept == (0, 2)


def test_nothing_in_common_keeps_nothing() -> None:
    pruned = prune_leaves({1: 2}, Leaves([{}, {}], [3, 4]))
    assert (pruned.kept, pruned.jaccard) == ((), 0.0)
    assert prune_leaves({}, Leaves([{}], [3])).jaccard == 0.0


def test_two_readings_of_the_pruned_features_dev_22() -> None:
    # The answer's neighbours a, b are parted in the method: joined anew they give one more pair.
    answer = features_of_method("void m() { f(a, b); }")
    method = features_of_method("void m() { int k = 7; f(a, g(1, 2, 3, 4, 5), b); }")
    index = FeatureIndex()
    wanted = index.add(answer.counts)
    pruned = prune_leaves(wanted, index_leaves(method, index))
    again = refeaturised_jaccard(wanted, method, pruned, index)
    assert 0 < pruned.jaccard < again < 1
    same = prune_leaves(wanted, index_leaves(answer, index))
    assert same.jaccard == refeaturised_jaccard(wanted, answer, same, index) == 1.0
