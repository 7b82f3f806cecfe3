"""Documents, word vectors and training pairs from short texts, for the tests of rankers."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.learning.training.word_vectors import Embedding, EmbeddingOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA


def make_lists(texts: Sequence[Sequence[str]]) -> TokenLists:
    vocabulary = sorted({token for text in texts for token in text})
    index = {token: i for i, token in enumerate(vocabulary)}
    return TokenLists(
        vocabulary=vocabulary,
        offsets=np.cumsum([0, *map(len, texts)], dtype=np.int64),
        tokens=np.array([index[token] for text in texts for token in text], dtype=np.int32),
    )


def make_documents(
    texts: Sequence[str],
    *,
    identifiers: Sequence[str] | None = None,
    lines: Sequence[int] | None = None,
    token_counts: Sequence[int] | None = None,
    corpus_hash: str = "synthetic",
    methods: CorpusFolder | None = None,
) -> Documents:
    """One method per text; words and identifiers are separated by spaces."""
    size = len(texts)
    return Documents(
        words=make_lists([text.split() for text in texts]),
        identifiers=make_lists([text.split() for text in identifiers or [""] * size]),
        lines=np.array(lines if lines is not None else [5] * size, dtype=np.int32),
        token_counts=np.array(
            token_counts if token_counts is not None else [20] * size, dtype=np.int32
        ),
        corpus_hash=corpus_hash,
        methods=methods,
    )


def make_embedding(corpus: Documents, leave_out: tuple[str, ...] = ("unknown",)) -> Embedding:
    """Random vectors for the words of a corpus."""
    words = [word for word in corpus.words.vocabulary if word not in leave_out]
    vectors = np.random.default_rng(1).normal(size=(len(words), 8)).astype(np.float32)
    return Embedding(
        words, vectors, EmbeddingOptions(dimension=8, max_n=0), 0.05, corpus.corpus_hash
    )


def make_random_texts(
    generator: np.random.Generator, *, methods: int, words: int, longest: int = 30
) -> list[str]:
    """Texts whose word frequencies fall like 1/rank; some are empty."""
    weights = 1 / np.arange(1, words + 1)
    lengths = generator.integers(0, longest, size=methods)
    return [
        " ".join(f"w{i}" for i in generator.choice(words, size=n, p=weights / weights.sum()))
        for n in lengths
    ]


CALLED = [f"{first}{second}" for first in "abcd" for second in "klmn"]


def draw_calls(code: Callable[[str, str], str]) -> list[tuple[str, str]]:
    """120 pairs of two words and code that calls for each of them another one."""
    generator = np.random.default_rng(2)
    drawn = [generator.choice(16, size=2, replace=False) for _ in range(120)]
    return [(f"{CALLED[a]} {CALLED[b]}", code(CALLED[15 - a], CALLED[15 - b])) for a, b in drawn]


def make_pairs(pairs: Sequence[tuple[str, str]], **columns: str) -> pa.Table:
    """Training pairs of a query and code; other columns are the same for all, or empty."""
    others = dict.fromkeys(PAIR_SCHEMA.names, "") | columns
    rows = [{**others, "query": query, "code": code} for query, code in pairs]
    return pa.Table.from_pylist(rows, schema=PAIR_SCHEMA)
