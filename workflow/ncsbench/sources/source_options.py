"""Where Java files are read from."""

from __future__ import annotations

from typing import Literal

from ncsbench.configuration.strict_model import StrictModel


class SourceOptions(StrictModel):
    """Where the Java files are read from; the block ``source`` of a dataset file."""

    kind: Literal["directory", "git", "archive"]
    """``directory``: one folder ``<path>/<owner>/<repo>`` each; ``git``: local clones, bare or with
    .git inside, read at the listed commit; ``archive``: a store of archives (docs/archives.md)."""
    path: str = ""
    """The folder, or for ``git`` a template with ``{owner}`` and ``{repo}``; for ``archive`` the
    folder of the store, ``data/stores/<name of the dataset>`` where it is not given."""


class ListSettings(StrictModel):
    """Settings of the stages ``list_files`` and ``licences``."""

    repositories: str
    """The list of repositories."""
    source: SourceOptions
    """Where their files are."""
