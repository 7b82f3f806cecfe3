"""Joint encoders of CodeSearchNet: methods and queries as vectors of networks trained together.

Methods are ranked by the cosine of their vectors with the query's (paper, section 4;
``learning.encoders.networks``). A query is split as documentation is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.corpus.indexes.document_vectors import scale_query
from ncsbench.corpus.indexes.top_results import Ranking
from ncsbench.corpus.indexes.vector_search import AnnoyForest, check_annoy
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.learning.encoders.encoder import Encoder, load_encoder
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.vector_options import JointEncoderOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, embed_distinct, keep_vectors

_QUERY_ENCODER, _FOREST = "query_encoder", "vectors.ann"


@runtime_checkable
class FunctionTokens(Protocol):
    """Methods with the tokens of their code, in any language."""

    @property
    def language(self) -> str:
        """Name of the language."""

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        """Yield the tokens of the methods in the order of their ids, some methods at a time."""


class JointEncoder(VectorRanker, kind="joint_encoder", options=JointEncoderOptions):
    """Unit vectors of methods and queries by networks that were trained together.

    The vectors are searched exactly or by Annoy.
    """

    _options: JointEncoderOptions
    _encoder: Encoder
    _forest: AnnoyForest | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``; methods without a token get no vector."""
        encoder = self._take(inputs.get("encoder"), "encoder")
        methods = self._take(inputs.get("methods"), "methods")
        ids, vectors = keep_vectors(encode_methods(methods, len(corpus), encoder))
        if self._options.search == "annoy":
            check_annoy()
            self._forest = AnnoyForest.build(vectors, trees=self._options.trees, seed=self._seed)
        self._fill((ids, vectors))
        self._attach(corpus)
        self._encoder = encoder

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query, float64, shape (dimension,); None without a token."""
        found = self._encoder.embed_queries([tokenize_docstring(text)])
        return scale_query(found[0], normalise=True)

    def _find_nearest(self, queries: NDArray[np.float64], k: int) -> list[Ranking]:
        if self._forest is None:
            return super()._find_nearest(queries, k)
        vectors, neighbours = self._document_vectors, self._options.neighbours
        return self._forest.find_nearest(
            queries, vectors, self._methods, k=k, neighbours=neighbours
        )

    def _save_rest(self, folder: Path) -> None:
        self._encoder.save_queries(folder / _QUERY_ENCODER)
        if self._forest is not None:
            self._forest.save(folder / _FOREST)

    def _load_rest(self, folder: Path) -> None:
        self._encoder = load_encoder(folder / _QUERY_ENCODER)
        self._check_dimension(folder, self._encoder.dimension)
        if self._options.search == "annoy":
            check_annoy()
            self._forest = AnnoyForest.load(folder / _FOREST, self._document_vectors.shape)

    @cached_property
    def _made_with(self) -> dict[str, Any]:
        options = self._options
        if options.search == "exact":
            return {"search": "exact"}
        return {"search": options.search, "trees": options.trees, "seed": self._seed}


def encode_methods(methods: MethodTexts, count: int, encoder: Encoder) -> NDArray[np.float32]:
    """Return vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Each distinct list of tokens is encoded once, in chunks that do not depend on shards of the
    corpus, so that equal methods have equal vectors to the last bit.

    Raises:
        ConfigurationError: where the encoder was not trained on the language.
        DataError: where there are not ``count`` methods, and for a vector that is not finite.
    """
    language, lists = read_tokens(methods)
    return embed_distinct(
        lists,
        count,
        encoder.dimension,
        spell="\0".join,
        embed=lambda some: encoder.embed_code(language, some),
        path=methods.path,
        kind="joint_encoder",
    )


def read_tokens(methods: MethodTexts) -> tuple[str, Iterable[list[str]]]:
    """Return the language of methods, and the tokens of each method's code in the order of ids.

    A corpus that stores no tokens is one of NCSED: its language is Java.
    """
    if isinstance(methods, FunctionTokens):
        return methods.language, (
            tokens for some in methods.iterate_code_tokens() for tokens in some
        )
    codes = (
        code for table in methods.iterate_methods(["code"]) for code in table["code"].to_pylist()
    )
    return "java", map(tokenize_java, codes)


RANKER: type[Ranker] = JointEncoder
