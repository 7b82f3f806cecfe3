"""Settings of the stages that make the corpora of a run of CodeSearchNet."""

from __future__ import annotations

from pathlib import Path

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.function_corpus.corpus_options import CorpusOptions, RepositoryFilters
from ncsbench.functions.registry import Rules
from ncsbench.sources.source_protocol import SourceOptions


class _RepositorySettings(StrictModel):
    language: str
    """Name of the language, such as ``go``."""
    repositories: Path
    """The list of repositories, with their popularity and parts."""
    filters: RepositoryFilters
    """Which of them are taken."""


class InventorySettings(_RepositorySettings):
    """Settings of the stage ``csn_inventory``."""

    source: SourceOptions
    """Where their files are."""


class ExtractionSettings(StrictModel):
    """Settings of the stage ``csn_extract``."""

    language: str
    """Name of the language."""
    source: SourceOptions
    """Where the files are."""
    shards: int
    """Number of parts of the files."""
    rules: Rules
    """What holds where a released rule does not do what it is meant to."""


class FunctionCorpusSettings(_RepositorySettings):
    """Settings of the stage ``csn_build_corpus``."""

    shards: int
    """Number of parts of the files."""
    annotations: Path
    """Functions that stay, and that no training sees."""
    queries: Path
    """Queries that no training sees."""
    corpus: CorpusOptions
    """Copies, pairs and parts."""
