from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.base.files.storage import write_array
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.training import word_vectors as module
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.word_vectors import (
    find_new_words,
    load_embedding,
    load_grams,
    number_grams,
    save_embedding,
    train_embedding,
)
from tests.synthetic_documents import make_documents, make_random_texts

SMALL = {"dimension": 20, "max_n": 0}


def parse(**changes: Any) -> EmbeddingOptions:
    return EmbeddingOptions.parse({**SMALL, **changes}, where="embedding")


@pytest.fixture(scope="module")
def corpus() -> Documents:
    return make_documents(make_random_texts(np.random.default_rng(9), methods=300, words=80))


def soil_memory() -> None:
    """Leave freed memory full of huge numbers, for the allocator to hand out again."""
    blocks = [np.full(size, 1e30, dtype=np.float32) for size in [1000, 20_000, 500_000] * 20]
    del blocks


@pytest.mark.parametrize("options", [{}, SMALL, {"max_n": 0, "dimension": 5}])
def test_dev11_the_same_bytes_twice_also_in_used_memory(
    corpus: Documents, options: dict[str, int]
) -> None:
    soil_memory()
    first, _ = train_embedding(
        corpus, options=EmbeddingOptions.parse(options, where="embedding"), seed=1
    )
    soil_memory()
    second, _ = train_embedding(
        corpus, options=EmbeddingOptions.parse(options, where="embedding"), seed=1
    )
    assert first.learning_rate == 0.05
    assert first.vectors.tobytes() == second.vectors.tobytes()
    assert np.abs(first.vectors).max() < 100
    assert first.vectors.any(axis=1).all()


def test_dev11_a_bucket_too_small_to_be_zeroed_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'bucket' must be at least 104858 at 100"):
        train_embedding(
            corpus, options=EmbeddingOptions.parse({"bucket": 104_857}, where="embedding"), seed=1
        )


def test_vocabulary_is_sorted_and_frequent_enough(corpus: Documents) -> None:
    texts = ["often often rare", "often never", "often also"]
    trained, _ = train_embedding(make_documents(texts), options=parse(min_count=4), seed=1)
    assert trained.vocabulary == ["often"]
    full, _ = train_embedding(corpus, options=parse(), seed=1)
    assert full.vocabulary == sorted(full.vocabulary)
    assert full.vectors.shape == (len(full.vocabulary), 20)
    assert full.vectors.dtype == np.float32


def test_no_frequent_word_is_an_error() -> None:
    for texts in ([], [""], ["one two"]):
        with pytest.raises(ConfigurationError, match=r"lower 'embedding\.min_count'") as error:
            train_embedding(make_documents(texts), options=parse(), seed=1)
        assert "config/models/ncs.yaml" in str(error.value)
        assert str(error.value).endswith("--config models=[bm25,elasticsearch_like]")


def test_dev10_a_short_text_is_read_more_often(
    corpus: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DEV-10: until ``minimum_words`` were read, at most 100 times, and never less than asked."""
    seen = []

    def record(_text: Path, words: list[str], options: EmbeddingOptions, _rate: float) -> Any:
        seen.append(options.epochs)
        return np.ones((len(words), options.dimension), np.float32), None

    monkeypatch.setattr(module, "_train", record)
    size = len(corpus.words.tokens)
    for minimum in (0, 10 * size, 10 * size + 1, 10**9):
        train_embedding(corpus, options=parse(deduplicate=False, minimum_words=minimum), seed=1)
    assert seen == [5, 10, 11, 100]


def test_dev12_divergence_halves_the_rate_and_says_so(
    corpus: Documents, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    train, rates = module._train, []

    def diverge_twice(*arguments: Any) -> Any:
        rates.append(arguments[-1])
        vectors, grams = train(*arguments)
        return [None, (np.full_like(vectors, np.nan), grams), (vectors, grams)][len(rates) - 1]

    monkeypatch.setattr(module, "_train", diverge_twice)
    with caplog.at_level(logging.WARNING):
        trained, _ = train_embedding(corpus, options=parse(), seed=1)
    assert rates == [0.05, 0.025, 0.0125]
    assert trained.learning_rate == 0.0125
    assert "diverged at learning rate 0.05; next try at 0.025" in caplog.text


def test_dev12_a_real_divergence_is_mended(corpus: Documents) -> None:
    trained, _ = train_embedding(corpus, options=parse(learning_rate=50.0), seed=1)
    assert trained.learning_rate < 50
    assert np.isfinite(trained.vectors).all()


def test_dev12_divergence_at_every_rate_is_an_error(
    corpus: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_train", lambda *_: None)
    with pytest.raises(ConfigurationError, match=r"from 0\.05 down to 0\.00078125"):
        train_embedding(corpus, options=parse(), seed=1)


def test_dev13_documents_are_read_once_in_a_seeded_order() -> None:
    corpus = make_documents([*["same words"] * 3, "", "words same", "other"])
    options = module.EmbeddingOptions
    plain = module._order_documents(corpus, options(deduplicate=False, shuffle=False), 1)
    assert plain.tolist() == [0, 1, 2, 4, 5]
    assert module._order_documents(corpus, options(shuffle=False), 1).tolist() == [0, 4, 5]
    large = make_documents([f"w{i}" for i in range(100)])
    first, second = (module._order_documents(large, options(), seed).tolist() for seed in (1, 2))
    assert sorted(first) == list(range(100))
    assert first != second
    assert first == module._order_documents(large, options(), 1).tolist()


def test_a_sample_of_the_text_has_the_vocabulary_of_the_whole_dev13(
    corpus: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, texts = module._train, []

    def record(text: Path, words: list[str], options: EmbeddingOptions, rate: float) -> Any:
        texts.append((text.read_text().splitlines(), options.min_count))
        return train(text, words, options, rate)

    monkeypatch.setattr(module, "_train", record)
    options = EmbeddingOptions(dimension=20, bucket=600_000, min_count=20, epochs=1)
    size = len(corpus.words.tokens)
    vocabularies, read = [], []
    for maximum in (0, size, 200, 1):
        for _ in range(2):
            trained, _ = train_embedding(
                corpus, options=options.changed(maximum_words=maximum), seed=1
            )
        vocabularies.append(trained.vocabulary)
        assert texts[-1] == texts[-2]
        read.append(texts[-1])  # once, also where fastText was tried again
        assert np.isfinite(trained.vectors).all()
    assert all(one == vocabularies[0] for one in vocabularies)
    (whole, least), (large, _), (sample, every), (one, _) = read
    assert (least, every) == (20, 1)
    assert large == whole and len(one) == 1
    kept = [
        " ".join(word for word in line.split() if word in vocabularies[0])
        for line in whole[: len(sample)]
    ]
    assert sample == kept
    lengths = [len(line.split()) for line in sample]
    assert sum(lengths[:-1]) < 200 <= sum(lengths)


def test_an_embedding_is_read_back(corpus: Documents, tmp_path: Path) -> None:
    trained, _ = train_embedding(corpus, options=parse(), seed=1)
    save_embedding(trained, tmp_path / "embedding")
    loaded = load_embedding(tmp_path / "embedding")
    assert loaded.vectors.tobytes() == trained.vectors.tobytes()
    assert loaded.vocabulary == trained.vocabulary
    assert (loaded.options, loaded.learning_rate) == (trained.options, trained.learning_rate)
    assert loaded.corpus_hash == corpus.corpus_hash
    (tmp_path / "embedding" / "vocabulary.json").write_text('["one"]')
    with pytest.raises(DataError, match="does not fit"):
        load_embedding(tmp_path / "embedding")


def test_words_that_the_corpus_lacks_have_the_average_of_their_n_grams_dev_91(
    tmp_path: Path,
) -> None:
    texts = ["opened opener opening"] * 5 + ["closed closer closing rare"] * 4
    corpus, options = make_documents(texts), parse(max_n=6, dimension=20, deduplicate=False)
    trained, grams = train_embedding(corpus, options=options, seed=1)
    save_embedding(trained, tmp_path / "a", grams)
    known, grams = load_embedding(tmp_path / "a"), load_grams(tmp_path / "a")
    asked = ["zzz", "openers", "opened", "rare", "opens"]
    new = find_new_words(asked, known, grams)
    assert new.vocabulary == ["openers", "opens", "rare", "zzz"]  # rare: out of the vocabulary
    assert replace(new, vocabulary=[], vectors=None) == replace(known, vocabulary=[], vectors=None)
    assert new.vectors.shape == (4, 20) and new.vectors[:2].any(axis=1).all()
    assert not new.vectors[3].any()
    unit = np.concatenate([known.vectors, new.vectors[:2]])
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    near = known.vocabulary[(unit[:-2] @ unit[-2]).argmax()]
    assert near == "opener"
    plain = train_embedding(corpus, options=options.changed(max_n=0), seed=1)
    assert not find_new_words(asked, *plain).vectors.any()


def test_n_grams_are_those_of_fasttext_dev_91(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, and the vector of a word whose n-grams were all trained, bit by bit."""
    import fasttext

    train, models = fasttext.train_unsupervised, []
    monkeypatch.setattr(
        fasttext,
        "train_unsupervised",
        lambda *args, **options: models.append(train(*args, **options)) or models[-1],
    )
    corpus = make_documents(["abcde bcdef größe x"] * 5)
    options = parse(min_n=1, max_n=3, dimension=20, deduplicate=False)
    known, grams = train_embedding(corpus, options=options, seed=1)
    first = len(models[0].words)
    for word in ("abcde", "größe", "x", "naïve", "日本語"):
        numbers = models[0].get_subwords(word)[1]
        own = [number - first for number in numbers.tolist() if number >= first]
        assert number_grams(word, options) == own
    new = find_new_words(["bcde", "größ"], known, grams)
    np.testing.assert_array_equal(new.vectors[0], models[0].get_word_vector("bcde"))


def test_n_grams_that_do_not_fit_are_one_line(corpus: Documents, tmp_path: Path) -> None:
    trained, grams = train_embedding(corpus, options=parse(), seed=1)
    save_embedding(trained, tmp_path / "a", grams)
    assert len(load_grams(tmp_path / "a").numbers) == 0
    write_array(tmp_path / "a" / "gram_numbers.npy", np.arange(3))
    with pytest.raises(DataError, match=r"gram_vectors\.npy does not fit"):
        load_grams(tmp_path / "a")
