"""The corpus as integer arrays, which rankers read instead of text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import check_same_corpus, note_corpus
from ncsbench.base.files.storage import (
    atomic_folder,
    read_array,
    read_json,
    write_array,
    write_json,
)

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class TokenLists:
    """One list of tokens per method, as indices into a vocabulary.

    Attributes:
        vocabulary: distinct tokens, sorted ascending.
        offsets: int64, shape (methods + 1,); method i has ``tokens[offsets[i]:offsets[i + 1]]``.
        tokens: int32 indices into ``vocabulary``, in text order, repetitions kept.
    """

    vocabulary: list[str]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int32]

    def __len__(self) -> int:
        """Number of methods."""
        return len(self.offsets) - 1

    def __getitem__(self, method: int) -> NDArray[np.int32]:
        """Token indices of one method."""
        return self.tokens[self.offsets[method] : self.offsets[method + 1]]

    def join(self) -> Iterator[str]:
        """The tokens of each method as a text, with blanks between them; words hold none."""
        for method in range(len(self)):
            yield " ".join([self.vocabulary[token] for token in self[method].tolist()])


def hash_texts(texts: Iterable[str]) -> NDArray[np.bytes_]:
    """A hash of 16 bytes of each text, shape (texts,); of the texts nothing else is kept.

    Two of 5 million texts share one by chance with a probability of 4 * 10^-26.
    """
    hashes = bytearray()
    for text in texts:
        hashes += hashlib.blake2b(text.encode(), digest_size=16).digest()
    return np.frombuffer(hashes, "S16")


def find_first_of_equal(values: NDArray[Any]) -> NDArray[np.int64]:
    """Position of the first of equal values, int64, the same shape."""
    _, first, numbers = np.unique(values, return_index=True, return_inverse=True)
    return first[numbers].astype(np.int64)


class MethodList(Protocol):
    """Methods in the order of their ids, with or without their text."""

    @property
    def path(self) -> Path:
        """Path of the methods, for messages."""

    def manifest(self) -> dict[str, Any]:
        """Record of the corpus; ``corpus_hash`` names it, ``methods`` counts its methods."""

    def iterate_methods(self, columns: list[str]) -> Iterator[pa.Table]:
        """Stream columns of ``METHOD_SCHEMA``."""


class MethodTexts(MethodList, Protocol):
    """The text of methods in the order of their ids: ``CorpusFolder`` or a class like it."""

    @property
    def manifest_path(self) -> Path:
        """The file of ``manifest``, for messages."""

    def read_methods(self, ids: Iterable[int], columns: list[str]) -> dict[int, dict[str, Any]]:
        """Columns of some methods by id."""


@dataclass(frozen=True)
class Documents:
    """A corpus of n methods (method id = position), as rankers read it.

    Attributes:
        words: extracted and split words.
        identifiers: the unsplit items (names, invocations, constants), lower-case.
        lines: int32, shape (n,), lines from the declaration to the closing brace.
        token_counts: int32, shape (n,), lexer tokens without comments.
        corpus_hash: hash of the corpus these arrays were made from.
        methods: that corpus, for rankers that read the text of methods; None where only the arrays
            are present.
    """

    words: TokenLists
    identifiers: TokenLists
    lines: NDArray[np.int32]
    token_counts: NDArray[np.int32]
    corpus_hash: str
    methods: MethodTexts | None = None

    def __len__(self) -> int:
        """Number of methods."""
        return len(self.lines)


def save_documents(documents: Documents, folder: Path) -> None:
    """Write ``documents`` as a folder of ``.npy`` and JSON files, atomically."""
    with atomic_folder(folder) as temporary:
        for name, lists in (("words", documents.words), ("identifiers", documents.identifiers)):
            write_json(temporary / f"{name}.vocabulary.json", lists.vocabulary)
            write_array(temporary / f"{name}.offsets.npy", lists.offsets)
            write_array(temporary / f"{name}.tokens.npy", lists.tokens)
        write_array(temporary / "lines.npy", documents.lines)
        write_array(temporary / "token_counts.npy", documents.token_counts)
        write_json(temporary / "corpus.json", {"corpus_hash": documents.corpus_hash})


def load_documents(folder: Path, methods: MethodTexts | None = None) -> Documents:
    """Read the documents that ``save_documents`` wrote.

    Args:
        folder: with the arrays.
        methods: the corpus that they were made from, where its text is wanted.

    Raises:
        DataError: where the arrays are damaged or were made from another corpus.
    """
    path = folder / "corpus.json"
    corpus_hash = read_json(path)["corpus_hash"]
    note_corpus(path, corpus_hash)
    if methods is not None:
        known = str(methods.manifest().get("corpus_hash"))
        check_same_corpus(path, corpus_hash, methods.manifest_path, known)
    return Documents(
        words=_load_lists(folder, "words"),
        identifiers=_load_lists(folder, "identifiers"),
        lines=read_array(folder / "lines.npy"),
        token_counts=read_array(folder / "token_counts.npy"),
        corpus_hash=corpus_hash,
        methods=methods,
    )


def _load_lists(folder: Path, name: str) -> TokenLists:
    return TokenLists(
        vocabulary=read_json(folder / f"{name}.vocabulary.json"),
        offsets=read_array(folder / f"{name}.offsets.npy"),
        tokens=read_array(folder / f"{name}.tokens.npy"),
    )
