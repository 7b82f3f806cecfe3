"""Searching among some methods of an index."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.indexes.top_results import split_run
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.partial_search import PartialRanker
from ncsbench.rankers.registry import create_ranker
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
