"""Options of judging and resampling, and of the methods that match an answer; shared by stages."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from ncsbench.base.configuration.strict_model import Distinct, Share, StrictModel
from ncsbench.code.aroma.similarity_names import Similarity
from ncsbench.evaluation.statistics.measure_names import (
    DEFAULT_MEASURES,
    MeasureName,
    parse_measure,
)

Correction = Literal["holm", "none"]
"""Correction for the number of tests of a family: Holm's, or none."""
NEAR = 0.9
"""Near-identical code has a similarity above this."""


class EvaluationOptions(StrictModel):
    """Keys of the configuration that the settings of tables repeat."""

    seed: int = Field(2019, ge=0)
    """Seed of everything that draws random numbers."""
    depth: int = Field(50, ge=10)
    """Ranks looked at, at least the ten of Answered@10; the published sheet stops at 50."""
    judge: Similarity = "pruned_jaccard_leaf"
    """Similarity of the lenient judge, which decides whether a method answers a question."""
    threshold: Share = 0.25
    """A method is right when its similarity lies above this."""
    strict_judge: Similarity = "dice"
    """Similarity of the strict columns, which no method passes by its length alone."""
    strict_threshold: Share = 0.25
    """Threshold of the strict columns."""
    own_judge: Similarity = "charged_overlap"
    """Similarity of the charged columns; it is of this project's own design."""
    own_threshold: Share = 0.28
    """Threshold of the charged columns."""
    bootstrap_samples: int = Field(10000, ge=100)
    """Resamples behind each 95 % interval."""
    measures: Annotated[tuple[MeasureName, ...], Distinct] = Field(DEFAULT_MEASURES, min_length=1)
    """Further measures, by the names of ir_measures: nDCG, RR, R, P, Success and AP, with a rank
    such as nDCG@10, at most ``depth``; those of the default that look deeper are left out
    (docs/statistics.md)."""

    @field_validator("measures")
    @classmethod
    def _check_measures(cls, measures: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        depth = info.data.get("depth", math.inf)  # absent where it is no depth
        deeper = [one for one in measures if (parse_measure(one)[1] or 0) > depth]
        if deeper and measures != DEFAULT_MEASURES:
            raise ValueError(
                f"{deeper[0]} looks deeper than {depth}, the depth of the tables; name a smaller "
                "rank, or raise depth"
            )
        return tuple(one for one in measures if one not in deeper)

    @property
    def judges(self) -> tuple[tuple[Similarity, float], ...]:
        """The default and the strict judge with their thresholds; only one if both are equal."""
        default = (self.judge, self.threshold)
        return tuple(dict.fromkeys((default, (self.strict_judge, self.strict_threshold))))

    def named_judges(self) -> dict[str, tuple[Similarity, float]]:
        """The judges of Table 1 by name, with their thresholds (docs/judge.md)."""
        return {
            "lenient": (self.judge, self.threshold),
            "strict": (self.strict_judge, self.strict_threshold),
            "charged": (self.own_judge, self.own_threshold),
        }

    @property
    def all_judges(self) -> tuple[tuple[Similarity, float], ...]:
        """The judges of Table 1 with their thresholds, each once."""
        return tuple(dict.fromkeys(self.named_judges().values()))


class MatchSettings(StrictModel):
    """Settings of the stages ``match`` and ``merge_matches``."""

    limits: tuple[tuple[Similarity, Share], ...]
    """Similarities, each with the threshold that must be exceeded."""
    count: Annotated[int, Field(ge=1)]
    """Number of methods that are wanted for each question and judge."""


class StudySettings(StrictModel):
    """Settings of the tables of the study."""

    dataset: str
    """Name of the dataset."""
    models: tuple[str, ...]
    """Rows of Table 1."""
    judge: Similarity
    """Judge of Table 1."""
    threshold: Share
    """Threshold of the judge of Table 1."""
    own_judge: Similarity
    """Judge of this project's own design."""
    own_threshold: Share
    """Threshold of the judge of this project's own design."""
    depth: int = Field(ge=1)
    """Ranks looked at."""
