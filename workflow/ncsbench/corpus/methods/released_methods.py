"""Lists of methods as NCSED releases them: ``search_corpus_*.tar.gz`` of JSON lines.

A line is one method: ``id``, ``filepath`` (owner/repo/path), ``method_name``, ``start_line``,
``end_line`` (from 1, both included) and ``url`` (NCSED paper, section 2.2). There is no code in it.
"""

from __future__ import annotations

import gzip
import json
import re
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from ncsbench.base.files.hashes import check_file
from ncsbench.base.files.storage import write_json, write_tables
from ncsbench.corpus.layout.corpus_settings import ReleasedSettings
from ncsbench.errors import DataError

RELEASED_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("method_name", pa.string(), nullable=False),
        pa.field("id", pa.int64(), nullable=False),
    ]
)
"""A released method by its place; sorted by (repository, path, start_line, end_line, id)."""

_LINE_BYTES = 64 * 2**10  # no line of a path and a link is longer
_ROWS = 65_536
_GROUP_ROWS = 2**15  # methods of one row group of a sorted list: a shard reads some, not all
_UNUSABLE = re.compile(r"[\x00\ud800-\udfff]")  # NUL, lone surrogates
_FAILURES = (OSError, EOFError, zlib.error, tarfile.TarError)
_Row = tuple[str, str, int, int, str, int]  # as in RELEASED_SCHEMA


@dataclass
class RejectedLines:
    """Lines of released files that are no methods: their number, the first one and its fault."""

    count: int = 0
    first: str = ""

    def add(self, where: str, reason: str) -> None:
        """Count a line."""
        self.count += 1
        self.first = self.first or f"{where}: {reason}"


@dataclass(frozen=True)
class ReleasedList:
    """A list of methods that was read.

    Attributes:
        methods: table of ``RELEASED_SCHEMA``, sorted.
        rejected: the lines that were left out.
    """

    methods: pa.Table
    rejected: RejectedLines


def read_released_methods(paths: Sequence[Path]) -> ReleasedList:
    """Read a released list: ``.tar.gz``, ``.jsonl.gz`` or ``.jsonl`` files.

    A line that is no method is counted and left out.

    Raises:
        DataError: a file cannot be read, or there is no method in all of them.
    """
    rejected = RejectedLines()
    rows = chain.from_iterable(_read_file(path, rejected) for path in paths)
    tables = []
    while part := list(islice(rows, _ROWS)):
        columns = zip(zip(*part, strict=True), RELEASED_SCHEMA, strict=True)
        arrays = [pa.array(values, field.type) for values, field in columns]
        tables.append(pa.Table.from_arrays(arrays, schema=RELEASED_SCHEMA))
    if not tables:
        names = ", ".join(map(str, paths))
        raise DataError(f"{names}: no method in the released list ({rejected.first or 'no line'})")
    methods = pa.concat_tables(tables)
    order = [(name, "ascending") for name in ("repository", "path", "start_line", "end_line", "id")]
    return ReleasedList(methods.sort_by(order).combine_chunks(), rejected)


def _read_file(path: Path, rejected: RejectedLines) -> Iterator[_Row]:
    try:
        for name, text in _open_texts(path):
            for number, line in enumerate(_iterate_lines(text), 1):
                row = _read_line(line) if line.strip() else None
                if isinstance(row, str):
                    rejected.add(f"{name}: line {number}", row)
                elif row is not None:
                    yield row
    except _FAILURES as error:
        raise DataError(f"{path}: cannot be read as a list of methods ({error})") from error


def _open_texts(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The texts of a file, each with its name."""
    if not path.name.endswith((".tar.gz", ".tgz")):
        with cast(IO[bytes], gzip.open(path)) if path.suffix == ".gz" else path.open("rb") as text:
            yield str(path), text
        return
    # As a stream: nothing is extracted to a path that the archive names.
    with tarfile.open(path, "r|gz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                yield f"{path}: {member.name}", content


def _iterate_lines(text: IO[bytes]) -> Iterator[bytes]:
    """The lines of a text; what is longer than any line of a list is cut off."""
    while line := text.readline(_LINE_BYTES):
        yield line
        while line and not line.endswith(b"\n"):
            line = text.readline(_LINE_BYTES)


def _read_line(line: bytes) -> _Row | str:
    """The method of a line, or the reason why the line is not a method."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return "not one JSON object of at most 64 KiB"
    entry = entry if isinstance(entry, dict) else {}
    texts = [entry.get(name) for name in ("filepath", "method_name")]
    numbers = [entry.get(name) for name in ("start_line", "end_line", "id")]
    if not all(type(text) is str and not _UNUSABLE.search(text) for text in texts):
        return "filepath or method_name is missing, or no text"
    if not all(type(number) is int and 0 <= number < 2**31 for number in numbers):
        return "start_line, end_line or id is missing, or no number"
    owner, _, rest = str(texts[0]).partition("/")
    name, _, path = rest.partition("/")
    start, end, id_ = cast(list[int], numbers)
    if not (owner and name and path and 1 <= start <= end):
        return "names no lines of a file owner/repo/path"
    return f"{owner}/{name}", path, start, end, str(texts[1]), id_


@dataclass(frozen=True)
class Span:
    """The lines of a method, both included, from 1, and its name."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class ReleasedSpans:
    """The released methods of a dataset, by repository (table of ``RELEASED_SCHEMA``, sorted)."""

    path: Path

    def find(self, repository: str) -> dict[str, list[Span]]:
        """The spans of a repository by path of the file, in order of lines."""
        check_file(self.path)
        try:
            rows = pq.read_table(self.path, filters=[("repository", "=", repository)]).to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{self.path}: cannot be read as Parquet ({error})") from error
        found: dict[str, list[Span]] = defaultdict(list)
        for row in rows:
            span = Span(row["start_line"], row["end_line"], row["method_name"])
            found[row["path"]].append(span)
        return found


def write_spans(settings: ReleasedSettings, spans: Path, counts: Path) -> None:
    """Sort a released list of methods, so that a corpus can be made of its methods.

    Args:
        settings: files of the list (``read_released_methods``).
        spans: table to write, ``RELEASED_SCHEMA``.
        counts: JSON file to write: numbers of ``methods`` and of lines that name no method.
    """
    found = read_released_methods(settings.released)
    parts = range(0, len(found.methods), _GROUP_ROWS)
    write_tables(spans, (found.methods.slice(at, _GROUP_ROWS) for at in parts), RELEASED_SCHEMA)
    rejected = {"lines": found.rejected.count, "first": found.rejected.first}
    write_json(counts, {"methods": len(found.methods), "rejected": rejected})
