"""What the ledger of a corpus of functions says, in numbers for its manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ncsbench.corpus.ledger_schema import generalise

_COLUMNS = ["path", "status", "reason", "dropped_by"]


class LedgerCounts:
    """Counts lines of a ledger while they pass."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {
            name: Counter() for name in ("repositories", "files", "skipped", "remarks", "dropped")
        }

    def pass_on(self, ledger: Iterable[pa.Table]) -> Iterator[pa.Table]:
        """The same tables (``FUNCTION_LEDGER_SCHEMA``)."""
        for table in ledger:
            for row in table.select(_COLUMNS).to_pylist():
                self._count(row)
            yield table

    def describe(self) -> dict[str, dict[str, int]]:
        """Numbers by status of ``repositories`` and ``files``, and by reason of what is skipped.

        ``remarks`` are those on files that were taken, ``dropped`` functions left out by a rule.
        """
        return {name: dict(sorted(counter.items())) for name, counter in self._counts.items()}

    def _count(self, row: dict[str, Any]) -> None:
        self._counts["repositories" if row["path"] is None else "files"][row["status"]] += 1
        if row["reason"] is not None:
            kind = "skipped" if row["status"] == "skipped" else "remarks"
            self._counts[kind][generalise(row["reason"])] += 1
        for reason, count in row["dropped_by"] or ():
            self._counts["dropped"][reason] += count
