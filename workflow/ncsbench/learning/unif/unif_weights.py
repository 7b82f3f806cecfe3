"""The trained weights of UNIF: a folder of safetensors, JSON and CSV that is read without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import atomic_folder, read_json, write_json
from ncsbench.base.files.training_checkpoints import read_tensors, write_tensors
from ncsbench.errors import DataError

_TENSORS = ("attention", "code_table", "query_table")
_VOCABULARIES = ("query_words", "code_words")


@dataclass(frozen=True)
class UnifWeights:
    """The weights of UNIF: vectors of the words of queries and of code, and the attention vector.

    Attributes:
        query_words: words of the query table, ascending: words of the corpus and, where queries
            have a vocabulary of their own, of training queries.
        code_words: words of the code table, ascending: words of the corpus.
        query_table: vectors of query words, float32, shape (query words, dimension).
        code_table: vectors of code words, float32, shape (code words, dimension).
        attention: the attention vector, float32, shape (dimension,).
        about: the inputs of the training (options, seed, numbers of pairs, corpus hash).
    """

    query_words: list[str]
    code_words: list[str]
    query_table: NDArray[np.float32]
    code_table: NDArray[np.float32]
    attention: NDArray[np.float32]
    about: Mapping[str, Any]


def save_weights(weights: UnifWeights, folder: Path) -> None:
    """Write weights as ``weights.safetensors``, their words, and ``about``."""
    with atomic_folder(folder) as temporary:
        tensors = {name: np.ascontiguousarray(getattr(weights, name)) for name in _TENSORS}
        write_tensors(temporary / "weights.safetensors", tensors)
        for name in _VOCABULARIES:
            write_json(temporary / f"{name}.json", getattr(weights, name))
        write_json(temporary / "about.json", dict(weights.about))


def load_weights(folder: Path) -> UnifWeights:
    """Read weights that ``save_weights`` wrote; ``DataError`` where the files do not fit."""
    about = read_json(folder / "about.json")
    query_words, code_words = (read_json(folder / f"{name}.json") for name in _VOCABULARIES)
    tensors, _ = read_tensors(folder / "weights.safetensors")
    arrays = [tensors.get(name, np.zeros(0)) for name in _TENSORS]
    attention, code_table, query_table = arrays
    fits = (
        isinstance(about, dict)
        and isinstance(query_words, list)
        and isinstance(code_words, list)
        and attention.ndim == 1
        and query_table.shape == (len(query_words), len(attention))
        and code_table.shape == (len(code_words), len(attention))
        and all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays)
    )
    if not fits:
        raise DataError(
            f"{folder}: weights.safetensors does not fit query_words.json and code_words.json; "
            "train again"
        )
    return UnifWeights(query_words, code_words, query_table, code_table, attention, about)
