"""Settings of the tables and of the data card of a dataset."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from ncsbench.base.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.code.aroma.similarity_names import Similarity
from ncsbench.corpus.layout.corpus_settings import Duplicates
from ncsbench.evaluation.published.verdict_options import Halving, VerdictOptions
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions


class TableModel(StrictModel):
    """One row of Table 1."""

    name: str
    """Name of the row, and of its run."""
    trained_on: str
    """The training data of the model."""
    published_as: str
    """The published system that the model rebuilds; empty if it rebuilds none."""
    beside: str = ""
    """A published system whose figures are shown beside the model's without a verdict; may be
    empty."""
    replicates: tuple[str, ...]
    """Runs of the model with other seeds."""
    weights: str | None = None
    """Name of the folder of the model's trained weights; null where it has no weights."""
    given: bool = False
    """True where the run was made elsewhere: its seeds, training and deeper ranks are unknown."""


class TableAblation(StrictModel):
    """Runs that may explain a difference from a published figure.

    These are runs of a model, and runs of that model with half of its pairs or dimensions.
    """

    reason: Halving
    """The thing that is halved."""
    model: str
    """The row of Table 1."""
    whole: tuple[str, ...]
    """Runs with all pairs or dimensions."""
    half: tuple[str, ...]
    """Runs with half of the pairs or dimensions."""


class TableSettings(EvaluationOptions):
    """Settings of the stage ``dataset_tables``."""

    dataset: str
    """Name of the dataset."""
    duplicates: Duplicates = "kept"
    """Duplicates that the corpus leaves out; a corpus that was built otherwise is refused."""
    models: tuple[TableModel, ...]
    """Rows of Table 1, in order."""
    comparisons: tuple[tuple[str, str], ...]
    """Pairs of rows, whose differences are reported."""
    ablations: tuple[TableAblation, ...]
    """Runs that may explain differences."""
    other_judges: Annotated[tuple[Similarity, ...], Distinct]
    """Similarities under which a difference from a published figure is examined again."""
    verdicts: VerdictOptions = VerdictOptions()
    """Margins within which a figure counts as the published one."""
    baseline: str
    """The row that every other row is tested against."""

    def list_runs(self) -> list[str]:
        """List the runs that the tables are made of: rows, their replicates, their ablations."""
        runs = [model.name for model in self.models]
        runs += [name for model in self.models for name in model.replicates]
        for ablation in self.ablations:
            runs += [*ablation.whole, *ablation.half]
        return list(dict.fromkeys(runs))

    @model_validator(mode="after")
    def _check_runs(self) -> Self:
        for model in self.models:
            if len({model.name, *model.replicates}) <= len(model.replicates):
                raise ValueError(
                    f"model {model.name}: its replicates must be distinct runs, not "
                    f"{', '.join(model.replicates)}"
                )
        return self

    @model_validator(mode="after")
    def _check_ablations(self) -> Self:
        names, seen = [model.name for model in self.models], set()
        for one in self.ablations:
            if one.model not in names:
                raise ValueError(
                    f"ablation {', '.join(one.half)}: there is no model {one.model!r}; choose from "
                    f"{', '.join(names)}"
                )
            if (one.reason, one.model) in seen:
                raise ValueError(f"model {one.model}: has two ablations for {one.reason}; keep one")
            seen.add((one.reason, one.model))
        if self.judge in self.other_judges:
            raise ValueError(f"other_judges: {self.judge} is the judge itself; remove it")
        return self


def _check_day(day: str) -> str:
    try:
        if day:
            date.fromisoformat(day)
    except ValueError as error:
        raise ValueError(f"{day!r} is no day of the calendar; write YYYY-MM-DD") from error
    return day


class CardOptions(StrictModel):
    """Facts about a dataset for its data card: the block ``card`` of a dataset file.

    Any fact may be left out: the publisher knows the facts, the workflow does not
    (docs/datasets.md).
    """

    description: str = ""
    """Description of the dataset in a sentence or two; counts are added."""
    creators: Names = ()
    """Names of the authors of the dataset."""
    url: str = ""
    """Address of the page of the dataset."""
    version: str = Field("", pattern=r"^(\d+\.\d+\.\d+)?$")
    """Version of the dataset, three numbers."""
    published: Annotated[str, AfterValidator(_check_day)] = Field(
        "", pattern=r"^(\d{4}-\d{2}-\d{2})?$"
    )
    """Day of the dataset's release, YYYY-MM-DD."""


class CardSettings(CardOptions):
    """Settings of the stage ``data_card``."""

    dataset: str
    """Name of the dataset."""
    licence: str
    """Terms under which the data may be used."""
    citation: str
    """Work to cite."""


REPOSITORY_COLUMNS = ("judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals/<model>.csv``, in order."""


class RepositoryOptions(StrictModel):
    """Intervals of Table 1 over repositories (docs/statistics.md)."""

    depth: int = Field(500, ge=50)
    """Ranks that are retrieved and judged: many, since methods of repositories that are not drawn
    leave the rankings."""
    samples: int = Field(1000, ge=0)
    """Resamples of the repositories; with 0 there are no such intervals and no deeper ranks."""


class RepositorySettings(StrictModel):
    """Settings of the stage ``repository_intervals``."""

    seed: int
    """Seed of the draws of repositories."""
    depth: int
    """The last rank that counts."""
    judges: tuple[tuple[Similarity, float], ...]
    """Similarities, each with the threshold that an accepted method exceeds."""
    samples: int
    """Resamples of the repositories."""
