"""Queries of the micro-benchmark: which methods are drawn, and which of their words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.errors import ConfigurationError
from ncsbench.studies.ncs_2018.micro_queries import (
    MICRO_QUERY_SCHEMA,
    draw_queries,
    read_micro_queries,
)
from tests.synthetic_documents import make_lists, make_random_texts

# 30 words, 12 of them distinct; "common" is in every method, "rare" words are in one.
LONG = "common common " + "often " * 14 + " ".join(f"rare{i}" for i in range(10)) + " often" * 4
TEXTS = [LONG, "common often a b c d", "common often", "common x y z", "common often e f g"]


def lists_of(texts: list[str]) -> TokenLists:
    return make_lists([text.split() for text in texts])


def words_of(table: pa.Table, method: int, choice: str, share: str) -> list[str]:
    (row,) = (
        row
        for row in table.to_pylist()
        if (row["method"], row["query_words"], row["share_of"]) == (method, choice, share)
    )
    text: str = row["text"]
    return text.split()


def test_a_fifth_of_the_words_but_at_least_five_dev_93() -> None:
    table = draw_queries(lists_of(TEXTS), count=3, seed=1)
    # 20 % of 30 words are six, of 12 distinct ones two, and so five.
    for choice in ("random", "tf_idf"):
        assert len(words_of(table, 0, choice, "occurrences")) == 6
        assert len(words_of(table, 0, choice, "distinct")) == 5
        assert len(words_of(table, 1, choice, "occurrences")) == 5
    # Four words and two are too few to be drawn.
    assert sorted(set(table["method"].to_pylist())) == [0, 1, 4]


@pytest.mark.parametrize(("words", "expected"), [(5, 5), (27, 5), (28, 6), (32, 6), (33, 7)])
def test_a_fifth_is_rounded_to_the_nearest_number_dev_93(words: int, expected: int) -> None:
    table = draw_queries(lists_of([" ".join(f"w{i}" for i in range(words))]), count=1, seed=1)
    assert {len(text.split()) for text in table["text"].to_pylist()} == {expected}


def test_tf_idf_takes_each_word_once_and_the_rarest_first_dev_93() -> None:
    table = draw_queries(lists_of(TEXTS), count=3, seed=1)
    # Ties go by the alphabet.
    assert words_of(table, 0, "tf_idf", "occurrences") == [f"rare{i}" for i in range(6)]
    assert words_of(table, 1, "tf_idf", "distinct") == ["a", "b", "c", "d", "often"]


def test_a_word_is_drawn_at_random_no_more_often_than_it_stands_there_dev_93() -> None:
    text = "often often often a b c d e f g " * 3
    for seed in range(20):
        table = draw_queries(lists_of([text, "x y"]), count=1, seed=seed)
        drawn = Counter(words_of(table, 0, "random", "occurrences"))
        assert drawn["often"] <= 9
        assert all(count <= 3 for word, count in drawn.items() if word != "often")
        assert max(Counter(words_of(table, 0, "random", "distinct")).values()) == 1


def test_a_method_of_few_distinct_words_gives_all_of_them() -> None:
    table = draw_queries(lists_of(["a a a a b b b b"]), count=1, seed=1)
    assert words_of(table, 0, "random", "distinct") in (["a", "b"], ["b", "a"])
    assert sorted(words_of(table, 0, "tf_idf", "occurrences")) == ["a", "b"]


def test_a_seed_decides_and_all_sets_ask_for_the_same_methods(tmp_path: Path) -> None:
    lists = lists_of(make_random_texts(np.random.default_rng(3), methods=200, words=60))
    table = draw_queries(lists, count=50, seed=5)
    assert table.schema == MICRO_QUERY_SCHEMA
    assert table.equals(draw_queries(lists, count=50, seed=5))
    assert not table.equals(draw_queries(lists, count=50, seed=6))
    methods = table["method"].to_numpy().reshape(4, 50)
    assert (methods == methods[0]).all() and (np.diff(methods[0]) > 0).all()
    write_table(tmp_path / "q", table, MICRO_QUERY_SCHEMA)
    queries = read_micro_queries(tmp_path / "q")
    assert [query.query_id for query in queries] == list(range(1, 201))
    assert [query.text for query in queries] == table["text"].to_pylist()


@pytest.mark.parametrize(
    ("texts", "found"),
    [(["a b c d e", "a b"], "has 1 methods"), (["a b c d"] * 5, "has no method"), ([], "has no")],
)
def test_too_few_methods_end_in_one_line(texts: list[str], found: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        draw_queries(lists_of(texts), count=2, seed=1)
    message = str(caught.value)
    assert message.startswith(
        "config/config.yaml or --config: micro_benchmark.queries: the corpus " + found
    )
    assert "2 are asked for; get more clones" in message and "\n" not in message
