"""Opens the source that a dataset file names."""

from __future__ import annotations

from ncsbench.corpus.archive_source import ArchiveSource
from ncsbench.corpus.directory_source import DirectorySource
from ncsbench.corpus.git_source import GitSource
from ncsbench.corpus.source_protocol import Source


def open_source(kind: str, path: str) -> Source:
    """The source of a dataset file's ``source`` entry (``kind`` is checked by its schema)."""
    if kind == "archive":
        return ArchiveSource(path)
    return GitSource(path) if kind == "git" else DirectorySource(path)
