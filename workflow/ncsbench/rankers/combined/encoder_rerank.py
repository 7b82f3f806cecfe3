"""A sentence encoder that orders the candidates of another ranker, and encodes only these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.document_vectors import fit_into_unit_ball, scale_query
from ncsbench.corpus.indexes.top_results import (
    NOTHING,
    Ranking,
    check_depth,
    collect_run,
    split_run,
    take_top,
)
from ncsbench.rankers.corpus_ranker import BasedRanker
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.vectors.encoder import join_columns
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder
from ncsbench.rankers.vectors.encoder_options import EncoderRerankOptions


class EncoderRerank(BasedRanker, kind="encoder_rerank", options=EncoderRerankOptions):
    """The base's best methods by cosine or inner product with the query; ties by ascending id.

    The texts of the candidates are read from the corpus during the search. A query that is the
    vector zero has no ranking.
    """

    _options: EncoderRerankOptions

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` best of the base's candidates, in the order of the encoder."""
        check_depth(k)
        methods = self._take(self._corpus.methods, "methods")
        asked = {query.query_id: query.text for query in queries}
        candidates = split_run(self._base.search(queries, k=self._options.depth))
        found = {method for ids, _ in candidates.values() for method in ids.tolist()}
        columns = self._options.columns
        texts = {
            method: join_columns(row[name] for name in columns)
            for method, row in methods.read_methods(sorted(found), columns).items()
        }
        # The candidates of each query alone, so that no ranking depends on the other queries.
        return collect_run(
            (row, self._reorder(asked[row], [(n, texts[n]) for n in ids.tolist()], k))
            for row, (ids, _) in candidates.items()
        )

    def _reorder(self, text: str, candidates: Sequence[tuple[int, str]], k: int) -> Ranking:
        normalise = self._options.normalise
        query = scale_query(self._encoder.encode_query(text), normalise=normalise)
        if query is None:
            return NOTHING
        distinct = {each: row for row, each in enumerate(dict.fromkeys(t for _, t in candidates))}
        vectors = self._encoder.encode_methods(list(distinct))
        fit_into_unit_ball(vectors, normalise=normalise)
        scores = vectors.astype(np.float64) @ query
        rows = [distinct[each] for _, each in candidates]
        return take_top(np.array([method for method, _ in candidates]), scores[rows], k=k)

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        return SentenceEncoder(self._options)


RANKER: type[Ranker] = EncoderRerank
