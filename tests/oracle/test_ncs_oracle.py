"""NCS against its formulas written as plain loops over words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import Documents
from ncsbench.learning.training.word_vectors import Embedding, EmbeddingOptions
from ncsbench.rankers.vectors.ncs import NCS
from tests.synthetic_documents import make_documents, make_random_texts


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / math.sqrt(sum(x * x for x in vector))


def rank_by_loops(
    texts: list[str], vectors: dict[str, np.ndarray], query: str, *, unit_words: bool
) -> list[tuple[int, float]]:
    words = [vectors[word] for word in query.split() if word in vectors]
    if not words:
        return []
    q = unit(sum(unit(v) if unit_words else v for v in words) / len(words))
    frequency = {w: sum(w in text.split() for text in texts) for w in vectors}
    ranking = []
    for method, text in enumerate(texts):
        total = np.zeros(len(q))
        for word in sorted(set(text.split()) & set(vectors)):
            tf = text.split().count(word)
            weight = (1 + math.log(tf)) * math.log(len(texts) / frequency[word])
            total += weight * unit(vectors[word])
        if total.any():
            ranking.append((method, float(unit(total) @ q)))
    return sorted(ranking, key=lambda item: (-item[1], item[0]))


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return make_random_texts(np.random.default_rng(5), methods=400, words=60, longest=12)


@pytest.fixture(scope="module")
def corpus(texts: list[str]) -> Documents:
    return make_documents(texts)


@pytest.fixture(scope="module")
def embedding(corpus: Documents) -> Embedding:
    # Words without a vector, and vectors of words that the corpus lacks.
    words = sorted([*corpus.words.vocabulary[::2], "elsewhere"])
    vectors = np.random.default_rng(6).normal(size=(len(words), 20)).astype(np.float32)
    return Embedding(words, vectors, EmbeddingOptions(dimension=20), 0.05, corpus.corpus_hash)


@pytest.mark.parametrize("unit_words", [False, True])
def test_scores_and_order(
    texts: list[str], corpus: Documents, embedding: Embedding, unit_words: bool
) -> None:
    ranker = NCS(options={"unit_query_words": unit_words})
    ranker.fit(corpus=corpus, embedding=embedding)
    vectors = {
        word: vector.astype(np.float64)
        for word, vector in zip(embedding.vocabulary, embedding.vectors, strict=True)
        if word in corpus.words.vocabulary
    }
    queries = make_random_texts(np.random.default_rng(7), methods=25, words=60, longest=6)
    for query in [*queries, "w0 w0 w2", "elsewhere"]:
        expected = rank_by_loops(texts, vectors, query, unit_words=unit_words)
        run = ranker.search([Query(1, query)], k=len(texts))
        assert sorted(run.ids.tolist()) == sorted(method for method, _ in expected)
        scores = dict(expected)
        np.testing.assert_allclose(run.scores, [scores[i] for i in run.ids.tolist()], atol=1e-6)
        np.testing.assert_allclose(run.scores, [score for _, score in expected], atol=1e-6)
