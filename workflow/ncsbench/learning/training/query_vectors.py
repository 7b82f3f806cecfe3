"""First vectors of the words of queries, from which training starts (DEV-91).

A word of the corpus starts from its vector. Any other word of a training query starts from the
average of its character n-grams (``word_vectors.find_new_words``) or, where the corpus has none of
these n-grams, from random numbers within ±1/dimension, like words in fastText.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.learning.training.pair_words import (
    PairWords,
    collect_words,
    iterate_queries,
    keep_words,
    take_lists,
)
from ncsbench.learning.training.word_vectors import (
    Embedding,
    find_new_words,
    load_embedding,
    load_grams,
    save_embedding,
)

_STREAM = 4  # Stream of random numbers; unif_training and unif_pairs have 0 to 3.


def make_query_vectors(embedding: Path, pairs: Sequence[Path], output: Path) -> None:
    """Make vectors of query words that the corpus lacks, from n-grams of the corpus's words.

    Args:
        embedding: folder of word vectors and their n-grams.
        pairs: files of the training pairs with these queries.
        output: folder to write (``word_vectors.save_embedding``).
    """
    words, grams = collect_words(iterate_queries(pairs)), load_grams(embedding)
    save_embedding(find_new_words(words, load_embedding(embedding), grams), output)


def start_query_words(
    words: Sequence[str], embedding: Embedding, new_words: Embedding, *, seed: int
) -> Embedding:
    """Return vectors of the words of the corpus and of further words, in ascending order of words.

    Args:
        words: the words of the queries of all pairs.
        embedding: vectors of words of the corpus.
        new_words: vectors of words that the corpus lacks, of the same training.
        seed: seed of the vectors of words without n-grams; the draws depend on these words alone.

    Raises:
        DataError: where a word has a vector neither in ``embedding`` nor in ``new_words``, or these
            two are not of one training.
    """
    for name in ("corpus_hash", "options", "learning_rate"):
        if getattr(embedding, name) != getattr(new_words, name):
            raise DataError(
                f"the vectors of words that the corpus lacks were made with another {name} than "
                "those of its words; make them again"
            )
    rows = {word: row for row, word in enumerate([*embedding.vocabulary, *new_words.vocabulary])}
    for word in words:
        if word not in rows:
            raise DataError(
                f"no vector was made for the word {word[:80]!r} of a training query; make those of "
                "words that the corpus lacks again, from these pairs"
            )
    vocabulary = sorted({*embedding.vocabulary, *words})
    both = np.concatenate([embedding.vectors, new_words.vectors])
    vectors = both[[rows[word] for word in vocabulary]]
    empty = np.flatnonzero(~vectors.any(axis=1))
    draws = np.random.default_rng([seed, _STREAM]).random(
        (len(empty), vectors.shape[1]), dtype=np.float32
    )
    vectors[empty] = (2 * draws - 1) / np.float32(vectors.shape[1])
    return replace(embedding, vocabulary=vocabulary, vectors=vectors)


def keep_trained_words(
    asked: Embedding, pairs: PairWords, training: NDArray[np.int64], embedding: Embedding
) -> tuple[Embedding, PairWords]:
    """Drop the query words that neither the corpus nor a training query has.

    A held-out query then keeps the words that it would have in a search, possibly none.

    Args:
        asked: vectors of query words, from ``start_query_words``.
        pairs: all pairs; their queries are indices into the words of ``asked``.
        training: rows of the pairs to train on.
        embedding: vectors of words of the corpus.
    """
    corpus = set(embedding.vocabulary)
    known = np.array([word in corpus for word in asked.vocabulary], dtype=np.bool_)
    known[take_lists(pairs.queries, training).tokens] = True
    kept = np.flatnonzero(known)
    queries = keep_words(pairs.queries, kept)
    left = replace(asked, vocabulary=queries.vocabulary, vectors=asked.vectors[kept])
    return left, replace(pairs, queries=queries)
