"""Reads zips of others as members that are streams, and refuses those that lie about them.

No member is extracted to a path.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from ncsbench.sources.archive_members import ArchiveError, ArchiveLimits, check_count

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_DEFAULT = ArchiveLimits()
_ENCRYPTED, _SIZES_FOLLOW, _UTF8 = 0x1, 0x8, 0x800
"""Bits of the flags of a member."""
_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_UNKNOWN = 0xFFFFFFFF
_PIECE = 2**20
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,  # NotImplementedError among them
    OverflowError,
    IndexError,
    MemoryError,
)
"""What the standard library raises for bytes that are no zip."""


def open_zip(stack: ExitStack, path: Path, limits: ArchiveLimits = _DEFAULT) -> zipfile.ZipFile:
    """Open a zip that ``stack`` closes.

    Raises:
        ArchiveError: where it is damaged, has too many members, or some of them overlap.
    """
    file = stack.enter_context(path.open("rb"))
    with damage_named():
        count = _count_entries(file, limits)
        archive = stack.enter_context(zipfile.ZipFile(file))
        found = len(archive.infolist())
        check_count(found, limits)
        if found != count:
            raise zipfile.BadZipFile("other members than it says")
        _check_places(file, archive)
    return archive


def find_unread(info: zipfile.ZipInfo) -> str:
    """Why the bytes of a member cannot be read; empty where they can."""
    if info.flag_bits & _ENCRYPTED:
        return "encrypted in the archive"
    if info.compress_type not in _READ:
        return f"compressed in a way that is not read ({info.compress_type})"
    return ""


@contextmanager
def open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[BinaryIO]:
    """The bytes of a member as a stream, at most as many as it says.

    Only at its end does it show whether they are whole; ``ArchiveError`` where they are not.
    """
    with damage_named():
        if reason := find_unread(info):
            raise zipfile.BadZipFile(reason)
        member = archive.open(info)
    with member, io.BufferedReader(_Member(member, info.file_size), _PIECE) as stream:
        yield stream


def read_over_zip(path: Path, limits: ArchiveLimits) -> None:
    """Read every member of a zip to its end.

    Raises:
        ArchiveError: where one is damaged, all are above the limit, or there is none.
    """
    with ExitStack() as stack:
        archive = open_zip(stack, path, limits)
        members = archive.infolist()
        if not members:
            raise ArchiveError("damaged archive (no member)", retry=True)
        if sum(info.file_size for info in members) > limits.unpacked_bytes:
            raise ArchiveError(
                f"too large when unpacked (above {limits.unpacked_bytes} bytes)", retry=False
            )
        for info in members:
            with open_member(archive, info) as stream:
                while stream.read(_PIECE):
                    pass


@contextmanager
def damage_named() -> Iterator[None]:
    """Make an ``ArchiveError`` of what damaged bytes raise."""
    try:
        yield
    except _DAMAGE as error:
        reason = " ".join(str(error).split())[:200]
        raise ArchiveError(
            f"damaged archive ({reason or type(error).__name__})", retry=True
        ) from error


def raw_name(info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member's name; without the flag for UTF-8, ``zipfile`` reads code page 437."""
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


class _Member(io.RawIOBase):
    """Damage has one kind of error, and an early end is one."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        self._source = source
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        with damage_named():
            view = memoryview(buffer).cast("B")
            data = self._source.read(len(view))
            self._left -= len(data)
            if not data and self._left:
                raise zipfile.BadZipFile("a member is shorter than it says")
            view[: len(data)] = data
            return len(data)


def _count_entries(file: BinaryIO, limits: ArchiveLimits) -> int:
    """How many members the end of the archive says there are, before all are read into memory."""
    size = file.seek(0, 2)
    start = max(0, size - _END.size - 0xFFFF - _LOCATOR.size)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        raise zipfile.BadZipFile("no end of the archive")
    _, _, _, _, count, directory, _, comment = _END.unpack_from(tail, at)
    if len(tail) < at + _END.size + comment:
        raise zipfile.BadZipFile("cut off")
    if at >= _LOCATOR.size:
        signature, _, offset, _ = _LOCATOR.unpack_from(tail, at - _LOCATOR.size)
        if signature == b"PK\6\7":
            file.seek(offset)
            large = _END_64.unpack(file.read(_END_64.size))
            count, directory = large[7], large[8]
    # A liar has few members and a long directory of them.
    check_count(max(count, directory // 256), limits)
    return int(count)


def _check_places(file: BinaryIO, archive: zipfile.ZipFile) -> None:
    """Each member has the header that the directory says, and no byte is part of two members."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise ArchiveError("damaged archive (members overlap)", retry=False)
        file.seek(info.header_offset)
        signature, _, flags, method, _, _, *numbers, name, extra = _LOCAL.unpack(
            file.read(_LOCAL.size)
        )
        expected = [info.CRC, info.compress_size, info.file_size]
        same = all(
            one in {other, _UNKNOWN} or (one == 0 and flags & _SIZES_FOLLOW)
            for one, other in zip(numbers, expected, strict=True)
        )
        if (signature, flags, method) != (
            b"PK\3\4",
            info.flag_bits,
            info.compress_type,
        ) or not same:
            raise zipfile.BadZipFile("a member's header is not what the directory says")
        if file.read(name) != raw_name(info):
            raise zipfile.BadZipFile("a member's name is not what the directory says")
        end = info.header_offset + _LOCAL.size + name + extra + info.compress_size
    if end > archive.start_dir:
        raise ArchiveError("damaged archive (members overlap)", retry=False)
