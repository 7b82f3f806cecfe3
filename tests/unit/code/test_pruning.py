"""Greedy pruning against a plain transcription of its definition."""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.code.aroma.features import body_feature_ids, count_features, method_codes
from ncsbench.code.aroma.similarity import find_places, prune_leaves, score_pair
from ncsbench.code.aroma.trees import Forest, TreeFolder

FEATURES = st.integers(0, 6)
ANSWERS = st.lists(FEATURES, max_size=20)
METHODS = st.lists(st.lists(FEATURES, min_size=1, max_size=6), max_size=12)


def plain_jaccard(first: Counter[int], second: Counter[int]) -> Fraction:
    union = (first | second).total()
    return Fraction((first & second).total(), union) if union else Fraction(0)


def plain_pruning(
    answer: Counter[int], leaves: list[Counter[int]], begun: Collection[int] = ()
) -> tuple[list[int], Fraction]:
    kept = list(begun)
    total = Counter(feature for number in kept for feature in leaves[number].elements())
    score = plain_jaccard(answer, total)
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


def prune(
    answer: list[int], leaves: list[list[int]], begun: Collection[int] = ()
) -> tuple[list[int], int, int, float]:
    """Kept leaves, size, common features and similarity, compiled."""
    wanted = count_features(np.array(answer, np.uint64))
    ids = np.array([feature for leaf in leaves for feature in leaf], np.uint64)
    owners = np.repeat(np.arange(len(leaves)), [len(leaf) for leaf in leaves]).astype(np.int32)
    places = find_places(ids, wanted.ids)
    first = np.isin(np.arange(len(leaves)), list(begun))
    kept, size, common = prune_leaves(places, owners, first, wanted.counts)
    union = wanted.size + size - common
    return np.flatnonzero(kept).tolist(), size, common, common / union if union else 0.0


@settings(max_examples=300)
@given(ANSWERS, METHODS)
def test_the_same_leaves_as_by_the_definition(answer: list[int], leaves: list[list[int]]) -> None:
    kept, score = plain_pruning(Counter(answer), [Counter(leaf) for leaf in leaves])
    total = Counter(feature for number in kept for feature in leaves[number])
    common = (Counter(answer) & total).total()
    assert prune(answer, leaves) == (kept, total.total(), common, float(score))


@settings(max_examples=200)
@given(ANSWERS, METHODS, st.lists(st.integers(0, 11), max_size=4))
def test_leaves_are_added_to_those_begun_with_as_by_the_definition(
    answer: list[int], leaves: list[list[int]], begun: list[int]
) -> None:
    first = {number for number in begun if number < len(leaves)}
    kept, score = plain_pruning(Counter(answer), [Counter(leaf) for leaf in leaves], first)
    found, size, common, similarity = prune(answer, leaves, first)
    total = Counter(feature for number in kept for feature in leaves[number])
    assert (found, size, common) == (kept, total.total(), (Counter(answer) & total).total())
    assert similarity == float(score)


@settings(max_examples=200)
@given(ANSWERS, METHODS)
def test_containment_is_a_bound(answer: list[int], leaves: list[list[int]]) -> None:
    total = Counter(feature for leaf in leaves for feature in leaf)
    common = (Counter(answer) & total).total()
    assert prune(answer, leaves)[3] <= (common / len(answer) if answer else 0.0)


def test_of_equal_leaves_the_first_is_taken() -> None:
    assert prune([1, 2], [[1, 9], [1, 8], [2, 7]])[0] == [0, 2]


def test_nothing_in_common_keeps_nothing() -> None:
    assert prune([1, 1], [[2, 3, 4], [5]]) == ([], 0, 0, 0.0)
    assert prune([], [[1]])[3] == 0.0
    assert prune([1], [])[3] == 0.0


def test_two_readings_of_the_pruned_features_dev_22() -> None:
    # The answer's neighbours a, b are parted in the method: joined anew they give one more pair.
    answer = read("void m() { f(a, b); }")
    method = read("void m() { int k = 7; f(a, g(1, 2, 3, 4, 5), b); }")
    original, anew = both_readings(answer, method)
    assert 0 < original < anew < 1
    assert both_readings(answer, answer) == (1.0, 1.0)


def read(code: str) -> Forest:
    folder = TreeFolder()
    return folder.fold([method_codes(code, folder)])


def both_readings(answer: Forest, method: Forest) -> tuple[float, float]:
    wanted = count_features(body_feature_ids(answer, 0)[0])
    distinct = len(np.unique(body_feature_ids(method, 0)[0]))
    original, anew = score_pair(wanted, method, np.array([distinct], np.int32), 0)[:2].tolist()
    return original, anew
