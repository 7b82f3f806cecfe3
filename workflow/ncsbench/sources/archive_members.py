"""What an archive of a repository holds for the corpus, whatever its format.

Archives are hostile input: no member is ever extracted to a path, and what cannot be read ends in
an ``ArchiveError``, or in a line of the ledger where it is a single file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.sources.repositories import is_exact
from ncsbench.sources.source_protocol import ListedFile, Listing, is_wanted, make_listing

UNSAFE_PATH = "unsafe path"
"""Absolute, or with an empty part, ``.`` or ``..``: git makes no commit with such paths."""
OUTSIDE = "outside the top folder"
"""Beside the folder that is named after the commit: none of its files."""
_FULL_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SOME_COMMIT = re.compile(r"[0-9a-f]{7,64}")


class ArchiveError(Exception):
    """An archive that cannot be used; the message becomes the repository's line in the ledger.

    Attributes:
        retry: whether the same archive may be whole when it is asked for again.
    """

    def __init__(self, reason: str, *, retry: bool) -> None:
        super().__init__(reason)
        self.retry = retry


class ArchiveLimits(StrictModel):
    """What an archive may hold at most; beyond, the repository is recorded as missing."""

    java_bytes: int = Field(2 * 2**30, ge=1)
    """Bytes of all Java and licence files of a repository that are read."""
    entries: int = Field(1_000_000, ge=1)
    """Members of an archive, folders among them."""
    unpacked_bytes: int = Field(64 * 2**30, ge=1)
    """Bytes of a whole bundle when unpacked: unlike a zip, it cannot be read in part."""


@dataclass(frozen=True)
class Archive:
    """An open archive, as a list of its Java and licence files and a way to read one of them.

    Attributes:
            listing: what the archive holds; a file without a reason can be read.
            read: the bytes of such a file by its path, as they are in the commit as far as that is
    known; ``ArchiveError`` where they are not whole.
    """

    listing: Listing
    read: Callable[[str], bytes]


def list_members(
    commit: str | None,
    members: Iterable[ListedFile],
    limits: ArchiveLimits,
    *,
    remark: str = "",
    left_out: Iterable[ListedFile] = (),
) -> Listing:
    """The listing of an archive from those of its members that are wanted, in its order.

    Args:
        commit: that it is of.
        members: what it holds.
        limits: what it may hold.
        remark: what the ledger says of it.
        left_out: lines for what it does not hold.

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


def check_count(entries: int, limits: ArchiveLimits) -> None:
    """Refuse an archive with too many members; ``ArchiveError``."""
    if entries > limits.entries:
        raise ArchiveError(f"too many files (above {limits.entries})", retry=False)


def check_path(path: str) -> str:
    """Why a member's path cannot be one of a commit; empty where it can.

    A backslash is a character like others, as it is in git: no path of a member becomes one of this
    machine.
    """
    parts = path.split("/")
    unsafe = "\0" in path or any(part in {"", ".", ".."} for part in parts)
    return UNSAFE_PATH if unsafe else ""


def resolve_commit(found: str, listed: str | None) -> tuple[str | None, str]:
    """The commit of an archive, and a remark where the archive names none.

    Args:
        found: what the archive says, empty where it says nothing.
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


def find_top_folder(
    paths: Iterable[str], names: Iterable[str | None], *, prefix: str | None = None
) -> str:
    """The folder ``<repo>-<commit or ref>/`` that all members lie in; empty where there is none.

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
