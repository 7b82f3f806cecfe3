"""Looks at a published input before its first checksum is trusted: is it what it is named?

A body that ended early cannot be told from a whole one where the server says no length, and a page
may come in place of a file.
"""

from __future__ import annotations

from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.questions.question_entries import read_entries
from ncsbench.sources.archive_members import ArchiveError, ArchiveLimits
from ncsbench.sources.packed_streams import iterate_members, read_over
from ncsbench.sources.zip_members import read_over_zip

_DEFAULT = ArchiveLimits()


def find_fault(path: Path, name: str, limits: ArchiveLimits = _DEFAULT) -> str:
    """What speaks against a file of this name; empty where nothing does.

    A ``.json`` file must be one of questions, a ``.tar.gz``, ``.gz`` or ``.zip`` file is read to
    its end, and nothing is known of another.

    Args:
        path: where it lies.
        name: what it is to be called.
        limits: members and bytes that it may unpack to.
    """
    try:
        if name.endswith(".json"):
            kind = "questions in JSON"
            read_entries([path])
        elif name.endswith((".tar.gz", ".tgz")):
            kind = "whole tar.gz file"
            with path.open("rb") as file:
                for _ in iterate_members(file, limits):
                    pass
        elif name.endswith(".gz"):
            kind = "whole gz file"
            with path.open("rb") as file:
                read_over(file, limits)
        elif name.endswith(".zip"):
            kind = "whole zip file"
            read_over_zip(path, limits)
    except (DataError, ArchiveError) as error:
        reason = str(error).removeprefix(f"{path}: ")
        return (
            f"is no {kind} ({reason}), perhaps cut off, or a page or a pointer of Git LFS in its "
            "place"
        )
    return ""
