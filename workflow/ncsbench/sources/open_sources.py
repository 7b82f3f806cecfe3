"""Opens the source that a dataset file names."""

from __future__ import annotations

from collections.abc import Mapping

from ncsbench.sources.archive_source import ArchiveSource
from ncsbench.sources.directory_source import DirectorySource
from ncsbench.sources.git_source import GitSource
from ncsbench.sources.source_protocol import JAVA_SUFFIXES, Source


def open_source(
    kind: str,
    path: str,
    resolved: Mapping[tuple[str, str], str] | None = None,
    suffixes: tuple[str, ...] = JAVA_SUFFIXES,
) -> Source:
    """The source of a dataset file's ``source`` entry.

    Args:
        kind: is checked by the schema of dataset files.
        path: where it lies.
        resolved: commits that names in clones stand for, by ``owner/name`` and name.
        suffixes: how the names of the code files end.
    """
    if kind == "archive":
        return ArchiveSource(path, suffixes)
    if kind == "git":
        return GitSource(path, resolved or {}, suffixes)
    return DirectorySource(path, suffixes)
