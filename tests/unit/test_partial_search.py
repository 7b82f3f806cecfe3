"""Searching among some methods of an index."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.indexes.top_results import split_run
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.partial_search import choose_repositories, search_among
from ncsbench.runs.rankings import Query
from tests.synthetic_documents import make_documents

WORDS = ["open", "file", "read", "close", "send"]


@given(
    methods=st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=30),
    allowed=st.lists(st.booleans(), min_size=30, max_size=30),
    k=st.integers(1, 5),
)
def test_it_is_the_whole_ranking_without_the_others(
    methods: list[list[str]], allowed: list[bool], k: int
) -> None:
    ranker = BM25(options={})
    ranker.fit(corpus=make_documents([" ".join(words) for words in methods]))
    queries = [Query(1, "open file"), Query(2, "send"), Query(3, "unknown")]
    mask = np.array(allowed[: len(methods)])
    whole = split_run(ranker.search(queries, k=len(methods)))
    part = split_run(search_among(ranker, queries, k=k, allowed=mask))
    for row, (ids, scores) in whole.items():
        kept = mask[ids]
        if not kept.any():
            assert row not in part
            continue
        np.testing.assert_array_equal(part[row][0], ids[kept][:k])
        np.testing.assert_array_equal(part[row][1], scores[kept][:k])


class FakeCorpus:
    def __init__(self, *tables: list[str]) -> None:
        self.tables = tables

    def iterate_methods(self, columns: list[str]):  # type: ignore[no-untyped-def]
        assert columns == ["repository"]
        yield from (pa.table({"repository": pa.array(names, pa.string())}) for names in self.tables)


@pytest.mark.parametrize(
    ("part", "parts", "expected"),
    [
        (1, 1, [1, 1, 1, 1, 1, 1]),
        (1, 2, [1, 1, 1, 0, 1, 1]),
        (2, 2, [0, 0, 0, 1, 0, 0]),
        (1, 3, [1, 1, 1, 0, 0, 0]),
        (3, 3, [0, 0, 0, 0, 1, 1]),
    ],
)
def test_repositories_are_counted_across_shards(part: int, parts: int, expected: list[int]) -> None:
    corpus = FakeCorpus(["a", "a"], ["a", "b", "c"], [], ["c"])
    allowed = choose_repositories(corpus, part, parts)  # type: ignore[arg-type]
    np.testing.assert_array_equal(allowed, np.array(expected, bool))


def test_an_empty_corpus_has_no_methods() -> None:
    assert choose_repositories(FakeCorpus(), 1, 2).tolist() == []  # type: ignore[arg-type]
