"""The rows of a dump as raw bytes, with their byte offsets in the decompressed text.

XML allows no "<" inside an attribute, so every "<" begins something: a row reaches from "<row" to
before the next "<" (or its end tag, where one follows), whatever lines it spans. A reader may
therefore start at any "<row" and finds the same rows: parts of a dump, and reading on after a
broken row, depend on this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.row_xml import (
    DOCUMENT_TYPE,
    EARLY_END,
    LONG_ROW,
    OUTSIDE_TEXT,
    LedgerLine,
    is_closed,
    show_text,
)
from ncsbench.posts.streams import BLOCK, POSTS_MEMBER, compression_of, iterate_blocks

MAXIMUM_ROW = 4 << 20
"""Bytes of the longest row that is read; no more than that is held."""

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
    """A row without its "<", up to the next one."""

    offset: int
    text: bytes


def part_range(path: Path, part: int, parts: int) -> tuple[int, int | None]:
    """First byte and end (None: that of the dump) of part ``part`` of ``parts``."""
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
    """Text from a "<" to before the next; text before the first, and an empty end, too.

    Attributes:
        offset: its position in the dump.
        text: without the "<"; only the beginning where it is ``long``.
        markup: whether there is a "<".
        long: whether it is longer than ``MAXIMUM_ROW``.
    """

    offset: int
    text: bytes
    markup: bool = False
    long: bool = False


def iterate_rows(
    path: Path, begin: int = 0, end: int | None = None, *, member: str = POSTS_MEMBER
) -> Iterator[RawRow | LedgerLine]:
    """Stream the rows that begin in a range of bytes, and what is wrong between rows.

    What is wrong between two rows is reported once, and not at all where the row before is cut
    off: who reads that row reports it.

    Args:
        path: the dump.
        begin: first byte of the range.
        end: the byte behind it; None reads to the end.
        member: which member of an archive is read (``streams.iterate_blocks``).

    Raises:
        DataError: the dump cannot be unpacked or is not in UTF-8.
    """
    start = _row_before(path, begin)
    chunks = _iterate_chunks(iterate_blocks(path, start, member=member), start)
    for found in _judge_chunks(path, _join_rows(chunks)):
        if end is not None and found.offset >= end:
            return
        if found.offset >= begin:
            yield found


def _iterate_chunks(blocks: Iterable[bytes], start: int) -> Iterator[_Chunk]:
    """Divide a stream at every "<", independent of the blocks that it comes in."""
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
    """The chunks, rows together with their end tags, without comments and instructions."""
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
    """Whether text may stand before the first row; ``DataError`` where it is not UTF-8."""
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
    """Where the last row before ``begin`` starts; 0 where there is none."""
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
