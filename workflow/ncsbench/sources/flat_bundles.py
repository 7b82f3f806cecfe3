"""Reads the flat bundles of the Software Heritage Vault: a tar.gz of one directory of a commit.

The bundle of ``swh:1:dir:<id>`` holds all files below a folder of that name, as they are in the
commit. What the Vault cannot give has a text in its place, which is not taken for the file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from ncsbench.errors import DataError
from ncsbench.sources.archive_members import (
    Archive,
    ArchiveError,
    ArchiveLimits,
    check_path,
    list_members,
)
from ncsbench.sources.packed_streams import damage_named, iterate_members
from ncsbench.sources.source_protocol import (
    JAVA_SUFFIXES,
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


def read_flat_bundle(
    path: Path,
    *,
    commit: str | None = None,
    directory: str | None = None,
    limits: ArchiveLimits = _DEFAULT,
    suffixes: tuple[str, ...] = JAVA_SUFFIXES,
) -> Archive:
    """Open the bundle of a directory.

    A bundle can only be read from its beginning to its end: its Java and licence files lie in a
    nameless temporary file beside it until the archive is closed.

    Args:
        path: the tar.gz.
        commit: in full, whose root the directory is, as Software Heritage says.
        directory: the id of the directory that was asked for.
        limits: what it may hold.
        suffixes: how the names of the code files end.

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
            for member, data in _iterate(file, directory, limits, suffixes):
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
        listing = list_members(commit, members, limits, suffixes=suffixes)

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
    file: IO[bytes], directory: str | None, limits: ArchiveLimits, suffixes: tuple[str, ...]
) -> Iterator[tuple[ListedFile, bytes]]:
    """The wanted members with their bytes, which are empty where there is a reason."""
    for member, content in iterate_members(file, limits):
        path = _below_root(make_printable(member.name), directory)
        if member.isdir() or not is_wanted(path, suffixes):
            continue
        reason = check_path(path) or (NOT_REGULAR if content is None else "")
        data = b""
        if content is not None and not reason and not check_size(member.size):
            with damage_named():
                data = content.read()
        if _NOT_HELD.fullmatch(data):
            reason, data = "not held by Software Heritage", b""
        yield ListedFile(path, 0 if content is None else member.size, reason), data


def _below_root(name: str, directory: str | None) -> str:
    root, _, path = name.partition("/")
    match = _ROOT.fullmatch(root)
    if match is None or (directory is not None and match[1] != directory):
        raise ArchiveError(f"the bundle is of another directory ({root[:80]})", retry=False)
    return path
