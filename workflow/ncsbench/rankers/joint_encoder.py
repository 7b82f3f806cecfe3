"""Joint encoders of CodeSearchNet: methods and queries as vectors of networks trained together.

Methods are ranked by the cosine of their vectors with the query's (paper, section 4;
``encoders.networks``). A query is split as documentation is.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.encoders.encoder import Encoder, load_encoder, save_encoder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.functions.documentation import tokenize_docstring
from ncsbench.functions.java_tokens import tokenize_java
from ncsbench.indexes.annoy_search import AnnoyForest, check_annoy
from ncsbench.indexes.exact_search import find_nearest
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import check_depth, collect_run
from ncsbench.indexes.vector_rows import fit_into_unit_ball, scale_query
from ncsbench.rankers.distinct_vectors import embed_distinct
from ncsbench.rankers.joint_encoder_options import JointEncoderOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run

_ARRAYS = ("methods", "document_vectors")
_QUERY_ENCODER, _FOREST = "query_encoder", "vectors.ann"
_DIGEST = 16  # bytes; that two lists share one is out of the question
_LOG = logging.getLogger(__name__)


@runtime_checkable
class FunctionTokens(Protocol):
    """Methods that come with the tokens of their code, in any language."""

    @property
    def language(self) -> str:
        """Its name."""

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        """The tokens of the methods in the order of their ids, some at a time."""


@dataclass(frozen=True)
class _Index:
    """What is searched.

    Attributes:
        corpus: whose methods.
        methods: those that have a vector, ascending ids, shape (r,).
        vectors: unit vectors, float32, shape (r, dimension).
        encoder: of queries.
        forest: of Annoy; None where search is exact.
    """

    corpus: Documents
    methods: NDArray[np.int64]
    vectors: NDArray[np.float32]
    encoder: Encoder
    forest: AnnoyForest | None


class JointEncoder:
    """Unit vectors of methods (float32) and search by inner product."""

    options_type: ClassVar[type[RankerOptions]] = JointEncoderOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = JointEncoderOptions.parse(options, where="joint_encoder")
        self._seed = seed
        self._index: _Index | None = None

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
        vectors = encode_methods(methods, len(corpus), encoder)
        known = fit_into_unit_ball(vectors, normalise=True)
        ids = np.flatnonzero(known)
        if len(ids) < len(corpus):
            vectors = vectors[ids]
            missing = len(corpus) - len(ids)
            _LOG.warning(
                "%d of %d methods have no vector and are never found", missing, len(corpus)
            )
        forest = None
        if self._options.search == "annoy":
            check_annoy()
            forest = AnnoyForest.build(vectors, trees=self._options.trees, seed=self._seed)
        self._index = _Index(corpus, ids, vectors, encoder, forest)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by cosine.

        Queries are encoded one by one, so that none depends on another. One without a token has an
        empty ranking.
        """
        check_depth(k)
        index = self._fitted("search")
        embedded = {query.query_id: self.embed_query(query.text) for query in queries}
        known = {row: vector for row, vector in embedded.items() if vector is not None}
        asked = np.array(list(known.values()))
        if index.forest is None:
            rankings = find_nearest(asked, index.vectors, index.methods, k=k)
        else:
            rankings = index.forest.find_nearest(
                asked, index.vectors, index.methods, k=k, neighbours=self._options.neighbours
            )
        return collect_run(zip(known, rankings, strict=True))

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Unit vector of a query, float64, shape (dimension,); None for one without a token."""
        encoder = self._fitted("search").encoder
        return scale_query(encoder.embed_queries([tokenize_docstring(text)])[0], normalise=True)

    def save(self, folder: Path) -> None:
        """Write the vectors of methods and the encoder of queries."""
        index = self._fitted("save")

        def write_rest(temporary: Path) -> None:
            save_encoder(index.encoder.of_queries(), temporary / _QUERY_ENCODER)
            if index.forest is not None:
                index.forest.save(temporary / _FOREST)

        write_index(
            folder,
            corpus=index.corpus,
            options=self._made_with(),
            arrays=dict(zip(_ARRAYS, (index.methods, index.vectors), strict=True)),
            write_rest=write_rest,
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus``."""
        methods, vectors = read_index(
            folder, corpus=corpus, options=self._made_with(), names=_ARRAYS
        )
        encoder = load_encoder(folder / _QUERY_ENCODER)
        if vectors.shape != (len(methods), encoder.dimension):
            raise DataError(f"{folder}: its files do not fit each other; make the index again")
        forest = None
        if self._options.search == "annoy":
            check_annoy()
            forest = AnnoyForest.load(folder / _FOREST, (len(methods), encoder.dimension))
        self._index = _Index(corpus, methods, vectors, encoder, forest)

    def _fitted(self, method: str) -> _Index:
        if self._index is None:
            raise RuntimeError(f"fit or load comes before {method}")
        return self._index

    def _made_with(self) -> dict[str, Any]:
        """What an index must have been made with."""
        options = self._options
        return (
            {"search": "exact"}
            if options.search == "exact"
            else {
                "search": options.search,
                "trees": options.trees,
                "seed": self._seed,
            }
        )


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
