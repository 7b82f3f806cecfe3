"""Figures beside printed ones, of which the single questions are not known."""

from __future__ import annotations

import pandas as pd
import pytest

from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.published.verdicts import judge_figures
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.resampling import Sampling


def figures(*means: float, units: int = 1000) -> Figures:
    """Figures of units that are right or not."""
    frame = pd.concat(
        pd.DataFrame(
            {
                **{"row": row, "unit": range(units), "seed": 0},
                "value": [float(unit < mean * units) for unit in range(units)],
            }
        )
        for row, mean in enumerate(means)
    )
    return summarise(frame, ["row"], Sampling(1, 1000))


@pytest.mark.parametrize(
    ("ours", "printed", "verdict"),
    [
        (0.41, 0.4, "equivalent"),
        (0.2, 0.4, "different"),
        (0.34, 0.4, "different"),
        (0.41, None, ""),
        (0.004, 0.004, "not comparable: margin"),  # five of a thousand are more
    ],
)
def test_a_figure_has_a_verdict_beside_a_printed_one_dev_96(
    ours: float, printed: float | None, verdict: str
) -> None:
    assert judge_figures(figures(ours), [printed], [""]) == [verdict]


def test_few_units_cannot_tell_dev_96() -> None:
    assert judge_figures(figures(0.4, units=50), [0.4], [""]) == ["inconclusive"]


def test_the_outcome_without_correction_is_in_brackets_dev_97() -> None:
    many = figures(*[0.4] * 16, units=200)
    assert judge_figures(figures(0.4, units=200), [0.4], [""]) == ["equivalent"]
    assert judge_figures(many, [0.4] * 16, [""] * 16) == ["inconclusive (alone: equivalent)"] * 16
    # A row that is not comparable is in no family.
    reasons = ["not comparable: pairs"] * 15
    assert judge_figures(many, [0.4] * 16, [*reasons, ""]) == [*reasons, "equivalent"]
    alone = VerdictOptions(correction="none")
    assert judge_figures(many, [0.4] * 16, [""] * 16, alone) == ["equivalent"] * 16
