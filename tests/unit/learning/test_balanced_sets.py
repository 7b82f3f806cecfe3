from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.learning.training.pair_sampling import balance_sets, draw_balanced


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
