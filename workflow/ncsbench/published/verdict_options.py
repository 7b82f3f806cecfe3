"""When a figure counts as the published one (DEV-96, DEV-97), and the list of published systems."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.evaluation.evaluation_options import Correction


def _refuse_no_margin(margin: float) -> float:
    if not 0 < margin <= 1:
        raise ValueError(
            f"{margin:g} is no margin, with which a figure could be shown to be the same or not; "
            "give a number above 0 and at most 1"
        )
    return margin


Margin = Annotated[
    float,
    AfterValidator(_refuse_no_margin),
    Field(json_schema_extra={"exclusiveMinimum": 0, "maximum": 1}),
]

SYSTEMS_FILE = "table1_systems.csv"
"""The file that lists the systems."""

SYSTEM_COLUMNS = ("system", "trained_on", "file", "table", "row")
"""Its columns: a name, as in the score sheet where the system has one, and the printed row."""


class VerdictOptions(StrictModel):
    """How far a figure may be from the published one to count as the same."""

    margin: Margin = 0.20
    """Share of the published figure by which ours may differ."""
    margin_questions: int = Field(5, ge=1)
    """The margin is at least this many questions: of Answered@k as they are counted, of an MRR as
    much as they make when all of them move from not found to the first rank."""
    correction: Correction = "holm"
    """For the number of cells of a table; `none` looks at each as if it were the only one."""

    def find_margin(self, published: float, question: float) -> float:
        """The margin of a figure, in its unit.

        Args:
            published: the published figure.
            question: what one question can add to the figure at most: 1 to a number of questions,
                1 / n to a mean over n.
        """
        return max(self.margin * published, self.margin_questions * question)


Halving = Literal["fewer_pairs", "other_dimension"]
HALVINGS: tuple[Halving, ...] = get_args(Halving)
"""Reasons whose ablation is the model with half of something."""
