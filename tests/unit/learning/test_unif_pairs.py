from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.learning.training.pair_words import PairWords
from ncsbench.learning.training.training_options import TrainingOptions
from ncsbench.learning.unif.unif_pairs import mean_reciprocal_rank, split_pairs
from tests.synthetic_documents import make_lists

LETTERS = "abcdefghij"


def make_pair_words(pairs: list[tuple[str, str]]) -> PairWords:
    queries, codes = (make_lists([*(list(pair[i]) for pair in pairs)]) for i in (0, 1))
    return PairWords(queries, codes, np.zeros(len(pairs), np.int64), len(pairs), 0, 0)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([1.0, 0.7, 0.3]))
def test_no_query_or_code_stands_on_both_sides_dev_65(draw: int, share: float) -> None:
    generator = np.random.default_rng(draw)
    letters = generator.choice(list(LETTERS), size=(120, 6))
    pairs = [("".join(row[:2]), "".join(row[2:])) for row in letters]
    options = TrainingOptions(pairs=("x",), minimum_held_out=5, share=share)
    split = split_pairs(make_pair_words(pairs), options, seed=1)
    sides = [
        [("".join(sorted(pairs[row][i])) for row in rows) for i in (0, 1)]
        for rows in (split.training, split.held_out)
    ]
    (queries, codes), (held_queries, held_codes) = ([set(s) for s in side] for side in sides)
    assert not queries & held_queries
    assert not codes & held_codes
    everything = split_pairs(
        make_pair_words(pairs), TrainingOptions(pairs=("x",), minimum_held_out=5), seed=1
    )
    assert everything.held_out.tolist() == split.held_out.tolist()
    assert set(split.training.tolist()) <= set(everything.training.tolist())
    total = len(everything.training) + len(everything.held_out) + everything.dropped
    assert total == len(pairs)


def test_the_split_depends_neither_on_the_seed_nor_on_the_order_dev_65() -> None:
    pairs = [(f"{a}{b}", f"{b}{a}{a}") for a in LETTERS for b in LETTERS if a < b]
    options = TrainingOptions(pairs=("x",), minimum_held_out=6)
    chosen = []
    for seed, ordered in ((1, pairs), (2, pairs[::-1])):
        split = split_pairs(make_pair_words(ordered), options, seed=seed)
        chosen.append({ordered[row] for row in split.held_out.tolist()})
    assert chosen[0] == chosen[1]
    assert len(chosen[0]) == 6


def test_shares_nest() -> None:
    pairs = [(f"{a}{b}", f"{b}{a}{a}") for a in LETTERS for b in LETTERS if a < b]
    found: set[int] = set()
    for share in (0.2, 0.4, 0.9, 1.0):
        options = TrainingOptions(pairs=("x",), minimum_held_out=6, share=share)
        rows = set(split_pairs(make_pair_words(pairs), options, seed=3).training.tolist())
        assert found < rows
        found = rows


def test_a_share_is_one_of_queries_with_all_their_pairs_dev_65() -> None:
    pairs = [(query, f"{query}{code}") for query in LETTERS * 1 for code in LETTERS]
    pairs = [(f"{query}{query}", code) for query, code in pairs]
    options = TrainingOptions(pairs=("x",), minimum_held_out=2, share=0.5)
    split = split_pairs(make_pair_words(pairs), options, seed=1)
    asked = [pairs[row][0] for row in split.training.tolist()]
    assert len(set(asked)) == 4 and len(asked) == 40


def test_ties_are_lost_and_other_right_code_does_not_compete_dev_65() -> None:
    similarities = np.float32([[0.9, 0.5, 0.5], [0.1, 0.2, 0.3]])
    queries, codes = np.array([0, 0, 1]), np.array([0, 1, 2])
    right = np.array([[True, True, False], [False, False, True]])
    # Query 0: ranks 1 and 2 (tied with code 2); query 1: rank 1.
    expected = ((1 + 1 / 2) / 2 + 1) / 2
    assert mean_reciprocal_rank(similarities, queries, codes, right) == expected
