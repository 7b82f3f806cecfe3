"""The ranker fused: sums of reciprocal ranks, copies, indexes, mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes.top_results import split_run
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import DataError
from ncsbench.learning.unif.unif_weights import UnifWeights
from ncsbench.rankers.combined.fused import Fused, keep_distinct
from ncsbench.rankers.combined.rank_fusion import RankFusion, sum_reciprocal_ranks
from ncsbench.rankers.lexical.bm25f import BM25F
from ncsbench.rankers.lexical.translation import TranslationRanker
from ncsbench.rankers.lexical.translation_memory import TranslationMemoryRanker
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.vectors.unif import UNIF
from tests.synthetic_documents import make_documents, make_lists, make_random_texts
from tests.unit.rankers.test_elasticsearch_like import Method, write_corpus
from tests.unit.rankers.test_translation import make_translation
from tests.unit.rankers.test_translation_memory import remember

QUERIES = [Query(row, text) for row, text in enumerate(["read file", "keyboard", "show", "file"])]
HOSTILE = ["", " \t\n", "\0", "ǅ ß İ 漢字 😀", "a" * 5000, "file " * 500, "[](){}.*+?^$|\\", "zzz"]
METHODS: list[Method] = [
    ("openFile", "/** Opens a file. */", "void openFile() { stream.open(); file.open(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("showView", "", 'void showView(View view) { view.show("file of a view"); }'),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("nothing", "", "void nothing() { }"),
    ("hideSoftInput", "", "void hideSoftInput() { input.hide(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
]
WORDS = [
    *("open file stream open", "read file", "show view view", "read file", ""),
    *("hide soft input hide", "read file"),
]
PART_NAMES = "bm25f unif translation translation_memory"
PAIRS = [
    ("hide the keyboard", "Input.hideSoftInput(view);"),
    ("show a view", "view.show();"),
    ("read a file", "file.read();"),
]
ROWS = [("keyboard", "soft", 0.4, 0.2), ("keyboard", "input", 0.1, 0.5)]


def make_corpus() -> Documents:
    return make_documents(WORDS)


def make_weights(corpus: Documents) -> UnifWeights:
    """Queries know ``keyboard`` too, and lack ``show``."""
    words = corpus.words.vocabulary
    asked = sorted({*words, "keyboard"} - {"show"})
    generator = np.random.default_rng(1)
    tables = (generator.normal(size=(len(one), 8)).astype(np.float32) for one in (asked, words))
    return UnifWeights(
        asked, list(words), *tables, generator.normal(size=8).astype(np.float32), {"seed": 1}
    )


def make_parts(folder: Path, names: str = PART_NAMES) -> dict[str, Ranker]:
    corpus = make_corpus()
    parts: dict[str, Any] = {
        "bm25f": BM25F(options={}),
        "unif": UNIF(options={}),
        "translation": TranslationRanker(options={}),
        "translation_memory": TranslationMemoryRanker(options={}),
    }
    for part in parts.values():
        part.fit(
            corpus=corpus,
            methods=write_corpus(folder / "corpus", METHODS),
            weights=make_weights(corpus),
            translation=make_translation(ROWS),
            memory=remember(folder, PAIRS),
        )
    return {name: parts[name] for name in sorted(names.split())}


def make_fused(folder: Path, names: str = PART_NAMES, **options: object) -> Fused:
    ranker = Fused(options=options, parts=make_parts(folder, names), seed=1)
    ranker.fit(corpus=make_corpus())
    return ranker


def test_a_method_of_some_rankings_has_the_sum_of_its_reciprocal_ranks() -> None:
    methods, sums = sum_reciprocal_ranks([np.array([7, 2]), np.array([2, 5, 9])], k=60)
    assert methods.tolist() == [2, 5, 7, 9]
    np.testing.assert_allclose(sums, [1 / 62 + 1 / 61, 1 / 62, 1 / 61, 1 / 63], rtol=1e-15)
    assert [len(one) for one in sum_reciprocal_ranks([], k=0)] == [0, 0]


def test_with_all_near_copies_it_is_the_rank_fusion_of_its_parts(tmp_path: Path) -> None:
    for duplicates in ("kept", "collapsed"):
        parts = make_parts(tmp_path)
        fusion = RankFusion(options={"duplicates": duplicates}, parts=parts, seed=1)
        fused = Fused(options={"duplicates": duplicates, "near_copies": 0}, parts=parts, seed=1)
        for ranker in (fusion, fused):
            ranker.fit(corpus=make_corpus())
        expected, found = (one.search(QUERIES, k=9) for one in (fusion, fused))
        assert found.query_ids.tolist() == expected.query_ids.tolist()
        assert found.ids.tolist() == expected.ids.tolist()
        assert found.scores.tolist() == expected.scores.tolist()
        assert (3 in found.ids) == (duplicates == "kept")


def test_near_copies_of_an_earlier_result_leave_the_ranking(tmp_path: Path) -> None:
    kept = make_fused(tmp_path, duplicates="kept", near_copies=0).search(QUERIES[:1], k=9)
    assert {1, 3, 6} <= set(kept.ids.tolist())
    run = make_fused(tmp_path, duplicates="kept").search(QUERIES[:1], k=9)
    assert [method for method in run.ids.tolist() if method in {1, 3, 6}] == [1]


def test_shared_words_are_counted_once_and_methods_without_words_stay() -> None:
    texts = ["a a b", "b a", "a b c", "", "", "a b c d e", "c"]
    words = make_lists([text.split() for text in texts])
    order = np.array([2, 0, 1, 3, 4, 5, 6])
    for least, places in ((0.6, [0, 3, 4, 6]), (0.61, [0, 3, 4, 5, 6]), (0.67, [0, 1, 3, 4, 5, 6])):
        assert keep_distinct(order, words, least=least, k=9).tolist() == places
        assert keep_distinct(order, words, least=least, k=2).tolist() == places[:2]
    assert keep_distinct(order[:0], words, least=0.5, k=3).tolist() == []


@given(seed=st.integers(0, 99), least=st.floats(0.05, 1), k=st.integers(1, 30))
def test_no_result_is_a_near_copy_of_an_earlier_one(seed: int, least: float, k: int) -> None:
    texts = make_random_texts(np.random.default_rng(seed), methods=25, words=8, longest=6)
    words, sets = make_lists([text.split() for text in texts]), [set(t.split()) for t in texts]
    stays: list[int] = []
    for place, one in enumerate(sets):
        near = [len(one & sets[other]) >= least * len(one | sets[other]) for other in stays]
        near = [found and bool(one) for found in near]
        if not any(near):
            stays.append(place)
    assert keep_distinct(np.arange(25), words, least=least, k=k).tolist() == stays[:k]


def test_a_ranking_depends_neither_on_other_queries_nor_on_the_depth(tmp_path: Path) -> None:
    ranker = make_fused(tmp_path)
    together = split_run(ranker.search(QUERIES, k=9))
    for query in QUERIES:
        ids, scores = together[query.query_id]
        for k in (1, 2, 9):
            alone = ranker.search([query], k=k)
            assert alone.ids.tolist() == ids[:k].tolist()
            assert alone.scores.tolist() == scores[:k].tolist()


@pytest.mark.parametrize("text", HOSTILE)
def test_any_query_has_a_ranking_of_what_is_left(tmp_path: Path, text: str) -> None:
    run = make_fused(tmp_path).search([Query(1, text)], k=5)
    assert np.isfinite(run.scores).all()
    assert (len(run.ids) > 0) == ("file" in text)


def test_a_word_that_one_part_alone_knows_finds_what_this_part_finds(tmp_path: Path) -> None:
    assert make_fused(tmp_path, "bm25f translation").search(QUERIES[1:2], k=5).ids.tolist() == [5]


def test_an_index_is_read_back_with_other_options(tmp_path: Path) -> None:
    made = make_fused(tmp_path, near_copies=0)
    made.save(tmp_path / "index")
    again = Fused(
        options={"duplicates": "kept", "near_copies": 0, "depth": 7},
        parts=make_parts(tmp_path),
        seed=1,
    )
    again.load(tmp_path / "index", corpus=make_corpus())
    found, expected = (one.search(QUERIES, k=9).ids.tolist() for one in (again, made))
    assert [method for method in found if method not in {3, 6}] == expected
    assert {3, 6} <= set(found)
    other = make_documents(WORDS, corpus_hash="other")
    with pytest.raises(DataError, match="corpus_hash"):
        again.load(tmp_path / "index", corpus=other)
