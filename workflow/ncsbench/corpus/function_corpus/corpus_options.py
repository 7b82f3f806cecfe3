"""Options of a corpus of functions (repositories, pairs, parts), and settings of its stages."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Names, Share, StrictModel
from ncsbench.code.functions.registry import Rules
from ncsbench.corpus.sources.source_protocol import SourceOptions

PARTS = ("train", "valid", "test")

PERMISSIVE = (
    *("0BSD", "AFL-3.0", "Apache-2.0", "Artistic-2.0", "BSD-2-Clause", "BSD-3-Clause"),
    *("BSD-3-Clause-Clear", "BSL-1.0", "CC0-1.0", "ECL-2.0", "ISC", "MIT", "MIT-0", "MS-PL"),
    *("NCSA", "PostgreSQL", "Unlicense", "UPL-1.0", "WTFPL", "Zlib"),
)
"""SPDX ids of licences under which parts may be handed on without a condition on the work that the
parts become part of (DEV-130)."""


class RepositoryFilters(StrictModel):
    """Filters of the listed repositories; a column that the list lacks filters nothing."""

    forks: Literal["left_out", "kept"] = "left_out"
    """Forks, known by the column ``fork``, are left out or kept."""
    licences: Names = PERMISSIVE
    """SPDX ids in any letter case, by column ``licence``; an empty list takes every licence."""
    dependants: int = Field(1, ge=0)
    """Least number of other projects that use the repository, by the column ``dependants``."""


class PairFilters(StrictModel):
    """Filters of the documented functions that are pairs (paper, section 2.1; DEV-131)."""

    docstring_tokens: int = Field(3, ge=1)
    """Least number of tokens of the documentation."""
    lines: int = Field(3, ge=1)
    """Least number of lines of the function."""
    name: str = "test"
    """A function whose name contains this text in any letter case is no pair; empty for no such
    filter."""


class DuplicateOptions(StrictModel):
    """Near-duplicate functions, of which one stays (DEV-133)."""

    kept: Literal["one", "all"] = "one"
    """``one``: one function of each cluster stays; ``all`` removes nothing."""
    set_jaccard: Share = 0.8
    """Least similarity of the sets of identifiers."""
    multiset_jaccard: Share = 0.7
    """Least similarity of the multisets of identifiers."""
    minimum: int = Field(10, ge=1)
    """Functions with fewer identifiers, repetitions counted, are near to no other."""
    fewer: Rules = "as_meant"
    """Functions with fewer identifiers: ``as_released`` drops them, ``as_meant`` keeps them."""


class PartShares(StrictModel):
    """Shares of the repositories in each part, where the list does not name the part."""

    train: int = Field(80, ge=0)
    """Per cent."""
    valid: int = Field(10, ge=0)
    """Per cent."""
    test: int = Field(10, ge=0)
    """Per cent."""

    @model_validator(mode="after")
    def _check_sum(self) -> Self:
        if self.train + self.valid + self.test != 100:
            raise ValueError("train, valid and test are per cent and must sum to 100")
        return self


class CorpusOptions(StrictModel):
    """Options by which the functions of a language become a corpus."""

    pairs: PairFilters = PairFilters()
    """Filters of the functions that are pairs."""
    duplicates: DuplicateOptions = DuplicateOptions()
    """Rules for removing near-duplicate functions."""
    parts: PartShares = PartShares()
    """Shares of training, validation and test."""


class _RepositorySettings(StrictModel):
    language: str
    """Name of the language, such as ``go``."""
    repositories: Path
    """The list of repositories, with their popularity and parts."""
    filters: RepositoryFilters
    """Filters of the listed repositories."""


class InventorySettings(_RepositorySettings):
    """Settings of the stage ``csn_inventory``."""

    source: SourceOptions
    """The source of the repositories' files."""


class ExtractionSettings(StrictModel):
    """Settings of the stage ``csn_extract``."""

    language: str
    """Name of the language."""
    source: SourceOptions
    """The source of the files."""
    shards: int
    """Number of parts of the files."""
    rules: Rules
    """Treatment of released rules that do not do what they are meant to."""


class ReleasedCorpusSettings(StrictModel):
    """Settings of the stage ``csn_import``."""

    language: str
    """Name of the language, such as ``go``."""
    annotations: Path
    """Annotations; the annotated functions stay in the corpus, and no training sees them."""
    queries: Path
    """Queries that no training sees."""
    corpus: CorpusOptions
    """Options about copies, pairs and parts."""


class FunctionCorpusSettings(ReleasedCorpusSettings, _RepositorySettings):
    """Settings of the stage ``csn_build_corpus``."""

    shards: int
    """Number of parts of the files."""
