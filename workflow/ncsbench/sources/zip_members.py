"""Reads zips of others as members that are streams, and refuses bombs.

No member is extracted to a path. ``zipfile`` compares checksums; beside that, a directory must not
take too much memory, names must be the same in both places, and no byte be part of two members.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from ncsbench.sources.archive_members import ArchiveError, ArchiveLimits, check_count
from ncsbench.sources.packed_streams import damage_named

_DEFAULT = ArchiveLimits()
_ENCRYPTED, _UTF8 = 0x1, 0x800
"""Bits of the flags of a member."""
_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCAL = struct.Struct("<4s22x2H")
_END_BYTES = 22
_ENTRY_BYTES = 256
"""Bytes that an entry of the directory may have, where there are as many as are allowed."""
_PIECE = 2**20


def open_zip(stack: ExitStack, path: Path, limits: ArchiveLimits = _DEFAULT) -> zipfile.ZipFile:
    """Open a zip that ``stack`` closes.

    Raises:
        ArchiveError: where it is damaged, has too many members, or some of them overlap.
    """
    file = stack.enter_context(path.open("rb"))
    with damage_named():
        archive = stack.enter_context(zipfile.ZipFile(cast(BinaryIO, _Bounded(file, limits))))
        check_count(len(archive.infolist()), limits)
        file.seek(-_END_BYTES - len(archive.comment), io.SEEK_END)
        end = file.read(_END_BYTES)
        if end[:4] != b"PK\5\6" or int.from_bytes(end[-2:], "little") != len(archive.comment):
            raise zipfile.BadZipFile("cut off")
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
    with damage_named((zipfile.BadZipFile, zlib.error, EOFError)):
        if reason := find_unread(info):
            raise zipfile.BadZipFile(reason)
        with archive.open(info) as member:
            yield io.BufferedReader(cast(Any, member), _PIECE)


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
        with damage_named():
            if bad := archive.testzip():
                raise zipfile.BadZipFile(f"Bad CRC-32 for file {bad!r}")


def raw_name(info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member's name; without the flag for UTF-8, ``zipfile`` reads code page 437."""
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


def _check_places(file: BinaryIO, archive: zipfile.ZipFile) -> None:
    """Each member has the name that the directory says, and no byte is part of two members."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise ArchiveError("damaged archive (members overlap)", retry=False)
        file.seek(info.header_offset)
        signature, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
        if signature != b"PK\3\4" or file.read(name) != raw_name(info):
            raise zipfile.BadZipFile("a member's header is not what the directory says")
        end = info.header_offset + _LOCAL.size + name + extra + info.compress_size
    if end > archive.start_dir:
        raise ArchiveError("damaged archive (members overlap)", retry=False)


class _Bounded:
    """A file whose directory is not read where it is longer than one of so many members."""

    def __init__(self, file: BinaryIO, limits: ArchiveLimits) -> None:
        self._file = file
        self._limits = limits

    def read(self, size: int = -1) -> bytes:
        check_count(size // _ENTRY_BYTES, self._limits)
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
