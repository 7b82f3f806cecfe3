"""NCSED's Table 1 for one dataset, with intervals, figures of three judges and a ceiling.

Intervals, strict and charged figures, median length and ceiling are additions to the paper
(DEV-32), so are the figures over several seeds (DEV-81). What stands beside the published figures
is filled in by ``published_columns``; ``table1_files`` writes the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.metric_intervals import metric_interval
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, measure_ranks
from ncsbench.evaluation.rank_differences import compare_ranks
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import (
    CEILING,
    JUDGE_PREFIXES,
    Judge,
    ModelResult,
    Ranks,
    format_value,
)

_BOUNDS = ("", "_low", "_high")
_FIGURES = tuple(f"{metric}{bound}" for metric in METRICS for bound in _BOUNDS)
_PREFIXES = tuple(JUDGE_PREFIXES.values())

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
    *(f"verdict_alone_{metric}" for metric in METRICS),
    *(f"{statistic}_{metric}" for statistic in TEST_STATISTICS for metric in METRICS),
)
"""Cells that are empty where nothing published stands beside a row."""

SEED_COLUMNS = (
    "seeds",
    *(
        f"{prefix}{metric}_{figure}"
        for prefix in _PREFIXES
        for metric in METRICS
        for figure in ("mean", "sd")
    ),
)

REPOSITORY_FIGURES = tuple(
    f"{prefix}{metric}_repositories{bound}"
    for prefix in _PREFIXES
    for metric in METRICS
    for bound in _BOUNDS
)
"""Figures once more, with their intervals over repositories; empty where there are none."""

CELLS = (
    *("dataset", "model", "trained_on", "questions"),
    *(f"{prefix}{name}" for prefix in _PREFIXES for name in ("judge", "threshold", *_FIGURES)),
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
    ceiling: Ranks | None,
    judges: Mapping[str, Judge],
    draws: NDArray[np.int32],
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Rows of ``CELLS``: the models in the order given, then the ceiling.

    ``PUBLISHED_COLUMNS`` and ``REPOSITORY_FIGURES`` are empty.

    Args:
        dataset: name of the dataset.
        results: one result per model, all for the same questions in the same order.
        ceiling: first ranks of a perfect ranking (``ceiling.rank_ceiling``); None where the whole
            corpus was not judged.
        judges: of the ranks, by name; the cells of another one are empty.
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
        listed.append(ModelResult(name=CEILING, trained_on="", ranks=ceiling, median_lines=None))
    return [
        {
            **dict.fromkeys(CELLS, ""),
            "dataset": dataset,
            "model": result.name,
            "trained_on": result.trained_on,
            "questions": str(len(result.first_ranks)),
            **_figures(result, judges, draws, depth),
            "median_lines": "" if result.median_lines is None else f"{result.median_lines:.10g}",
            **_seed_figures(result, judges, depth),
            "training_pairs": "" if result.training_pairs is None else str(result.training_pairs),
        }
        for result in listed
    ]


def build_paired_differences(
    *,
    dataset: str,
    results: Sequence[ModelResult],
    comparisons: Sequence[tuple[str, str]],
    judges: Mapping[str, Judge],
    sampling: Sampling,
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Rows with model minus baseline, for every comparison, judge and metric.

    Args:
        dataset: name of the dataset.
        results: as for ``build_table1``.
        comparisons: pairs (model, baseline) of names among ``results``.
        judges: of the ranks, by name.
        sampling: of the questions.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a comparison names a model that has no result.
    """
    by_name = {result.name: result for result in results}
    for model, baseline in comparisons:
        unknown = [name for name in (model, baseline) if name not in by_name]
        if unknown:
            raise ConfigurationError(
                f"comparison of {model} with {baseline}: there is no result of {unknown[0]!r}; "
                f"choose from {', '.join(by_name)}"
            )
    found = {}
    for name, judge in judges.items():
        ranks = {model: result.ranks[name] for model, result in by_name.items()}
        by = {"judge": judge.similarity, "threshold": repr(float(judge.threshold))}
        for row in compare_ranks(ranks, comparisons, sampling, depth=depth):
            key = (row["model"], row["baseline"], name, row["measure"])
            found[key] = {"dataset": dataset, **by, **row}
    return [
        {column: found[model, baseline, name, metric][column] for column in DIFFERENCE_COLUMNS}
        for model, baseline in comparisons
        for name in judges
        for metric in METRICS
    ]


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
    result: ModelResult, judges: Mapping[str, Judge], draws: NDArray[np.int32], depth: int
) -> Row:
    """Each judge, and the four metrics under it with their bounds, under their column names."""
    figures: Row = {}
    for name, judge in judges.items():
        prefix, ranks = JUDGE_PREFIXES[name], result.ranks[name]
        figures[f"{prefix}judge"] = judge.similarity
        figures[f"{prefix}threshold"] = repr(float(judge.threshold))
        for metric in METRICS:
            interval = metric_interval(ranks, metric, draws, depth=depth)
            value = measure_ranks(ranks, metric, depth)
            figures[f"{prefix}{metric}"] = format_value(metric, value)
            figures[f"{prefix}{metric}_low"] = format_value(metric, interval.low)
            figures[f"{prefix}{metric}_high"] = format_value(metric, interval.high)
    return figures


def _seed_figures(result: ModelResult, judges: Iterable[str], depth: int) -> Row:
    """Mean and sample standard deviation over the model's own run and its replicates (DEV-81)."""
    if result.name == CEILING:
        return {}
    runs = [result.ranks, *(each.ranks for each in result.replicates)]
    figures: Row = {"seeds": str(len(runs))}
    for name in judges:
        prefix = JUDGE_PREFIXES[name]
        for metric in METRICS:
            values = [measure_ranks(ranks[name], metric, depth) for ranks in runs]
            several = len(values) > 1
            spread = format_value(metric, float(np.std(values, ddof=1))) if several else ""
            figures[f"{prefix}{metric}_mean"] = format_value(metric, float(np.mean(values)))
            figures[f"{prefix}{metric}_sd"] = spread
    return figures
