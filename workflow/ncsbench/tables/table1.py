"""NCSED's Table 1 for one dataset, with intervals, strict figures and a ceiling.

Intervals, strict figures, median length and ceiling are additions to the paper (DEV-32), so are the
figures over several seeds (DEV-81). What stands beside the published figures is filled in by
``published_columns``; ``table1_files`` writes the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.intervals import paired_difference
from ncsbench.evaluation.metric_intervals import metric_interval
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, measure_ranks
from ncsbench.evaluation.results import (
    CEILING,
    Ceiling,
    Judge,
    ModelResult,
    format_value,
)

_BOUNDS = ("", "_low", "_high")
_FIGURES = tuple(f"{metric}{bound}" for metric in METRICS for bound in _BOUNDS)

TEST_STATISTICS = (
    *("margin", "smallest_margin", "smallest_margin_alone"),
    *("equivalence_p", "equivalence_p_holm", "difference_p", "difference_p_holm"),
)
"""What is known of a difference from a published figure (``equivalence.FamilyTest``)."""

PUBLISHED_COLUMNS = (
    *(f"published_{metric}" for metric in METRICS),
    "published_as",
    *(f"printed_{metric}" for metric in METRICS),
    "published_questions",
    *(f"difference_{figure}" for figure in _FIGURES),
    *(f"verdict_{metric}" for metric in METRICS),
    *(f"{statistic}_{metric}" for statistic in TEST_STATISTICS for metric in METRICS),
)
"""Cells that are empty where nothing published stands beside a row."""

SEED_COLUMNS = (
    "seeds",
    *(
        f"{prefix}{metric}_{figure}"
        for prefix in ("", "strict_")
        for metric in METRICS
        for figure in ("mean", "sd")
    ),
)

REPOSITORY_FIGURES = tuple(
    f"{prefix}{metric}_repositories{bound}"
    for prefix in ("", "strict_")
    for metric in METRICS
    for bound in _BOUNDS
)
"""Figures once more, with their intervals over repositories; empty where there are none."""

CELLS = (
    *("dataset", "model", "trained_on", "judge", "threshold", "questions"),
    *_FIGURES,
    *("strict_judge", "strict_threshold"),
    *(f"strict_{figure}" for figure in _FIGURES),
    "median_lines",
    *PUBLISHED_COLUMNS,
    *SEED_COLUMNS,
    "training_pairs",
    *REPOSITORY_FIGURES,
)
"""What a row has, a text each; empty where it has no such figure."""

DIFFERENCE_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "baseline", "measure"),
    *("difference", "low", "high"),
)
"""Columns of the paired differences, in order."""


def build_table1(
    *,
    dataset: str,
    results: Sequence[ModelResult],
    ceiling: Ceiling | None,
    judge: Judge,
    strict_judge: Judge,
    draws: NDArray[np.int32],
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Rows of ``CELLS``: the models in the order given, then the ceiling.

    ``PUBLISHED_COLUMNS`` and ``REPOSITORY_FIGURES`` are empty.

    Args:
        dataset: name of the dataset.
        results: one result per model, all for the same questions in the same order.
        ceiling: perfect ranking, or None where the whole corpus was not judged.
        judge: default judge, of ``first_ranks``.
        strict_judge: strict judge, of ``strict_first_ranks``.
        draws: what ``intervals.draw_resamples`` gave for these questions.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a model is named like the last row or given twice.
        ValueError: where a number of questions differs from that of ``draws``.
    """
    names = [result.name for result in results]
    if CEILING in names or len(set(names)) != len(names):
        raise ConfigurationError(
            f"models must have distinct names other than {CEILING!r}, not {', '.join(names)}"
        )
    listed = list(results)
    if ceiling is not None:
        listed.append(
            ModelResult(
                name=CEILING,
                trained_on="",
                first_ranks=ceiling.first_ranks,
                strict_first_ranks=ceiling.strict_first_ranks,
                median_lines=None,
            )
        )
    return [
        {
            "dataset": dataset,
            "model": result.name,
            "trained_on": result.trained_on,
            "judge": judge.similarity,
            "threshold": repr(float(judge.threshold)),
            "questions": str(len(result.first_ranks)),
            **_figures("", result.first_ranks, draws, depth),
            "strict_judge": strict_judge.similarity,
            "strict_threshold": repr(float(strict_judge.threshold)),
            **_figures("strict_", result.strict_first_ranks, draws, depth),
            "median_lines": "" if result.median_lines is None else f"{result.median_lines:.10g}",
            **dict.fromkeys(PUBLISHED_COLUMNS, ""),
            **_seed_figures(result, depth),
            "training_pairs": "" if result.training_pairs is None else str(result.training_pairs),
            **dict.fromkeys(REPOSITORY_FIGURES, ""),
        }
        for result in listed
    ]


def build_paired_differences(
    *,
    dataset: str,
    results: Sequence[ModelResult],
    comparisons: Sequence[tuple[str, str]],
    judge: Judge,
    strict_judge: Judge,
    draws: NDArray[np.int32],
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Rows with model minus baseline, for every comparison, judge and metric.

    Args:
        dataset: name of the dataset.
        results: as for ``build_table1``.
        comparisons: pairs (model, baseline) of names among ``results``.
        judge: default judge.
        strict_judge: strict judge.
        draws: as for ``build_table1``.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a comparison names a model that has no result.
    """
    by_name = {result.name: result for result in results}
    rows = []
    for model, baseline in comparisons:
        unknown = [name for name in (model, baseline) if name not in by_name]
        if unknown:
            raise ConfigurationError(
                f"comparison of {model} with {baseline}: there is no result of {unknown[0]!r}; "
                f"choose from {', '.join(by_name)}"
            )
        ours, theirs = by_name[model], by_name[baseline]
        for used, ranks, others in (
            (judge, ours.first_ranks, theirs.first_ranks),
            (strict_judge, ours.strict_first_ranks, theirs.strict_first_ranks),
        ):
            for metric in METRICS:
                found = paired_difference(ranks, others, metric, draws, depth=depth)
                rows.append(
                    {
                        "dataset": dataset,
                        "judge": used.similarity,
                        "threshold": repr(float(used.threshold)),
                        "model": model,
                        "baseline": baseline,
                        "measure": str(metric),
                        "difference": format_value(metric, found.value),
                        "low": format_value(metric, found.interval.low),
                        "high": format_value(metric, found.interval.high),
                    }
                )
    return rows


def collect_metrics(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """The main figures of every model for ``dvc metrics``; published systems alone have none."""
    return {
        row["model"]: {
            "answered_10": int(row["answered_10"]),
            "mrr": float(row["mrr"]),
            "strict_mrr": float(row["strict_mrr"]),
        }
        for row in rows
        if row["mrr"]
    }


def write_paired_differences(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_paired_differences``, atomically."""
    write_rows(path, DIFFERENCE_COLUMNS, rows)


def _figures(
    prefix: str, first_ranks: NDArray[np.int32], draws: NDArray[np.int32], depth: int
) -> Row:
    """The four metrics with their bounds, under their column names."""
    figures: Row = {}
    for metric in METRICS:
        interval = metric_interval(first_ranks, metric, draws, depth=depth)
        value = measure_ranks(first_ranks, metric, depth)
        figures[f"{prefix}{metric}"] = format_value(metric, value)
        figures[f"{prefix}{metric}_low"] = format_value(metric, interval.low)
        figures[f"{prefix}{metric}_high"] = format_value(metric, interval.high)
    return figures


def _seed_figures(result: ModelResult, depth: int) -> Row:
    """Mean and sample standard deviation over the model's own run and its replicates (DEV-81)."""
    if result.name == CEILING:
        return dict.fromkeys(SEED_COLUMNS, "")
    runs = [(result.first_ranks, result.strict_first_ranks)]
    runs += [(each.first_ranks, each.strict_first_ranks) for each in result.replicates]
    figures: Row = {"seeds": str(len(runs))}
    for prefix, ranks in zip(("", "strict_"), zip(*runs, strict=True), strict=True):
        for metric in METRICS:
            values = [measure_ranks(each, metric, depth) for each in ranks]
            several = len(values) > 1
            spread = format_value(metric, float(np.std(values, ddof=1))) if several else ""
            figures[f"{prefix}{metric}_mean"] = format_value(metric, float(np.mean(values)))
            figures[f"{prefix}{metric}_sd"] = spread
    return figures
