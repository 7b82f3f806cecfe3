"""At which rank the methods were found that the queries are cut from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.documents import TokenLists, load_documents
from ncsbench.micro_benchmark.micro_queries import CHOICES, MICRO_QUERY_SCHEMA, SHARES
from ncsbench.runs.rankings import Run, ranks_in_run
from ncsbench.runs.trec_files import read_run

EQUAL_METHODS = ("found", "not_found")
"""Whether a method with the same words counts as the one that is looked for (DEV-95)."""
Setting = tuple[str, str, str]
"""How words are chosen, what the share is of, whether equal methods count."""
FoundRanks = dict[Setting, NDArray[np.int32]]
"""First ranks, from 1, 0 = not found, shape (methods drawn,), in the order of methods."""


class FoundMethods:
    """The queries of a corpus, and which of its methods have the same words."""

    def __init__(self, *, words: Path, queries: Path) -> None:
        """Read them.

        Args:
            words: folder of the corpus as words.
            queries: table of ``MICRO_QUERY_SCHEMA``.
        """
        lists = load_documents(words).words
        table = read_table(queries, MICRO_QUERY_SCHEMA)
        self.methods = len(lists)
        self.queries = len(table) // (len(CHOICES) * len(SHARES))
        self._targets: NDArray[np.int64] = table["method"].to_numpy()
        self._first_equal = find_equal_methods(lists)

    def read_ranks(self, path: Path) -> FoundRanks:
        """First ranks of a run file."""
        run = read_run(path)
        targets = self._targets[run.query_ids - 1]
        hits = {
            "found": self._first_equal[run.ids] == self._first_equal[targets],
            "not_found": run.ids == targets,
        }
        first = {name: self._rank_first(run, hit) for name, hit in hits.items()}
        return {
            (choice, share, equal): first[equal][number]
            for number, (choice, share) in enumerate(_query_sets())
            for equal in EQUAL_METHODS
        }

    def _rank_first(self, run: Run, hit: NDArray[np.bool_]) -> NDArray[np.int32]:
        """First ranks, shape (sets of queries, methods drawn)."""
        query_ids, positions = np.unique(run.query_ids[hit], return_index=True)
        ranks = np.zeros(len(self._targets), dtype=np.int32)
        ranks[query_ids - 1] = ranks_in_run(run)[hit][positions]
        return ranks.reshape(-1, self.queries)


def find_equal_methods(lists: TokenLists) -> NDArray[np.int64]:
    """The lowest id of the methods with the same words, in any order; int64, shape (methods,)."""
    first: dict[bytes, int] = {}
    equal = np.empty(len(lists), dtype=np.int64)
    for method in range(len(lists)):
        words = np.sort(lists[method]).tobytes()
        equal[method] = first.setdefault(hashlib.blake2b(words, digest_size=16).digest(), method)
    return equal


def _query_sets() -> Iterator[tuple[str, str]]:
    return ((choice, share) for choice in CHOICES for share in SHARES)
