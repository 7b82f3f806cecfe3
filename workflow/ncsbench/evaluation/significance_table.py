"""``significance.csv``: every model against one baseline, tested by randomisation.

The published tables have no tests (DEV-75). A family of tests, to which Holm's correction applies,
is all models of the table under one judge and measure: what a reader of one column looks through
(DEV-76).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.figure_text import YES, to_rows
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.rank_figures import RankedRows, compare_ranks
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import Judge
from ncsbench.evaluation.significance import (
    adjust_by_holm,
    count_outcomes,
    draw_signs,
    run_randomisation_test,
)

_TESTED = ("wins", "ties", "losses", "p", "p_exact", "p_holm")
SIGNIFICANCE_COLUMNS = (
    *("dataset", "judge", "threshold", "measure", "model", "baseline", "questions"),
    *("value", "baseline_value", "difference", "low", "high"),
    *_TESTED,
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
    sampling: Sampling,
    samples: int = SAMPLES,
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> list[Row]:
    """Rows of ``significance.csv``, by judge, metric and model in the order given.

    Args:
        dataset: name of the dataset.
        first_ranks: for every judge, the first ranks of the models and the baseline.
        baseline: the model that all others are compared with.
        sampling: of the questions; its seed is that of the sign flips, too.
        samples: number of sign flips where they cannot all be looked at.
        depth: the last rank the MRR counts.
        metrics: those that are tested.

    Raises:
        ConfigurationError: where the baseline is not among the models.
        ValueError: where the numbers of questions differ.
    """
    ranked: RankedRows = {}
    pairs: dict[tuple[str, str], None] = {}
    tested: list[tuple[object, ...]] = []
    for judge, ranks in first_ranks.items():
        if baseline not in ranks:
            raise ConfigurationError(
                f"baseline {baseline!r}: is no model of the table; set it to one of "
                f"{', '.join(ranks)}"
            )
        ranked |= {(*judge.cells, model): found for model, found in ranks.items()}
        pairs |= {(model, baseline): None for model in ranks if model != baseline}
        rng = np.random.default_rng(sampling.seed)
        signs = draw_signs(len(ranks[baseline]), rng, samples=samples)
        for metric in metrics:
            family = _test_family(ranks, baseline, metric, signs, depth)
            tested += [(*judge.cells, metric, *test) for test in family]
    keys = ["judge", "threshold", "model"]
    found = compare_ranks(ranked, keys, pairs, sampling, depth=depth, metrics=metrics)
    tests = pd.DataFrame(tested, columns=["judge", "threshold", "measure", "model", *_TESTED])
    frame = found.merge(tests, how="left").assign(dataset=dataset)
    return to_rows(frame, SIGNIFICANCE_COLUMNS)


def _test_family(
    ranks: RanksByModel, baseline: str, metric: Metric, signs: NDArray[np.int8], depth: int
) -> list[tuple[object, ...]]:
    """Every model but the baseline with ``_TESTED``; the correction is over all of them."""
    shares = {model: question_shares(found, metric, depth) for model, found in ranks.items()}
    differences = {
        model: found - shares[baseline] for model, found in shares.items() if model != baseline
    }
    tests = [run_randomisation_test(one, signs) for one in differences.values()]
    adjusted = adjust_by_holm([test.p for test in tests])
    return [
        (model, *astuple(count_outcomes(one)), f"{test.p:.4g}", YES[test.exact], f"{p_holm:.4g}")
        for (model, one), test, p_holm in zip(differences.items(), tests, adjusted, strict=True)
    ]
