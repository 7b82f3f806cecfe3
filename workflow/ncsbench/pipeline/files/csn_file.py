"""The file of a run of CodeSearchNet: ``config/codesearchnet/<csn>.yaml``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import Distinct, StrictModel
from ncsbench.code.functions.registry import Rules
from ncsbench.corpus.function_corpus.corpus_options import CorpusOptions, RepositoryFilters
from ncsbench.corpus.sources.source_protocol import SourceOptions
from ncsbench.pipeline.files.input_paths import check_template, find_input, find_template

FOLDER = "config/codesearchnet"
LanguageName = Literal["go", "java", "javascript", "php", "python", "ruby"]
ALL: tuple[LanguageName, ...] = ("go", "java", "javascript", "php", "python", "ruby")
"""The languages of CodeSearchNet, in the order of its tables."""
PoolSize = Annotated[int, Field(ge=2)]
_NAME = re.compile("[a-z][a-z0-9_]*")


class SystemOptions(StrictModel):
    """A row of Tables 3 and 4."""

    model: str = ""
    """Name of the model in config/models; without it, the row's name is taken."""
    published_as: Literal["", "ElasticSearch", "NBoW", "1D-CNN", "biRNN", "SelfAtt"] = ""
    """The row of the published tables that this row rebuilds; the tables show the published figures
    beside this row's figures on the published annotations."""
    seeds: Annotated[tuple[int, ...], Distinct, Field(min_length=1)] = (2019,)
    """Seeds: the system is run with each of them, and figures are means over these runs."""
    encoder: dict[str, Any] = Field(default_factory=dict)
    """Keys of the block ``encoder`` with the values that replace those of the model file and of
    this file."""
    trained_in: str = ""
    """A dataset of the workflow that was built before: its row ``model``, or a model that builds on
    rows, searches the Java functions here, with what was learnt there (docs/codesearchnet.md)."""


class ChoiceOptions(StrictModel):
    """An open choice: a system with other options of its encoder."""

    of: str
    """The system whose first run the choice is compared with, or another choice above it."""
    encoder: dict[str, Any] = Field(min_length=1)
    """Keys of the block ``encoder`` with the values that replace those of ``of``."""


class CsnFile(StrictModel):
    """Corpora of functions in some languages, and the systems that search them.

    A relative path is looked for from the file's own folder first, then from the folder in which
    Snakemake runs. ``data/sources/<name>/<file>`` is a published input (docs/datasets.md).
    """

    repositories: str = ""
    """CSV with the columns ``language,repo,commit`` and some of ``fork,stars,forks,dependants,
    licence,part`` (docs/codesearchnet.md). The corpora are made from these repositories, or from
    what ``released`` names."""
    source: SourceOptions = SourceOptions(kind="git")
    """The place that the code files of ``repositories`` are read from."""
    released: str = ""
    """Path of the released zips, with ``{language}`` for the name of a language, in place of
    ``repositories`` and ``source``."""
    annotations: str
    """File of the annotations, in the published form. Annotated functions stay in the corpus even
    where they are copies of others, and no training sees them."""
    queries: str
    """File of the queries. No training sees documentation that has all words of a query."""
    languages: Annotated[tuple[LanguageName, ...], Distinct, Field(min_length=1)] = ALL
    """Languages of the corpora, in the order of the tables."""
    shards: int = Field(4, ge=1, le=9999)
    """Number of jobs in which the files of a language are parsed, whatever the machine. Results do
    not depend on this number."""
    rules: Rules = "as_meant"
    """The rules of extraction in cases where the released program errs: ``as_meant`` extracts
    correctly, ``as_released`` as the program does (DEV-120, DEV-128, DEV-220 to DEV-222)."""
    filters: RepositoryFilters = RepositoryFilters()
    """Conditions that a listed repository must meet to be taken."""
    corpus: CorpusOptions = CorpusOptions()
    """Options of the corpus: the functions that are taken, those that are pairs, and the parts."""
    systems: dict[str, SystemOptions] = Field(default_factory=dict)
    """The rows of Tables 3 and 4 in order, by name."""
    choices: dict[str, ChoiceOptions] = Field(default_factory=dict)
    """The rows of ``csn_choices.csv``, by name."""
    encoder: dict[str, Any] = Field(default_factory=dict)
    """Keys of the block ``encoder`` with the values that replace those of every model file."""
    pools: Annotated[tuple[PoolSize, ...], Distinct, Field(min_length=1)] = (1000,)
    """Sizes of the pools in which Table 3 ranks pairs, at least 2; the published size is 1000."""
    pool_count: int = Field(0, ge=0)
    """Largest number of pools of each size and language: the first in a seeded order; 0 for all."""
    depth: int = Field(100, ge=1, le=300)
    """Number of functions that a system returns for a query. The released code returns 100; the
    challenge counts the first 300."""
    seed: int = Field(2019, ge=0)
    """Seed of the resamples behind intervals."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""
    finished: Literal["made_again", "kept"] = "made_again"
    """The treatment of finished predictions and ranks: ``kept`` keeps those that were made with the
    present settings, whatever else has changed. So parts of a long run can be made one by one, and
    committed (docs/codesearchnet.md). ``made_again`` makes them again after any change."""

    @model_validator(mode="after")
    def _check_origin(self) -> Self:
        if not self.released:
            for key, given in {
                "repositories": self.repositories,
                "source.path": self.source.path,
            }.items():
                if not given:
                    raise ValueError(f"missing key {key!r}, or 'released' in its place")
        elif self.repositories or self.source.path:
            raise ValueError("released: the corpora come from zips; leave out repositories, source")
        elif "{language}" not in self.released:
            raise ValueError("released: needs {language} in it, for example zips/{language}.zip")
        return self

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        known = set(self.systems)
        for name, choice in self.choices.items():
            if choice.of not in known:
                raise ValueError(
                    f"choices.{name}.of: {choice.of!r} is neither a system nor a choice above"
                )
            if name in self.systems:
                raise ValueError(f"choices.{name}: is the name of a system; take another")
            known.add(name)
        for name in (*self.systems, *self.choices):
            if not _NAME.fullmatch(name):
                raise ValueError(f"the name {name!r} must match {_NAME.pattern}")
        return self


def load_csn_file(path: Path) -> CsnFile:
    """Read a file and resolve its paths; the files that these name need not exist.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    file = CsnFile.parse(read_yaml(path), where=str(path))
    found: dict[str, Any] = {
        key: find_input(path, key, given)
        for key in ("repositories", "annotations", "queries")
        if (given := getattr(file, key))
    }
    if file.released:
        found["released"] = find_template(path, file.released)
    else:
        check_template(f"{path}: source.path", file.source.kind, file.source.path)
        place = find_template(path, file.source.path)
        found["source"] = file.source.model_copy(update={"path": place})
    return file.model_copy(update=found)
