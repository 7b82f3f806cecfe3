"""Reads gzip, tar.gz and zip files of others as streams within limits, and refuses bombs.

Nothing is unpacked to a path. Only at the end of a gzip file does it show whether it is whole. Of
zips, ``zipfile`` compares checksums; beside that, a directory must not take too much memory, names
must be the same in both places, and no byte be part of two members.
"""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel


class ArchiveError(Exception):
    """An archive that cannot be used; the message becomes the repository's line in the ledger.

    Attributes:
        retry: whether the same archive may be whole when it is asked for again.
    """

    def __init__(self, reason: str, *, retry: bool) -> None:
        super().__init__(reason)
        self.retry = retry


class ArchiveLimits(StrictModel):
    """Limits of an archive; a repository with a larger one is recorded as missing."""

    java_bytes: int = Field(2 * 2**30, ge=1)
    """Most bytes of all Java and licence files of a repository that are read."""
    entries: int = Field(1_000_000, ge=1)
    """Most members of an archive, folders among them."""
    unpacked_bytes: int = Field(64 * 2**30, ge=1)
    """Most bytes of a whole bundle when unpacked: unlike a zip, it cannot be read in part."""


_HEADERS = 2**20
"""Most bytes of the headers of one member, long names among them."""
_PIECE = 2**16
_GZIP = b"\x1f\x8b"
_DAMAGE = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    OverflowError,
    IndexError,
    MemoryError,
)
"""Errors that the standard library raises for bytes that are no archive."""
_DEFAULT = ArchiveLimits()
_ENCRYPTED, _UTF8 = 0x1, 0x800
"""Bits of the flags of a member."""
_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCAL = struct.Struct("<4s22x2H")
_END_BYTES = 22
_ENTRY_BYTES = 256
"""Most bytes of an entry of the directory, on average over the allowed number of entries."""
_BUFFER_BYTES = 2**20


def check_count(entries: int, limits: ArchiveLimits) -> None:
    """Refuse an archive with too many members; ``ArchiveError``."""
    if entries > limits.entries:
        raise ArchiveError(f"too many files (above {limits.entries})", retry=False)


@contextmanager
def damage_named(kinds: tuple[type[Exception], ...] = _DAMAGE) -> Iterator[None]:
    """Raise an ``ArchiveError`` in place of the errors that damaged bytes raise."""
    try:
        yield
    except kinds as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ArchiveError(f"damaged archive ({reason})", retry=True) from error


def iterate_members(
    file: IO[bytes], limits: ArchiveLimits
) -> Iterator[tuple[tarfile.TarInfo, IO[bytes] | None]]:
    """The members of a tar.gz, each with its bytes where it is a file.

    The unread rest of a member is read over when the next member is asked for.

    Raises:
        ArchiveError: where it is damaged, has no member or is above a limit.
    """
    with ExitStack() as stack:
        with damage_named():
            stream = _Stream(stack.enter_context(gzip.GzipFile(fileobj=file)), limits)
            stream.allow(_HEADERS)
            packed = cast(IO[bytes], stream)
            tar = stack.enter_context(
                tarfile.open(fileobj=packed, mode="r|", encoding="utf-8", errors="surrogateescape")
            )
        count = 0
        while True:
            with damage_named():
                stream.allow(_HEADERS)
                member = tar.next()
                if member is None:
                    stream.drain()  # the checksum is at the end
                    break
                # Members are not remembered, which tarfile does for other ways of reading.
                tar.members = []  # type: ignore[attr-defined]
                count += 1
                check_count(count, limits)
                if member.issparse():  # such a file can be of any length without having a byte
                    raise tarfile.ReadError("a sparse member")
                stream.allow(max(member.size, 0) + _PIECE)
                content = tar.extractfile(member) if member.isreg() else None
            yield member, content
            with damage_named():
                while content is not None and content.read(_PIECE):
                    pass
        if count == 0:
            raise ArchiveError("damaged archive (no member)", retry=True)


def read_over(file: IO[bytes], limits: ArchiveLimits) -> None:
    """Read a gzip file to its end; ``ArchiveError`` where it is damaged or above a limit.

    One that unpacks to nothing, or to another gzip file, counts as damaged.
    """
    with damage_named(), gzip.GzipFile(fileobj=file) as packed:
        stream = _Stream(packed, limits)
        stream.allow(limits.unpacked_bytes)
        if (start := stream.read(len(_GZIP))) in {b"", _GZIP}:
            raise ValueError("packed twice" if start else "empty")
        stream.drain()


@dataclass
class _Stream:
    """Unpacked bytes, of which only as many may be read as were allowed."""

    source: gzip.GzipFile
    limits: ArchiveLimits
    total: int = 0
    allowed: int = 0

    def allow(self, count: int) -> None:
        """Let ``count`` more bytes be read than so far."""
        self.allowed = self.total + count

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes, as ``tarfile`` asks for them."""
        data = self.source.read(min(size, _PIECE))
        self.total += len(data)
        if self.total > self.limits.unpacked_bytes:
            raise ArchiveError(
                f"too large when unpacked (above {self.limits.unpacked_bytes} bytes)", retry=False
            )
        if self.total > self.allowed + _PIECE:
            raise tarfile.ReadError("a member is longer than it says")
        return data

    def drain(self) -> None:
        """Read to the end, where the checksum of the whole is compared."""
        while self.read(_PIECE):
            pass


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
    """Find why the bytes of a member cannot be read; empty where they can."""
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
            yield io.BufferedReader(cast(Any, member), _BUFFER_BYTES)


def read_over_zip(path: Path, limits: ArchiveLimits) -> None:
    """Read every member of a zip to its end.

    Raises:
        ArchiveError: where a member is damaged, all are above the limit, or the zip has no member.
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
    """Check that each member has the name that the directory gives, and no byte is part of two."""
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
    """A file whose directory is not read if it is longer than the allowed members need."""

    def __init__(self, file: BinaryIO, limits: ArchiveLimits) -> None:
        self._file = file
        self._limits = limits

    def read(self, size: int = -1) -> bytes:
        check_count(size // _ENTRY_BYTES, self._limits)
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
