"""``ledger.csv`` beside the tables: what a corpus has of each repository, for who has no corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.ledger_schema import COUNTS, LEDGER_SCHEMA
from ncsbench.sources.inventory_schema import INVENTORY_SCHEMA, LINE, REPOSITORY

FILE = "ledger.csv"
COLUMNS = ("repository", "commit", "status", "reason", "files", "files_left_out", *COUNTS)
"""``commit`` is the one that was read, ``files`` are the Java files that were taken. ``methods``
are those that were extracted, before any goes as a duplicate; the other ``COUNTS`` were not."""


def write_repository_ledger(folder: Path, corpus: CorpusFolder) -> None:
    """Write ``ledger.csv``: ``COLUMNS`` of every line of the list in corpus order, atomically."""
    commits = _read_commits(corpus.inventory_path)
    columns = ["repository", "path", "status", "reason", *COUNTS]
    rows: list[dict[str, Any]] = []
    for table in iterate_tables(corpus.ledger_path, LEDGER_SCHEMA, columns):
        for line in table.to_pylist():
            if line.pop("path") is None:
                rows.append(line | {"commit": next(commits), "files": 0, "files_left_out": 0})
            else:
                rows[-1]["files" if line["status"] == "taken" else "files_left_out"] += 1
    cells = ([row[name] for name in COLUMNS] for row in rows)
    write_rows(folder / FILE, COLUMNS, name_cells(COLUMNS, cells))


def _read_commits(inventory: Path) -> Iterator[str | None]:
    """Commits that were read, for every line of the list in corpus order."""
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, ["kind", "commit"]):
        heads = table.filter(pc.is_in(table["kind"], pa.array([LINE, REPOSITORY])))
        yield from heads["commit"].to_pylist()
