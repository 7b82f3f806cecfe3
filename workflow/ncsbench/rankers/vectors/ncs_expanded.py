"""NCS with query expansion: code words of answers are added to a query (NCS paper, section 5.1).

The base searches for the words of the query without its stop words, followed by the best code word
of the expansion table for each of them. Nothing is replaced: the query keeps its words as they
stand, only the table is asked for their lemmas.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from ncsbench.base.files.storage import (
    atomic_folder,
    read_json,
    write_json,
    write_table,
)
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.layout.documents import Documents
from ncsbench.learning.training.query_expansion import (
    EXPANSION_SCHEMA,
    Expansion,
    brings_nothing,
    load_expansion,
    split_query,
)
from ncsbench.rankers.corpus_ranker import BasedRanker
from ncsbench.rankers.lexical.order_options import ExpandedOptions
from ncsbench.rankers.protocol import FitInputs, Ranker

_REFERENCE = "base.json"


class NCSExpanded(BasedRanker, kind="ncs_expanded", options=ExpandedOptions):
    """Another ranker's search with expanded queries.

    Its index holds the best rows of the table and the base's index, as the folder ``base``, or, in
    ``base.json``, where that lies.
    """

    _options: ExpandedOptions
    _expansion: Expansion
    _index_of_base: Path | None = None

    def refer_to(self, base: Path) -> None:
        """Have ``fit`` leave out the base, whose index is there, and ``save`` say where it lies."""
        self._index_of_base = base

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base and take the table."""
        self._expansion = self._take(inputs.get("expansion"), "expansion")
        if self._index_of_base is None:
            super().fit(corpus=corpus, **inputs)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The base's rankings for the expanded queries.

        A query of stop words alone is empty (DEV-59).
        """
        return self._base.search(
            [Query(query.query_id, self.expand(query.text)) for query in queries], k=k
        )

    def expand(self, text: str) -> str:
        """The words of a query without its stop words, and the code words they bring."""
        stop_words = frozenset(self._options.stop_words)
        words = split_query(text, stop_words)
        added = self._expansion.find_additions(words, minimum_value=self._options.minimum_value)
        if self._options.additions == "new":
            added = [one for one in added if not brings_nothing(one, words, stop_words)]
        return " ".join([*words, *added])

    def save(self, folder: Path) -> None:
        """Write the base's index, which may be large, or where it lies, and the table."""
        with atomic_folder(folder) as temporary:
            if self._index_of_base is None:
                super().save(temporary / "base")
            else:
                write_json(temporary / _REFERENCE, os.path.relpath(self._index_of_base, folder))
            write_table(temporary / "expansion.parquet", self._expansion.table, EXPANSION_SCHEMA)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the base's index of ``corpus`` and the table."""
        base = folder / "base"
        if not base.exists():
            base = folder / str(read_json(folder / _REFERENCE))
        super().load(base, corpus=corpus)
        self._expansion = load_expansion(folder / "expansion.parquet")


RANKER: type[Ranker] = NCSExpanded
