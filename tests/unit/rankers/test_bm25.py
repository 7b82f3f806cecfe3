from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes.top_results import ScoreError, take_positive, take_top
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.bm25 import BM25
from tests.synthetic_documents import make_documents

TEXTS = ["open file", "read file", "", "show view text", "open open file", "read file"]


def fitted(**options: Any) -> BM25:
    ranker = BM25(options=options)
    ranker.fit(corpus=make_documents(TEXTS))
    return ranker


def test_dev07_methods_without_a_query_word_are_not_ranked() -> None:
    run = fitted().search([Query(4, "showView"), Query(2, "nothing known")], k=10)
    assert run.query_ids.tolist() == [4]
    assert run.ids.tolist() == [3]


def test_dev07_methods_with_a_query_word_are_ranked_whatever_their_score() -> None:
    """In a corpus of few words idf may be 0 or its average negative; rank-bm25 scores so too."""
    ranker = BM25(options={})
    ranker.fit(corpus=make_documents(["copy text", "start view"]))
    run = ranker.search([Query(1, "start"), Query(2, "text or view")], k=5)
    assert run.query_ids.tolist() == [1, 2, 2]
    assert run.ids.tolist() == [1, 0, 1]


def test_dev06_the_defaults_are_those_of_rank_bm25() -> None:
    explicit = fitted(k1=1.5, b=0.75, epsilon=0.25)
    np.testing.assert_array_equal(fitted().score("open file"), explicit.score("open file"))


def test_a_repeated_word_of_a_query_counts_once_or_each_time_dev_88() -> None:
    for query in ("read file read", "file read"):
        np.testing.assert_array_equal(fitted().score(query), fitted().score(query + " file"))
    counts = fitted(query="counts")
    once, twice = counts.score("read"), counts.score("read read")
    np.testing.assert_array_equal(twice, 2 * once)
    np.testing.assert_array_equal(fitted().score("read read"), once)


def test_an_index_of_another_corpus_or_other_options_is_refused(tmp_path: Path) -> None:
    fitted().save(tmp_path / "index")
    with pytest.raises(DataError, match="another corpus_hash"):
        BM25(options={}).load(tmp_path / "index", corpus=make_documents(TEXTS, corpus_hash="x"))
    with pytest.raises(DataError, match="another words"):
        BM25(options={}).load(tmp_path / "index", corpus=make_documents([*TEXTS[1:], "more"]))
    with pytest.raises(DataError, match="another options"):
        BM25(options={"k1": 1.2}).load(tmp_path / "index", corpus=make_documents(TEXTS))
    with pytest.raises(DataError, match="another options"):
        BM25(options={"engine": "rank_bm25"}).load(tmp_path / "index", corpus=make_documents(TEXTS))


@pytest.mark.parametrize("engine", ["own", "rank_bm25"])
@pytest.mark.parametrize("texts", [[], ["", ""]])
def test_a_corpus_without_words_gives_empty_rankings(texts: list[str], engine: str) -> None:
    ranker = BM25(options={"engine": engine})
    ranker.fit(corpus=make_documents(texts))
    assert len(ranker.search([Query(1, "file")], k=5).ids) == 0


def test_a_depth_below_one_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="depth 0"):
        fitted().search([Query(1, "file")], k=0)


def test_long_postings_give_the_scores_of_the_formula_to_the_last_bit() -> None:
    """SciPy adds postings of more than 16,384 methods; the order of the words decides bits."""
    generator = np.random.default_rng(1)
    names = [f"w{letter}" for letter in "abcde"]
    held = generator.random((40_000, 5)) < [0.9, 0.6, 0.5, 0.01, 0.001]
    texts = [" ".join(np.array(names)[row]) for row in held]
    ranker = BM25(options={})
    ranker.fit(corpus=make_documents(texts))
    expected = np.zeros(len(texts))
    for word in ("wc", "we", "wa", "wd"):
        place = ranker._word_ids[word]
        postings = slice(ranker._offsets[place], ranker._offsets[place + 1])
        expected[ranker._methods[postings]] += ranker._idf[place] * ranker._impacts[postings]
    np.testing.assert_array_equal(ranker.score("wc we wa wd"), expected)
    run = ranker.search([Query(1, "wc we wa wd")], k=70)
    np.testing.assert_array_equal(run.ids, np.lexsort((np.arange(40_000), -expected))[:70])


@pytest.mark.parametrize("size", [0, 10, 5_000])
@pytest.mark.parametrize("values", [1, 3, 1_000])
def test_the_best_positive_scores_are_those_of_all_of_them(size: int, values: int) -> None:
    generator = np.random.default_rng(size + values)
    scores = generator.integers(-1, values, size=size).astype(np.float64)
    positive = np.flatnonzero(scores > 0)
    for k in (1, 7, 400):
        found, expected = take_positive(scores, k=k), take_top(positive, scores[positive], k=k)
        np.testing.assert_array_equal(found, expected)
    if size:
        scores[size // 2] = np.nan
        with pytest.raises(ScoreError, match="nan"):
            take_positive(scores, k=3)
