"""Searching among some methods of an index."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes.top_results import split_run
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.combined.combined_ranker import PartialRanker, find_first_alone
from ncsbench.rankers.registry import create_ranker
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
    whole = BM25(options={})
    mask = np.array(allowed[: len(methods)])
    partial = PartialRanker(whole, mask)
    partial.fit(corpus=make_documents([" ".join(words) for words in methods]))
    queries = [Query(1, "open file"), Query(2, "send"), Query(3, "unknown")]
    part = split_run(partial.search(queries, k=k))
    for row, (ids, scores) in split_run(whole.search(queries, k=len(methods))).items():
        kept = mask[ids]
        if not kept.any():
            assert row not in part
            continue
        np.testing.assert_array_equal(part[row][0], ids[kept][:k])
        np.testing.assert_array_equal(part[row][1], scores[kept][:k])


def test_candidates_are_taken_among_the_allowed_methods_dev_104() -> None:
    """One candidate is put in order: of the whole corpus it would be a method not allowed."""
    base = {"kind": "bm25", "options": {}}
    options = {"depth": 1, "unsplit_in": "identifiers"}
    specification = {"kind": "ncs_postrank", "options": options, "base": base}
    allowed = np.array([False, True, True])
    ranker = create_ranker(specification, seed=1, wrap=lambda one: PartialRanker(one, allowed))
    ranker.fit(corpus=make_documents(["open file", "open file read", "send"]))
    run = ranker.search([Query(1, "open file")], k=5)
    assert run.ids.tolist() == [1]


def test_of_equal_methods_the_first_allowed_one_is_found() -> None:
    corpus = make_documents(["read file", "read file", "send", "read", "read file", "send"])
    first, whole = np.array([0, 0, 2, 3, 0, 2]), BM25(options={})
    whole.fit(corpus=corpus)
    queries = [Query(1, "read"), Query(2, "send")]
    alone = find_first_alone(whole, first).search(queries, k=9)
    assert alone.ids.tolist() == [0, 3, 2]
    allowed = np.array([False, True, False, True, True, True])
    partial = find_first_alone(PartialRanker(whole, allowed), first)
    assert partial.search(queries, k=9).ids.tolist() == [1, 3, 5]
    assert partial.ranker is whole


@pytest.mark.parametrize("kind", ["fused", "rank_fusion"])
def test_a_haystack_without_copies_keeps_one_of_each_set(kind: str) -> None:
    """The first copy lies outside it, for a part that searches and for one that has a base."""
    bm25 = {"kind": "bm25", "options": {}}
    longest = {"kind": "longest_first", "base": bm25, "options": {}}
    parts = {"one": bm25, "two": longest, "three": {"kind": "rank_fusion", "parts": {"one": bm25}}}
    specification = {"kind": kind, "parts": parts, "options": {"duplicates": "collapsed"}}
    allowed = np.array([False, True, True, False])
    ranker = create_ranker(specification, seed=1, wrap=lambda one: PartialRanker(one, allowed))
    ranker.fit(corpus=make_documents(["read file", "read file", "read file", "file"]))
    assert ranker.search([Query(1, "read file")], k=9).ids.tolist() == [1]


@pytest.mark.parametrize("kind", ["fused", "rank_fusion"])
@pytest.mark.parametrize("duplicates", ["collapsed", "kept"])
def test_a_corpus_without_methods_is_searched(kind: str, duplicates: str) -> None:
    parts = {"one": {"kind": "bm25", "options": {}}}
    specification = {"kind": kind, "parts": parts, "options": {"duplicates": duplicates}}
    ranker = create_ranker(specification, seed=1)
    ranker.fit(corpus=make_documents([]))
    assert ranker.search([Query(1, "read file")], k=3).ids.tolist() == []
