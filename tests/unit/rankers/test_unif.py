from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.corpus.indexes import document_vectors
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import DataError
from ncsbench.learning.unif.unif_weights import UnifWeights, load_weights, save_weights
from ncsbench.rankers.vectors.unif import UNIF, embed_methods
from tests.synthetic_documents import make_documents, make_random_texts

TEXTS = ["open file", "file open", "", "unknown", "show view view", "open file all all"]


def make_weights(corpus: Documents, leave_out: tuple[str, ...] = ("unknown",)) -> UnifWeights:
    """Queries know a word that the corpus lacks, and lack one that it has."""
    words = [word for word in corpus.words.vocabulary if word not in leave_out]
    asked = sorted({*words, "please"} - {"show"})
    generator = np.random.default_rng(1)
    tables = (generator.normal(size=(len(one), 8)).astype(np.float32) for one in (asked, words))
    attention = generator.normal(size=8).astype(np.float32)
    return UnifWeights(asked, words, *tables, attention, {"seed": 1})


def fitted(**options: object) -> UNIF:
    corpus = make_documents(TEXTS)
    ranker = UNIF(options=options)
    ranker.fit(corpus=corpus, weights=make_weights(corpus))
    return ranker


def plain_vectors(corpus: Documents, weights: UnifWeights) -> dict[int, np.ndarray]:
    """The formulas of the paper, one method and one word at a time."""
    vectors = {}
    for method in range(len(corpus)):
        words = [corpus.words.vocabulary[i] for i in corpus.words[method]]
        known = weights.code_words
        rows = [known.index(word) for word in words if word in known]
        if rows:
            embedded = weights.code_table[rows].astype(np.float64)
            alpha = np.exp(embedded @ weights.attention.astype(np.float64))
            total = (alpha / alpha.sum()) @ embedded
            vectors[method] = total / np.linalg.norm(total)
    return vectors


def embed(corpus: Documents, weights: UnifWeights) -> tuple[np.ndarray, np.ndarray]:
    ids = [corpus.words.vocabulary.index(word) for word in weights.code_words]
    return embed_methods(
        corpus.words,
        word_ids=np.array(ids, dtype=np.int32),
        vectors=weights.code_table,
        attention=weights.attention,
    )


def test_methods_are_embedded_as_the_paper_writes_it() -> None:
    generator = np.random.default_rng(3)
    corpus = make_documents(make_random_texts(generator, methods=80, words=40))
    weights = make_weights(corpus, leave_out=("w1", "w30"))
    expected = plain_vectors(corpus, weights)
    methods, vectors = embed(corpus, weights)
    assert methods.tolist() == sorted(expected)
    np.testing.assert_allclose(vectors, [expected[m] for m in methods.tolist()], atol=2e-6)


def test_vectors_do_not_depend_on_blocks_and_equal_bags_have_equal_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = make_random_texts(np.random.default_rng(2), methods=150, words=40)
    corpus = make_documents([*texts, *(" ".join(reversed(text.split())) for text in texts)])
    weights = make_weights(corpus, leave_out=("w1",))
    methods, vectors = embed(corpus, weights)
    half = len(methods) // 2
    np.testing.assert_array_equal(vectors[:half], vectors[half:])
    monkeypatch.setattr(document_vectors, "_BLOCK", 7)
    same, parts = embed(corpus, weights)
    np.testing.assert_array_equal(methods, same)
    np.testing.assert_array_equal(vectors, parts)


@settings(max_examples=30)
@given(st.floats(-300, 300, width=32))
def test_large_attention_neither_overflows_nor_vanishes(factor: float) -> None:
    corpus = make_documents(["a", "a b", "b b a"])
    tables = np.array([[factor, 1], [-factor, 1]], dtype=np.float32)
    words = ["a", "b"]
    weights = UnifWeights(words, words, tables, tables, np.float32([300, 0]), {})
    methods, vectors = embed(corpus, weights)
    assert methods.tolist() == [0, 1, 2]
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)


def test_a_query_is_the_plain_average_of_its_own_table_dev_91() -> None:
    weights = make_weights(make_documents(TEXTS))
    rows = [weights.query_words.index(word) for word in ("please", "open", "view", "view")]
    average = weights.query_table[rows].astype(np.float64).mean(axis=0)
    query = fitted().embed_query("please show openView unknown view?")
    np.testing.assert_allclose(query, average / np.linalg.norm(average), rtol=1e-12)


def test_stop_words_are_kept_unless_asked_for() -> None:
    alone = fitted().embed_query("open")
    removed = fitted(query_stop_words="removed", stop_words=["all"])
    assert not np.array_equal(fitted().embed_query("open all"), alone)
    np.testing.assert_array_equal(removed.embed_query("open all"), alone)


def test_weights_are_written_and_read_with_the_same_bytes(tmp_path: Path) -> None:
    weights = make_weights(make_documents(TEXTS))
    for name in ("a", "b"):
        save_weights(weights, tmp_path / name)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
    read = load_weights(tmp_path / "a")
    assert (read.query_words, read.code_words) == (weights.query_words, weights.code_words)
    assert read.about == weights.about
    np.testing.assert_array_equal(read.query_table, weights.query_table)
    np.testing.assert_array_equal(read.code_table, weights.code_table)
    np.testing.assert_array_equal(read.attention, weights.attention)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("weights.safetensors", b"\xff" * 40),
        ("weights.safetensors", b""),
        ("query_words.json", b'["open"]'),
        ("code_words.json", b'["open"]'),
        ("code_words.json", b"7"),
        ("about.json", b"[]"),
        ("about.json", b"{"),
    ],
)
def test_damaged_weights_are_one_line(tmp_path: Path, file: str, content: bytes) -> None:
    weights = make_weights(make_documents(TEXTS))
    save_weights(weights, tmp_path / "w")
    (tmp_path / "w" / file).write_bytes(content)
    with pytest.raises(DataError) as caught:
        load_weights(tmp_path / "w")
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)
