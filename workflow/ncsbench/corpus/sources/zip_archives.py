"""Reads archives of a commit: zips of GitHub or ``git archive``, bundles of Software Heritage.

The flat bundle of ``swh:1:dir:<id>`` is a tar.gz of one directory of a commit: all files below a
folder of that name, as they are in the commit. For a file that the Vault cannot give, it writes a
text, which is not taken for the file.
"""

from __future__ import annotations

import re
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from ncsbench.corpus.sources.archive_attributes import (
    Conversions,
    is_attributes_file,
    read_attributes,
)
from ncsbench.corpus.sources.packed_streams import (
    ArchiveError,
    ArchiveLimits,
    damage_named,
    find_unread,
    iterate_members,
    open_zip,
    raw_name,
)
from ncsbench.corpus.sources.repositories import is_exact
from ncsbench.corpus.sources.source_protocol import (
    NOT_REGULAR,
    ListedFile,
    Listing,
    check_size,
    is_wanted,
    make_listing,
    make_printable,
)
from ncsbench.errors import DataError

_DEFAULT = ArchiveLimits()
_HEAD = "HEAD"
_MOST_ATTRIBUTES = 8 * 2**20
"""Most bytes of all .gitattributes files of a commit."""
_ROOT = re.compile(r"swh:1:dir:([0-9a-f]{40})")
_NOT_HELD = re.compile(
    rb"This content (ha(s|ve) not been retrieved in (the )?Software Heritage archive due to its"
    rb" size|is (hidden|missing from the Software Heritage archive)).{0,200}",
    re.DOTALL,
)
"""Text that the Vault writes in place of a file that it does not hold."""
_UNSAFE_PATH = "unsafe path"
"""Reason of a path that is absolute, or has an empty part, ``.`` or ``..``: git makes no commit
with such paths."""
_OUTSIDE = "outside the top folder"
"""Reason of a member beside the folder that is named after the commit: it is no file of the
commit."""
_FULL_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SOME_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True)
class Archive:
    """An open archive, as a list of its Java and licence files and a way to read one of them.

    Attributes:
        listing: contents of the archive; a file without a reason can be read.
        read: the bytes of such a file by its path, as they are in the commit as far as that is
            known; ``ArchiveError`` where they are not whole.
    """

    listing: Listing
    read: Callable[[str], bytes]


def _list_wanted(
    commit: str | None,
    members: Iterable[ListedFile],
    limits: ArchiveLimits,
    *,
    remark: str = "",
    left_out: Iterable[ListedFile] = (),
) -> Listing:
    """The listing of an archive from those of its members that are wanted, in its order.

    Args:
        commit: commit of the archive.
        members: files of the archive.
        limits: limits of the archive.
        remark: remark of the ledger on the archive.
        left_out: entries about files that the archive lacks, with their reasons.

    Raises:
        ArchiveError: where its Java and licence files are larger than the limit as a whole.
    """
    wanted = [one for one in members if is_wanted(one.path)]
    listing = make_listing(commit, [*wanted, *left_out])
    total = sum(file.bytes for file in (*listing.files, *listing.licences) if not file.reason)
    if total > limits.java_bytes:
        raise ArchiveError(
            f"too much Java ({total} bytes, at most {limits.java_bytes})", retry=False
        )
    return replace(listing, remark=remark)


def _check_path(path: str) -> str:
    """Give the reason why a member's path cannot be one of a commit; empty where it can.

    A backslash is a character like others, as it is in git: no path of a member becomes one of this
    machine.
    """
    parts = path.split("/")
    unsafe = "\0" in path or any(part in {"", ".", ".."} for part in parts)
    return _UNSAFE_PATH if unsafe else ""


def _resolve_commit(found: str, listed: str | None) -> tuple[str | None, str]:
    """The commit of an archive, and a remark where the archive names none.

    Args:
        found: the commit that the archive names; empty where it names none.
        listed: a commit, perhaps abbreviated; or a branch, a tag or None, which any commit fits.

    Raises:
        ArchiveError: where the archive is one of another commit.
    """
    is_commit = listed is not None and _SOME_COMMIT.fullmatch(listed)
    if not _FULL_COMMIT.fullmatch(found):
        return (listed if is_commit else None), "the archive names no commit"
    if listed is not None and is_commit and not found.startswith(listed):
        raise ArchiveError(f"the archive is of another commit ({found})", retry=False)
    return found, ""


def _find_top_folder(
    paths: Iterable[str], names: Iterable[str | None], *, prefix: str | None = None
) -> str:
    """The folder ``<repo>-<commit or ref>/`` that holds all members; empty without one.

    Only the end of its name counts, since the archive of a repository that was renamed has the new
    name. Another folder that happens to hold everything is part of the repository. One that ends in
    the full commit counts whatever lies beside it: no commit has a file that is named after it.

    Args:
        paths: of all members; folders end in ``/``.
        names: of the commit: as listed, and in full.
        prefix: what a folder may begin with instead, in any case, where the end is not known.
    """
    known = [name for name in names if name]
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    exact = [top for top in tops if any(is_exact(one) and top.endswith(f"-{one}") for one in known)]
    if len(exact) == 1:
        return f"{exact[0]}/"
    top = tops.pop() if len(tops) == 1 else ""
    named = any(_ends_in(top, name) for name in known)
    if not named and prefix is not None:
        named = top.lower().startswith(prefix.lower())
    return f"{top}/" if top and named else ""


def _ends_in(top: str, name: str) -> bool:
    # Of a tag v1.0 the folder is <repo>-1.0.
    written = name.replace("/", "-")
    if top.endswith((f"-{written}", f"-{written.removeprefix('v')}")):
        return True
    last = top.rpartition("-")[2]
    return bool(_SOME_COMMIT.fullmatch(last) and _SOME_COMMIT.fullmatch(name)) and name.startswith(
        last
    )


@contextmanager
def read_zip(
    path: Path,
    *,
    commit: str | None,
    repository: str = "",
    limits: ArchiveLimits = _DEFAULT,
) -> Iterator[Archive]:
    """Open the archive of a commit.

    Args:
        path: the zip.
        commit: as listed: perhaps abbreviated, or the name of a branch or tag; None for ``HEAD``.
        repository: its name, as its top folder may begin where the branch of ``HEAD`` ends it.
        limits: limits of the archive.

    Raises:
        ArchiveError: where it is damaged, of another commit or above a limit.
    """
    with ExitStack() as stack:
        archive = open_zip(stack, path, limits)
        resolved, remark = _resolve_commit(archive.comment.decode("ascii", "replace"), commit)
        of_head = commit in {None, _HEAD} and repository
        prefix = f"{repository}-" if of_head else None
        members = _list_members(archive, (commit or _HEAD, resolved), prefix)
        # Of equal paths the first counts, whatever it is.
        infos = {member.path: info for member, info in reversed(members)}
        done = Conversions(
            read_attributes(_find_attributes(archive, members)),
            (member.path for member, _ in members if is_wanted(member.path)),
        )
        listing = _list_wanted(
            resolved,
            (member for member, _ in members),
            limits,
            remark=", ".join(filter(None, [remark, done.remark])),
            left_out=done.left_out,
        )
        yield Archive(listing, lambda name: done.undo(name, _read(archive, infos[name])))


def _list_members(
    archive: zipfile.ZipFile, names: tuple[str | None, ...], prefix: str | None
) -> list[tuple[ListedFile, zipfile.ZipInfo]]:
    """All files, with paths below the top folder; those that lie beside it come last."""
    paths = [make_printable(raw_name(info)) for info in archive.infolist()]
    # A member with an impossible path must not change the paths of all others.
    safe = (one for one in paths if not _check_path(one.removesuffix("/")))
    top = _find_top_folder(safe, names, prefix=prefix)
    members = [
        (_describe(info, path.removeprefix(top), beside=not path.startswith(top)), info)
        for info, path in zip(archive.infolist(), paths, strict=True)
        if not path.endswith("/")
    ]
    # Of equal paths the first counts, which must not be one that is not read.
    return sorted(members, key=lambda one: one[0].reason == _OUTSIDE)


def _find_attributes(
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


def _describe(info: zipfile.ZipInfo, path: str, *, beside: bool) -> ListedFile:
    kind = stat.S_IFMT(info.external_attr >> 16)
    reason = _check_path(path) or (_OUTSIDE if beside else "")
    # Where it says nothing, a member is a file; git says it of links and of what may be run.
    if not reason and kind not in {0, stat.S_IFREG}:
        reason = NOT_REGULAR
    return ListedFile(path, info.file_size, reason or find_unread(info))


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with damage_named():
        with archive.open(info) as member:
            data = member.read()  # at most as much as it says; checks the CRC at the end
        if len(data) != info.file_size:
            raise zipfile.BadZipFile("a member is shorter than it says")
        return data


@contextmanager
def read_flat_bundle(
    path: Path,
    *,
    commit: str | None = None,
    directory: str | None = None,
    limits: ArchiveLimits = _DEFAULT,
) -> Iterator[Archive]:
    """Open the bundle of a directory.

    A bundle can only be read from its beginning to its end: its Java and licence files lie in a
    nameless temporary file beside it until the archive is closed.

    Args:
        path: the tar.gz.
        commit: in full, whose root the directory is, as Software Heritage says.
        directory: the id of the directory that was asked for.
        limits: limits of the archive.

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
            for member, data in _iterate_bundle(file, directory, limits):
                members.append(member)
                if member.path not in places:
                    places[member.path] = spool.tell(), len(data)
                    spool.write(data)
                    if spool.tell() > limits.java_bytes:  # before the disk is full of it
                        raise ArchiveError(
                            f"too much Java (above {limits.java_bytes} bytes)", retry=False
                        )
            spool.flush()
        except OSError as error:  # reading does not raise it
            raise DataError(
                f"{path.parent}: a temporary file cannot be written ({error.strerror})"
            ) from error
        listing = _list_wanted(commit, members, limits)

        def read(name: str) -> bytes:
            start, size = places[name]
            spool.seek(start)
            return spool.read(size)

        yield Archive(listing, read)


def _iterate_bundle(
    file: IO[bytes], directory: str | None, limits: ArchiveLimits
) -> Iterator[tuple[ListedFile, bytes]]:
    """The wanted members with their bytes, which are empty where there is a reason."""
    for member, content in iterate_members(file, limits):
        path = _below_root(make_printable(member.name), directory)
        if member.isdir() or not is_wanted(path):
            continue
        reason = _check_path(path) or (NOT_REGULAR if content is None else "")
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
