"""What the tables of a dataset are made of."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import model_validator

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import Distinct, StrictModel
from ncsbench.corpus.corpus_settings import Duplicates
from ncsbench.evaluation.evaluation_options import EvaluationOptions
from ncsbench.published.halvings import Halving
from ncsbench.published.verdict_options import VerdictOptions


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
