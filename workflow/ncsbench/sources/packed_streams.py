"""Reads gzip and tar.gz files of others as a stream to their end, within limits.

Nothing is unpacked to a path. Only at the end of a file does it show whether it is whole.
"""

from __future__ import annotations

import gzip
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, cast

from ncsbench.sources.archive_members import ArchiveError, ArchiveLimits, check_count

_HEADERS = 2**20
"""Bytes that the headers of one member may have, long names among them."""
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
"""What the standard library raises for bytes that are no archive."""


@contextmanager
def damage_named(kinds: tuple[type[Exception], ...] = _DAMAGE) -> Iterator[None]:
    """Make an ``ArchiveError`` of what damaged bytes raise."""
    try:
        yield
    except kinds as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ArchiveError(f"damaged archive ({reason})", retry=True) from error


def iterate_members(
    file: IO[bytes], limits: ArchiveLimits
) -> Iterator[tuple[tarfile.TarInfo, IO[bytes] | None]]:
    """The members of a tar.gz, each with its bytes where it is a file.

    What is not read of a member is read over when the next one is asked for.

    Raises:
        ArchiveError: where it is damaged, has no member or is above a limit.
    """
    with ExitStack() as stack:
        with damage_named():
            stream = _Stream(stack.enter_context(gzip.GzipFile(fileobj=file)), limits)
            tar = stack.enter_context(_open_tar(stream))
        count = 0
        while True:
            with damage_named():
                stream.allow(_HEADERS)
                member = tar.next()
                if member is None:
                    stream.drain()  # the checksum stands at the end
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


def _open_tar(stream: _Stream) -> tarfile.TarFile:
    stream.allow(_HEADERS)
    return tarfile.open(
        fileobj=cast(IO[bytes], stream), mode="r|", encoding="utf-8", errors="surrogateescape"
    )


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
