"""Figures of first ranks: NCSED's four measures of rows with intervals, singly and in pairs.

The 95 % interval of a number of questions is Wilson's, that of an MRR and of a difference the
bootstrap's (DEV-32). Ranks are given by the keys of a row, such as a judge and a model. Figures of
further measures (``pooled_truth``) are means of the values of questions, with the bootstrap's
interval.

Rows are tested against a baseline by randomisation; no published table has such tests (DEV-75). A
family of tests, to which Holm's correction applies, is all models of a table under one judge and
measure: the tests that a reader of one column looks through (DEV-76).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.graded_measures import Values
from ncsbench.evaluation.measures.metrics import (
    METRICS,
    PUBLISHED_DEPTH,
    Metric,
    measure_ranks,
    question_shares,
)
from ncsbench.evaluation.measures.pooled_truth import MeasuredRuns
from ncsbench.evaluation.measures.results import Judge, format_value
from ncsbench.evaluation.statistics.figure_text import YES, to_rows
from ncsbench.evaluation.statistics.figures import summarise
from ncsbench.evaluation.statistics.intervals import Interval, interval_of_sum, wilson_interval
from ncsbench.evaluation.statistics.resampling import Sampling, average_runs
from ncsbench.evaluation.statistics.significance import (
    adjust_by_holm,
    count_outcomes,
    draw_signs,
    run_randomisation_test,
)

_Key = TypeVar("_Key", bound=Hashable)
RankedRows = dict[tuple[str, ...], NDArray[np.int32]]
"""First ranks of rows, each int32, shape (questions,), from 1, 0 = not found."""
RowValues = Mapping[tuple[str, ...], Mapping[str, Values]]
"""Values of questions by the keys of a row, then by measure, each float64, shape (questions,)."""
MEASURED = ("value", "low", "high")
"""A figure and the bounds of its 95 % interval."""
MEASURE_COLUMNS = ("model", "judge", "threshold", "measure", *MEASURED)
"""Columns of figures of further measures."""
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


def measure_values(
    measured: Mapping[Judge, MeasuredRuns], models: Iterable[str], sampling: Sampling
) -> list[Row]:
    """Measure models by further measures than those of first ranks.

    Args:
        measured: values of the questions, by judge.
        models: names of runs that are measured.
        sampling: draws of the questions.

    Returns:
        Rows of ``MEASURE_COLUMNS``, by model in the order given, by judge, then by measure.
    """
    values: RowValues = {
        (model, *judge.cells): runs[model] for model in models for judge, runs in measured.items()
    }
    keys = MEASURE_COLUMNS[:4]
    units = list_units(values, keys[:3])
    if units.empty:
        return []
    figures = summarise(units, keys, sampling, average_runs)  # of one run each
    frame = format_measures(figures.frame, MEASURED)
    return to_rows(frame, MEASURE_COLUMNS)


def list_units(values: RowValues, keys: Sequence[str]) -> pd.DataFrame:
    """List units of ``figures.summarise``: one for each row, measure and question."""
    parts = [
        pd.DataFrame(
            {
                **dict(zip(keys, key, strict=True)),
                **{"measure": measure, "unit": np.arange(len(found)), "seed": 0, "value": found},
            }
        )
        for key, by_measure in values.items()
        for measure, found in by_measure.items()
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def share_ranks(
    ranks: Mapping[_Key, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> dict[_Key, dict[str, Values]]:
    """Return the share of each question in each metric (``metrics.question_shares``), by row."""
    return {
        key: {metric: question_shares(first, metric, depth) for metric in metrics}
        for key, first in ranks.items()
    }


def compare_shares(
    shares: RowValues, keys: Sequence[str], pairs: Iterable[tuple[str, str]], sampling: Sampling
) -> pd.DataFrame:
    """Compare pairs of rows, paired by question.

    Args:
        shares: the share of each question in each measure, of rows of the same questions.
        keys: names of the columns that identify a row; the rows of a pair differ in the last.
        pairs: values of the last key: that of a row, and that of the row it is compared with.
        sampling: draws of the questions.

    Returns:
        By the other keys, by measure, then by pair: ``keys``, ``measure``, ``baseline``,
        ``questions`` and ``DIFFERENCE_FIGURES`` as text, Answered@k in questions.

    Raises:
        ValueError: where two rows have different numbers of questions.
    """
    pairs, (*others, over) = list(pairs), keys
    named = {name for pair in pairs for name in pair}
    chosen = {key: found for key, found in shares.items() if key[-1] in named}
    questions = {len(one) for found in chosen.values() for one in found.values()}
    if len(questions) > 1:
        raise ValueError(f"{sorted(questions)} questions cannot be paired")
    if questions - {0}:
        units = list_units(chosen, keys)
        found = summarise(units, [*others, "measure", over], sampling).against(over, pairs).frame
    else:  # without questions there is nothing to draw
        named_by = {(*key[:-1], one): None for key, found in chosen.items() for one in found}
        rows = [(*key, *pair) for key in named_by for pair in pairs]
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
    measured: Mapping[Judge, MeasuredRuns] | None = None,
) -> list[Row]:
    """Rows of ``significance.csv``, by judge, measure and model in the order given.

    Args:
        dataset: name of the dataset.
        first_ranks: for every judge, the first ranks of the models and the baseline.
        baseline: the model that all others are compared with.
        sampling: draws of the questions; its seed also serves the sign flips.
        samples: number of sign flips where they cannot all be looked at.
        depth: the last rank the MRR counts.
        metrics: the metrics that are tested.
        measured: values of further measures that are tested, for every judge and model.

    Raises:
        ConfigurationError: where the baseline is not among the models.
        ValueError: where the numbers of questions differ.
    """
    shares: dict[tuple[str, ...], Mapping[str, Values]] = {}
    pairs: dict[tuple[str, str], None] = {}
    tested: list[tuple[object, ...]] = []
    for judge, ranks in first_ranks.items():
        if baseline not in ranks:
            raise ConfigurationError(
                f"baseline {baseline!r}: is no model of the table; set it to one of "
                f"{', '.join(ranks)}"
            )
        of_judge = share_ranks(ranks, depth, metrics)
        for model, values in measured[judge].items() if measured else ():
            of_judge[model] |= {name: one / len(one) for name, one in values.items()}
        shares |= {(*judge.cells, model): found for model, found in of_judge.items()}
        pairs |= {(model, baseline): None for model in ranks if model != baseline}
        rng = np.random.default_rng(sampling.seed)
        signs = draw_signs(len(ranks[baseline]), rng, samples=samples)
        for measure in of_judge[baseline]:
            by_model = {model: found[measure] for model, found in of_judge.items()}
            family = _test_family(by_model, baseline, signs)
            tested += [(*judge.cells, measure, *test) for test in family]
    found = compare_shares(shares, ["judge", "threshold", "model"], pairs, sampling)
    tests = pd.DataFrame(tested, columns=["judge", "threshold", "measure", "model", *_TESTED])
    frame = found.merge(tests, how="left").assign(dataset=dataset)
    return to_rows(frame, SIGNIFICANCE_COLUMNS)


def _test_family(
    shares: Mapping[str, Values], baseline: str, signs: NDArray[np.int8]
) -> list[tuple[object, ...]]:
    """Return every model but the baseline with ``_TESTED``, corrected for all of these tests."""
    differences = {
        model: found - shares[baseline] for model, found in shares.items() if model != baseline
    }
    tests = [run_randomisation_test(one, signs) for one in differences.values()]
    adjusted = adjust_by_holm([test.p for test in tests])
    return [
        (model, *astuple(count_outcomes(one)), f"{test.p:.4g}", YES[test.exact], f"{p_holm:.4g}")
        for (model, one), test, p_holm in zip(differences.items(), tests, adjusted, strict=True)
    ]
