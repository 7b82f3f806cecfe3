"""Joint encoders of CodeSearchNet: methods and queries as vectors of networks trained together.

Methods are ranked by the cosine of their vectors with the query's (paper, section 4;
``encoders.networks``). A query is split as documentation is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.encoders.encoder import Encoder, load_encoder, save_encoder
from ncsbench.errors import ConfigurationError
from ncsbench.functions.function_texts import tokenize_docstring
from ncsbench.functions.java_functions import tokenize_java
from ncsbench.indexes.annoy_search import AnnoyForest, check_annoy
from ncsbench.indexes.vector_index import VectorIndex
from ncsbench.indexes.vector_rows import scale_query
from ncsbench.rankers.distinct_vectors import embed_distinct
from ncsbench.rankers.joint_encoder_options import JointEncoderOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.vector_ranker import VectorRanker, keep_vectors
from ncsbench.runs.rankings import Query, Run

_QUERY_ENCODER, _FOREST = "query_encoder", "vectors.ann"
_DIGEST = 16  # bytes; that two lists share one is out of the question


@runtime_checkable
class FunctionTokens(Protocol):
    """Methods that come with the tokens of their code, in any language."""

    @property
    def language(self) -> str:
        """Its name."""

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        """The tokens of the methods in the order of their ids, some at a time."""


class JointEncoder(VectorRanker):
    """Unit vectors of methods and queries by networks that were trained together."""

    options_type: ClassVar[type[RankerOptions]] = JointEncoderOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = JointEncoderOptions.parse(options, where="joint_encoder")
        self._seed = seed
        self._index = VectorIndex(options=self._made_with())
        self._encoder: Encoder
        self._forest: AnnoyForest | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``; those without a token get no vector."""
        encoder, methods = inputs.get("encoder"), inputs.get("methods")
        if encoder is None:
            raise ConfigurationError(
                "joint_encoder: needs a trained encoder; give the model file a block 'encoder'"
            )
        if methods is None:
            raise ConfigurationError(
                "joint_encoder: needs the text of the methods; add a line 'source_text: true'"
            )
        ids, vectors = keep_vectors(encode_methods(methods, len(corpus), encoder))
        if self._options.search == "annoy":
            check_annoy()
            self._forest = AnnoyForest.build(vectors, trees=self._options.trees, seed=self._seed)
        self._index.fill(corpus, (ids, vectors))
        self._encoder = encoder

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by cosine, exactly or by Annoy."""
        if self._forest is None:
            return super().search(queries, k=k)
        find = partial(self._forest.find_nearest, neighbours=self._options.neighbours)
        return self._index.search(queries, self.embed_query, k=k, find=find)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Unit vector of a query, float64, shape (dimension,); None for one without a token."""
        found = self._encoder.embed_queries([tokenize_docstring(text)])
        return scale_query(found[0], normalise=True)

    def _save_rest(self, folder: Path) -> None:
        save_encoder(self._encoder.of_queries(), folder / _QUERY_ENCODER)
        if self._forest is not None:
            self._forest.save(folder / _FOREST)

    def _load_rest(self, folder: Path) -> None:
        self._encoder = load_encoder(folder / _QUERY_ENCODER)
        self._index.check_dimension(folder, self._encoder.dimension)
        if self._options.search == "annoy":
            check_annoy()
            self._forest = AnnoyForest.load(folder / _FOREST, self._index.shape)

    def _made_with(self) -> dict[str, Any]:
        """What an index must have been made with."""
        options = self._options
        if options.search == "exact":
            return {"search": "exact"}
        return {"search": options.search, "trees": options.trees, "seed": self._seed}


def encode_methods(methods: MethodTexts, count: int, encoder: Encoder) -> NDArray[np.float32]:
    """Vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Each distinct list of tokens is encoded once, in chunks that do not depend on shards, so that
    equal methods have the same bits.

    Raises:
        ConfigurationError: where the encoder was not trained on the language.
        DataError: for another number of methods, and a vector that is not finite.
    """
    language, lists = read_tokens(methods)
    return embed_distinct(
        lists,
        count,
        encoder.dimension,
        digest=_hash_tokens,
        embed=lambda some: encoder.embed_code(language, some),
        path=methods.path,
        kind="joint_encoder",
    )


def read_tokens(methods: MethodTexts) -> tuple[str, Iterable[list[str]]]:
    """The language of methods, and the tokens of each one's code in the order of ids.

    Texts without tokens are those of NCSED: Java.
    """
    if isinstance(methods, FunctionTokens):
        return methods.language, (
            tokens for some in methods.iterate_code_tokens() for tokens in some
        )
    codes = (
        code for table in methods.iterate_methods(["code"]) for code in table["code"].to_pylist()
    )
    return "java", map(tokenize_java, codes)


def _hash_tokens(tokens: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(tokens).encode(), digest_size=_DIGEST).digest()


RANKER: type[Ranker] = JointEncoder
