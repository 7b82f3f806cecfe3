"""``significance.csv``: every model against one baseline, tested by randomisation.

The published tables have no tests (DEV-75). A family of tests, to which Holm's correction applies,
is all models of the table under one judge and measure: what a reader of one column looks through
(DEV-76).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.intervals import paired_difference
from ncsbench.evaluation.metrics import (
    METRICS,
    PUBLISHED_DEPTH,
    Metric,
    measure_ranks,
    question_shares,
)
from ncsbench.evaluation.results import Judge, format_value
from ncsbench.evaluation.significance import (
    adjust_by_holm,
    count_outcomes,
    draw_signs,
    run_randomisation_test,
)

SIGNIFICANCE_COLUMNS = (
    *("dataset", "judge", "threshold", "measure", "model", "baseline", "questions"),
    *("value", "baseline_value", "difference", "low", "high"),
    *("wins", "ties", "losses", "p", "p_exact", "p_holm"),
)
"""Columns of ``significance.csv``, in order. ``low`` and ``high`` bound the difference (bootstrap);
``p_exact`` is no where p is estimated from samples."""

SAMPLES = 100_000
"""Sign flips of a test that cannot look at all of them; p near 0.05 is then known to 0.0014."""

RanksByModel = Mapping[str, NDArray[np.int32]]
"""First ranks of the models on the same questions, each of shape (questions,), 0 = not found."""


def build_significance(
    *,
    dataset: str,
    first_ranks: Mapping[Judge, RanksByModel],
    baseline: str,
    draws: NDArray[np.int32],
    seed: int,
    samples: int = SAMPLES,
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> list[Row]:
    """Rows of ``significance.csv``, by judge, metric and model in the order given.

    Args:
        dataset: name of the dataset.
        first_ranks: for every judge, the first ranks of the models and the baseline.
        baseline: the model that all others are compared with.
        draws: what ``intervals.draw_resamples`` gave for these questions.
        seed: of the sign flips.
        samples: number of sign flips where they cannot all be looked at.
        depth: the last rank the MRR counts.
        metrics: those that are tested.

    Raises:
        ConfigurationError: where the baseline is not among the models.
        ValueError: where a number of questions differs from that of ``draws``.
    """
    signs = draw_signs(draws.shape[1], np.random.default_rng(seed), samples=samples)
    rows = []
    for judge, ranks in first_ranks.items():
        if baseline not in ranks:
            raise ConfigurationError(
                f"baseline {baseline!r}: is no model of the table; set it to one of "
                f"{', '.join(ranks)}"
            )
        rows += [
            {
                "dataset": dataset,
                "judge": judge.similarity,
                "threshold": repr(float(judge.threshold)),
                **row,
            }
            for metric in metrics
            for row in _test_family(ranks, baseline, metric, draws, signs, depth)
        ]
    return rows


def _test_family(
    ranks: RanksByModel,
    baseline: str,
    metric: Metric,
    draws: NDArray[np.int32],
    signs: NDArray[np.int8],
    depth: int,
) -> list[Row]:
    """One row for every model but the baseline; the correction is over all of them."""
    shares = {model: question_shares(found, metric, depth) for model, found in ranks.items()}
    models = [model for model in ranks if model != baseline]
    tests = [run_randomisation_test(shares[model] - shares[baseline], signs) for model in models]
    adjusted = adjust_by_holm([test.p for test in tests])
    rows = []
    for model, test, p_holm in zip(models, tests, adjusted, strict=True):
        difference = paired_difference(ranks[model], ranks[baseline], metric, draws, depth=depth)
        outcomes = count_outcomes(shares[model] - shares[baseline])
        figures = {
            "value": measure_ranks(ranks[model], metric, depth),
            "baseline_value": measure_ranks(ranks[baseline], metric, depth),
            "difference": difference.value,
            "low": difference.interval.low,
            "high": difference.interval.high,
        }
        rows.append(
            {
                "measure": str(metric),
                "model": model,
                "baseline": baseline,
                "questions": str(len(ranks[model])),
                **{name: format_value(metric, value) for name, value in figures.items()},
                "wins": str(outcomes.wins),
                "ties": str(outcomes.ties),
                "losses": str(outcomes.losses),
                "p": f"{test.p:.4g}",
                "p_exact": "yes" if test.exact else "no",
                "p_holm": f"{p_holm:.4g}",
            }
        )
    return rows
