"""NCS with query expansion: code words of answers are added to a query (NCS paper, section 5.1).

The base searches for the words of the query without its stop words, followed by the best code word
of the expansion table for each of them. No word is replaced: the query keeps its words as they are
written; lemmas serve only to look words up in the table.
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
    """The base's search with expanded queries.

    The index holds the best rows of the table and either the base's index, as the folder ``base``,
    or the path of the base's index, in ``base.json``.
    """

    _options: ExpandedOptions
    _expansion: Expansion
    _index_of_base: Path | None = None

    def refer_to(self, base: Path) -> None:
        """Have ``fit`` leave out the base, whose index exists, and ``save`` write its path."""
        self._index_of_base = base

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base and take the table."""
        self._expansion = self._take(inputs.get("expansion"), "expansion")
        if self._index_of_base is None:
            super().fit(corpus=corpus, **inputs)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the base's rankings for the expanded queries.

        A query of nothing but stop words is empty (DEV-59).
        """
        return self._base.search(
            [Query(query.query_id, self.expand(query.text)) for query in queries], k=k
        )

    def expand(self, text: str) -> str:
        """Return the words of a query without its stop words, and the code words added for them."""
        stop_words = frozenset(self._options.stop_words)
        words = split_query(text, stop_words)
        added = self._expansion.find_additions(words, minimum_value=self._options.minimum_value)
        if self._options.additions == "new":
            added = [one for one in added if not brings_nothing(one, words, stop_words)]
        return " ".join([*words, *added])

    def save(self, folder: Path) -> None:
        """Write the table, and the base's index, which may be large, or its path."""
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
