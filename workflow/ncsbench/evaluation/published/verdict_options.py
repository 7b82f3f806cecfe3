"""Options of verdicts on published figures (DEV-96, DEV-97), and the file of published systems."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.evaluation.statistics.evaluation_options import Correction


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
"""The file that lists the published systems."""

SYSTEM_COLUMNS = ("system", "trained_on", "file", "table", "row")
"""Columns of ``SYSTEMS_FILE``: a name (that of the score sheet, if any), and the printed row."""


class VerdictOptions(StrictModel):
    """The margin within which a figure counts as equal to the published one."""

    margin: Margin = 0.20
    """Share of the published figure by which ours may differ."""
    margin_questions: int = Field(5, ge=1)
    """Least margin in questions: for Answered@k this number of questions; for an MRR the amount it
    changes by when this many questions move from not found to the first rank."""
    correction: Correction = "holm"
    """Correction for the number of cells of a table; `none` tests each cell as if it were alone."""

    def find_margin(self, published: float, question: float) -> float:
        """Return the margin of a figure, in the unit of the figure.

        Args:
            published: the published figure.
            question: the most that one question can add to the figure: 1 to a number of questions,
                1 / n to a mean over n.
        """
        return max(self.margin * published, self.margin_questions * question)


Halving = Literal["fewer_pairs", "other_dimension"]
HALVINGS: tuple[Halving, ...] = get_args(Halving)
"""Reasons whose ablation is the model with half of its pairs or dimensions."""
