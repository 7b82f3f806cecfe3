"""DeepCS: methods and queries as vectors of a network that reads fields (docs/deepcs.md).

Methods are ranked by the cosine of their vectors with the query's (Gu et al., 2018, section 4.5).
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.deepcs.field_encoder import FieldEncoder, load_field_encoder
from ncsbench.deepcs.method_fields import MethodFields, split_query
from ncsbench.errors import DataError
from ncsbench.indexes.exact_search import find_nearest
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import check_depth, collect_run
from ncsbench.indexes.vector_rows import fit_into_unit_ball, scale_query
from ncsbench.rankers.deepcs_options import DeepcsOptions
from ncsbench.rankers.distinct_vectors import embed_distinct
from ncsbench.rankers.field_inputs import iterate_fields, take_inputs
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run

_ARRAYS = ("methods", "document_vectors")
_NETWORK = "network"
_DIGEST = 16  # bytes; that two methods share one is out of the question
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Index:
    """What is searched.

    Attributes:
        corpus: whose methods.
        methods: those that have a vector, ascending ids, shape (r,).
        vectors: unit vectors, float32, shape (r, dimension).
        encoder: of queries.
    """

    corpus: Documents
    methods: NDArray[np.int64]
    vectors: NDArray[np.float32]
    encoder: FieldEncoder


class Deepcs:
    """Unit vectors of methods (float32) and exact search by inner product."""

    options_type: ClassVar[type[RankerOptions]] = DeepcsOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        DeepcsOptions.parse(options, where="deepcs")
        self._index: _Index | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``; those without a word get no vector."""
        encoder, methods = take_inputs(inputs, "deepcs")
        fields = iterate_fields(methods)
        ids, vectors = embed_methods(encoder, fields, len(corpus), path=methods.path)
        self._index = _Index(corpus, ids, vectors, encoder)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by cosine.

        Queries are encoded one by one, so that none depends on another. One without a word has an
        empty ranking.
        """
        check_depth(k)
        index = self._fitted("search")
        embedded = {query.query_id: embed_query(index.encoder, query.text) for query in queries}
        known = {row: vector for row, vector in embedded.items() if vector is not None}
        asked = np.array(list(known.values()))
        rankings = find_nearest(asked, index.vectors, index.methods, k=k)
        return collect_run(zip(known, rankings, strict=True))

    def save(self, folder: Path) -> None:
        """Write the vectors of methods and the network."""
        index = self._fitted("save")
        write_index(
            folder,
            corpus=index.corpus,
            options={},
            arrays=dict(zip(_ARRAYS, (index.methods, index.vectors), strict=True)),
            write_rest=lambda temporary: index.encoder.save(temporary / _NETWORK),
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus``."""
        methods, vectors = read_index(folder, corpus=corpus, options={}, names=_ARRAYS)
        encoder = load_field_encoder(folder / _NETWORK)
        if vectors.shape != (len(methods), encoder.dimension):
            raise DataError(f"{folder}: its files do not fit each other; make the index again")
        self._index = _Index(corpus, methods, vectors, encoder)

    def _fitted(self, method: str) -> _Index:
        if self._index is None:
            raise RuntimeError(f"fit or load comes before {method}")
        return self._index


def embed_methods(
    encoder: FieldEncoder, fields: Iterable[MethodFields], count: int, *, path: Path
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Which of ``count`` methods have a word, ascending, and their unit vectors, one row each.

    Raises:
        DataError: for a vector that is not finite, and another number of methods; names ``path``.
    """
    vectors = embed_distinct(
        fields,
        count,
        encoder.dimension,
        digest=_hash_fields,
        embed=encoder.embed_code,
        path=path,
        kind="deepcs",
    )
    ids = np.flatnonzero(fit_into_unit_ball(vectors, normalise=True))
    if len(ids) == count:
        return ids, vectors
    missing = count - len(ids)
    _LOG.warning("%d of %d methods have no vector and are never found", missing, count)
    return ids, vectors[ids]


def embed_query(encoder: FieldEncoder, text: str) -> NDArray[np.float64] | None:
    """The unit vector of a query; None where no word of it is known."""
    return scale_query(encoder.embed_queries([split_query(text)])[0], normalise=True)


def _hash_fields(fields: MethodFields) -> bytes:
    text = json.dumps(astuple(fields))
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST).digest()


RANKER: type[Ranker] = Deepcs
