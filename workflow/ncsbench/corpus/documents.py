"""The corpus as integer arrays, which rankers read instead of text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import atomic_folder, read_array, read_json, write_array, write_json


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


@dataclass(frozen=True)
class Documents:
    """A corpus of n methods (method id = position), as rankers read it.

    Attributes:
        words: extracted and split words.
        identifiers: the unsplit items (names, invocations, constants), lower-case.
        lines: int32, shape (n,), lines from the declaration to the closing brace.
        token_counts: int32, shape (n,), lexer tokens without comments.
        corpus_hash: hash of the corpus these arrays were made from.
    """

    words: TokenLists
    identifiers: TokenLists
    lines: NDArray[np.int32]
    token_counts: NDArray[np.int32]
    corpus_hash: str

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


def load_documents(folder: Path) -> Documents:
    """Read what ``save_documents`` wrote."""
    return Documents(
        words=_load_lists(folder, "words"),
        identifiers=_load_lists(folder, "identifiers"),
        lines=read_array(folder / "lines.npy"),
        token_counts=read_array(folder / "token_counts.npy"),
        corpus_hash=read_json(folder / "corpus.json")["corpus_hash"],
    )


def _load_lists(folder: Path, name: str) -> TokenLists:
    return TokenLists(
        vocabulary=read_json(folder / f"{name}.vocabulary.json"),
        offsets=read_array(folder / f"{name}.offsets.npy"),
        tokens=read_array(folder / f"{name}.tokens.npy"),
    )
