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

from ncsbench.artifacts.storage import (
    atomic_folder,
    read_json,
    read_table,
    write_json,
    write_table,
)
from ncsbench.corpus.documents import Documents
from ncsbench.rankers.corpus_ranker import BasedRanker
from ncsbench.rankers.order_options import ExpandedOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.runs.rankings import Query, Run
from ncsbench.training.query_expansion import (
    EXPANSION_SCHEMA,
    Expansion,
    brings_nothing,
    split_query,
)

_REFERENCE = "base.json"


class NCSExpanded(BasedRanker, kind="ncs_expanded", options=ExpandedOptions):
    """Another ranker's search with expanded queries.

    Its index holds the best rows of the table and the base's index, as the folder ``base``, or, in
    ``base.json``, where that lies (``save_reference``).
    """

    _options: ExpandedOptions
    _expansion: Expansion

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base and take the table."""
        self._expansion = self._take(inputs.get("expansion"), "expansion")
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
        self._fitted()
        stop_words = frozenset(self._options.stop_words)
        words = split_query(text, stop_words)
        added = self._expansion.find_additions(words, minimum_value=self._options.minimum_value)
        if self._options.additions == "new":
            added = [one for one in added if not brings_nothing(one, words, stop_words)]
        return " ".join([*words, *added])

    def save(self, folder: Path) -> None:
        """Write the base's index and the table."""
        self._fitted()
        with atomic_folder(folder) as temporary:
            super().save(temporary / "base")
            write_table(temporary / "expansion.parquet", self._expansion.table, EXPANSION_SCHEMA)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the base's index of ``corpus`` and the table."""
        base = folder / "base"
        if not base.exists():
            base = folder / str(read_json(folder / _REFERENCE))
        super().load(base, corpus=corpus)
        self._expansion = Expansion(read_table(folder / "expansion.parquet", EXPANSION_SCHEMA))


def save_reference(folder: Path, expansion: Expansion, *, base: Path) -> None:
    """Write an index of the table and of where the base's index lies, which may be large."""
    with atomic_folder(folder) as temporary:
        write_json(temporary / _REFERENCE, os.path.relpath(base, folder))
        write_table(temporary / "expansion.parquet", expansion.table, EXPANSION_SCHEMA)


RANKER: type[Ranker] = NCSExpanded
