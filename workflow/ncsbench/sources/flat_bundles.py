"""Reads the flat bundles of the Software Heritage Vault: a tar.gz of one directory of a commit.

The bundle of ``swh:1:dir:<id>`` holds all files below a folder of that name, as they are in the
commit. What the Vault cannot give has a text in its place, which is not taken for the file.
"""

from __future__ import annotations

import gzip
import re
import struct
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from ncsbench.errors import DataError
from ncsbench.sources.archive_members import (
    Archive,
    ArchiveError,
    ArchiveLimits,
    check_count,
    check_path,
    list_members,
)
from ncsbench.sources.source_protocol import (
    NOT_REGULAR,
    ListedFile,
    check_size,
    is_wanted,
    make_printable,
)

_DEFAULT = ArchiveLimits()
_ROOT = re.compile(r"swh:1:dir:([0-9a-f]{40})")
_NOT_HELD = re.compile(
    rb"This content (ha(s|ve) not been retrieved in (the )?Software Heritage archive due to its"
    rb" size|is (hidden|missing from the Software Heritage archive)).{0,200}",
    re.DOTALL,
)
"""What the Vault writes in place of a file that it does not hold."""
_HEADERS = 2**20
"""Bytes that the headers of one member may have, long names among them."""
_PIECE = 2**16
_DAMAGE = (
    tarfile.TarError,
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


def read_flat_bundle(
    path: Path,
    *,
    commit: str | None = None,
    directory: str | None = None,
    limits: ArchiveLimits = _DEFAULT,
) -> Archive:
    """Open the bundle of a directory.

    A bundle can only be read from its beginning to its end: its Java and licence files lie in a
    nameless temporary file beside it until the archive is closed.

    Args:
        path: the tar.gz.
        commit: in full, whose root the directory is, as Software Heritage says.
        directory: the id of the directory that was asked for.
        limits: what it may hold.

    Raises:
        ArchiveError: where it is damaged, of another directory or above a limit.
        DataError: where the temporary file cannot be written, as when the disk is full.
    """
    with ExitStack() as stack:
        file = stack.enter_context(path.open("rb"))
        spool = stack.enter_context(tempfile.TemporaryFile(dir=path.parent))
        members: list[ListedFile] = []
        places: dict[str, tuple[int, int]] = {}
        try:
            for member, data in _iterate(file, directory, limits):
                members.append(member)
                if member.path not in places:
                    places[member.path] = spool.tell(), len(data)
                    spool.write(data)
                    _check_spooled(spool.tell(), limits)
            spool.flush()
        except OSError as error:  # reading does not raise it
            raise DataError(
                f"{path.parent}: a temporary file cannot be written ({error.strerror})"
            ) from error
        listing = list_members(commit, members, limits)

        def read(name: str) -> bytes:
            start, size = places[name]
            spool.seek(start)
            return spool.read(size)

        return Archive(listing, read, stack.pop_all().close)


def _check_spooled(size: int, limits: ArchiveLimits) -> None:
    """Refuse a bundle while it is read, before the disk is full of it."""
    if size > limits.java_bytes:
        raise ArchiveError(f"too much Java (above {limits.java_bytes} bytes)", retry=False)


def _iterate(
    file: IO[bytes], directory: str | None, limits: ArchiveLimits
) -> Iterator[tuple[ListedFile, bytes]]:
    """The wanted members with their bytes, which are empty where there is a reason."""
    with ExitStack() as stack:
        with _damage_named():
            stream = _Stream(stack.enter_context(gzip.GzipFile(fileobj=file)), limits)
            tar = stack.enter_context(_open_tar(stream))
        count = 0
        while True:
            with _damage_named():
                stream.allow(_HEADERS)
                member = tar.next()
                if member is None:
                    stream.drain()  # the checksum stands at the end
                    break
                # Members are not remembered, which tarfile does for other ways of reading.
                tar.members = []  # type: ignore[attr-defined]
                count += 1
                check_count(count, limits)
                found = _take(tar, stream, member, directory)
            if found is not None:
                yield found
        if count == 0:
            raise ArchiveError("damaged archive (no member)", retry=True)


def _open_tar(stream: _Stream) -> tarfile.TarFile:
    stream.allow(_HEADERS)
    return tarfile.open(
        fileobj=cast(IO[bytes], stream), mode="r|", encoding="utf-8", errors="surrogateescape"
    )


def _take(
    tar: tarfile.TarFile, stream: _Stream, member: tarfile.TarInfo, directory: str | None
) -> tuple[ListedFile, bytes] | None:
    """A wanted member with its bytes; what is not wanted is read over."""
    if member.issparse():  # such a file can be of any length without having a byte
        raise tarfile.ReadError("a sparse member")
    path = _below_root(make_printable(member.name), directory)
    wanted = not member.isdir() and is_wanted(path)
    reason = check_path(path) or ("" if member.isreg() else NOT_REGULAR)
    stream.allow(max(member.size, 0) + _PIECE)
    content = tar.extractfile(member) if member.isreg() else None
    kept = wanted and not reason and not check_size(member.size)
    data = b""
    if content is not None and kept:
        data = content.read()
        if len(data) != member.size:
            raise tarfile.ReadError("unexpected end of data")
    elif content is not None:
        while content.read(_PIECE):
            pass
    if not wanted:
        return None
    if _NOT_HELD.fullmatch(data):
        reason, data = "not held by Software Heritage", b""
    return ListedFile(path, member.size if member.isreg() else 0, reason), data


def _below_root(name: str, directory: str | None) -> str:
    root, _, path = name.partition("/")
    match = _ROOT.fullmatch(root)
    if match is None or (directory is not None and match[1] != directory):
        raise ArchiveError(f"the bundle is of another directory ({root[:80]})", retry=False)
    return path


@contextmanager
def _damage_named() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ArchiveError(f"damaged archive ({reason})", retry=True) from error


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
