"""Sentence encoders: methods and queries as vectors of one model, searched by cosine.

The encoder is read from a local folder (``encoder_model``). Or its vectors were made elsewhere and
are read from a folder of these files:

==========================  ===================================================================
``corpus.json``             ``{"corpus_hash": ...}``, from ``manifest.json`` of the corpus
``methods.npy``             ids of r methods, integers, each once, in any order, shape (r,)
``method_vectors.npy``      their vectors, float16 or float32, shape (r, dimension)
``queries.json``            the texts of q queries, each once
``query_vectors.npy``       their vectors, likewise, shape (q, dimension)
==========================  ===================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.hashes import hash_input
from ncsbench.base.files.storage import map_array, read_json
from ncsbench.corpus.indexes.document_vectors import blocks_of, make_rows, scale_query
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.errors import DataError
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder
from ncsbench.rankers.vectors.encoder_options import EncoderOptions, find_vector_files
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, embed_distinct, keep_vectors


class Encoder(VectorRanker, kind="encoder", options=EncoderOptions):
    """Vectors of methods and queries by one sentence encoder.

    Without ``normalise`` a score is the inner product divided by a power of two, which is the same
    for all methods of a query.
    """

    _options: EncoderOptions
    _word_array = "query_vectors"

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``, or take the vectors made elsewhere.

        Methods with the same text have equal vectors to the last bit, wherever they lie.
        """
        options, count = self._options, len(corpus)
        if options.vectors is not None:
            folder = Path(options.vectors)
            given = read_vectors(folder, methods=count, corpus_hash=corpus.corpus_hash)
        else:
            methods = self._take(inputs.get("methods"), "methods")
            vectors = encode_methods(methods, count, self._encoder, options)
            given = GivenVectors(np.arange(count), vectors, [], np.zeros((0, 1), np.float32))
        kept = keep_vectors(given.vectors, ids=given.ids, count=count, normalise=options.normalise)
        self._fill(kept, words=given.queries, word_vectors=given.query_vectors)
        self._attach(corpus)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the vector of a query, float64, shape (dimension,); None if it is all zeros.

        Raises:
            DataError: for a query without a vector among the vectors made elsewhere.
        """
        options = self._options
        if options.vectors is None:
            return scale_query(self._encoder.encode_query(text), normalise=options.normalise)
        found = self._find_word_vectors([text])
        if not len(found):
            raise DataError(
                f"{options.vectors}: has no vector of the query {text!r}; add it to "
                "queries.json and query_vectors.npy, and make the index again"
            )
        return scale_query(found[0], normalise=options.normalise)

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        return SentenceEncoder(self._options)

    @cached_property
    def _made_with(self) -> dict[str, Any]:
        """The options, and the hashes of the encoder's files."""
        options = self._options
        if options.vectors is not None:
            return {"normalise": options.normalise}
        options.check_packages()  # without its package an encoder has no files that count
        files = {name: hash_input(Path(path)) for name, path in options.list_files().items()}
        return {
            **options.model_dump(exclude={"model", "vectors", *options.of_queries}),
            "files": files,
        }


def encode_methods(
    methods: MethodTexts, count: int, encoder: SentenceEncoder, options: EncoderOptions
) -> NDArray[np.float32]:
    """Return vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Each distinct text is encoded once, in chunks that do not depend on shards of the corpus.
    """
    return embed_distinct(
        iterate_texts(methods, options.columns),
        count,
        encoder.dimension,
        spell=str,
        embed=encoder.encode_methods,
        path=methods.path,
        kind=f"encoder: {options.model}",
        remedy="take another encoder",
    )


def iterate_texts(methods: MethodTexts, columns: list[str]) -> Iterator[str]:
    """Yield the text of all methods in id order (``join_columns``)."""
    for table in methods.iterate_methods(columns):
        yield from map(join_columns, zip(*(table[n].to_pylist() for n in columns), strict=True))


def join_columns(values: Iterable[str | None]) -> str:
    """Return the text of a method: its columns that are not empty, a line each at least."""
    return "\n".join(value for value in values if value)


@dataclass(frozen=True)
class GivenVectors:
    """The vectors and queries of a folder, checked.

    Attributes:
        ids: methods with a vector, ascending, int64, shape (r,).
        vectors: vectors of these methods, float32, shape (r, dimension).
        queries: texts of q queries.
        query_vectors: vectors of these queries, float32, shape (q, dimension).
    """

    ids: NDArray[np.int64]
    vectors: NDArray[np.float32]
    queries: list[str]
    query_vectors: NDArray[np.float32]


def read_vectors(folder: Path, *, methods: int, corpus_hash: str) -> GivenVectors:
    """Read a folder of vectors; vectors of methods are put in a temporary file, not in memory.

    Args:
        folder: the folder.
        methods: number of methods of the corpus.
        corpus_hash: hash of the corpus.

    Raises:
        ConfigurationError: where a file is missing.
        DataError: where the vectors are of another corpus, files do not fit each other or the
            corpus, or a number is not finite; the message gives file, reason and remedy.
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


RANKER: type[Ranker] = Encoder
