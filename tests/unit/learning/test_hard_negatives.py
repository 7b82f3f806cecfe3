from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.learning.training import pair_sampling
from ncsbench.learning.training.pair_sampling import (
    balance_sets,
    draw_balanced,
    find_hard_negatives,
)
from ncsbench.learning.training.pair_words import group_equal
from tests.synthetic_documents import make_lists


def find(pairs: list[tuple[str, str]], *, count: int) -> NDArray[np.int64]:
    queries, codes = (make_lists([pair[side].split() for pair in pairs]) for side in (0, 1))
    groups = group_equal(queries), group_equal(codes)
    return find_hard_negatives(queries, codes, *groups, count=count)


def score(query: str, code: str, distinct: list[str]) -> float:
    """BM25 by hand."""
    words, average = code.split(), np.mean([len(other.split()) for other in distinct])
    total = 0.0
    for word in set(query.split()):
        having = sum(word in other.split() for other in distinct)
        idf = math.log(1 + (len(distinct) - having + 0.5) / (having + 0.5))
        tf = words.count(word)
        total += idf * tf / (tf + 1.2 * (0.25 + 0.75 * len(words) / average))
    return total


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_hard_negatives_are_the_best_of_bm25_without_right_code(draw: int) -> None:
    generator = np.random.default_rng(draw)
    pairs = [
        (" ".join(generator.choice(list("abcdx"), 2)), " ".join(generator.choice(list("abcde"), 4)))
        for _ in range(25)
    ]
    spelt = ["".join(sorted(code)) for _, code in pairs]
    asked = ["".join(sorted(query)) for query, _ in pairs]
    first = {code: spelt.index(code) for code in spelt}
    distinct = [pairs[row][1] for row in sorted(first.values())]
    found = find(pairs, count=3)
    for row, (query, _) in enumerate(pairs):
        right = {code for other, code in zip(asked, spelt, strict=True) if other == asked[row]}
        scores = {
            place: score(query, pairs[place][1], distinct)
            for code, place in first.items()
            if code not in right
        }
        best = sorted((-round(value, 9), place) for place, value in scores.items() if value > 0)
        chosen = [place for _, place in best[:3]]
        got = found[row].tolist()
        assert got[len(chosen) :] == [row] * (3 - len(chosen))
        values = [round(scores[place], 9) for place in got[: len(chosen)]]
        assert values == [-value for value, _ in best[:3]]


def test_ties_stand_in_the_order_of_the_pairs() -> None:
    pairs = [("open", "open file"), ("x", "open door"), ("y", "open gate"), ("z", "open cup")]
    assert find(pairs, count=2).tolist() == [[1, 2], [1, 1], [2, 2], [3, 3]]


def test_code_of_the_same_query_in_any_order_of_its_words_is_no_negative() -> None:
    pairs = [("open file", "open a"), ("file open", "open b"), ("shut", "open c"), ("t", "a open")]
    assert find(pairs, count=2).tolist() == [[2, 0], [2, 1], [2, 2], [3, 3]]


def test_common_words_are_left_out_where_rarer_ones_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = [("get name", "z"), ("get", "y"), ("q", "get"), ("r", "get a"), ("s", "name")]
    assert find(pairs, count=3)[:2].tolist() == [[4, 2, 3], [2, 3, 1]]
    monkeypatch.setattr(pair_sampling, "_POSTINGS", 1)
    assert find(pairs, count=3)[:2].tolist() == [[4, 0, 0], [2, 3, 1]]


def test_blocks_of_queries_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(f"a{i % 3} b{i % 4}", f"a{i % 5} b{i % 3} c{i}") for i in range(20)]
    whole = find(pairs, count=4)
    monkeypatch.setattr(pair_sampling, "_BLOCK", 3)
    np.testing.assert_array_equal(find(pairs, count=4), whole)


def test_an_epoch_has_the_square_root_of_each_set_and_the_largest_once() -> None:
    sets = np.repeat([0, 1, 3], [400, 100, 4])
    assert balance_sets(sets).tolist() == [400, 200, 0, 40]
    drawn = draw_balanced(sets, np.random.default_rng(1))
    assert np.bincount(sets[drawn], minlength=4).tolist() == [400, 200, 0, 40]
    assert set(np.bincount(drawn)[:400]) == {1}


@given(st.lists(st.integers(1, 60), min_size=1, max_size=4), st.integers(0, 99))
def test_pairs_of_a_set_are_drawn_equally_often_but_for_the_rest(sizes: list[int], s: int) -> None:
    sets = np.repeat(np.arange(len(sizes)), sizes)
    drawn = draw_balanced(sets, np.random.default_rng(s))
    assert len(drawn) == balance_sets(sets).sum()
    times = np.bincount(drawn, minlength=len(sets))
    for number in range(len(sizes)):
        own = times[sets == number]
        assert own.min() >= 1 and own.max() - own.min() <= 1


def test_each_epoch_draws_another_rest() -> None:
    sets = np.repeat([0, 1], [50, 20])
    one, two = (draw_balanced(sets, np.random.default_rng(seed)) for seed in (1, 2))
    assert sorted(one.tolist()) != sorted(two.tolist())
