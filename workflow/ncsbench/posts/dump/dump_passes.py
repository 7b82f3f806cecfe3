"""Two passes over a part of a dump: first its questions, then the answers to the chosen questions.

There are two passes because an answer may come before its question, or in another part. Only the
first pass reports broken rows, except for errors in a row that is known to be an answer.

Between the passes lie files of records, ledgers and sets of ids. Row groups of records have borders
that depend only on the records. A set of ids is a bit array of at most 128 MiB.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ncsbench.base.files.storage import atomic_path, map_array, write_array, write_json
from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.dump.row_xml import (
    ANSWER_WITHOUT_QUESTION,
    INVALID_VALUE,
    LONG_ROW,
    MISSING_ATTRIBUTE,
    POST_LEDGER_SCHEMA,
    LedgerLine,
    parse_row,
    show_text,
)
from ncsbench.posts.dump.rows import RawRow, iterate_rows, part_range

POSTS, LEDGER, IDS, COUNTS = "posts.parquet", "ledger.parquet", "ids.npy", "counts.json"
"""Files of a part: its posts, ledger lines, ids of all its questions, numbers of its rows."""

ALL_IDS, TAKEN_IDS = "all.npy", "taken.npy"
"""Files between the passes: ids of all questions of the dump, and of those that were taken."""

GROUP_ROWS = 2048
GROUP_BYTES = 4 << 20
"""Most rows and bytes of bodies of a row group, which ends with the record that reaches one."""

_MOST = 1 << 27
_STEP = 1 << 16
"""Largest size of a set of ids in bytes, and the size in bytes of which its file has a multiple."""


def part_folders(folder: Path, parts: int) -> list[Path]:
    """List the folders in which a pass keeps the parts, in the order of the dump."""
    return [folder / f"{part:04}" for part in range(parts)]


@contextmanager
def open_records(path: Path, schema: pa.Schema) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Write a Parquet file one record at a time; the file gets its name only when complete.

    Args:
        path: file to write.
        schema: schema of the records.

    Yields:
        A function that takes a record.
    """
    records: list[Mapping[str, Any]] = []
    size = 0

    def flush() -> None:
        nonlocal size
        if records:
            writer.write_table(pa.Table.from_pylist(records, schema=schema))
        records.clear()
        size = 0

    def add(record: Mapping[str, Any]) -> None:
        nonlocal size
        records.append(record)
        size += len(record.get("body", "").encode())
        if len(records) >= GROUP_ROWS or size >= GROUP_BYTES:
            flush()

    # Bodies are all different and may be huge: a dictionary or statistics would hold another copy.
    plain = {"use_dictionary": False, "write_statistics": False}
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", **plain) as writer,
    ):
        yield add
        flush()


def regroup(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Divide rows, however they are grouped, into the groups that ``open_records`` would write."""
    waiting: list[pa.Table] = []
    rows = size = 0
    for table in tables:
        start = 0
        for row, length in enumerate(pc.binary_length(table["body"]).to_pylist(), 1):
            rows, size = rows + 1, size + length
            if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.concat_tables([*waiting, table.slice(start, row - start)]).combine_chunks()
                waiting, start, rows, size = [], row, 0, 0
        if start < table.num_rows:
            waiting.append(table.slice(start))
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


class IdSet:
    """A set of ids from 0 up to 2^30."""

    def __init__(self) -> None:
        self._bits: Any = np.zeros(_MOST, np.uint8).data  # takes memory only where ids are put in
        self._end = 0

    def add(self, number: int) -> None:
        """Add an id."""
        position = number >> 3
        self._bits[position] |= 1 << (number & 7)
        self._end = max(self._end, position)

    def update(self, path: Path) -> None:
        """Add the ids of a saved set."""
        read = _map_ids(path)
        own = np.frombuffer(self._bits, np.uint8)
        own[: len(read)] |= read
        self._end = max(self._end, len(read) - 1)

    def __contains__(self, number: int) -> bool:
        position = number >> 3
        return position < len(self._bits) and bool(self._bits[position] & 1 << (number & 7))

    def save(self, path: Path) -> None:
        """Write the bits; the file depends on the ids only."""
        size = (self._end // _STEP + 1) * _STEP
        write_array(path, np.frombuffer(self._bits, np.uint8, size))


def _map_ids(path: Path) -> NDArray[np.uint8]:
    """Return the bits of a saved set by memory map; raise ``DataError`` for any other array."""
    bits = map_array(path)
    if bits.dtype != np.uint8 or bits.ndim != 1:
        raise DataError(f"{path}: is not a set of ids")
    return bits


def load_ids(path: Path) -> IdSet:
    """Return a saved set for look-ups; the set is mapped and not read, and must not grow."""
    ids = IdSet()
    ids._bits = _map_ids(path).data
    return ids


_QUESTION, _ANSWER = 1, 2
"""``PostTypeId`` of the posts that are read."""

_NUMBER = re.compile(r"-?[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z?")
_TAGS = re.compile(r"(?:<[^<>|]+>)+|\|(?:[^<>|]+\|)+")
_TAG = re.compile(r"[^<>|]+")
_SCORES = (-(1 << 31), (1 << 31) - 1)
_COUNTS = (0, (1 << 62) - 1)
_IDS = (1, (1 << 30) - 1)
_KINDS = (1, 999)
_LICENCES_FROM = (
    (datetime(2018, 5, 2, tzinfo=UTC), "CC BY-SA 4.0"),
    (datetime(2011, 4, 8, tzinfo=UTC), "CC BY-SA 3.0"),
)
_FIRST_LICENCE = "CC BY-SA 2.5"
_USERS = (-(1 << 31), (1 << 62) - 1)  # the user "Community" is -1


class _UnreadablePostError(Exception):
    """Error for a row whose attributes make no post: reason and detail of a line of the ledger."""


def read_questions(settings: PostSettings, *, part: int, output: Path) -> None:
    """Run the first pass: read the questions with a wanted tag, and the ids of all questions.

    Args:
        settings: the dump, the tags, the number of parts.
        part: number of the part, from 0.
        output: folder for ``POSTS``, ``LEDGER``, ``IDS`` and ``COUNTS``.

    Raises:
        DataError: where the dump cannot be unpacked, or is not in UTF-8.
        ConfigurationError: where a compressed dump shall be read in several parts.
    """
    begin, end = part_range(settings.path, part, settings.parts)
    wanted, ids, kinds, rows = frozenset(settings.tags), IdSet(), Counter[int](), 0
    with (
        open_records(output / POSTS, POST_QUESTION_SCHEMA) as add_post,
        open_records(output / LEDGER, POST_LEDGER_SCHEMA) as add_error,
    ):
        for row in iterate_rows(settings.path, begin, end):
            if not isinstance(row, RawRow):
                rows += row.reason == LONG_ROW
                add_error(row._asdict())
                continue
            rows += 1
            attributes, error = parse_row(row.offset, row.text)
            number = None
            try:
                if attributes is not None:
                    number, kind = _read_identity(attributes)
                    kinds[kind] += 1
                    if kind == _QUESTION:
                        ids.add(number)
                        tags = _read_tags(attributes)
                        if not wanted.isdisjoint(tags):
                            add_post(_make_question(row.offset, attributes, number, tags))
            except _UnreadablePostError as problem:
                add_error(LedgerLine(row.offset, number, *problem.args)._asdict())
            if error:  # put in last: the ledger is by offset, and the error may lie behind the row
                add_error(error._asdict())
    ids.save(output / IDS)
    types = {str(kind): count for kind, count in sorted(kinds.items())}
    write_json(output / COUNTS, {"rows": rows, "types": types})


def read_answers(settings: PostSettings, *, part: int, ids: Path, output: Path) -> None:
    """Run the second pass: read the answers to the questions that were taken.

    Args:
        settings: the dump and the number of parts.
        part: number of the part, from 0.
        ids: folder of the ids of all questions and of the questions that were taken.
        output: folder for ``POSTS`` and ``LEDGER``.
    """
    begin, end = part_range(settings.path, part, settings.parts)
    questions, taken = load_ids(ids / ALL_IDS), load_ids(ids / TAKEN_IDS)
    with (
        open_records(output / POSTS, POST_ANSWER_SCHEMA) as add_post,
        open_records(output / LEDGER, POST_LEDGER_SCHEMA) as add_error,
    ):
        for row in iterate_rows(settings.path, begin, end):
            if not isinstance(row, RawRow):
                continue
            attributes = parse_row(row.offset, row.text).attributes or {}
            try:
                number, kind = _read_identity(attributes)
            except _UnreadablePostError:  # reported by the first pass
                continue
            if kind != _ANSWER:
                continue
            try:
                parent = _read_number(attributes, "ParentId", _IDS)
                if parent in taken:
                    add_post(
                        {"id": number, "parent_id": parent, **_read_post(row.offset, attributes)}
                    )
                elif parent not in questions:
                    raise _UnreadablePostError(ANSWER_WITHOUT_QUESTION, f"question {parent}")
            except _UnreadablePostError as problem:
                add_error(LedgerLine(row.offset, number, *problem.args)._asdict())


def _read_identity(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Read the id and type of a row; may raise ``_UnreadablePostError``."""
    number = _read_number(attributes, "Id", _IDS)
    return number, _read_number(attributes, "PostTypeId", _KINDS)


def _read_tags(attributes: Mapping[str, str]) -> list[str]:
    """Read a question's tags, ``<a><b>`` or ``|a|b|``; may raise ``_UnreadablePostError``."""
    tags = _require(attributes, "Tags")
    if tags and not _TAGS.fullmatch(tags):
        raise _invalid("Tags", tags)
    return _TAG.findall(tags)


def _make_question(
    offset: int, attributes: Mapping[str, str], number: int, tags: list[str]
) -> dict[str, Any]:
    """Make a record of ``POST_QUESTION_SCHEMA``; may raise ``_UnreadablePostError``."""
    return {
        "id": number,
        "title": _require(attributes, "Title"),
        "tags": tags,
        "view_count": _read_optional(attributes, "ViewCount", _COUNTS),
        "accepted_answer_id": _read_optional(attributes, "AcceptedAnswerId", _IDS),
        **_read_post(offset, attributes),
    }


def _read_post(offset: int, attributes: Mapping[str, str]) -> dict[str, Any]:
    """Read the fields that questions and answers share; may raise ``_UnreadablePostError``."""
    created = _read_date(attributes, "CreationDate")
    return {
        "score": _read_number(attributes, "Score", _SCORES),
        "creation_date": created,
        "owner_user_id": _read_optional(attributes, "OwnerUserId", _USERS),
        "owner_display_name": attributes.get("OwnerDisplayName", "").strip() or None,
        "licence": licence_of(attributes.get("ContentLicense"), created),
        "body": _require(attributes, "Body"),
        "offset": offset,
    }


def licence_of(stated: str | None, created: datetime) -> str:
    """Return the licence of a post.

    Args:
        stated: ``ContentLicense`` of the post, kept unchanged; None in older dumps, which lack it.
        created: time of the post, with a time zone.

    Source: the licensing page of Stack Overflow's help centre.
    """
    if stated and stated.strip():
        return stated.strip()
    return next((licence for start, licence in _LICENCES_FROM if created >= start), _FIRST_LICENCE)


def _require(attributes: Mapping[str, str], name: str) -> str:
    try:
        return attributes[name]
    except KeyError:
        raise _UnreadablePostError(MISSING_ATTRIBUTE, name) from None


def _invalid(name: str, value: str) -> _UnreadablePostError:
    return _UnreadablePostError(INVALID_VALUE, f'{name}="{show_text(value.encode())}"')


def _read_number(attributes: Mapping[str, str], name: str, limits: tuple[int, int]) -> int:
    value = _require(attributes, name)
    if not _NUMBER.fullmatch(value) or not limits[0] <= int(value) <= limits[1]:
        raise _invalid(name, value)
    return int(value)


def _read_optional(attributes: Mapping[str, str], name: str, limits: tuple[int, int]) -> int | None:
    return _read_number(attributes, name, limits) if name in attributes else None


def _read_date(attributes: Mapping[str, str], name: str) -> datetime:
    value = _require(attributes, name)
    try:
        if not _DATE.fullmatch(value):
            raise ValueError(value)
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    except ValueError:
        raise _invalid(name, value) from None
