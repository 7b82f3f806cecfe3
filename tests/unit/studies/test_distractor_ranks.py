"""Ranks among distractors: both directions, ties, pools."""

import numpy as np
import pytest

from ncsbench.studies.codesearchnet.system_ranks import draw_pools, rank_pool
from ncsbench.studies.codesearchnet.table3 import random_reciprocal_rank


def test_both_directions_are_ranked_dev_154() -> None:
    scores = np.array([[0.9, 0.1, 0.5], [0.3, 0.2, 0.4], [0.8, 0.7, 0.6]])
    code_ranks, query_ranks = rank_pool(scores)
    assert code_ranks.tolist() == [1, 3, 3]  # along the rows
    assert query_ranks.tolist() == [1, 2, 1]  # along the columns


def test_ties_count_against_the_system() -> None:
    code_ranks, query_ranks = rank_pool(np.zeros((4, 4)))
    assert code_ranks.tolist() == query_ranks.tolist() == [4, 4, 4, 4]


def test_what_a_ranking_lacks_ranks_last_dev_154() -> None:
    scores = np.array([[0.9, -np.inf], [0.2, -np.inf]])
    code_ranks, query_ranks = rank_pool(scores)
    assert code_ranks.tolist() == query_ranks.tolist() == [1, 2]


def test_pools_are_full_and_hold_each_pair_once() -> None:
    pools = draw_pools(10, 4, seed=0)
    assert [len(pool) for pool in pools] == [4, 4]
    assert len(set(np.concatenate(pools).tolist())) == 8
    assert draw_pools(3, 4, seed=0) == []
    assert all((a == b).all() for a, b in zip(pools, draw_pools(10, 4, seed=0), strict=True))


def test_what_chance_gives() -> None:
    assert random_reciprocal_rank(2) == 0.75
    generator = np.random.default_rng(1)
    drawn = [1 / rank_pool(generator.random((20, 20)))[0] for _ in range(400)]
    assert np.mean(drawn) == pytest.approx(random_reciprocal_rank(20), abs=0.01)
