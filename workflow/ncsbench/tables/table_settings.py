"""What the tables and the data card of a dataset are made of."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.corpus.corpus_settings import Duplicates
from ncsbench.evaluation.evaluation_options import EvaluationOptions
from ncsbench.published.verdict_options import Halving, VerdictOptions


class TableModel(StrictModel):
    """One row of Table 1."""

    name: str
    """The row, and its run."""
    trained_on: str
    """What the model learnt from."""
    published_as: str
    """The published system that it rebuilds; empty where there is none."""
    beside: str = ""
    """A published system whose figures stand beside it without a verdict; likewise."""
    replicates: tuple[str, ...]
    """Its runs with other seeds."""
    weights: str | None = None
    """Name of the folder of its trained weights; null where it has none."""
    given: bool = False
    """Whether its run was made elsewhere: nothing is known of seeds, training, deeper ranks."""


class TableAblation(StrictModel):
    """What may explain a difference from a published figure."""

    reason: Halving
    """What there is half of."""
    model: str
    """The row of Table 1."""
    whole: tuple[str, ...]
    """Runs with the whole of something."""
    half: tuple[str, ...]
    """Runs with half of it."""


class TableSettings(EvaluationOptions):
    """Settings of the stage ``dataset_tables``."""

    dataset: str
    """Name of the dataset."""
    duplicates: Duplicates = "kept"
    """Which methods its corpus leaves out; one that was built otherwise is refused."""
    models: tuple[TableModel, ...]
    """Rows of Table 1, in order."""
    comparisons: tuple[tuple[str, str], ...]
    """Pairs of rows, whose differences are reported."""
    ablations: tuple[TableAblation, ...]
    """What may explain differences."""
    other_judges: Annotated[tuple[Similarity, ...], Distinct]
    """Similarities under which a difference from a published figure is looked at again."""
    verdicts: VerdictOptions = VerdictOptions()
    """When a figure counts as the published one."""
    baseline: str
    """The row that every other one is tested against."""

    def list_runs(self) -> list[str]:
        """The runs that the tables are made of: rows, their replicates, their ablations."""
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
    """What the data card says of who publishes a dataset; the block ``card`` of a dataset file.

    All of it may be left out: who publishes knows it, the workflow does not (docs/datasets.md).
    """

    description: str = ""
    """What the dataset is, in a sentence or two; counts are added."""
    creators: Names = ()
    """Names of who made it."""
    url: str = ""
    """Its page."""
    version: str = Field("", pattern=r"^(\d+\.\d+\.\d+)?$")
    """Its version, three numbers."""
    published: Annotated[str, AfterValidator(_check_day)] = Field(
        "", pattern=r"^(\d{4}-\d{2}-\d{2})?$"
    )
    """The day of its release, YYYY-MM-DD."""


class CardSettings(CardOptions):
    """Settings of the stages ``data_card`` and ``croissant``."""

    dataset: str
    """Name of the dataset."""
    licence: str
    """Under which terms the data may be used."""
    citation: str
    """What to cite."""


REPOSITORY_COLUMNS = ("judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals/<model>.csv``, in order."""


class RepositoryOptions(StrictModel):
    """Intervals of Table 1 over repositories (docs/statistics.md)."""

    depth: int = Field(500, ge=50)
    """Ranks that are retrieved and judged, since methods of repositories not drawn leave them."""
    samples: int = Field(1000, ge=0)
    """Resamples of the repositories; 0 makes no such intervals, and retrieves nothing for them."""


class RepositorySettings(StrictModel):
    """Settings of the stage ``repository_intervals``."""

    seed: int
    """Of the draws."""
    depth: int
    """The last rank that counts."""
    judges: tuple[tuple[Similarity, float], ...]
    """Similarities, and the threshold that an accepted method exceeds."""
    samples: int
    """Resamples of the repositories."""
