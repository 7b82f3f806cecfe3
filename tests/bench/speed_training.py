"""Pairs of the trainings: word vectors beside fastText, UNIF beside its products of matrices."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import fasttext
import numpy as np
import pyarrow as pa
import torch
from tests.bench.made_up import NAMES, draw_words, make_corpus
from tests.bench.paired import Pair

from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.pair_words import JavaPairs
from ncsbench.learning.training.training_options import TrainingOptions, WeightsSettings
from ncsbench.learning.training.word_vectors import Embedding, train_embedding
from ncsbench.learning.unif.unif_training import train_weights
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

METHODS, PAIRS, EPOCHS, DIMENSION, BATCH, LONGEST = 20_000, 5_000, 10, 100, 32, 45


def compare_word_vectors() -> Iterator[Pair]:
    """Words of methods to vectors of words, beside fastText on the text that it is given."""
    corpus = make_corpus(np.random.default_rng(1), METHODS)
    options = EmbeddingOptions(dimension=DIMENSION, max_n=0, epochs=5, minimum_words=0)
    with tempfile.TemporaryDirectory() as temporary:
        text = Path(temporary, "words.txt")
        lists = (corpus.words[method].tolist() for method in range(METHODS))
        text.write_text("\n".join(" ".join(NAMES[i] for i in words) for words in lists))
        given = {"minn": 2, "maxn": 1, "bucket": 9 * len(NAMES), "epoch": options.epochs}
        given |= {"dim": DIMENSION, "ws": options.window, "minCount": options.min_count}
        given |= {"neg": options.negatives, "thread": options.threads, "verbose": 0}
        yield Pair(
            f"word vectors of {DIMENSION} numbers, 5 epochs", METHODS,
            lambda: train_embedding(corpus, options=options, seed=1),
            lambda: fasttext.train_unsupervised(
                str(text), model="skipgram", lr=options.learning_rate, **given
            ),
            "fastText on the text alone", "1.1",
        )  # fmt: skip


def compare_unif() -> Iterator[Pair]:
    """A training beside the products of its shapes, forward and twice backward."""
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(len(NAMES), DIMENSION)).astype(np.float32)
    embedding = Embedding(NAMES, vectors, EmbeddingOptions(dimension=DIMENSION), 0.05, "bench")
    columns = dict.fromkeys(PAIR_SCHEMA.names, [""] * PAIRS)
    columns |= {"query": _spell(generator, 3, 12, " "), "code": _spell(generator, 5, 45, "();\n")}
    options = TrainingOptions(
        pairs=("bench",), query_vocabulary="shared", epochs=EPOCHS, patience=0, held_out=0.02,
        batch_size=BATCH, loss="softmax",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_table(folder / "pairs", pa.table(columns, schema=PAIR_SCHEMA), PAIR_SCHEMA)
        yield Pair(
            f"training of UNIF, a pair, batches of {BATCH}", 0,
            lambda: train_weights(
                JavaPairs([folder / "pairs"], WordOptions(), options),
                embedding,
                settings=WeightsSettings(training=options, words=WordOptions(), seed=1),
                checkpoint=folder / "checkpoint", record=folder / "record",
                output=folder / "weights",
            ),
            _multiply, "PyTorch's products of the same shapes", "3", PAIRS * EPOCHS,
        )  # fmt: skip


def _multiply() -> None:
    """Attention over words, the sums of vectors and all products of a batch, three times each."""
    torch.set_num_threads(1)
    codes, queries = torch.randn(BATCH, LONGEST, DIMENSION), torch.randn(BATCH, DIMENSION)
    attention, shares = torch.randn(DIMENSION), torch.randn(BATCH, 1, LONGEST)
    for _ in range(3 * PAIRS * EPOCHS // BATCH):
        _ = codes @ attention
        sums = (shares @ codes)[:, 0]
        _ = queries @ sums.T


def _spell(generator: np.random.Generator, shortest: int, longest: int, end: str) -> list[str]:
    offsets, words = draw_words(generator, shortest, longest, PAIRS)
    ranges = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return ["".join(NAMES[i] + end for i in words[a:b].tolist()) for a, b in ranges]


STAGES = {"word_vectors": compare_word_vectors, "unif": compare_unif}
