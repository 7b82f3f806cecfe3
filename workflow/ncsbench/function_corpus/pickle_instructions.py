"""The instructions of a pickle that make plain values, read as a stream; any other is refused.

A pickle is a program, which may call what it names. Here nothing of it is run.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

LONGEST_VALUE = 64 * 2**20
"""Bytes of one text; a longer one is refused."""
VALUE, PUT, GET = 0, 1, 2
"""A value; a number by which the last one is known from then on; the number of one to be taken."""
MARK, STOP, APPEND, APPENDS, SETITEM, SETITEMS = b"(.aesu"
EMPTY_LIST, EMPTY_DICT, EMPTY_TUPLE, LIST, DICT, TUPLE = b"]})ldt"
TUPLES = {0x85: 1, 0x86: 2, 0x87: 3}
"""What makes a tuple of so many values."""
_STRUCTURE = frozenset([*b"(.aesu]})ldt", *TUPLES])
_PIECE = 2**20
_LEAST = 9
"""Bytes of an instruction with an argument of fixed length, at most."""
_LONGEST_NAME = 200

_BINUNICODE, _SHORT_BINUNICODE, _MEMOIZE = ord("X"), 0x8C, 0x94
_BINPUT, _LONG_BINPUT, _BINGET, _LONG_BINGET = b"qrhj"
_BINUNICODE8, _LONG1, _LONG4, _BINFLOAT = 0x8D, 0x8A, 0x8B, ord("G")
_SKIPPED = {0x80: 1, 0x95: 8}
"""The protocol, and the length of a frame: nothing depends on them."""
_SIZED = {_BINUNICODE8: 8, ord("B"): 4, ord("C"): 1, 0x8E: 8, _LONG1: 1, _LONG4: 4}
"""Texts, bytes and large numbers, with how many bytes say their length."""
_INTEGERS = {ord("K"): 1, ord("M"): 2, ord("J"): 4}
_CONSTANTS = {ord("N"): None, 0x88: True, 0x89: False}
_GLOBAL, _INST, _STACK_GLOBAL = ord("c"), ord("i"), 0x93
_CALLS = {
    **{ord("R"): "REDUCE", ord("b"): "BUILD", ord("o"): "OBJ", 0x81: "NEWOBJ", 0x92: "NEWOBJ_EX"},
    **{0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4", ord("P"): "PERSID", ord("Q"): "BINPERSID"},
}
_NOT_PLAIN = {
    **{ord("0"): "POP", ord("1"): "POP_MARK", ord("2"): "DUP", 0x8F: "EMPTY_SET"},
    **{0x90: "ADDITEMS", 0x91: "FROZENSET", 0x96: "BYTEARRAY8", 0x97: "NEXT_BUFFER"},
    0x98: "READONLY_BUFFER",
}
_OLD = frozenset(b"ILFSVTUpg")
"""Instructions of protocols 0 and 1, and of texts of Python 2."""


class PickleError(Exception):
    """Why a pickle is not read, in a line without its name."""


def read_instructions(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """What the instructions of a pickle come down to, up to the end of the file.

    Pairs of ``VALUE``, ``PUT``, ``GET`` or the byte of an instruction that makes containers, and
    the value or number.

    Raises:
        PickleError: for any other instruction, and where the file does not end with ``STOP``.
    """
    window = _Window(file)
    try:
        yield from _read(window)
    except (IndexError, struct.error):
        raise PickleError("ends early") from None
    if window.data or file.read(1):
        raise PickleError(f"goes on after its end, at byte {window.offset}")


@dataclass
class _Window:
    """The bytes of a pickle from a place on.

    Attributes:
        file: has the bytes behind.
        data: from the place on.
        offset: the place in the pickle.
    """

    file: BinaryIO
    data: bytes = b""
    offset: int = 0

    def move(self, at: int, size: int) -> bytes:
        """The bytes from a place in ``data`` on: at least so many, or all that there are."""
        self.offset += at
        self.data = self.data[at:]
        if len(self.data) < size:
            self.data += self.file.read(max(size, _PIECE))
        return self.data

    def take(self, at: int, size: int) -> bytes:
        """As ``move``, for a value that must be there."""
        if size > LONGEST_VALUE:
            raise PickleError(f"has a value of {size} bytes, at byte {self.offset + at}")
        if len(self.move(at, size)) < size:
            raise PickleError("ends early")
        return self.data


def _read(window: _Window) -> Iterator[tuple[int, Any]]:
    data, at, puts = b"", 0, 0
    before = last = ""
    while True:
        if len(data) - at < _LEAST:
            data, at = window.move(at, _LEAST), 0
        code = data[at]
        at += 1
        # In the order in which they are frequent.
        if code in {_BINUNICODE, _SHORT_BINUNICODE}:
            width = 4 if code == _BINUNICODE else 1
            size = int.from_bytes(data[at : at + width], "little")
            at += width
            if len(data) - at < size:
                data, at = window.take(at, size), 0
            before, last = last, str(data[at : at + size], "utf-8", "replace")
            at += size
            yield VALUE, last
        elif code in {_BINPUT, _BINGET}:
            yield (PUT if code == _BINPUT else GET), data[at]
            at += 1
        elif code in {_LONG_BINPUT, _LONG_BINGET}:
            number = int.from_bytes(data[at : at + 4], "little")
            yield (PUT if code == _LONG_BINPUT else GET), number
            at += 4
        elif code == _MEMOIZE:
            yield PUT, puts
            puts += 1
        elif code in _STRUCTURE:
            yield code, None
            if code == STOP:
                window.move(at, 0)
                return
        elif code in _SKIPPED:
            at += _SKIPPED[code]
        else:
            data, at, value = _read_value(window, code, at, [before, last])
            yield VALUE, value


def _read_value(window: _Window, code: int, at: int, names: list[str]) -> tuple[bytes, int, Any]:
    """A value other than a short text; with the bytes from there on, and how many it took."""
    if code in _CONSTANTS:
        return window.data, at, _CONSTANTS[code]
    if code in _INTEGERS:
        end = at + _INTEGERS[code]
        number = int.from_bytes(window.data[at:end], "little", signed=end - at == 4)
        return window.data, end, number
    if code == _BINFLOAT:
        return window.data, at + 8, struct.unpack_from(">d", window.data, at)[0]
    if code in _SIZED:
        width = _SIZED[code]
        size = int.from_bytes(window.data[at : at + width], "little")
        data = window.take(at + width, size)
        return data, size, _make_value(code, data[:size])
    place = window.offset + at - 1
    if code in {_GLOBAL, _INST}:
        lines = window.move(at, 2 * _LONGEST_NAME)[: 2 * _LONGEST_NAME].split(b"\n")
        names = [str(one, "utf-8", "replace") for one in lines[:2]]
    raise PickleError(_explain(code, names, place))


def _make_value(code: int, data: bytes) -> Any:
    if code == _BINUNICODE8:
        return str(data, "utf-8", "replace")
    if code in {_LONG1, _LONG4}:
        return int.from_bytes(data, "little", signed=True)
    return data


def _explain(code: int, names: list[str], place: int) -> str:
    """Why an instruction is not followed, in one line whatever the names are."""
    if code in {_GLOBAL, _INST, _STACK_GLOBAL}:
        name = ".".join(names).encode("unicode_escape").decode("ascii")[:_LONGEST_NAME]
        return f"names {name}, at byte {place}; only plain values are read, and no class"
    if code in _CALLS:
        return f"calls something ({_CALLS[code]}), at byte {place}; only plain values are read"
    if code in _NOT_PLAIN:
        return f"has more than lists, dictionaries and texts ({_NOT_PLAIN[code]}), at byte {place}"
    if code in _OLD:
        return f"is of protocol 0 or 1, or of Python 2 (instruction {chr(code)!r}), at byte {place}"
    return f"is no pickle, or a damaged one (byte {code:#04x} at {place})"
