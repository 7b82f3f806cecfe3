"""``corpus.json`` and ``ledger.csv`` beside tables: the corpus for readers of the results alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.files.corpus_stamps import check_same_corpus
from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import iterate_tables, read_json, write_json
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import COUNTS, LEDGER_SCHEMA
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, LINE, REPOSITORY
from ncsbench.errors import DataError

FILE = "corpus.json"
COLUMNS = ("repository", "commit", "status", "reason", "files", "files_left_out", *COUNTS)
"""``commit`` is the one that was read, ``files`` are the Java files that were taken. ``methods``
are those that were extracted, before any goes as a duplicate; the other ``COUNTS`` were not."""


@dataclass(frozen=True)
class CorpusRecord:
    """A corpus in numbers; none of them depends on how it was cut into shards.

    Attributes:
        corpus_hash: SHA-256 of file path, first line, last line and code of all methods by
            ascending id, each text as UTF-8 and followed by a NUL.
        methods: number of methods.
        repositories: number of repositories by ``taken`` and ``skipped``.
        files: number of files by ``taken`` and ``skipped``.
        duplicates: value of this key of the dataset file.
        left_out: number of methods that are not in the corpus, by reason.
    """

    corpus_hash: str
    methods: int
    repositories: dict[str, int]
    files: dict[str, int]
    duplicates: str
    left_out: dict[str, int]


def describe_corpus(manifest: Mapping[str, Any]) -> CorpusRecord:
    """The record of a corpus from its manifest; that of an old corpus lacks counts."""
    return CorpusRecord(
        corpus_hash=manifest["corpus_hash"],
        methods=manifest["methods"],
        repositories=manifest.get("repositories", {}),
        files=manifest.get("files", {}),
        duplicates=manifest.get("duplicates", "kept"),
        left_out=manifest.get("left_out", {}),
    )


def write_record(folder: Path, record: CorpusRecord) -> None:
    """Write ``corpus.json`` into a results folder, atomically."""
    write_json(folder / FILE, asdict(record))


def check_same_results(old: Path, new: Path) -> None:
    """Raise an error where two results folders name different corpora; older ones name none.

    Raises:
        DataError: with both files, or where one of them is no record.
    """
    files = [folder / FILE for folder in (old, new)]
    if not all(file.is_file() for file in files):
        return
    hashes = []
    for file in files:
        about = read_json(file)
        if not isinstance(about, dict) or not isinstance(about.get("corpus_hash"), str):
            raise DataError(f"{file}: names no corpus_hash; make the tables again")
        hashes.append(about["corpus_hash"])
    check_same_corpus(files[1], hashes[1], files[0], hashes[0])


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
    write_rows(folder / "ledger.csv", COLUMNS, name_cells(COLUMNS, cells))


def _read_commits(inventory: Path) -> Iterator[str | None]:
    """Commits that were read, for every line of the list in corpus order."""
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, ["kind", "commit"]):
        heads = table.filter(pc.is_in(table["kind"], pa.array([LINE, REPOSITORY])))
        yield from heads["commit"].to_pylist()
