"""Finds the licence of every repository of a corpus by the files of its root folder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables, write_tables
from ncsbench.corpus.licence_ids import LicenceIds
from ncsbench.corpus.licence_schema import LICENCE_SCHEMA, NONE_FOUND
from ncsbench.errors import DataError
from ncsbench.sources.git_source import GitSource
from ncsbench.sources.inventory_schema import INVENTORY_SCHEMA, LICENCE, REPOSITORY
from ncsbench.sources.open_sources import open_source
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_options import ListSettings
from ncsbench.sources.source_protocol import Source, SourceError

_ROWS = 8192
_LAST_SECOND = 4_102_444_800  # 2100; who says later has a broken clock


def find_licences(settings: ListSettings, inventory: Path, output: Path) -> None:
    """Find the licence of every repository by the files of its root folder, as SPDX ids.

    Args:
        settings: where the files are.
        inventory: table of what was listed, ``INVENTORY_SCHEMA``.
        output: table to write, ``LICENCE_SCHEMA``.
    """
    write_licences(inventory, open_source(settings.source.kind, settings.source.path), output)


def write_licences(inventory: Path, source: Source, output: Path) -> None:
    """Read the licence files that an inventory lists and write ``LICENCE_SCHEMA``, as a stream.

    Repositories that are left out have no row. A file that cannot be read has the reason.

    Args:
        inventory: of the dataset (``INVENTORY_SCHEMA``).
        source: where its files come from.
        output: Parquet file.

    Raises:
        DataError: where a repository that was listed cannot be read now.
    """
    write_tables(output, _tables(inventory, source), LICENCE_SCHEMA)


def _tables(inventory: Path, source: Source) -> Iterator[pa.Table]:
    ids = LicenceIds()
    rows: list[dict[str, Any]] = []
    for head, files in _iterate_taken(inventory):
        try:
            rows += _describe(head, files, source, ids)
        except (SourceError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise DataError(
                f"{head['repository']}: was listed and cannot be read now ({reason}); "
                "make its source readable and run the same command again"
            ) from error
        if len(rows) >= _ROWS:
            yield pa.Table.from_pylist(rows, LICENCE_SCHEMA)
            rows = []
    if rows:
        yield pa.Table.from_pylist(rows, LICENCE_SCHEMA)


def _iterate_taken(inventory: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Rows of the repositories that are taken, each with those of its licence files."""
    wanted = pa.array([REPOSITORY, LICENCE])
    head, files = None, []
    for table in iterate_tables(inventory, INVENTORY_SCHEMA):
        for row in table.filter(pc.is_in(table["kind"], wanted)).to_pylist():
            if row["kind"] == LICENCE:
                files.append(row)
                continue
            if head is not None:
                yield head, files
            head, files = row if row["status"] == "taken" else None, []
    if head is not None:
        yield head, files


def _describe(
    head: dict[str, Any], files: list[dict[str, Any]], source: Source, ids: LicenceIds
) -> Iterator[dict[str, Any]]:
    owner, _, name = head["repository"].partition("/")
    repository = Repository(owner, name, head["listed"])
    commit = head["commit"]
    row = {
        "repository": head["repository"],
        "commit": commit,
        "committed": _find_date(source, repository, commit),
    }
    if not files:
        yield row | {"reason": NONE_FOUND}
        return
    wanted = [file["path"] for file in files if file["status"] == "taken"]
    found = {
        file.path: (None, file.reason) if file.data is None else ids.find(file.data)
        for file in source.read_files(repository, commit, wanted)
    }
    for file in files:
        spdx, reason = found.get(file["path"], (None, file["reason"]))
        yield row | {"path": file["path"], "spdx": spdx, "reason": reason}


def _find_date(source: Source, repository: Repository, commit: str | None) -> datetime | None:
    if commit is None or not isinstance(source, GitSource):
        return None
    seconds = source.find_commit_time(repository, commit)
    if seconds is None or seconds > _LAST_SECOND:
        return None
    return datetime.fromtimestamp(seconds, UTC)
