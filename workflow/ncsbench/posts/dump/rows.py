"""The rows of a dump as raw bytes, with their byte offsets in the decompressed text.

XML allows no "<" inside an attribute, so every "<" begins something: a row reaches from "<row" to
before the next "<" (or its end tag, where one follows), whatever lines it spans. A reader may
therefore start at any "<row" and finds the same rows: parts of a dump, and reading on after a
broken row, depend on this.
"""

from __future__ import annotations

import ctypes
import gzip
import importlib
import logging
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.dump.row_xml import (
    DOCUMENT_TYPE,
    EARLY_END,
    LONG_ROW,
    OUTSIDE_TEXT,
    LedgerLine,
    is_closed,
    show_text,
)

BLOCK = 1 << 18
POSTS_MEMBER, USERS_MEMBER, LINKS_MEMBER = "posts.xml", "users.xml", "postlinks.xml"
"""Endings of the names of members of an archive, in small letters."""

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"7z\xbc\xaf\x27\x1c", "7z"))


def compression_of(path: Path) -> str | None:
    """Return ``gzip``, ``7z`` or None (plain) by the first bytes of a file, not by its name.

    Raises:
        DataError: where the path cannot be read or is no file (a pipe gives its bytes only once).
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise DataError(f"{path}: is read twice and must be a file")
        with path.open("rb") as file:
            start = file.read(6)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return next((name for magic, name in _MAGIC if start.startswith(magic)), None)


def iterate_blocks(path: Path, start: int = 0, *, member: str = POSTS_MEMBER) -> Iterator[bytes]:
    """Stream the unpacked text of a dump in blocks of about ``BLOCK`` bytes.

    Args:
        path: XML, its gzip, or a 7z archive with one member of the kind.
        start: first byte wanted; only 0 where the dump is compressed.
        member: ending of the name of that member, in small letters.

    Raises:
        DataError: where the dump is unreadable, damaged or truncated, or a 7z archive does not have
            exactly one such member.
    """
    compression = compression_of(path)
    if compression == "gzip":
        yield from _unpack_gzip(path)
    elif compression == "7z":
        yield from _unpack_7z(path, member)
    else:
        with path.open("rb", buffering=0) as file:
            file.seek(start)
            while block := file.read(BLOCK):
                yield block


def _unpack_gzip(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) as file:
            while block := file.read(BLOCK):
                yield block
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path}: is a damaged or truncated gzip file ({error})") from error


def _unpack_7z(path: Path, member: str) -> Iterator[bytes]:
    libarchive = _load_libarchive(path)
    read = None
    try:
        with libarchive.file_reader(str(path), format_name="7zip") as archive:
            for entry in archive:
                name = str(entry.pathname)
                if not (entry.isfile and name.lower().endswith(member)):
                    continue
                # Other members are seen only on the way: a list first would unpack all of it.
                if read is not None:
                    raise DataError(
                        f"{path}: has several members {member} ({read!r}, {name!r}); keep one"
                    )
                read = name
                yield from _read_member(libarchive.ffi, entry)
    except libarchive.ArchiveError as error:
        detail = f" ({error.msg})" if error.msg else ""  # all of it would hold an address
        raise DataError(f"{path}: is a damaged or truncated 7z archive{detail}") from error
    if read is None:
        raise DataError(f"{path}: has no member whose name ends in {member}")


def _read_member(ffi: Any, entry: Any) -> Iterator[bytes]:
    # Not by entry.get_blocks: libarchive-c only logs a warning, such as a wrong checksum, and then
    # takes its negative code for a length, which repeats the block before.
    archive, block = entry._archive_p, ctypes.create_string_buffer(BLOCK)
    while size := ffi.read_data(archive, block, BLOCK):
        if size < 0:
            raise ffi.archive_error(archive, size)
        yield ctypes.string_at(block, size)


def _load_libarchive(path: Path) -> Any:
    # The import of libarchive-c loads the shared library, whose absence shows in many ways.
    # Its warnings tell nothing of a dump: one comes with every 7z file.
    logging.getLogger("libarchive").setLevel(logging.ERROR)
    try:
        return importlib.import_module("libarchive")  # noqa: TID251  (its import may fail)
    except (ImportError, OSError, AttributeError, TypeError) as error:
        raise DataError(
            f"{path}: 7z needs the shared library of libarchive (Debian package libarchive13);"
            " `make packages` installs it"
        ) from error


MAXIMUM_ROW = 4 << 20
"""Bytes of the longest row that is read; no more bytes of a row are held."""

_KEPT = 256

_ROW = re.compile(rb"<row[ \t\r\n/>]")
_ROW_STARTS = (b"row ", b"row\t", b"row\r", b"row\n", b"row/", b"row>")
_DECLARATION = re.compile(rb"\?xml[ \t\r\n][^<>]*\?>\s*")
_ENCODING = re.compile(rb"""encoding\s*=\s*["']([^"']*)["']""")
_ROOT = re.compile(rb"[A-Za-z_][\w.:-]*(?:\s[^<>]*)?>\s*")
_END = re.compile(rb"/[A-Za-z_][\w.:-]*\s*>\s*")
_END_OF_ROW = re.compile(rb"/row\s*>")
# Comments and processing instructions (XML 1.0, 2.5 and 2.6).
_BESIDE = re.compile(
    rb"(?:!--[^-]*+(?:-(?!-)[^-]*+)*-->"
    rb"|\?(?![Xx][Mm][Ll]\s)[A-Za-z_:][^?]*+(?:\?(?!>)[^?]*+)*\?>)\s*"
)


class RawRow(NamedTuple):
    """A row without its "<", up to the next "<" behind the row."""

    offset: int
    text: bytes


def part_range(path: Path, part: int, parts: int) -> tuple[int, int | None]:
    """Return first byte and end (None: end of the dump) of part ``part`` of ``parts``."""
    if not 0 <= part < parts:
        raise ConfigurationError(f"part {part} does not exist: there are {parts}, from 0")
    compression = compression_of(path)
    if parts == 1:
        return 0, None
    if compression:
        raise ConfigurationError(
            f"{path}: a {compression} file cannot be read in {parts} parts; unpack it or set 1"
        )
    size = path.stat().st_size
    return size * part // parts, None if part + 1 == parts else size * (part + 1) // parts


class _Chunk(NamedTuple):
    """A chunk of text from a "<" to before the next "<".

    The text before the first "<" is a chunk, too, and so is an empty text at the end.

    Attributes:
        offset: position of the chunk in the dump, in bytes.
        text: text of the chunk without the "<"; only the beginning where the chunk is ``long``.
        markup: True where the chunk begins with a "<".
        long: True where the chunk is longer than ``MAXIMUM_ROW``.
    """

    offset: int
    text: bytes
    markup: bool = False
    long: bool = False


def iterate_rows(
    path: Path, begin: int = 0, end: int | None = None, *, member: str = POSTS_MEMBER
) -> Iterator[RawRow | LedgerLine]:
    """Stream the rows that begin in a range of bytes, and the errors between rows.

    Between two rows one error is reported, and no error where the row before is cut off: the reader
    of that row reports it.

    Args:
        path: the dump.
        begin: first byte of the range.
        end: the byte behind the range; None reads to the end of the dump.
        member: ending of the name of an archive's member to read (``iterate_blocks``).

    Raises:
        DataError: where the dump cannot be unpacked or is not in UTF-8.
    """
    start = _row_before(path, begin)
    chunks = _iterate_chunks(iterate_blocks(path, start, member=member), start)
    for found in _judge_chunks(path, _join_rows(chunks)):
        if end is not None and found.offset >= end:
            return
        if found.offset >= begin:
            yield found


def _iterate_chunks(blocks: Iterable[bytes], start: int) -> Iterator[_Chunk]:
    """Divide a stream at every "<", whatever the borders of its blocks."""
    offset, held, size, markup = start, b"", 0, False
    for block in blocks:
        for number, piece in enumerate(block.split(b"<")):
            if number:
                if size:
                    yield _Chunk(offset, held, markup, size > MAXIMUM_ROW)
                offset, held, size, markup = offset + size, b"", 1, True
            size += len(piece)
            held = held + piece if size <= MAXIMUM_ROW else (held + piece)[:_KEPT]
    if size:
        yield _Chunk(offset, held, markup, size > MAXIMUM_ROW)
    yield _Chunk(offset + size, b"")


def _join_rows(chunks: Iterable[_Chunk]) -> Iterator[_Chunk]:
    """Join rows with their end tags, and leave out comments and processing instructions."""
    row: _Chunk | None = None
    for chunk in chunks:
        if row:
            ends = chunk.markup and _END_OF_ROW.match(chunk.text)
            yield row._replace(text=row.text + b"<" + chunk.text) if ends else row
            row = None
            if ends:
                continue
        if _is_row(chunk) and not chunk.long and not is_closed(chunk.text):
            row = chunk
        elif chunk.long or not (chunk.markup and _BESIDE.fullmatch(chunk.text)):
            yield chunk


def _is_row(chunk: _Chunk) -> bool:
    return chunk.markup and (chunk.text.startswith(_ROW_STARTS) or chunk.text == b"row")


def _judge_chunks(path: Path, chunks: Iterable[_Chunk]) -> Iterator[RawRow | LedgerLine]:
    last: bytes | None = None
    reported = rooted = False
    closing: LedgerLine | None = None
    for chunk in chunks:
        offset, text, markup, long = chunk
        at_end = not (markup or text)
        if closing is not None and not at_end:
            yield closing
            closing, reported = None, True
        if _is_row(chunk):
            last, reported = text, long
            detail = f"more than {MAXIMUM_ROW} bytes"
            yield LedgerLine(offset, None, LONG_ROW, detail) if long else RawRow(offset, text)
        elif reported or closing or (last is not None and not is_closed(last)):
            continue
        elif at_end:
            yield LedgerLine(offset, None, EARLY_END, "the root element is not closed")
        elif last is None and not rooted and _in_prologue(path, offset, text, markup):
            rooted = markup and not text.startswith(b"?")
        elif markup and _END.fullmatch(text):
            closing = _outside(offset, text, markup)
        else:
            reported = True
            yield _outside(offset, text, markup)


def _outside(offset: int, text: bytes, markup: bool) -> LedgerLine:
    reason = DOCUMENT_TYPE if markup and text.startswith(b"!DOCTYPE") else OUTSIDE_TEXT
    return LedgerLine(offset, None, reason, show_text((b"<" if markup else b"") + text.rstrip()))


def _in_prologue(path: Path, offset: int, text: bytes, markup: bool) -> bool:
    """Say whether a text may be before the first row; raise ``DataError`` where it is not UTF-8."""
    if not markup:
        if text.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):  # UTF-16 or UTF-32
            raise DataError(f"{path}: is not in UTF-8; a dump must be in UTF-8")
        return not text.removeprefix(b"\xef\xbb\xbf").strip()
    if offset in (0, 3) and _DECLARATION.fullmatch(text):
        found = _ENCODING.search(text)
        if found and found[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
            raise DataError(
                f"{path}: declares the encoding {show_text(found[1])!r}; a dump must be in UTF-8"
            )
        return True
    return bool(_ROOT.fullmatch(text))


def _row_before(path: Path, begin: int) -> int:
    """Find the byte where the last row before ``begin`` starts; 0 where there is no such row."""
    stop = begin
    while stop > 0:
        start = max(0, stop - BLOCK)
        with path.open("rb") as file:
            file.seek(start)
            # Four bytes more than the block: a "<row" may lie across its end.
            window = file.read(stop - start + 4)
        positions = [match.start() for match in _ROW.finditer(window)]
        positions = [position for position in positions if start + position < stop]
        if positions:
            return start + positions[-1]
        stop = start
    return 0
