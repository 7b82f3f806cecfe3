"""Options of the table that queries are expanded by; the block ``expansion`` of a model file."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel


class ExpansionOptions(StrictModel):
    """How titles and snippets become a table (docs/query-expansion.md)."""

    written: ClassVar[tuple[str, ...]] = (
        *("kept_share", "creations", "declarations"),
        "minimum_titles",
    )
    pairs: str = Field(pattern="^[A-Za-z0-9_-]+$")
    """The set of training pairs in config/pairs that it is made from."""
    words: Literal["split", "whole"] = "split"
    """What the code words are: the words that called names are split into, or the names as they are
    (DEV-86)."""
    kept_share: float = Field(0.5, gt=0, le=1)
    """Share of a snippet's distinct code words, by TF-IDF, that is kept, rounded up (DEV-57)."""
    creations: bool = True
    """Whether ``X`` of ``new X(`` is a name (DEV-56)."""
    declarations: bool = True
    """Whether the name of a declared method is one (DEV-56)."""
    minimum_titles: int = Field(1, ge=1)
    """A lemma of fewer distinct titles has no row (DEV-58)."""


class ExpansionSettings(ExpansionOptions):
    """Settings of the stage ``training expansion``."""

    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that have no row."""
