"""From the items of each method to its words (NCS paper, section 3.1), as ``Documents``."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ncsbench.corpus.documents import Documents, TokenLists
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.languages.words import split_tokens, split_words
from ncsbench.records import ITEM_SCHEMA, ItemKind
from ncsbench.storage import iterate_tables


@dataclass(frozen=True, kw_only=True)
class WordOptions:
    """The choices that the paper leaves open; defaults argued in ``docs/deviations.md``."""

    class_name: bool = True
    constructor_calls: bool = False
    resource_identifiers: bool = False

    def kinds(self) -> frozenset[int]:
        """The kinds of items that become words."""
        left_out = {
            ItemKind.CLASS_NAME: not self.class_name,
            ItemKind.CREATION: not self.constructor_calls,
            ItemKind.RESOURCE: not self.resource_identifiers,
        }
        return frozenset(int(kind) for kind in ItemKind if not left_out.get(kind, False))


_UNSPLIT = frozenset(
    map(int, (ItemKind.METHOD_NAME, ItemKind.CLASS_NAME, ItemKind.INVOCATION, ItemKind.CONSTANT))
)


def build_documents(corpus: CorpusFolder, options: WordOptions) -> Documents:
    """Words and unsplit identifiers of all methods, streaming over the shards."""
    lines, tokens = array("i"), array("i")
    for table in corpus.iterate_methods(["lines", "tokens"]):
        lines.extend(table["lines"].to_pylist())
        tokens.extend(table["tokens"].to_pylist())
    words, identifiers = _Collector(), _Collector()
    word_kinds = options.kinds()
    identifier_kinds = word_kinds & _UNSPLIT
    for path in corpus.shard_paths("items"):
        for table in iterate_tables(path, ITEM_SCHEMA, ["kinds", "texts"]):
            for kinds, texts in zip(
                table["kinds"].to_pylist(), table["texts"].to_pylist(), strict=True
            ):
                chosen = list(zip(kinds, texts, strict=True))
                words.add((text for kind, text in chosen if kind in word_kinds), item_words)
                identifiers.add(
                    (text for kind, text in chosen if kind in identifier_kinds), split_tokens
                )
    return Documents(
        words=words.finish(),
        identifiers=identifiers.finish(),
        lines=np.array(lines, np.int32),
        token_counts=np.array(tokens, np.int32),
        corpus_hash=corpus.manifest()["corpus_hash"],
    )


@lru_cache(maxsize=200_000)
def item_words(text: str) -> tuple[str, ...]:
    """Words of one item; most items are names that come again and again."""
    return tuple(split_words(text))


class _Collector:
    """Builds ``TokenLists`` while the vocabulary is still growing."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}
        self._tokens = array("i")
        self._offsets = array("q", [0])

    def add(self, texts: Iterable[str], split: Callable[[str], Iterable[str]]) -> None:
        index = self._index
        for text in texts:
            self._tokens.extend([index.setdefault(word, len(index)) for word in split(text)])
        self._offsets.append(len(self._tokens))

    def finish(self) -> TokenLists:
        vocabulary = sorted(self._index)
        renumbered = np.empty(len(vocabulary), np.int32)
        renumbered[[self._index[word] for word in vocabulary]] = np.arange(len(vocabulary))
        tokens = renumbered[np.array(self._tokens, np.int32)]
        return TokenLists(vocabulary, np.array(self._offsets, np.int64), tokens)
