"""What a corpus is made from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel

Duplicates = Literal["kept", "equal_words"]
"""Whether a corpus keeps methods with the words of an earlier one."""


class SourceOptions(StrictModel):
    """Where the Java files are read from; the block ``source`` of a dataset file."""

    kind: Literal["directory", "git"]
    """``directory``: one folder ``<path>/<owner>/<repo>`` each; ``git``: local clones, bare or with
    .git inside, read at the listed commit."""
    path: str = Field(min_length=1)
    """The folder, or for ``git`` a template with ``{owner}`` and ``{repo}``."""


class CorpusSettings(StrictModel):
    """Settings of the stages ``corpus extract`` and ``corpus build``."""

    repositories: str
    """The list of repositories."""
    source: SourceOptions
    """Where their files are."""
    shards: int = Field(ge=1)
    """Number of parts the corpus is worked on in."""
    duplicates: Duplicates = "kept"
    """Which methods are left out."""
