"""Options of ``given_run``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class GivenRunOptions(RankerOptions):
    """A run made elsewhere; ``ncsbench runs add`` writes such a file (docs/add-a-model.md)."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    files: ClassVar[tuple[str, ...]] = ("run", "questions")
    given: ClassVar[bool] = True
    run: str = Field(min_length=1)
    """The run, in the format of TREC: its documents are method ids of this corpus, or say where
    methods stand, ``owner/repo/path/File.java:12``."""
    questions: str = Field(min_length=1)
    """Which questions it answers: a CSV file with the number of each one and the beginning of the
    SHA-256 of its title."""
    corpus: str = Field(pattern="^[0-9a-f]{64}$")
    """Hash of the corpus that was searched; in every other one the model ends in one line."""


OPTIONS = GivenRunOptions
