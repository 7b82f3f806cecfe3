"""Vectors of methods and queries that were made elsewhere: a folder of ``.npy`` files.

==========================  ===================================================================
``corpus.json``             ``{"corpus_hash": ...}``, from ``manifest.json`` of the corpus
``methods.npy``             ids of r methods, integers, each once, in any order, shape (r,)
``method_vectors.npy``      their vectors, float16 or float32, shape (r, dimension)
``queries.json``            the texts of q queries, each once
``query_vectors.npy``       their vectors, likewise, shape (q, dimension)
==========================  ===================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import map_array, read_json
from ncsbench.errors import DataError
from ncsbench.indexes.vector_rows import blocks_of, make_rows
from ncsbench.rankers.encoder_options import find_vector_files


@dataclass(frozen=True)
class GivenVectors:
    """What a folder holds, checked.

    Attributes:
        ids: methods with a vector, ascending, int64, shape (r,).
        vectors: their vectors, float32, shape (r, dimension).
        queries: texts of q queries.
        query_vectors: their vectors, float32, shape (q, dimension).
    """

    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    queries: list[str]
    query_vectors: NDArray[np.float32]


def read_vectors(folder: Path, *, methods: int, corpus_hash: str) -> GivenVectors:
    """Read a folder of vectors; those of methods lie in a temporary file, not in memory.

    Args:
        folder: the folder.
        methods: number of methods of the corpus.
        corpus_hash: its hash.

    Raises:
        ConfigurationError: where a file is missing.
        DataError: where the vectors are of another corpus, files do not fit each other or the
            corpus, or a number is not finite; with file, reason and remedy.
    """
    corpus, id_file, vector_file, query_file, query_vector_file = find_vector_files(folder)
    about = read_json(corpus)
    made_for = about.get("corpus_hash") if isinstance(about, dict) else None
    if made_for != corpus_hash:
        raise DataError(
            f"{corpus}: the vectors are of the corpus {made_for!r}, not of {corpus_hash!r}; make "
            "them again for this one"
        )
    ids = _read_ids(id_file, methods)
    vectors = _map_vectors(vector_file, len(ids), id_file)
    queries = read_json(query_file)
    if not isinstance(queries, list) or not all(isinstance(text, str) for text in queries):
        raise DataError(f"{query_file}: is no list of texts; write the texts of the queries")
    if len(set(queries)) < len(queries):
        twice = next(text for text in queries if queries.count(text) > 1)
        raise DataError(f"{query_file}: {twice!r} is there twice; keep one, and one vector")
    query_vectors = _map_vectors(query_vector_file, len(queries), query_file)
    if query_vectors.shape[1] != vectors.shape[1]:
        raise DataError(
            f"{query_vector_file}: vectors of {query_vectors.shape[1]} numbers, but those of "
            f"{vector_file.name} have {vectors.shape[1]}; make both with one model"
        )
    order = np.argsort(ids, kind="stable")
    rows = make_rows(len(ids), vectors.shape[1])
    for block in blocks_of(rows):
        rows[block] = vectors[order[block]]
        _check_finite(rows[block], vector_file, "method", ids[order[block]])
    own = query_vectors.astype(np.float32)
    _check_finite(own, query_vector_file, "query", np.arange(len(own)))
    return GivenVectors(ids[order], rows, queries, own)


def _read_ids(path: Path, methods: int) -> NDArray[np.int64]:
    array = map_array(path)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise DataError(f"{path}: is no list of integers but {_describe(array)}; write method ids")
    outside = array[(array < 0) | (array >= methods)]
    if len(outside):
        raise DataError(
            f"{path}: {outside[0]} is no method id; those of the corpus are 0 to {methods - 1}"
        )
    ids = array.astype(np.int64)
    if len(ids) == 0:
        raise DataError(f"{path}: holds no method")
    repeated = np.flatnonzero(np.bincount(ids) > 1)
    if len(repeated):
        raise DataError(f"{path}: method {repeated[0]} is there twice; keep one")
    return ids


def _map_vectors(path: Path, count: int, counted: Path) -> np.ndarray[Any, Any]:
    array = map_array(path)
    if array.ndim != 2 or array.dtype.name not in {"float16", "float32"} or not array.shape[1]:
        raise DataError(
            f"{path}: is {_describe(array)}; write rows of vectors as float16 or float32"
        )
    if len(array) != count:
        raise DataError(f"{path}: has {len(array)} vectors, but {counted.name} has {count} entries")
    return array


def _check_finite(
    rows: NDArray[np.float32], path: Path, kind: str, numbers: NDArray[np.int64]
) -> None:
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(wrong):
        raise DataError(
            f"{path}: the vector of {kind} {numbers[wrong[0]]} has a number that is not finite; "
            "make it again, or leave the row out"
        )


def _describe(array: np.ndarray[Any, Any]) -> str:
    return f"an array of {array.dtype.name} of shape {array.shape}"
