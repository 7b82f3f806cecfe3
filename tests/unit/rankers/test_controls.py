from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.errors import DataError
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.lexical.longest_first import LongestFirst
from ncsbench.rankers.lexical.random_order import RandomOrder
from tests.synthetic_documents import make_documents

LENGTHS = [3, 120, 7, 100, 99, 250, 3, 40]
CORPUS = make_documents(["open file"] * 6 + ["open file file", "view a b c d e f"], lines=LENGTHS)
QUERIES = [Query(1, "open file"), Query(2, "view")]


def draw(seed: int, k: int = 8, queries: list[Query] = QUERIES, **options: int) -> Run:
    ranker = RandomOrder(options=options, seed=seed)
    ranker.fit(corpus=CORPUS)
    return ranker.search(queries, k=k)


def longest_first(**options: int) -> LongestFirst:
    return LongestFirst(options=options, base=BM25(options={}), seed=0)


def test_random_draws_every_method_once() -> None:
    run = draw(1)
    assert sorted(run.ids[run.query_ids == 1].tolist()) == list(range(8))
    assert np.all(np.diff(run.scores[run.query_ids == 1]) < 0)


def test_random_depends_on_seed_and_row_only() -> None:
    np.testing.assert_array_equal(draw(1).ids, draw(1).ids)
    assert draw(1).ids.tolist() != draw(2).ids.tolist()
    both = draw(1)
    assert both.ids[both.query_ids == 1].tolist() != both.ids[both.query_ids == 2].tolist()
    alone = draw(1, queries=QUERIES[1:])
    np.testing.assert_array_equal(alone.ids, both.ids[both.query_ids == 2])


def test_random_keeps_nothing_of_a_query_but_its_ranking() -> None:
    corpus = make_documents(["view"] * 50_000)
    ranker = RandomOrder(options={}, seed=1)
    ranker.fit(corpus=corpus)
    tracemalloc.start()
    try:
        ranker.search([Query(row, "view") for row in range(20)], k=10)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * 50_000 * np.dtype(np.int64).itemsize


def test_random_long_draws_long_methods_only() -> None:
    run = draw(1, minimum_lines=100)
    assert sorted(run.ids[run.query_ids == 2].tolist()) == [1, 3, 5]


def test_random_long_without_a_long_method_is_empty() -> None:
    assert len(draw(1, minimum_lines=1000).ids) == 0


def test_longest_first_orders_the_candidates_of_bm25_by_length() -> None:
    ranker = longest_first(candidates=4)
    ranker.fit(corpus=CORPUS)
    # BM25 puts method 6 first (it repeats a word), then the others by id.
    run = ranker.search(QUERIES[:1], k=10)
    assert run.ids.tolist() == [1, 2, 0, 6]
    assert run.scores.tolist() == [120, 7, 3, 3]
    assert ranker.search(QUERIES[:1], k=2).ids.tolist() == [1, 2]


def test_longest_first_reads_an_index_of_its_base(tmp_path: Path) -> None:
    base = BM25(options={})
    base.fit(corpus=CORPUS)
    base.save(tmp_path / "bm25")
    ranker = longest_first()
    ranker.load(tmp_path / "bm25", corpus=CORPUS)
    assert ranker.search(QUERIES, k=1).ids.tolist() == [5, 7]
    ranker.save(tmp_path / "own")
    names = sorted(path.name for path in (tmp_path / "bm25").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "own").iterdir())


def test_a_control_keeps_nothing_but_the_corpus_hash(tmp_path: Path) -> None:
    ranker = RandomOrder(options={}, seed=1)
    ranker.fit(corpus=CORPUS)
    ranker.save(tmp_path / "index")
    assert [path.name for path in (tmp_path / "index").iterdir()] == ["index.json"]
    loaded = RandomOrder(options={}, seed=1)
    loaded.load(tmp_path / "index", corpus=CORPUS)
    np.testing.assert_array_equal(loaded.search(QUERIES, k=8).ids, draw(1).ids)
    with pytest.raises(DataError, match="corpus_hash"):
        loaded.load(tmp_path / "index", corpus=make_documents(["a"], corpus_hash="other"))
