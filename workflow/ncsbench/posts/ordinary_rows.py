"""Finds well-formed rows, with their ids and types, by a compiled scan of their bytes.

An ordinary row has only attributes in double quotes, with distinct names, characters that XML
allows, and references that need no declaration; expat accepts it. All other rows are left to expat,
so this scan may accept less than XML allows but never more. Every compiled function stands in this
file, since numba keeps its code until the file changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

ID, KIND, PARENT, TAGS, TAGS_END = range(5)
"""Columns of ``look_at_rows``."""

_PLAIN, _QUOTE, _AND, _WIDE, _FORBIDDEN = range(5)
_SPACES = b"\t\n\r "
_MOST_ATTRIBUTES = 64
_MOST_DIGITS = 9  # of an id below 2^30


def _classes() -> NDArray[np.uint8]:
    classes = np.full(256, _PLAIN, np.uint8)
    classes[:32] = _FORBIDDEN
    classes[list(_SPACES)] = _PLAIN
    classes[128:] = _WIDE
    classes[ord('"')], classes[ord("&")], classes[ord("<")] = _QUOTE, _AND, _FORBIDDEN
    return classes


def _name_characters() -> NDArray[np.bool_]:
    letters = np.zeros(256, np.bool_)
    letters[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789.-")] = True
    return letters


_CLASS = _classes()
_NAME = _name_characters()
_NAME_START = _NAME.copy()
_NAME_START[list(b"0123456789.-")] = False
_SPACE = np.isin(np.arange(256), list(_SPACES))
_IDS, _KINDS, _PARENTS, _TAG_LISTS = (
    np.frombuffer(name, np.uint8) for name in (b"Id", b"PostTypeId", b"ParentId", b"Tags")
)
_ROW = np.frombuffer(b"row", np.uint8)
_AMP, _QUOT, _APOS = (np.frombuffer(name, np.uint8) for name in (b"amp;", b"quot;", b"apos;"))
_OPEN, _CLOSE = (np.frombuffer(name, np.uint8) for name in (b"&lt;", b"&gt;"))
_TAG = ~np.isin(np.arange(256), list(b"&|>"))


@njit(cache=True)
def look_at_rows(data: Any, positions: Any) -> Any:
    """What ordinary rows are.

    Args:
        data: uint8, shape (n,), text.
        positions: int64, shape (rows + 1,), where each "<" is, and the end of the last row.

    Returns:
        int32, shape (rows, 5): id, post type, parent (0: none of plain digits), begin and end of
        the tags (0: none), counted from behind the "<". A row that is not ordinary has id 0.
    """
    rows = np.zeros((len(positions) - 1, 5), np.int32)
    names = np.zeros((_MOST_ATTRIBUTES, 2), np.int64)
    for number in range(len(rows)):
        begin, end = positions[number] + 1, positions[number + 1]
        row = rows[number]
        if not _look_at_row(data, begin, end, names, row) or row[ID] == 0 or row[KIND] == 0:
            row[:] = 0
    return rows


@njit(cache=True)
def have_other_tags(data: Any, positions: Any, rows: Any, wanted: Any, ends: Any) -> Any:
    """Which rows have tags, plainly written, of which none is wanted.

    Args:
        data: as for ``look_at_rows``.
        positions: as for ``look_at_rows``.
        rows: its result.
        wanted: uint8, the bytes of the wanted tags one after the other.
        ends: int64, shape (tags,), where each of them ends.

    Returns:
        bool, shape (rows,); False also where the tags need parsing.
    """
    other = np.zeros(len(rows), np.bool_)
    for number in range(len(rows)):
        begin = positions[number] + 1
        tags, stop = begin + rows[number, TAGS], begin + rows[number, TAGS_END]
        if tags < stop:
            other[number] = _are_others(data, tags, stop, wanted, ends)
    return other


@njit(cache=True)
def _are_others(data: Any, begin: int, end: int, wanted: Any, ends: Any) -> bool:
    piped = data[begin] == ord("|")
    at = begin + 1 if piped else begin
    while at < end:
        tag = at if piped else at + len(_OPEN)
        if not piped and not _is_at(data, at, end, _OPEN):
            return False
        stop = _skip(data, tag, end, _TAG)
        closed = data[stop] == ord("|") if piped and stop < end else False
        if not piped:
            closed = _is_at(data, stop, end, _CLOSE)
        if stop == tag or not closed or _is_wanted(data, tag, stop, wanted, ends):
            return False
        at = stop + 1 if piped else stop + len(_CLOSE)
    return at > begin + 1


@njit(cache=True)
def _is_wanted(data: Any, begin: int, end: int, wanted: Any, ends: Any) -> bool:
    start = 0
    for stop in ends:
        if _is_all(data, begin, end, wanted[start:stop]):
            return True
        start = stop
    return False


@njit(cache=True)
def _look_at_row(data: Any, begin: int, end: int, names: Any, row: Any) -> bool:
    if not _is_at(data, begin, end, _ROW):
        return False
    at, count = begin + 3, 0
    while True:
        name = _skip(data, at, end, _SPACE)
        if name + 1 < end and data[name] == ord("/"):
            return data[name + 1] == ord(">") and _skip(data, name + 2, end, _SPACE) == end
        if name in (at, end) or not _NAME_START[data[name]] or count == len(names):
            return False
        stop = _skip(data, name, end, _NAME)
        if stop + 1 >= end or data[stop] != ord("=") or data[stop + 1] != ord('"'):
            return False
        names[count, 0], names[count, 1] = name, stop
        if not _is_new(data, names, count):
            return False
        count += 1
        value = stop + 2
        close = _end_of_value(data, value, end)
        if close < 0:
            return False
        if _is_all(data, name, stop, _IDS):
            row[ID] = _read_number(data, value, close)
        elif _is_all(data, name, stop, _KINDS):
            row[KIND] = _read_number(data, value, close)
        elif _is_all(data, name, stop, _PARENTS):
            row[PARENT] = _read_number(data, value, close)
        elif _is_all(data, name, stop, _TAG_LISTS):
            row[TAGS], row[TAGS_END] = value - begin, close - begin
        at = close + 1


@njit(cache=True)
def _end_of_value(data: Any, at: int, end: int) -> int:
    """The closing quote of a value; -1 where something in it needs expat."""
    while at < end:
        # Unsigned positions spare a check for negative ones in the innermost loop.
        kind = _CLASS[data[np.uint64(at)]]
        if kind == _PLAIN:
            at += 1
        elif kind == _AND:
            length = _reference(data, at + 1, end)
            if length == 0:
                return -1
            at += length
        elif kind == _QUOTE:
            return at
        else:
            length = _character(data, at, end) if kind == _WIDE else 0
            if length == 0:
                return -1
            at += length
    return -1


@njit(cache=True)
def _reference(data: Any, at: int, end: int) -> int:
    """Length of a reference with its "&"; 0 where it needs expat."""
    if at + 2 >= end:
        return 0
    first, second = data[np.uint64(at)], data[np.uint64(at + 1)]
    if second == ord("t"):
        is_known = (first == ord("l") or first == ord("g")) and data[at + 2] == ord(";")
        return 4 if is_known else 0
    if first == ord("#"):
        return _numeric_reference(data, at, end)
    if first == ord("q"):
        return 6 if _is_at(data, at, end, _QUOT) else 0
    if second == ord("m"):
        return 5 if _is_at(data, at, end, _AMP) else 0
    return 6 if _is_at(data, at, end, _APOS) else 0


@njit(cache=True)
def _numeric_reference(data: Any, at: int, end: int) -> int:
    base = 16 if data[at + 1] == ord("x") else 10
    digit = at + 2 if base == 16 else at + 1
    code, stop = 0, digit
    while stop < end and stop < digit + 5 and data[stop] != ord(";"):
        value = _digit(data[stop])
        if value >= base:
            return 0
        code, stop = code * base + value, stop + 1
    if stop == digit or stop >= end or data[stop] != ord(";"):
        return 0
    is_space = code == 9 or code == 10 or code == 13  # noqa: PLR1714
    allowed = is_space or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE
    return stop + 2 - at if allowed else 0


@njit(cache=True)
def _digit(code: int) -> int:
    if ord("0") <= code <= ord("9"):
        return code - ord("0")
    lower = code | 32
    return lower - ord("a") + 10 if ord("a") <= lower <= ord("f") else 99


@njit(cache=True)
def _character(data: Any, at: int, end: int) -> int:
    """Bytes of a character beyond ASCII in UTF-8; 0 where XML does not allow it."""
    first = data[at]
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if first < 0xC2 or first > 0xF4 or at + length > end:
        return 0
    code = np.int64(first) & (0x7F >> length)
    for position in range(at + 1, at + length):
        if data[position] & 0xC0 != 0x80:
            return 0
        code = code << 6 | (data[position] & 0x3F)
    if length == 3 and (code < 0x800 or 0xD800 <= code < 0xE000 or code >= 0xFFFE):
        return 0
    return 0 if length == 4 and not 0x10000 <= code < 0x110000 else length


@njit(cache=True)
def _is_new(data: Any, names: Any, count: int) -> bool:
    begin, length = names[count, 0], names[count, 1] - names[count, 0]
    for other in range(count):
        start = names[other, 0]
        if names[other, 1] - start == length:
            same = 0
            while same < length and data[start + same] == data[begin + same]:
                same += 1
            if same == length:
                return False
    return True


@njit(cache=True)
def _read_number(data: Any, begin: int, end: int) -> int:
    if end - begin > _MOST_DIGITS:
        return 0
    number = 0
    for at in range(begin, end):
        if not ord("0") <= data[at] <= ord("9"):
            return 0
        number = number * 10 + data[at] - ord("0")
    return number


@njit(cache=True)
def _skip(data: Any, at: int, end: int, allowed: Any) -> int:
    while at < end and allowed[data[at]]:
        at += 1
    return at


@njit(cache=True)
def _is_at(data: Any, at: int, end: int, text: Any) -> bool:
    return at + len(text) <= end and _is_all(data, at, at + len(text), text)


@njit(cache=True)
def _is_all(data: Any, begin: int, end: int, text: Any) -> bool:
    if end - begin != len(text):
        return False
    for at in range(len(text)):
        if data[begin + at] != text[at]:
            return False
    return True
