"""Sentence encoders: methods and queries as vectors of one model, searched by cosine.

The encoder is read from a local folder (``encoder_model``), or its vectors were made elsewhere
(``given_vectors``).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.hashes import hash_input
from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.indexes.vector_index import VectorIndex
from ncsbench.indexes.vector_rows import fit_into_unit_ball, scale_query
from ncsbench.rankers.distinct_vectors import embed_distinct
from ncsbench.rankers.encoder_model import SentenceEncoder
from ncsbench.rankers.encoder_options import EncoderOptions
from ncsbench.rankers.given_vectors import read_vectors
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.vector_ranker import VectorRanker

_DIGEST = 16  # bytes; that two texts share one is out of the question
_LOG = logging.getLogger(__name__)


class Encoder(VectorRanker):
    """Vectors of methods and queries by one sentence encoder.

    Without ``normalise`` a score is the inner product over a power of two, one for each query.
    """

    options_type: ClassVar[type[RankerOptions]] = EncoderOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = EncoderOptions.parse(options, where="encoder")
        self._index = VectorIndex(word_array="query_vectors")

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Encode the methods of ``corpus``, or take the vectors made elsewhere.

        Methods with the same text have the same bits, wherever they lie.
        """
        options = self._options
        queries, query_vectors = list[str](), np.zeros((0, 1), np.float32)
        if options.vectors is not None:
            given = read_vectors(
                Path(options.vectors), methods=len(corpus), corpus_hash=corpus.corpus_hash
            )
            ids, vectors = given.ids, given.vectors
            queries, query_vectors = given.queries, given.query_vectors
        else:
            methods = inputs.get("methods")
            if methods is None:
                raise ConfigurationError(
                    "encoder: needs the text of the methods; add a line 'source_text: true'"
                )
            ids = np.arange(len(corpus))
            vectors = encode_methods(methods, len(corpus), self._encoder, options)
        known = fit_into_unit_ball(vectors, normalise=options.normalise)
        if not known.all():
            ids, vectors = ids[known], vectors[known]
        if len(ids) < len(corpus):
            _LOG.warning(
                "%d of %d methods have no vector and are never found",
                len(corpus) - len(ids),
                len(corpus),
            )
        self._index = VectorIndex(word_array="query_vectors", options=self._made_with())
        self._index.fill(corpus, (ids, vectors), words=queries, word_vectors=query_vectors)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Vector of a query, float64, shape (dimension,); None for one that is all zeros.

        Raises:
            DataError: for a query of which the vectors made elsewhere have none.
        """
        options = self._options
        if options.vectors is None:
            found = self._encoder.encode([options.query_prefix + text])
        else:
            found = self._index.find_word_vectors([text])
            if not len(found):
                raise DataError(
                    f"{options.vectors}: has no vector of the query {text!r}; add it to "
                    "queries.json and query_vectors.npy, and make the index again"
                )
        return scale_query(found[0], normalise=options.normalise)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus`` with the same encoder."""
        self._index = VectorIndex(word_array="query_vectors", options=self._made_with())
        super().load(folder, corpus=corpus)

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        return SentenceEncoder(Path(str(self._options.model)), self._options)

    def _made_with(self) -> dict[str, Any]:
        """What an index must have been made with: options, and the bytes of the encoder."""
        options = self._options
        if options.vectors is not None:
            return {"normalise": options.normalise}
        files = {name: hash_input(Path(path)) for name, path in options.list_files().items()}
        return {
            **options.model_dump(exclude={"model", "vectors", *options.of_queries}),
            "files": files,
        }


def encode_methods(
    methods: MethodTexts, count: int, encoder: SentenceEncoder, options: EncoderOptions
) -> NDArray[np.float32]:
    """Vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Each distinct text is encoded once, in chunks that do not depend on shards.
    """
    return embed_distinct(
        (options.document_prefix + text for text in iterate_texts(methods, options.comment)),
        count,
        encoder.dimension,
        digest=lambda text: hashlib.blake2b(text.encode(), digest_size=_DIGEST).digest(),
        embed=encoder.encode,
        path=methods.path,
        kind=f"encoder: {options.model}",
        remedy="take another encoder",
    )


def iterate_texts(methods: MethodTexts, comment: bool) -> Iterator[str]:
    """The source text of all methods in id order, the comment before the code."""
    for table in methods.iterate_methods(["code", "comment"] if comment else ["code"]):
        codes = table["code"].to_pylist()
        comments = table["comment"].to_pylist() if comment else [None] * len(codes)
        for code, above in zip(codes, comments, strict=True):
            yield f"{above}\n{code}" if above else code


RANKER: type[Ranker] = Encoder
