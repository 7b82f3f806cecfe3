"""The words of each method, from its items (NCS paper, section 3.1), as ``Documents``."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.base.text.words import split_tokens, split_words
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java.javadoc import JAVADOC, read_text
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import Documents, TokenLists, save_documents
from ncsbench.corpus.layout.layout import CorpusFolder

_UNSPLIT = frozenset(
    map(int, (ItemKind.METHOD_NAME, ItemKind.CLASS_NAME, ItemKind.INVOCATION, ItemKind.CONSTANT))
)


def make_words(settings: WordOptions, corpus: CorpusFolder, output: Path) -> None:
    """Split the items of every method into words.

    Args:
        settings: the choice of items that become words.
        corpus: folder of a built corpus.
        output: folder to write (``documents.save_documents``).
    """
    save_documents(build_documents(corpus, settings), output)


def build_documents(corpus: CorpusFolder, options: WordOptions) -> Documents:
    """Words and unsplit identifiers of all methods, streaming over the shards."""
    lines, tokens = array("i"), array("i")
    for table in corpus.iterate_methods(["lines", "tokens"]):
        lines.extend(table["lines"].to_pylist())
        tokens.extend(table["tokens"].to_pylist())
    words = WordCollector(split_words, cleaned=options.comments == "cleaned")
    identifiers = WordCollector(split_tokens)
    for path in corpus.shard_paths("items"):
        for table in iterate_tables(path, ITEM_SCHEMA, ["kinds", "texts"]):
            words.add_items(table, options.kinds())
            identifiers.add_items(table, options.kinds() & _UNSPLIT)
    return Documents(
        words=words.finish(),
        identifiers=identifiers.finish(),
        lines=np.array(lines, np.int32),
        token_counts=np.array(tokens, np.int32),
        corpus_hash=corpus.manifest()["corpus_hash"],
        methods=corpus,
    )


def extract_words(items: pa.Table, options: WordOptions) -> TokenLists:
    """The words of some methods, given by the columns ``kinds`` and ``texts`` of their items."""
    words = WordCollector(split_words, cleaned=options.comments == "cleaned")
    words.add_items(items, options.kinds())
    return words.finish()


def _clean_comments(texts: pa.Array, kinds: NDArray[np.uint8]) -> pa.Array:
    """The texts of items, those of Javadoc comments as plain text."""
    documents = pc.match_substring_regex(texts, JAVADOC)
    javadoc = pc.and_(pa.array(kinds == ItemKind.COMMENT), documents)
    encoded = texts.filter(javadoc).dictionary_encode()
    cleaned = pa.array(map(read_text, encoded.dictionary.to_pylist()), texts.type)
    return pc.replace_with_mask(texts, javadoc, cleaned.take(encoded.indices))


class WordCollector:
    """Builds ``TokenLists`` while the vocabulary is still growing."""

    def __init__(self, split: Callable[[str], list[str]], *, cleaned: bool = False) -> None:
        self._split, self._cleaned = split, cleaned
        self._index: dict[str, int] = {}
        self._tokens = [np.zeros(0, np.int32)]
        self._counts = [np.zeros(0, np.int64)]

    def add_items(self, items: pa.Table, chosen: Collection[int]) -> None:
        """Add the items of the chosen kinds of a table of methods."""
        kinds = items["kinds"].combine_chunks()
        owners = np.repeat(np.arange(len(items)), kinds.value_lengths().to_numpy())
        flat_kinds = kinds.flatten().to_numpy()
        kept = np.isin(flat_kinds, sorted(chosen))
        texts = items["texts"].combine_chunks().flatten()
        if self._cleaned:
            texts = _clean_comments(texts, flat_kinds)
        self.add(texts.filter(pa.array(kept)), owners[kept], len(items))

    def add(self, texts: pa.Array, owners: NDArray[np.int64], methods: int) -> None:
        """Add the texts of ``methods`` methods; ``owners`` names the method of each, ascending."""
        # Names repeat often: each distinct text is split once.
        encoded = texts.dictionary_encode()
        index = self._index
        split = [
            [index.setdefault(word, len(index)) for word in self._split(text)]
            for text in encoded.dictionary.to_pylist()
        ]
        lengths = np.fromiter(map(len, split), np.int64, len(split))
        tokens = np.fromiter((token for tokens in split for token in tokens), np.int32)
        starts = np.cumsum(lengths) - lengths
        items = encoded.indices.to_numpy()
        sizes = lengths[items]
        ends = np.cumsum(sizes)
        within = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
        self._tokens.append(tokens[np.repeat(starts[items], sizes) + within])
        self._counts.append(np.bincount(owners, sizes, methods).astype(np.int64))

    def finish(self) -> TokenLists:
        """All lists that were added, with the vocabulary sorted."""
        vocabulary = sorted(self._index)
        renumbered = np.empty(len(vocabulary), np.int32)
        renumbered[[self._index[word] for word in vocabulary]] = np.arange(len(vocabulary))
        counts = np.concatenate(self._counts)
        return TokenLists(
            vocabulary=vocabulary,
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            tokens=renumbered[np.concatenate(self._tokens)],
        )
