"""Options of a run: ``config/config.yaml``, or Snakemake's merged configuration."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from pydantic import Field, field_validator

from ncsbench.base.configuration.strict_model import Distinct, Names
from ncsbench.code.aroma.similarity_names import Similarity
from ncsbench.corpus.archives.download_options import ArchiveOptions
from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions
from ncsbench.pairs.training_pairs.pair_options import ThreadOptions
from ncsbench.pipeline.files.input_paths import InputPaths
from ncsbench.posts.questions.selection_options import SelectionOptions
from ncsbench.studies.ncs_2018.micro_options import MicroBenchmarkOptions
from ncsbench.studies.ncsed.table_settings import RepositoryOptions

WHERE = "config/config.yaml or --config"
"""The name of this configuration in messages."""
_TRIAL = re.compile("[A-Za-z][A-Za-z0-9_-]{0,63}")


class RunOptions(EvaluationOptions):
    """Options of a run; ``snakemake --config key=value`` gives these keys too."""

    assigned: ClassVar[str] = "="

    dataset: str = Field(min_length=1)
    """A name in config/datasets/, or the path of a dataset file (ends in .yaml)."""
    models: Annotated[Names, Field(min_length=1)]
    """Rows of the table in this order: names of files in config/models/, or paths of model files
    (end in .yaml; the row has the file's name). The chance and length baselines random, random_long
    and longest_first are the first rows where they are not named."""
    trial: str | None = None
    """Name of a trial: its tables lie in `results/<dataset>/trials/<name>/` and replace no other
    table (docs/add-a-model.md)."""
    study: str | None = None
    """Name of a file in `config/studies/`: models with changed options, whose tables are made as
    those of a trial of the same name (docs/add-a-model.md)."""
    part: str | None = None
    """Name of a part of the questions, from the key ``parts`` of the dataset file: its tables lie
    in `results/<dataset>/parts/<name>/`."""
    inputs: InputPaths = InputPaths()
    """Places of the dataset's inputs on this machine (docs/datasets.md)."""
    examples: int = Field(3, ge=1, le=1000)
    """Number of methods that are kept for each answer and judge: those that resemble it most."""
    stop_words: str = "resources/stopwords/english.txt"
    """File with one stop word a line."""
    selection: SelectionOptions = SelectionOptions()
    """Options of the selection of evaluation questions from posts (docs/posts.md)."""
    threads: ThreadOptions = ThreadOptions()
    """The threads of posts by which rankers are chosen (docs/pairs.md)."""
    baseline: str = "bm25"
    """The model that every other one is tested against (docs/statistics.md)."""
    other_judges: Annotated[tuple[Similarity, ...], Distinct] = ()
    """Similarities with which a difference from a published figure is measured again."""
    verdicts: VerdictOptions = VerdictOptions()
    """Limits within which a figure counts as the published one (docs/statistics.md)."""
    repositories: RepositoryOptions = RepositoryOptions()
    """Intervals over repositories, beside those over questions (docs/statistics.md)."""
    micro_benchmark: MicroBenchmarkOptions = Field(
        default_factory=MicroBenchmarkOptions, json_schema_extra={"default": {}}
    )
    """The micro-benchmark of the NCS paper (docs/micro-benchmark.md)."""
    download: ArchiveOptions = ArchiveOptions()
    """Options for the download of archives and published files. Keys that are given here have
    precedence over those of the dataset file, which count for all others (docs/corpus.md)."""
    comparisons: tuple[tuple[str, str], ...] = ()
    """Pairs [model, baseline] whose differences are reported with intervals, where both are rows.
    Without this key, the pairs are the lines of `config/comparisons.csv`."""

    @field_validator("trial", mode="before")
    @classmethod
    def _check_trial(cls, value: Any) -> Any:
        # Snakemake gives trial=1 as a number, and an empty trial as an empty text.
        if value is None or (isinstance(value, str) and _TRIAL.fullmatch(value)):
            return value
        raise ValueError(
            f"{value!r} is no name of a trial; use letters, digits, - and _ after a letter, such "
            "as trial=mine"
        )
