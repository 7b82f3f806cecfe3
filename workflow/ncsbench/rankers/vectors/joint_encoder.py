"""Joint encoders of CodeSearchNet: methods and queries as vectors of networks trained together.

Methods are ranked by the cosine of their vectors with the query's (paper, section 4;
``learning.encoders.networks``). A query is split as documentation is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.corpus.indexes.document_vectors import scale_query
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.learning.encoders.encoder import Encoder, load_encoder
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.vector_options import JointEncoderOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, embed_distinct, keep_vectors

_QUERY_ENCODER = "query_encoder"


@runtime_checkable
class FunctionTokens(Protocol):
    """Methods with the tokens of their code, in any language."""

    @property
    def language(self) -> str:
        """Name of the language."""

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        """Yield the tokens of the methods in the order of their ids, some methods at a time."""


class JointEncoder(VectorRanker, kind="joint_encoder", options=JointEncoderOptions):
    """Unit vectors of methods and queries by networks that were trained together (DEV-161)."""

    _made_with: ClassVar[dict[str, Any]] = {"search": "exact"}
    _encoder: Encoder

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``; methods without a token get no vector."""
        encoder = self._take(inputs.get("encoder"), "encoder")
        methods = self._take(inputs.get("methods"), "methods")
        self._fill(keep_vectors(encode_methods(methods, len(corpus), encoder)))
        self._attach(corpus)
        self._encoder = encoder

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query, float64, shape (dimension,); None without a token."""
        found = self._encoder.embed_queries([tokenize_docstring(text)])
        return scale_query(found[0], normalise=True)

    def _save_rest(self, folder: Path) -> None:
        self._encoder.save_queries(folder / _QUERY_ENCODER)

    def _load_rest(self, folder: Path) -> None:
        self._encoder = load_encoder(folder / _QUERY_ENCODER)
        self._check_dimension(folder, self._encoder.dimension)


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
