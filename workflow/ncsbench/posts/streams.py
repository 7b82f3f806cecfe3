"""A dump as a stream of blocks, plain or decompressed, never extracted to disk."""

from __future__ import annotations

import ctypes
import gzip
import importlib
import logging
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncsbench.errors import DataError

BLOCK = 1 << 18
POSTS_MEMBER, USERS_MEMBER, LINKS_MEMBER = "posts.xml", "users.xml", "postlinks.xml"
"""How the names of members of an archive end, in small letters."""

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"7z\xbc\xaf\x27\x1c", "7z"))


def compression_of(path: Path) -> str | None:
    """``gzip``, ``7z`` or None (plain), told by the first bytes and not by the name.

    Raises:
        DataError: unreadable, or no file (a pipe gives its bytes only once).
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
        member: how the name of that member ends, in small letters.

    Raises:
        DataError: unreadable, damaged or truncated; a 7z archive without one such member.
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
