"""Comments as JSON Lines, read as a stream; each line that cannot be read has its fault."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from ncsbench.errors import DataError
from ncsbench.pairs.comment_filter.rules import NOT_READABLE, is_unicode

STREAM = "-"
"""The path that represents standard input or output."""
LONGEST_LINE = 1 << 24
"""Largest number of bytes of a line that is read, so that memory stays bounded."""
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line that is not blank.

    Attributes:
        number: number of the line, from 1; blank lines are counted, too.
        raw: bytes of the line without its end; the beginning of a line that is too long.
        fields: the JSON object; empty where the line cannot be read.
        comment: the text of the comment's field; empty where the line cannot be read.
        fault: the reason why the line cannot be read; empty for a readable line.
    """

    number: int
    raw: bytes
    fields: dict[str, Any]
    comment: str
    fault: str


def read_lines(stream: IO[bytes], name: str, field: str) -> Iterator[Line]:
    """Yield the lines of a stream that are not blank, in order.

    Args:
        stream: stream of JSON Lines in UTF-8, unpacked.
        name: name of the file, for an error message.
        field: name of the field that holds the comment.

    Raises:
        DataError: where reading fails.
    """
    for number, raw in cut_lines(stream, name):
        if len(raw) > LONGEST_LINE:
            fault = f"longer than {LONGEST_LINE:,} bytes"
            yield Line(number, raw, {}, "", fault)
        else:
            yield _read_line(number, raw, field)


def read_texts(path: str, field: str) -> tuple[list[str], str]:
    """Read the texts of a file: each line is a text, or JSON Lines where the file's name says so.

    Args:
        path: a file of JSON Lines if its name ends in ``.jsonl`` or ``.jsonl.gz``, else of plain
            lines, also with ``.gz`` behind its name.
        field: name of the field that holds the text in JSON Lines.

    Returns:
        The texts in order, and a message on the lines that could not be read, which is empty if
        all lines could be read.

    Raises:
        DataError: where the file cannot be read.
    """
    texts, faults = read_texts_and_faults(path, field)
    if not faults:
        return texts, ""
    return texts, f"{path}: {len(faults):,} lines cannot be read; {faults[0]}"


def read_texts_and_faults(path: str, field: str) -> tuple[list[str], list[str]]:
    """Read texts as ``read_texts`` does; return also a message for each unreadable line."""
    texts, faults = [], []
    with open_lines(path) as stream:
        if path.removesuffix(".gz").endswith(".jsonl"):
            for line in read_lines(stream, path, field):
                if line.fault:
                    faults.append(f"line {line.number:,}: {line.fault}")
                else:
                    texts.append(line.comment)
        else:
            for number, raw in cut_lines(stream, path):
                try:
                    texts.append(raw[:LONGEST_LINE].decode())
                except UnicodeDecodeError:
                    faults.append(f"line {number:,}: {NOT_READABLE}: is no UTF-8")
    return texts, faults


def cut_lines(stream: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line that is not blank.

    A line that is too long is cut to ``LONGEST_LINE`` + 1 bytes, a length that marks the line.
    """
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield number, line
                continue
            raw = (line.removeprefix(_BOM) if number == 1 else line).rstrip(b"\r\n")
            if raw and not raw.isspace():
                yield number, raw
    except (EOFError, zlib.error, OSError) as error:
        said = getattr(error, "strerror", None) or error
        raise DataError(f"{name}: cannot be read behind line {number:,} ({said})") from error


@contextmanager
def open_lines(path: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for ``-``; bytes that begin as gzip does are unpacked.

    Raises:
        DataError: where the file cannot be opened.
    """
    with ExitStack() as stack:
        if path == STREAM:
            opened: IO[bytes] = sys.stdin.buffer
        else:
            try:
                opened = stack.enter_context(Path(path).open("rb"))
            except OSError as error:
                raise DataError(f"{path}: cannot be read ({error.strerror})") from error
        buffered = opened if isinstance(opened, io.BufferedReader) else io.BufferedReader(opened)  # type: ignore[type-var]
        if buffered.peek(2)[:2] == _GZIP:
            yield stack.enter_context(gzip.open(buffered))  # type: ignore[arg-type]
        else:
            yield buffered


def _skip_line(stream: IO[bytes]) -> None:
    while part := stream.readline(LONGEST_LINE):
        if part.endswith(b"\n"):
            return


def _read_line(number: int, raw: bytes, field: str) -> Line:
    try:
        fields, comment = _read_fields(raw, field)
    except _RefusedError as error:
        return Line(number, raw, {}, "", f"{NOT_READABLE}: {error}")
    return Line(number, raw, fields, comment, "")


def _read_fields(raw: bytes, field: str) -> tuple[dict[str, Any], str]:
    try:
        value = _DECODE(raw.decode())
    except UnicodeDecodeError:
        raise _RefusedError("is no UTF-8") from None
    except _RefusedError:
        raise
    except (ValueError, RecursionError):
        raise _RefusedError("is no JSON") from None
    if not isinstance(value, dict):
        raise _RefusedError("is no JSON object")
    if field not in value:
        raise _RefusedError(f"has no field {field!r}")
    comment = value[field]
    if not isinstance(comment, str):
        raise _RefusedError(f"the field {field!r} is no text")
    if not is_unicode(comment):
        raise _RefusedError("the comment has half a character")
    return value, comment


class _RefusedError(ValueError):
    """Error for a line that Python reads, but that is no JSON or would lose data if rewritten."""


def _refuse(name: str) -> NoReturn:
    raise _RefusedError(f"{name} is no JSON")


def _read_number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _RefusedError("has a number that is too large")
    return number


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _RefusedError("has a field twice")
    return fields


_DECODE: Callable[[str], Any] = json.JSONDecoder(
    object_pairs_hook=_read_object, parse_constant=_refuse, parse_float=_read_number
).decode
