"""Verdicts on figures beside printed ones, of which the single questions are not known.

Where they are known, differences are paired by question (``verdicts``).
"""

from __future__ import annotations

from collections.abc import Sequence

from ncsbench.evaluation.equivalence import compare_family
from ncsbench.evaluation.figures import Figures
from ncsbench.published.verdict_options import VerdictOptions
from ncsbench.published.verdicts import MARGIN, NOT_COMPARABLE


def judge_figures(
    figures: Figures,
    printed: Sequence[float | None],
    reasons: Sequence[str],
    options: VerdictOptions | None = None,
) -> list[str]:
    """Judge each figure beside the printed one, as one of a family (DEV-96, DEV-97).

    Args:
        figures: means over units, such as MRR and NDCG: one unit adds 1 / n at most.
        printed: by row the printed figure, taken for exact; None without one.
        reasons: by row the verdict of a row that is not comparable; empty where it is.
        options: margin and correction; None for the default ones.

    Returns:
        By row ``equivalent``, ``different`` or ``inconclusive``, with the outcome without the
        correction in brackets where it is another one; the reason, or ``not comparable: margin``;
        empty where nothing is printed.
    """
    options = options or VerdictOptions()
    verdicts = list(reasons)
    family, resampled, margins = [], [], []
    for place, (value, reason) in enumerate(zip(printed, reasons, strict=True)):
        if value is None:
            verdicts[place] = ""
            continue
        margin = options.find_margin(value, 1 / int(figures.frame["n"].iloc[place]))
        if not reason and margin >= value:
            verdicts[place] = f"{NOT_COMPARABLE}{MARGIN}"
        elif not reason:
            family.append(place)
            resampled.append(figures.resampled[place] - value)
            margins.append(margin)
    for place, test in zip(
        family, compare_family(resampled, margins, options.correction), strict=True
    ):
        alone = f" (alone: {test.outcome_alone})" if test.outcome_alone != test.outcome else ""
        verdicts[place] = f"{test.outcome}{alone}"
    return verdicts
