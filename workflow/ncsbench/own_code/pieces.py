"""Pieces of an index: neighbouring files with their methods, made once for their content.

A piece lies in a folder that is named by a hash of the paths and the content of its files, so that
what did not change is there already, and an index that was brought up to date has the bytes of a
new one.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from ncsbench.artifacts.storage import atomic_folder, format_json, iterate_tables, read_json
from ncsbench.corpus.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.extraction import extract_methods
from ncsbench.corpus.ledger_schema import LEDGER_SCHEMA, find_doubts
from ncsbench.errors import DataError
from ncsbench.judge.compiled_code import compile_once, is_compiled
from ncsbench.judge.judge_index import IndexBlock, build_shard, read_block
from ncsbench.own_code.index_folder import seal
from ncsbench.sources.inventory import Part
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_protocol import (
    ListedFile,
    Listing,
    SourceFile,
    make_listing,
    make_printable,
)
from ncsbench.text.safe_text import show_count, show_line
from ncsbench.version import __version__

Progress = Callable[[str, int, int], None]
"""Is told how far the work is: what is done, and how many of how many steps; 0 of 0 where nobody
knows how many."""
OWN = Repository("own", "code", None)
"""The one repository of a corpus that is made from a folder."""

_FILES = 32
_NAMED = 3
_BAD_BYTES = re.compile(r"\d+ bad bytes?")
METHODS, LEDGER, _STRUCTURE = "methods.parquet", "ledger.parquet", "structure"
"""Files of a piece, of ``EXTRACTED_SCHEMA`` and ``LEDGER_SCHEMA``, and a folder."""


def group_files(paths: Iterable[str]) -> list[list[str]]:
    """Groups of about 32 neighbouring files.

    Whether a file begins a group is a matter of its own name: one that comes or goes changes its
    own group, or its neighbour, and no other.
    """
    groups: list[list[str]] = []
    for path in paths:
        if not groups or crc32(make_printable(path).encode()) % _FILES == 0:
            groups.append([])
        groups[-1].append(path)
    return groups


def name_piece(files: Sequence[SourceFile]) -> str:
    """The name of the piece that these files make, 24 hexadecimal digits."""
    content = [
        [file.path, file.reason if file.data is None else hashlib.sha256(file.data).hexdigest()]
        for file in files
    ]
    return hashlib.sha256(format_json([__version__, content]).encode()).hexdigest()[:24]


def compile_with(progress: Progress) -> None:
    """Compile what compares trees, and say so; quiet where an earlier call did it."""
    if not is_compiled():
        progress("compiling what compares trees, once", 0, 0)
    compile_once()


def make_piece(folder: Path, files: Sequence[SourceFile]) -> None:
    """Write what the index needs of some files: methods, ledger, and what is like them.

    Args:
        folder: to write; a kill leaves nothing of it.
        files: in order of their paths.
    """
    source = ReadFiles(files)
    part = Part(OWN, None, list(source.list_files(OWN).files))
    with atomic_folder(folder) as temporary:
        methods = temporary / METHODS
        extract_methods([part], source, methods=methods, ledger=temporary / LEDGER)
        codes = (
            code
            for table in iterate_tables(methods, EXTRACTED_SCHEMA, ["code"])
            for code in table["code"].to_pylist()
        )
        structure = temporary / _STRUCTURE
        build_shard(codes, shard=0, shards=1, first_id=0, corpus_hash="", output=structure)
        seal(temporary)


def count_methods(piece: Path) -> int:
    """How many methods a piece has."""
    return sum(len(table) for table in iterate_tables(piece / METHODS, EXTRACTED_SCHEMA, ["lines"]))


def read_doubts(piece: Path) -> dict[str, str]:
    """The files of a piece that may be read wrongly, with the reason."""
    rows = (
        row
        for table in iterate_tables(piece / LEDGER, LEDGER_SCHEMA, ["path", "status", "reason"])
        for row in table.to_pylist()
        if row["status"] == "taken"
    )
    found = {row["path"]: ", ".join(find_doubts(row["reason"])) for row in rows}
    return {path: doubts for path, doubts in found.items() if doubts}


def describe_doubts(doubts: Mapping[str, str]) -> str:
    """How many files may be read wrongly, why, and the first of them; empty where there is none."""
    if not doubts:
        return ""
    remarks = (one for reason in doubts.values() for one in reason.split(", "))
    counts = Counter(_BAD_BYTES.sub("bad bytes", remark) for remark in remarks)
    why = ", ".join(f"{remark}: {count:,}" for remark, count in counts.most_common())
    first = ", ".join(map(show_line, list(doubts)[:_NAMED]))
    more = ", ..." if len(doubts) > _NAMED else ""
    return f"{show_count(len(doubts), 'file')} may be read wrongly ({why}): {first}{more}"


def read_blocks(piece: Path, first_id: int) -> Iterator[IndexBlock]:
    """Trees and features of the methods of a piece, the first of which has this id in its corpus.

    Raises:
        DataError: where the piece is damaged.
    """
    folder = piece / _STRUCTURE / "0000"
    try:
        blocks = [int(block["first_id"]) for block in read_json(folder / "manifest.json")["blocks"]]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{folder}: is damaged; remove the index and make it again") from error
    for number, first in enumerate(blocks):
        yield read_block(folder / f"{number:04}", first_id + first)


class ReadFiles:
    """Files that were read already, as a source of Java files."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self._listed = [ListedFile(one.path, len(one.data or b""), one.reason) for one in files]
        # Of two whose paths are the same as text the first counts, as in a listing.
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
