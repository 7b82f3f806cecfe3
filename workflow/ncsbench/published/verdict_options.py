"""What a verdict on a published figure takes for the same figure (DEV-96, DEV-97)."""

from __future__ import annotations

from typing import Annotated

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


class VerdictOptions(StrictModel):
    """When a figure counts as the published one."""

    margin_mrr: Margin = 0.10
    """An MRR this far from the published one would still do."""
    margin_answered: Margin = 0.13
    """The same for Answered@k, as a share of the questions."""
    correction: Correction = "holm"
    """For the number of cells of a table; `none` looks at each as if it were the only one."""
