"""CARLCS: the base's candidates, ordered by co-attention of query and method (docs/encoders.md).

A score depends on both sides (Shuai et al., 2020, section 3), so that no index can hold vectors of
methods: the ranker orders the best candidates of a base. Its index holds the base's index, the
fields of the methods as ids, and the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.index_files import Arrays
from ncsbench.corpus.indexes.top_results import check_depth, collect_run, split_run, take_top
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import DataError
from ncsbench.learning.deepcs.field_encoder import CoAttention, FieldEncoder, load_field_encoder
from ncsbench.learning.deepcs.method_fields import FIELDS, CodeLists, split_query
from ncsbench.rankers.corpus_ranker import BasedRanker, IndexedRanker
from ncsbench.rankers.lexical.order_options import CarlcsOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.deepcs import iterate_fields, take_encoder

_NETWORK, _BASE = "network", "base"


class Carlcs(BasedRanker, IndexedRanker, kind="carlcs", options=CarlcsOptions):
    """The base's best methods for a query, by their CARLCS scores; ties by ascending id."""

    _options: CarlcsOptions
    _arrays = tuple(f"{field}_{part}" for field in FIELDS for part in ("offsets", "ids"))
    _code: CodeLists
    _encoder: FieldEncoder

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base and read the fields of the methods."""
        self._encoder = take_encoder(inputs, self.kind)
        methods = self._take_methods(inputs, corpus)
        super().fit(corpus=corpus, **inputs)
        self._code = self._encoder.encode_code(iterate_fields(methods))
        if len(self._code) != len(corpus):
            raise DataError(
                f"{methods.path}: holds another number of methods than its words; build it"
            )

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` best of the base's candidates."""
        check_depth(k)
        scorer = CoAttention(self._encoder, self._code)
        asked = {query.query_id: query.text for query in queries}
        candidates = split_run(self._base.search(queries, k=self._options.depth))
        return collect_run(
            (row, take_top(ids, scorer.score(split_query(asked[row]), ids), k=k))
            for row, (ids, _) in candidates.items()
        )

    def save(self, folder: Path) -> None:
        """Write the fields of the methods, the base's index and the network."""
        IndexedRanker.save(self, folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the index that ``save`` wrote for ``corpus``."""
        IndexedRanker.load(self, folder, corpus=corpus)

    def _list_arrays(self) -> Arrays:
        lists = [self._code.of(field) for field in FIELDS]
        arrays = [array for own in lists for array in (own.offsets, own.ids)]
        return dict(zip(self._arrays, arrays, strict=True))

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        every = list(arrays.values())
        self._code = CodeLists(*(IdLists(*every[n : n + 2]) for n in range(0, len(every), 2)))

    def _save_rest(self, folder: Path) -> None:
        self._base.save(folder / _BASE)
        self._encoder.save(folder / _NETWORK)

    def _load_rest(self, folder: Path) -> None:
        if any(len(self._code.of(field)) != len(self._corpus) for field in FIELDS):
            raise DataError(f"{folder}: its files do not fit each other; make the index again")
        self._base.load(folder / _BASE, corpus=self._corpus)
        self._encoder = load_field_encoder(folder / _NETWORK)


RANKER: type[Ranker] = Carlcs
