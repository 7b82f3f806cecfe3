"""Index folders: arrays as ``.npy``, word lists as JSON, and a record of their inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ncsbench.base.files.corpus_stamps import note_corpus
from ncsbench.base.files.storage import (
    atomic_folder,
    hash_bytes,
    map_array,
    read_json,
    write_array,
    write_json,
)
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import DataError

Arrays = Mapping[str, np.ndarray[Any, Any]]
_WORDS = "words.json"


def write_index(
    folder: Path,
    *,
    corpus: Documents,
    options: Mapping[str, Any],
    arrays: Arrays,
    words: Sequence[str] | None = None,
    write_rest: Callable[[Path], None] = lambda folder: None,
) -> None:
    """Write ``arrays`` with the corpus hash and the options they were made with, atomically.

    ``words`` are written beside the arrays where they are given; ``write_rest`` may write further
    files into the folder.
    """
    with atomic_folder(folder) as temporary:
        if words is not None:
            write_json(temporary / _WORDS, list(words))
        for name, array in arrays.items():
            write_array(temporary / f"{name}.npy", array)
        write_rest(temporary)
        write_json(temporary / "index.json", _describe(corpus, options))


def read_index(
    folder: Path, *, corpus: Documents, options: Mapping[str, Any], names: Sequence[str]
) -> list[np.ndarray[Any, Any]]:
    """Open the named arrays of an index, by memory map: an index may be as large as the memory.

    Raises:
        DataError: where the index is damaged or was made for another corpus or other options.
    """
    about = read_json(folder / "index.json")
    if isinstance(about, dict):
        note_corpus(folder / "index.json", about.get("corpus_hash", ""))
    for key, expected in _describe(corpus, options).items():
        if not isinstance(about, dict) or about.get(key) != expected:
            raise DataError(f"{folder}: was made with another {key}; make the index again")
    return [map_array(folder / f"{name}.npy") for name in names]


def read_index_words(folder: Path, count: int) -> list[str]:
    """Read the ``count`` words of an index; ``DataError`` where there are more or fewer."""
    words = read_json(folder / _WORDS)
    if not isinstance(words, list) or len(words) != count:
        raise DataError(f"{folder}: {_WORDS} does not fit its vectors; make the index again")
    return words


def _describe(corpus: Documents, options: Mapping[str, Any]) -> dict[str, Any]:
    # The words are hashed, too: other options of word extraction give others for the same corpus.
    vocabulary = hash_bytes("\n".join(corpus.words.vocabulary).encode())
    return {
        "corpus_hash": corpus.corpus_hash,
        "words": {"tokens": len(corpus.words.tokens), "vocabulary": vocabulary},
        "options": dict(options),
    }
