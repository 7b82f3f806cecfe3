"""DeepCS: methods and queries as vectors of a network that reads fields (docs/encoders.md).

Methods are ranked by the cosine of their vectors with the query's (Gu et al., 2018, section 4.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.document_vectors import scale_query
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError
from ncsbench.learning.deepcs.field_encoder import FieldEncoder, load_field_encoder
from ncsbench.learning.deepcs.method_fields import MethodFields, read_fields, split_query
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.vector_options import DeepcsOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, embed_distinct, keep_vectors

_NETWORK = "network"


class Deepcs(VectorRanker, kind="deepcs", options=DeepcsOptions):
    """Unit vectors of methods and queries by a network; without a word there is no vector."""

    _encoder: FieldEncoder

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``."""
        self._encoder = take_encoder(inputs, self.kind)
        methods = self._take_methods(inputs, corpus)
        fields = iterate_fields(methods)
        self._fill(embed_methods(self._encoder, fields, len(corpus), path=methods.path))
        self._attach(corpus)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query; None where no word of the query is known."""
        return embed_query(self._encoder, text)

    def _save_rest(self, folder: Path) -> None:
        self._encoder.save(folder / _NETWORK)

    def _load_rest(self, folder: Path) -> None:
        self._encoder = load_field_encoder(folder / _NETWORK)
        self._check_dimension(folder, self._encoder.dimension)


def take_encoder(inputs: FitInputs, kind: str) -> FieldEncoder:
    """Return the network of a kind; ``ConfigurationError`` where it is missing or another kind."""
    encoder = inputs.get("field_encoder")
    if encoder is None or encoder.options.network != kind:
        raise ConfigurationError(
            f"{kind}: needs a trained network; give the model file a block 'field_encoder' with "
            f"'network: {kind}'"
        )
    return encoder


def iterate_fields(methods: MethodTexts) -> Iterator[MethodFields]:
    """Yield the fields of all methods in the order of ids, read with the class around each."""
    for table in methods.iterate_methods(["code", "class_name"]):
        codes, classes = (table[name].to_pylist() for name in ("code", "class_name"))
        for code, own_class in zip(codes, classes, strict=True):
            yield read_fields(code, own_class or "")


def embed_methods(
    encoder: FieldEncoder, fields: Iterable[MethodFields], count: int, *, path: Path
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Embed methods; return the ids of methods with a word, ascending, and their unit vectors.

    The vectors are rows, in the order of the ids.

    Raises:
        DataError: for a vector that is not finite, and where there are not ``count`` methods; the
            latter names ``path``.
    """
    vectors = embed_distinct(
        fields,
        count,
        encoder.dimension,
        spell=lambda one: json.dumps(astuple(one)),
        embed=encoder.embed_code,
        path=path,
        kind="deepcs",
    )
    return keep_vectors(vectors)


def embed_query(encoder: FieldEncoder, text: str) -> NDArray[np.float64] | None:
    """Return the unit vector of a query; None where no word of the query is known."""
    return scale_query(encoder.embed_queries([split_query(text)])[0], normalise=True)


RANKER: type[Ranker] = Deepcs
