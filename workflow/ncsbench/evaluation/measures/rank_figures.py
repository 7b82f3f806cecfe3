"""Figures of first ranks: NCSED's four measures of rows with intervals, singly and in pairs.

The 95 % interval of a number of questions is Wilson's, that of an MRR and of a difference the
bootstrap's (DEV-32). Ranks are given by the keys of a row, such as a judge and a model.

Rows are tested against a baseline by randomisation; no published table has such tests (DEV-75). A
family of tests, to which Holm's correction applies, is all models of a table under one judge and
measure: the tests that a reader of one column looks through (DEV-76).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.metrics import (
    METRICS,
    PUBLISHED_DEPTH,
    Metric,
    measure_ranks,
    question_shares,
)
from ncsbench.evaluation.measures.results import Judge, format_value
from ncsbench.evaluation.statistics.figure_text import YES, to_rows
from ncsbench.evaluation.statistics.figures import summarise
from ncsbench.evaluation.statistics.intervals import Interval, interval_of_sum, wilson_interval
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import (
    adjust_by_holm,
    count_outcomes,
    draw_signs,
    run_randomisation_test,
)

RankedRows = dict[tuple[str, ...], NDArray[np.int32]]
"""First ranks of rows, each int32, shape (questions,), from 1, 0 = not found."""
MEASURED = ("value", "low", "high")
"""A figure and the bounds of its 95 % interval."""
DIFFERENCE_FIGURES = (
    *("value", "baseline_value", "difference", "difference_low", "difference_high"),
)
"""Figures of a difference: those of both rows, first minus second, and its 95 % interval."""
_TESTED = ("wins", "ties", "losses", "p", "p_exact", "p_holm")
SIGNIFICANCE_COLUMNS = (
    *("dataset", "judge", "threshold", "measure", "model", "baseline", "questions"),
    *DIFFERENCE_FIGURES,
    *_TESTED,
)
"""Columns of ``significance.csv``, in order; the difference has its bootstrap interval. ``p_exact``
is ``no`` where p is estimated from samples."""

SAMPLES = 100_000
"""Sign flips of a test that cannot look at all of them; p near 0.05 is then known to 0.0014."""

RanksByModel = Mapping[str, NDArray[np.int32]]
"""First ranks of the models on the same questions, each of shape (questions,), 0 = not found."""


def metric_interval(
    first_ranks: NDArray[np.int32],
    metric: Metric,
    draws: NDArray[np.int32],
    *,
    depth: int = PUBLISHED_DEPTH,
) -> Interval:
    """Interval of Answered@k (numbers of questions) or MRR.

    A number of questions is binomial, and Wilson's interval has a width also where all or none are
    answered, for which every resample is the same.

    Args:
        first_ranks: shape (questions,), from 1, 0 = not found.
        metric: one of ``metrics.METRICS``.
        draws: the result of ``draw_resamples`` for this number of questions.
        depth: the last rank the MRR counts.

    Raises:
        ValueError: where ``draws`` were made for another number of questions.
    """
    if metric == "mrr":
        return interval_of_sum(question_shares(first_ranks, metric, depth), draws)
    questions = len(first_ranks)
    share = wilson_interval(int(measure_ranks(first_ranks, metric, depth)), questions)
    return Interval(questions * share.low, questions * share.high)


def measure_rows(
    ranks: RankedRows, keys: Sequence[str], sampling: Sampling, *, depth: int = PUBLISHED_DEPTH
) -> pd.DataFrame:
    """Measure rows: ``keys``, ``measure`` and ``MEASURED`` as text, by row, then by measure.

    Args:
        ranks: rows of the same questions.
        keys: names of the columns that identify a row.
        sampling: draws of the questions.
        depth: the last rank the MRR counts.
    """
    draws = sampling.draw(len(next(iter(ranks.values()), ()))).clusters
    rows = []
    for key, first in ranks.items():
        for metric in METRICS:
            interval = metric_interval(first, metric, draws, depth=depth)
            value = measure_ranks(first, metric, depth)
            rows.append((*key, metric, value, interval.low, interval.high))
    return format_measures(pd.DataFrame(rows, columns=[*keys, "measure", *MEASURED]), MEASURED)


def compare_ranks(
    ranks: RankedRows,
    keys: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> pd.DataFrame:
    """Compare pairs of rows, paired by question.

    Args:
        ranks: rows of the same questions.
        keys: names of the columns that identify a row; the rows of a pair differ in the last.
        pairs: values of the last key: that of a row, and that of the row it is compared with.
        sampling: draws of the questions.
        depth: the last rank the MRR counts.
        metrics: the measures.

    Returns:
        By the other keys, by measure, then by pair: ``keys``, ``measure``, ``baseline``,
        ``questions`` and ``DIFFERENCE_FIGURES`` as text, Answered@k in questions.

    Raises:
        ValueError: where two rows have different numbers of questions.
    """
    pairs, (*others, over) = list(pairs), keys
    named = {name for pair in pairs for name in pair}
    chosen = {key: found for key, found in ranks.items() if key[-1] in named}
    questions = {len(found) for found in chosen.values()}
    if len(questions) > 1:
        raise ValueError(f"{sorted(questions)} questions cannot be paired")
    if questions - {0}:
        units = pd.concat(
            pd.DataFrame(
                {
                    **dict(zip(keys, key, strict=True)),
                    **{"measure": metric, "unit": np.arange(len(first)), "seed": 0},
                    "value": question_shares(first, metric, depth),
                }
            )
            for key, first in chosen.items()
            for metric in metrics
        )
        found = summarise(units, [*others, "measure", over], sampling).against(over, pairs).frame
    else:  # without questions there is nothing to draw
        prefixes = dict.fromkeys(key[:-1] for key in chosen)
        rows = [(*key, metric, *pair) for key in prefixes for metric in metrics for pair in pairs]
        found = pd.DataFrame(rows, columns=[*others, "measure", over, "baseline"])
        found = found.assign(n=0, value=0.0, baseline_value=0.0, low=0.0, high=0.0)
    # The value of a question is a share here (its figure is a mean), and a summand elsewhere.
    found = found.assign(
        questions=found["n"].astype(str),
        difference=found["value"] * found["n"],
        value=(found["value"] + found["baseline_value"]) * found["n"],
        baseline_value=found["baseline_value"] * found["n"],
        **{f"difference_{bound}": found[bound] * found["n"] for bound in ("low", "high")},
    )
    return format_measures(found, DIFFERENCE_FIGURES)


def format_measures(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Columns of figures as text, by the ``measure`` of each row."""
    return frame.assign(
        **{
            name: [format_value(*cell) for cell in zip(frame["measure"], frame[name], strict=True)]
            for name in names
        }
    )


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
        sampling: draws of the questions; its seed also serves the sign flips.
        samples: number of sign flips where they cannot all be looked at.
        depth: the last rank the MRR counts.
        metrics: the metrics that are tested.

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
    """Return every model but the baseline with ``_TESTED``, corrected for all of these tests."""
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
