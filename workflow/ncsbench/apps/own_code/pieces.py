"""Pieces of an index: neighbouring files with their methods, made once for their content.

A piece lies in a folder that is named by a hash of the paths and the content of its files. So the
pieces of unchanged files exist already, and an index that was brought up to date has the same bytes
as a new one.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from ncsbench.apps.own_code.index_folder import seal
from ncsbench.base.files.storage import atomic_folder, format_json, iterate_tables
from ncsbench.base.text.safe_text import show_count, show_line
from ncsbench.corpus.layout.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA, find_doubts
from ncsbench.corpus.methods.definition_extraction import extract_definitions
from ncsbench.corpus.sources.inventory import Part
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import (
    ListedFile,
    Listing,
    SourceFile,
    make_listing,
    make_printable,
)
from ncsbench.version import __version__

Progress = Callable[[str, int, int], None]
"""A function called with how far the work is: its name, steps done and steps in all (0 and 0 where
the number of steps is unknown)."""
OWN = Repository("own", "code", None)
"""The one repository of a corpus that is made from a folder."""

_FILES = 32
_NAMED = 3
_BAD_BYTES = re.compile(r"\d+ bad bytes?")
METHODS, LEDGER = "methods.parquet", "ledger.parquet"
"""Files of a piece, of ``EXTRACTED_SCHEMA`` and ``LEDGER_SCHEMA``."""


def group_files(paths: Iterable[str]) -> list[list[str]]:
    """Group neighbouring files, about 32 in a group.

    A file begins a group by its own name alone: a file that comes or goes changes its own group, or
    the group beside it, and no other.
    """
    groups: list[list[str]] = []
    for path in paths:
        if not groups or crc32(make_printable(path).encode()) % _FILES == 0:
            groups.append([])
        groups[-1].append(path)
    return groups


def name_piece(files: Sequence[SourceFile]) -> str:
    """Return the name of the piece that these files make, 24 hexadecimal digits."""
    content = [
        [file.path, file.reason if file.data is None else hashlib.sha256(file.data).hexdigest()]
        for file in files
    ]
    return hashlib.sha256(format_json([__version__, content]).encode()).hexdigest()[:24]


def make_piece(folder: Path, files: Sequence[SourceFile]) -> None:
    """Write a piece: methods of its files, and ledger.

    Args:
        folder: to write; a killed call leaves no such folder.
        files: in order of their paths.
    """
    source = ReadFiles(files)
    part = Part(OWN, None, list(source.list_files(OWN).files))
    with atomic_folder(folder) as temporary:
        methods, ledger = temporary / METHODS, temporary / LEDGER
        extract_definitions([part], source, methods=methods, ledger=ledger)
        seal(temporary)


def count_methods(piece: Path) -> int:
    """Count the methods of a piece."""
    return sum(len(table) for table in iterate_tables(piece / METHODS, EXTRACTED_SCHEMA, ["lines"]))


def read_doubts(piece: Path) -> dict[str, str]:
    """Return the files of a piece that may be read wrongly, with the reason."""
    rows = (
        row
        for table in iterate_tables(piece / LEDGER, LEDGER_SCHEMA, ["path", "status", "reason"])
        for row in table.to_pylist()
        if row["status"] == "taken"
    )
    found = {row["path"]: ", ".join(find_doubts(row["reason"])) for row in rows}
    return {path: doubts for path, doubts in found.items() if doubts}


def describe_doubts(doubts: Mapping[str, str]) -> str:
    """Say how many files may be read wrongly, why, and the first of them; empty without any."""
    if not doubts:
        return ""
    remarks = (one for reason in doubts.values() for one in reason.split(", "))
    counts = Counter(_BAD_BYTES.sub("bad bytes", remark) for remark in remarks)
    why = ", ".join(f"{remark}: {count:,}" for remark, count in counts.most_common())
    first = ", ".join(map(show_line, list(doubts)[:_NAMED]))
    more = ", ..." if len(doubts) > _NAMED else ""
    return f"{show_count(len(doubts), 'file')} may be read wrongly ({why}): {first}{more}"


class ReadFiles:
    """Files that were read already, as a source."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._listed = [ListedFile(one.path, len(one.data or b""), one.reason) for one in files]
        # Of two files whose paths are the same as text the first counts, as in a listing.
        self._files = {file.path: file for file in reversed(files)}

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``."""
        return make_listing(repository.commit, self._listed)

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``."""
        del repository, commit
        return (self._files[path] for path in paths)
