from __future__ import annotations

import faiss
import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes import document_vectors, vector_search
from ncsbench.corpus.indexes.document_vectors import embed_documents, normalise_rows
from ncsbench.corpus.indexes.vector_search import find_nearest
from ncsbench.rankers.vectors.ncs import NCS
from tests.synthetic_documents import make_documents, make_embedding, make_random_texts

TEXTS = ["open file", "file open", "", "unknown", "show view view", "open file all"]
TEXTS = [f"{text} all".strip() for text in TEXTS]


def fitted(**options: object) -> NCS:
    corpus = make_documents(TEXTS)
    ranker = NCS(options=options)
    ranker.fit(corpus=corpus, embedding=make_embedding(corpus))
    return ranker


def test_dev17_methods_without_a_vector_are_never_returned() -> None:
    # Methods 2 and 3 have no word but one that all methods have, and one without a vector.
    run = fitted().search([Query(1, "open"), Query(2, "view")], k=6)
    assert sorted(run.ids[run.query_ids == 1].tolist()) == [0, 1, 4, 5]


def test_dev15_query_words_are_averaged_raw_by_default() -> None:
    embedding = make_embedding(make_documents(TEXTS))
    rows = [embedding.vocabulary.index(word) for word in ("open", "view", "view")]
    vectors = embedding.vectors[rows].astype(np.float64)
    for unit, words in ((False, vectors), (True, normalise_rows(vectors))):
        average = words.mean(axis=0, keepdims=True)
        query = fitted(unit_query_words=unit).embed_query("openView view")
        np.testing.assert_allclose(query, normalise_rows(average)[0], rtol=1e-12)


def test_dev16_stop_words_of_a_query_are_kept_by_default() -> None:
    stop_words = ["all"]
    kept, removed = fitted(), fitted(query_stop_words="removed", stop_words=stop_words)
    alone = kept.embed_query("open")
    assert not np.array_equal(kept.embed_query("open all"), alone)
    np.testing.assert_array_equal(removed.embed_query("open all"), alone)


def test_document_vectors_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = make_documents(make_random_texts(np.random.default_rng(2), methods=300, words=40))
    embedding = make_embedding(corpus, leave_out=("w1",))
    ids = [corpus.words.vocabulary.index(word) for word in embedding.vocabulary]
    word_ids = np.array(ids, dtype=np.int32)
    whole = embed_documents(corpus.words, word_ids=word_ids, vectors=embedding.vectors)
    monkeypatch.setattr(document_vectors, "_BLOCK", 7)
    parts = embed_documents(corpus.words, word_ids=word_ids, vectors=embedding.vectors)
    np.testing.assert_array_equal(whole[0], parts[0])
    np.testing.assert_array_equal(whole[1], parts[1])


@pytest.mark.parametrize("block", [1 << 17, 97])
@pytest.mark.parametrize("k", [1, 50, 5000])
def test_dev18_search_is_exact_among_copies_on_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch, k: int, block: int
) -> None:
    monkeypatch.setattr(vector_search, "_BLOCK", block)
    generator = np.random.default_rng(4)
    distinct = normalise_rows(generator.normal(size=(60, 100)).astype(np.float32))
    vectors = distinct[generator.integers(0, 60, size=3000)]
    ids = np.arange(3000, dtype=np.int64) * 3
    queries = normalise_rows(generator.normal(size=(30, 100)))
    rankings = find_nearest(queries, vectors, ids, k=k)
    threads = faiss.omp_get_max_threads()
    try:
        faiss.omp_set_num_threads(1)
        alone = [find_nearest(queries[i : i + 1], vectors, ids, k=k)[0] for i in range(30)]
    finally:
        faiss.omp_set_num_threads(threads)
    for query, (found, scores), (same, same_scores) in zip(queries, rankings, alone, strict=True):
        products = (vectors.astype(np.float64) * query).sum(axis=1)
        order = np.lexsort((ids, -products))[:k]
        np.testing.assert_array_equal(found, ids[order])
        np.testing.assert_array_equal(scores, products[order])
        np.testing.assert_array_equal(found, same)
        np.testing.assert_array_equal(scores, same_scores)


def test_no_vectors_no_queries() -> None:
    nothing = np.zeros((0, 8), dtype=np.float32)
    (ids, scores) = find_nearest(np.ones((1, 8)), nothing, np.zeros(0, np.int64), k=3)[0]
    assert len(ids) == len(scores) == 0
    assert find_nearest(np.zeros((0,)), nothing, np.zeros(0, np.int64), k=3) == []


def test_dev14_rare_words_weigh_more() -> None:
    # "a" is rare, "b" frequent: with the printed fraction the document would lean towards "b".
    corpus = make_documents(["a b", *["b c"] * 8, "c"])
    word_ids = np.arange(2, dtype=np.int32)
    _, vectors = embed_documents(
        corpus.words, word_ids=word_ids, vectors=np.eye(2, dtype=np.float32)
    )
    assert vectors[0, 0] > vectors[0, 1] > 0
    np.testing.assert_allclose(
        vectors[0, 0] / vectors[0, 1], np.log(10) / np.log(10 / 9), rtol=1e-5
    )


def test_dev94_the_paper_also_sums_all_words_and_distinct_words() -> None:
    corpus = make_documents(["a a a b", "b c", "c"])
    word_ids = np.arange(3, dtype=np.int32)
    vectors = 7 * np.eye(3, dtype=np.float32)  # Lengths do not count.
    for weighting, weights in (("sum", [3, 1]), ("unique", [1, 1])):
        methods, documents = embed_documents(
            corpus.words, word_ids=word_ids, vectors=vectors, weighting=weighting
        )
        expected = normalise_rows(np.array([[*weights, 0], [0, 1, 1], [0, 0, 1]], np.float32))
        assert methods.tolist() == [0, 1, 2]
        np.testing.assert_allclose(documents, expected, rtol=1e-6)


def test_dev94_the_logarithm_changes_how_much_repetition_counts() -> None:
    corpus = make_documents(["a a a b", "b a c", "c", "d"])
    word_ids = np.arange(4, dtype=np.int32)
    ratios = []
    for logarithm, base in (("binary", 2), ("natural", np.e), ("decimal", 10)):
        _, vectors = embed_documents(
            corpus.words,
            word_ids=word_ids,
            vectors=np.eye(4, dtype=np.float32),
            logarithm=logarithm,
        )
        # Both words are in two methods.
        ratios.append(vectors[0, 0] / vectors[0, 1])
        np.testing.assert_allclose(ratios[-1], 1 + np.log(3) / np.log(base), rtol=1e-6)
    assert ratios == sorted(ratios, reverse=True)
