"""Reads zip archives of a commit: those of GitHub, and of ``git archive --format=zip``."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from ncsbench.sources.archive_attributes import Conversions
from ncsbench.sources.archive_members import (
    OUTSIDE,
    Archive,
    ArchiveError,
    ArchiveLimits,
    check_count,
    check_path,
    find_top_folder,
    list_members,
    resolve_commit,
)
from ncsbench.sources.git_attributes import GitAttributes, is_attributes_file
from ncsbench.sources.source_protocol import (
    JAVA_SUFFIXES,
    NOT_REGULAR,
    ListedFile,
    is_wanted,
    make_printable,
)

_DEFAULT = ArchiveLimits()
_HEAD = "HEAD"
_ENCRYPTED, _SIZES_FOLLOW, _UTF8 = 0x1, 0x8, 0x800
"""Bits of the flags of a member."""
_MOST_ATTRIBUTES = 8 * 2**20
"""Bytes of all .gitattributes files of a commit."""
_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_UNKNOWN = 0xFFFFFFFF
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


def read_zip(
    path: Path,
    *,
    commit: str | None,
    repository: str = "",
    limits: ArchiveLimits = _DEFAULT,
    suffixes: tuple[str, ...] = JAVA_SUFFIXES,
) -> Archive:
    """Open the archive of a commit.

    Args:
        path: the zip.
        commit: as listed: perhaps abbreviated, or the name of a branch or tag; None for ``HEAD``.
        repository: its name, as its top folder may begin where the branch of ``HEAD`` ends it.
        limits: what it may hold.
        suffixes: how the names of the code files end.

    Raises:
        ArchiveError: where it is damaged, of another commit or above a limit.
    """
    with ExitStack() as stack:
        archive = _open(stack, path, limits)
        resolved, remark = resolve_commit(archive.comment.decode("ascii", "replace"), commit)
        of_head = commit in {None, _HEAD} and repository
        prefix = f"{repository}-" if of_head else None
        members = _list_members(archive, (commit or _HEAD, resolved), prefix)
        # Of equal paths the first counts, whatever it is.
        infos = {member.path: info for member, info in reversed(members)}
        done = Conversions(
            GitAttributes(_read_attributes(archive, members)),
            (member.path for member, _ in members if is_wanted(member.path, suffixes)),
            suffixes,
        )
        listing = list_members(
            resolved,
            (member for member, _ in members),
            limits,
            remark=", ".join(filter(None, [remark, done.remark])),
            left_out=done.left_out,
            suffixes=suffixes,
        )
        close = stack.pop_all().close
        return Archive(listing, lambda name: done.undo(name, _read(archive, infos[name])), close)


def _open(stack: ExitStack, path: Path, limits: ArchiveLimits) -> zipfile.ZipFile:
    file = stack.enter_context(path.open("rb"))
    with _damage_named():
        count = _count_entries(file, limits)
        archive = stack.enter_context(zipfile.ZipFile(file))
        found = len(archive.infolist())
        check_count(found, limits)
        if found != count:
            raise zipfile.BadZipFile("other members than it says")
        _check_places(file, archive)
    return archive


def _list_members(
    archive: zipfile.ZipFile, names: tuple[str | None, ...], prefix: str | None
) -> list[tuple[ListedFile, zipfile.ZipInfo]]:
    """All files, with paths below the top folder; those that lie beside it come last."""
    paths = [make_printable(_raw_name(info)) for info in archive.infolist()]
    # A member with a path that is none must not change those of all others.
    safe = (one for one in paths if not check_path(one.removesuffix("/")))
    top = find_top_folder(safe, names, prefix=prefix)
    members = [
        (_describe(info, path.removeprefix(top), beside=not path.startswith(top)), info)
        for info, path in zip(archive.infolist(), paths, strict=True)
        if not path.endswith("/")
    ]
    # Of equal paths the first counts, which must not be one that is not read.
    return sorted(members, key=lambda one: one[0].reason == OUTSIDE)


def _read_attributes(
    archive: zipfile.ZipFile, members: list[tuple[ListedFile, zipfile.ZipInfo]]
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = _MOST_ATTRIBUTES
    for member, info in members:
        if not member.reason and is_attributes_file(member.path, member.bytes):
            left -= member.bytes
            if left < 0:
                raise ArchiveError("too many .gitattributes", retry=False)
            found.setdefault(member.path, _read(archive, info))
    return found


@contextmanager
def _damage_named() -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        reason = " ".join(str(error).split())[:200]
        raise ArchiveError(
            f"damaged archive ({reason or type(error).__name__})", retry=True
        ) from error


def _describe(info: zipfile.ZipInfo, path: str, *, beside: bool) -> ListedFile:
    kind = stat.S_IFMT(info.external_attr >> 16)
    reason = check_path(path) or (OUTSIDE if beside else "")
    # Where it says nothing, a member is a file; git says it of links and of what may be run.
    if not reason and kind not in {0, stat.S_IFREG}:
        reason = NOT_REGULAR
    elif not reason and info.flag_bits & _ENCRYPTED:
        reason = "encrypted in the archive"
    elif not reason and info.compress_type not in _READ:
        reason = f"compressed in a way that is not read ({info.compress_type})"
    return ListedFile(path, info.file_size, reason)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with _damage_named():
        with archive.open(info) as member:
            data = member.read()  # at most as much as it says; checks the CRC at the end
        if len(data) != info.file_size:
            raise zipfile.BadZipFile("a member is shorter than it says")
        return data


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member's name; without the flag for UTF-8, ``zipfile`` reads code page 437."""
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


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
        if file.read(name) != _raw_name(info):
            raise zipfile.BadZipFile("a member's name is not what the directory says")
        end = info.header_offset + _LOCAL.size + name + extra + info.compress_size
    if end > archive.start_dir:
        raise ArchiveError("damaged archive (members overlap)", retry=False)
