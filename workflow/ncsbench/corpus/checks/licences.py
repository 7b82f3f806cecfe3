"""Finds the licence of every repository of a corpus by the files of its root folder.

SPDX ids are those of the package ``identify``, by its texts of common licences.
"""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import ukkonen  # noqa: F401  (identify imports it when it compares)
from identify import identify
from identify.vendor.licenses import LICENSES

from ncsbench.base.files.storage import iterate_tables, write_tables
from ncsbench.corpus.layout.ledger_schema import LICENCE_SCHEMA, NONE_FOUND, UNRECOGNISED
from ncsbench.corpus.methods.file_extraction import still_readable
from ncsbench.corpus.sources.folder_sources import GitSource
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, LICENCE, REPOSITORY
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import ListSettings, Source

_ROWS = 8192
_LAST_SECOND = 4_102_444_800  # 2100; who says later has a broken clock
LONGEST = 100_000
"""Characters of the longest text that is compared; the longest licence has 34,042."""
_END = "END OF TERMS AND CONDITIONS"
"""Mark between the terms of some licences and an appendix on how to apply them."""


def find_licences(settings: ListSettings, inventory: Path, output: Path) -> None:
    """Find the licence of every repository by the files of its root folder, as SPDX ids.

    Repositories that are left out have no row. A file that cannot be read has the reason.

    Args:
        settings: the source of the files.
        inventory: table of what was listed, ``INVENTORY_SCHEMA``.
        output: table to write, ``LICENCE_SCHEMA``.

    Raises:
        DataError: where a repository that was listed cannot be read now.
    """
    source = open_source(settings.source.kind, settings.source.path)
    write_tables(output, describe_licences(inventory, source), LICENCE_SCHEMA)


def describe_licences(inventory: Path, source: Source) -> Iterator[pa.Table]:
    """Rows of ``LICENCE_SCHEMA`` of the licence files of a source that an inventory lists."""
    rows: list[dict[str, Any]] = []
    for head, files in _iterate_taken(inventory):
        with still_readable(head["repository"]):
            rows += _describe(head, files, source)
        if len(rows) >= _ROWS:
            yield pa.Table.from_pylist(rows, LICENCE_SCHEMA)
            rows = []
    if rows:
        yield pa.Table.from_pylist(rows, LICENCE_SCHEMA)


def _iterate_taken(inventory: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Rows of the repositories that are taken, each with the rows of its licence files."""
    wanted = pa.array([REPOSITORY, LICENCE])
    tables = iterate_tables(inventory, INVENTORY_SCHEMA)
    rows = (row for one in tables for row in one.filter(pc.is_in(one["kind"], wanted)).to_pylist())
    for _, group in groupby(rows, key=lambda row: row["repository"]):
        head, *files = group
        if head["status"] == "taken":
            yield head, files


def _describe(
    head: dict[str, Any], files: list[dict[str, Any]], source: Source
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
        file.path: (None, file.reason) if file.data is None else find_licence(file.data)
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


def find_licence(data: bytes) -> tuple[str | None, str | None]:
    """The SPDX id of a licence file, or the reason why it has none.

    A file has the id of a licence that it differs from in less than 5 % of its characters, not
    counting white space and lines of copyright; the nearest one where there are several. An
    appendix on how to apply the licence may be left out, or be another text that is not longer.
    Bytes that are no UTF-8 count as characters that differ.

    White space is taken out first, since the pattern for lines of copyright takes quadratic
    time on empty lines. The edit distance is bounded by the 5 %: texts whose lengths differ by
    more are not compared.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = _clean(data.decode("utf-16" if wide else "utf-8-sig", "replace"))
    if len(text) > LONGEST:
        return None, f"too long ({len(text)} characters, at most {LONGEST})"
    spdx = _identify(text)
    return spdx, None if spdx else UNRECOGNISED


@lru_cache(maxsize=1024)  # equal texts are compared once
def _identify(text: str) -> str | None:
    return _compare(text) or _compare_terms(text)


def _clean(text: str) -> str:
    """The text without needless white space; its lines stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _compare_terms(text: str) -> str | None:
    """The licence whose terms are before the mark of their end, whatever its appendix is."""
    terms, end, rest = text.partition(_END)
    if not end:
        return None
    return next(
        (
            spdx
            for spdx, appendix in _list_appendices()
            if len(rest) <= len(appendix) and _compare(terms + end + appendix) == spdx
        ),
        None,
    )


@cache
def _list_appendices() -> list[tuple[str, str]]:
    parts = ((spdx, _clean(text).partition(_END)) for spdx, text in LICENSES)
    return [(spdx, appendix) for spdx, (_, end, appendix) in parts if end]


def _compare(text: str) -> str | None:
    # The package reads a file, which must not be one of a repository: its name could be anything.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "licence"
        path.write_bytes(text.encode("utf-8"))
        return identify.license_id(str(path))
