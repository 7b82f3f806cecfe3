"""UNIF on the functions of one language: word vectors, then weights (DEV-153)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.text.words import split_words
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.training.pair_words import collect_words
from ncsbench.learning.training.training_options import WeightsSettings
from ncsbench.learning.training.word_vectors import (
    find_new_words,
    load_embedding,
    load_grams,
    save_embedding,
    train_embedding,
)
from ncsbench.learning.unif.unif_training import train_weights
from ncsbench.studies.codesearchnet.function_documents import (
    FunctionTexts,
    make_documents,
    open_functions,
    take_pairs,
)
from ncsbench.studies.codesearchnet.system_options import UnifSettings

_COLUMNS = ["docstring_tokens", "start_line", "end_line", "code", "code_tokens"]


@dataclass(frozen=True)
class FunctionPairs:
    """The training pairs of a corpus as words, in the order of their ids.

    Attributes:
        texts: the functions of a language.
        words: choice of the items of Java code that become words.
    """

    texts: FunctionTexts
    words: WordOptions

    def iterate_queries(self) -> Iterator[list[str]]:
        """See ``WordPairs``."""
        for table in self._iterate(["docstring_tokens"]):
            yield from map(_split_query, table["docstring_tokens"].to_pylist())

    def iterate_sets(self) -> Iterator[Iterator[tuple[list[str], list[str]]]]:
        """See ``WordPairs``; all pairs are one set."""
        yield self.iterate_words()

    def iterate_words(self) -> Iterator[tuple[list[str], list[str]]]:
        """See ``WordPairs``."""
        for table in self._iterate(_COLUMNS):
            lists = make_documents(take_pairs(self.texts, table), self.words).words
            names = lists.vocabulary
            for row, tokens in enumerate(table["docstring_tokens"].to_pylist()):
                yield _split_query(tokens), [names[word] for word in lists[row].tolist()]

    def _iterate(self, columns: list[str]) -> Iterator[pa.Table]:
        for table in self.texts.tables([*columns, "is_pair", "part"]):
            yield table.filter(pc.and_(table["is_pair"], pc.equal(table["part"], "train")))


def embed_functions(settings: UnifSettings, corpus: Path, output: Path) -> None:
    """Train word vectors, with their n-grams, on the functions of a language.

    Args:
        settings: words, word vectors and seed.
        corpus: folder of the corpus of the language.
        output: folder of the word vectors to write.
    """
    documents = make_documents(open_functions(corpus), settings.words)
    made, grams = train_embedding(documents, options=settings.embedding, seed=settings.seed)
    save_embedding(made, output, grams)


def train_on_functions(
    settings: UnifSettings,
    corpus: Path,
    embedding: Path,
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train the weights of UNIF on the pairs of a language (``train_weights``).

    Args:
        settings: settings of the training.
        corpus: folder of the corpus of the language.
        embedding: folder of the word vectors to start from.
        checkpoint: folder to go on from after an interruption; removed at the end.
        record: folder to write, which tables read about the training.
        output: folder of the weights to write.
    """
    pairs = FunctionPairs(open_functions(corpus), settings.words)
    known = load_embedding(embedding)
    new_words = None
    if settings.training.query_vocabulary == "own":
        asked = collect_words(pairs.iterate_queries())
        new_words = find_new_words(asked, known, load_grams(embedding))
    train_weights(
        pairs,
        known,
        new_words=new_words,
        settings=WeightsSettings(
            training=settings.training, words=settings.words, seed=settings.seed
        ),
        checkpoint=checkpoint,
        record=record,
        output=output,
    )


def _split_query(tokens: list[str]) -> list[str]:
    return split_words(" ".join(tokens))
