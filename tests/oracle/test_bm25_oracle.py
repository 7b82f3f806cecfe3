"""BM25 against rank-bm25, whose class BM25Okapi defines what it has to give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.posts.questions.questions_file import read_questions
from ncsbench.rankers.bm25 import BM25
from tests.sample_corpus import build_sample_corpus
from tests.synthetic_documents import make_documents, make_random_texts

# Few words, so that many are in more than half of the methods: rank-bm25 floors their idf.
WORDS = st.sampled_from(["get", "set", "view", "file", "text", "list"])
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=30)


def check_equal(first: Run, second: Run) -> None:
    """The same rankings with the same scores, bit by bit."""
    np.testing.assert_array_equal(first.query_ids, second.query_ids)
    np.testing.assert_array_equal(first.ids, second.ids)
    np.testing.assert_array_equal(first.scores, second.scores)


def check_against_oracle(texts: list[str], queries: list[str], **options: float) -> None:
    theirs = BM25Okapi([text.split() for text in texts], **options)
    for counted in (False, True):
        check_query_words(texts, queries, theirs, counted=counted, **options)


def check_query_words(
    texts: list[str], queries: list[str], theirs: BM25Okapi, *, counted: bool, **options: float
) -> None:
    """DEV-88: both engines with repeated words of a query counted once, or each time."""
    query_option = "counts" if counted else "one_hot"
    ours = BM25(options={**options, "query": query_option})
    ours.fit(corpus=make_documents(texts))
    package = BM25(options={**options, "query": query_option, "engine": "rank_bm25"})
    package.fit(corpus=make_documents(texts))
    for query in queries:
        asked = query.split()
        expected = theirs.get_scores(asked if counted else list(dict.fromkeys(asked)))
        np.testing.assert_array_equal(ours.score(query), expected)
        run = ours.search([Query(1, query)], k=len(texts))
        for k in (1, 5, len(texts)):
            check_equal(package.search([Query(1, query)], k=k), ours.search([Query(1, query)], k=k))
        assert run.scores.dtype == np.float64
        words = set(query.split())
        sharing = [i for i, text in enumerate(texts) if words & set(text.split())]
        assert sorted(run.ids.tolist()) == sharing
        assert np.all(np.diff(expected[run.ids]) <= 0)
        ties = np.diff(run.scores) == 0
        assert np.all(np.diff(run.ids)[ties] > 0)


@settings(max_examples=150)
@given(TEXTS.filter(any), st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=4))
def test_small_corpora(texts: list[str], queries: list[str]) -> None:
    check_against_oracle(texts, [*queries, "get get unknown view"])


@pytest.mark.parametrize("options", [{}, {"k1": 1.2, "b": 0.5, "epsilon": 0.1}, {"b": 0.0}])
def test_larger_corpus(options: dict[str, float]) -> None:
    generator = np.random.default_rng(3)
    texts = make_random_texts(generator, methods=2000, words=300)
    # w0 is in more than half of the methods that have words.
    texts = [f"{text} w0" if i % 5 else text for i, text in enumerate(texts)]
    queries = make_random_texts(generator, methods=40, words=300, longest=8)
    check_against_oracle(texts, [*queries, "w0", "w0 w0 w1"], **options)


@pytest.mark.parametrize("query", ["one_hot", "counts"])
def test_both_engines_rank_the_sample_alike(root: Path, tmp_path: Path, query: str) -> None:
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path))
    documents = build_documents(corpus, WordOptions())
    table = read_questions([root / "resources/sample/questions.json"]).to_pylist()
    queries = [Query(row["query_id"], row["question"]) for row in table]
    runs = []
    for engine in ("own", "rank_bm25"):
        ranker = BM25(options={"engine": engine, "query": query})
        ranker.fit(corpus=documents)
        runs.append(ranker.search(queries, k=len(documents)))
    assert len(runs[0].ids) > 10_000
    check_equal(*runs)
