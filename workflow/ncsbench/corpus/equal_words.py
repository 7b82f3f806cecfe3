"""Methods with equal words, of which a corpus may keep the first (DEV-89)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists
from ncsbench.corpus.first_of_equal import MethodHashes
from ncsbench.corpus.word_extraction import extract_words
from ncsbench.corpus.word_options import WordOptions


def find_first_methods(items: Iterable[pa.Table]) -> NDArray[np.int64]:
    """Position of the first method with the same words, for every method.

    Words are those of the default options; equal are the same words in the same order. Only a hash
    of each method's words is held.

    Args:
        items: columns ``kinds`` and ``texts`` of all methods, in the order of their positions.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    hashes = MethodHashes()
    for table in items:
        _add(hashes, extract_words(table, WordOptions()))
    return hashes.find_first()


def find_first_equal(words: TokenLists) -> NDArray[np.int64]:
    """The same from words that were extracted before, with whichever options."""
    hashes = MethodHashes()
    _add(hashes, words)
    return hashes.find_first()


def _add(hashes: MethodHashes, words: TokenLists) -> None:
    for method in range(len(words)):
        # No word holds a blank, so words cannot be confused.
        hashes.add(" ".join([words.vocabulary[word] for word in words[method].tolist()]))
