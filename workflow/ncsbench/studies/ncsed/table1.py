"""NCSED's Table 1 for one dataset, with intervals, figures of three judges and a ceiling.

Intervals, strict and charged figures, median length and ceiling are additions to the paper
(DEV-32), and so are the figures over several seeds (DEV-81). ``table1_files`` writes the rows;
its ``CELLS`` name the cells of a row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.metrics import METRICS, PUBLISHED_DEPTH, Metric, measure_ranks
from ncsbench.evaluation.measures.rank_figures import (
    MEASURED,
    RankedRows,
    compare_shares,
    measure_rows,
    share_ranks,
)
from ncsbench.evaluation.measures.results import (
    CEILING,
    JUDGE_PREFIXES,
    Judge,
    ModelResult,
    Ranks,
    format_value,
)
from ncsbench.evaluation.published.systems import PublishedSystem, PublishedTable
from ncsbench.evaluation.published.verdicts import Cell, decide_verdict
from ncsbench.evaluation.statistics.figure_text import to_rows
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.studies.ncsed.table1_files import BOUNDS, CELLS, TEST_STATISTICS
from ncsbench.studies.ncsed.table_settings import REPOSITORY_COLUMNS

DIFFERENCE_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "baseline", "measure"),
    *("difference", "difference_low", "difference_high"),
)
"""Columns of the paired differences, in order."""


def build_table1(
    *,
    dataset: str,
    results: Sequence[ModelResult],
    ceiling: Ranks | None,
    judges: Mapping[str, Judge],
    sampling: Sampling,
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Build rows of ``CELLS``: the models in the order given, then the ceiling.

    ``PUBLISHED_COLUMNS`` and ``REPOSITORY_FIGURES`` are empty.

    Args:
        dataset: name of the dataset.
        results: one result per model, all for the same questions in the same order.
        ceiling: first ranks of a perfect ranking (``ceiling.rank_ceiling``); None where the whole
            corpus was not judged.
        judges: judges of the ranks, by name; the cells of other judges are empty.
        sampling: draws of the questions.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a model is named like the last row or given twice.
        ValueError: where numbers of questions differ.
    """
    names = [result.name for result in results]
    if CEILING in names or len(set(names)) != len(names):
        raise ConfigurationError(
            f"models must have distinct names other than {CEILING!r}, not {', '.join(names)}"
        )
    listed = list(results)
    if ceiling is not None:
        listed.append(ModelResult(name=CEILING, trained_on="", ranks=ceiling, median_lines=None))
    rows = {
        result.name: {
            **dict.fromkeys(CELLS, ""),
            "dataset": dataset,
            "model": result.name,
            "trained_on": result.trained_on,
            "questions": str(len(result.first_ranks)),
            "median_lines": "" if result.median_lines is None else f"{result.median_lines:.10g}",
            **_seed_figures(result, judges, depth),
            "training_pairs": "" if result.training_pairs is None else str(result.training_pairs),
        }
        for result in listed
    }
    ranks: RankedRows = {(name, one.name): one.ranks[name] for one in listed for name in judges}
    measured = measure_rows(ranks, ["judge", "model"], sampling, depth=depth)
    for row in measured.to_dict("records"):
        prefix, judge = JUDGE_PREFIXES[row["judge"]], judges[row["judge"]]
        by = dict(zip((f"{prefix}judge", f"{prefix}threshold"), judge.cells, strict=True))
        name = f"{prefix}{row['measure']}"
        rows[row["model"]] |= by | {f"{name}{BOUNDS[bound]}": row[bound] for bound in MEASURED}
    return list(rows.values())


def _seed_figures(result: ModelResult, judges: Iterable[str], depth: int) -> Row:
    """Compute mean and sample standard deviation over a model's own run and replicates (DEV-81)."""
    if result.name == CEILING:
        return {}
    runs = [result.ranks, *(each.ranks for each in result.replicates)]
    figures: Row = {"seeds": str(len(runs))}
    for name in judges:
        for metric in METRICS:
            values = [measure_ranks(ranks[name], metric, depth) for ranks in runs]
            column = f"{JUDGE_PREFIXES[name]}{metric}"
            figures[f"{column}_mean"] = format_value(metric, float(np.mean(values)))
            if len(values) > 1:
                figures[f"{column}_sd"] = format_value(metric, float(np.std(values, ddof=1)))
    return figures


def add_published(
    rows: Sequence[Row],
    *,
    results: Sequence[ModelResult],
    published: PublishedTable,
    cells: Sequence[Cell],
    reasons: Mapping[tuple[str, Metric], Mapping[str, float]],
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Fill the published columns of Table 1 and add a row for each system without a model.

    Args:
        rows: the result of ``build_table1``; the new rows come before the ceiling.
        results: results of the models, as for ``build_table1``.
        published: the published systems; nothing changes where no question is in the sheet.
        cells: the result of ``compare_cells``.
        reasons: the reasons that explain a cell, with their shares, by model and metric.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where one of our models has the name of a system that gets a row.
    """
    if not len(published.joined):
        return [dict(row) for row in rows]
    stands_for = {result.name: result.compared_with for result in results}
    systems = {system.name: system for system in published.systems}
    filled: list[Row] = []
    for row in rows:
        name = stands_for.get(row["model"], "")
        figures = _published_figures(systems[name], len(published.joined), depth) if name else {}
        verdicts = _difference_figures([c for c in cells if c.model == row["model"]], reasons)
        filled.append({**row, **figures, **verdicts})
    added = []
    for name, system in systems.items():
        if name in stands_for.values():
            continue
        if name in stands_for:
            raise ConfigurationError(
                f"model {name}: has the name of a published system; give it another one or say "
                "published_as"
            )
        empty = dict.fromkeys(CELLS, "")
        named = {"dataset": rows[0]["dataset"], "model": name, "trained_on": system.trained_on}
        figures = _published_figures(system, len(published.joined), depth)
        added.append({**empty, **named, **figures})
    models = [row for row in filled if row["model"] != CEILING]
    return [*models, *added, *filled[len(models) :]]


def _published_figures(system: PublishedSystem, joined: int, depth: int) -> Row:
    figures = {"published_as": system.name}
    figures |= {f"printed_{metric}": system.printed[metric].value for metric in METRICS}
    if system.first_ranks is not None:
        figures["published_questions"] = str(joined)
        for metric in METRICS:
            value = measure_ranks(system.first_ranks, metric, depth)
            figures[f"published_{metric}"] = format_value(metric, value)
    return figures


def _difference_figures(
    cells: Sequence[Cell], reasons: Mapping[tuple[str, Metric], Mapping[str, float]]
) -> Row:
    figures: Row = {}
    for cell in cells:
        metric, found = cell.metric, cell.difference
        bounds = (found.value, found.interval.low, found.interval.high)
        for ending, value in zip(BOUNDS.values(), bounds, strict=True):
            figures[f"difference_{metric}{ending}"] = format_value(metric, value)
        verdict = decide_verdict(cell, reasons.get((cell.model, metric), {}))
        figures[f"verdict_{metric}"] = verdict
        if cell.test is None:
            continue
        figures[f"verdict_alone_{metric}"] = cell.test.outcome_alone
        for name in TEST_STATISTICS:
            if (value := getattr(cell.test, name)) is not None:
                is_p = name.endswith(("_p", "_p_holm"))
                figures[f"{name}_{metric}"] = (
                    f"{value:.4g}" if is_p else format_value(metric, value)
                )
    return figures


def add_repository_intervals(
    rows: Sequence[Row], folder: Path, models: Collection[str]
) -> list[Row]:
    """Give the rows of some models their intervals over repositories.

    Args:
        rows: rows of Table 1.
        folder: folder with a table of ``REPOSITORY_COLUMNS`` for each model.
        models: names of the models that get intervals.
    """
    filled = []
    for row in rows:
        found: Row = {}
        path = folder / f"{row['model']}.csv"
        for one in read_rows(path, REPOSITORY_COLUMNS) if row["model"] in models else ():
            for prefix in JUDGE_PREFIXES.values():
                judge = (row[f"{prefix}judge"], row[f"{prefix}threshold"])
                if (one["judge"], one["threshold"]) == judge:
                    name = f"{prefix}{one['measure']}"
                    cells = {**one, "value": row[name]}
                    found |= {f"{name}_repositories{BOUNDS[b]}": cells[b] for b in BOUNDS}
        filled.append({**row, **found})
    return filled


def build_paired_differences(
    *,
    dataset: str,
    results: Sequence[ModelResult],
    comparisons: Sequence[tuple[str, str]],
    judges: Mapping[str, Judge],
    sampling: Sampling,
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Build rows of model minus baseline, for every comparison, judge and metric.

    Args:
        dataset: name of the dataset.
        results: results of the models, as for ``build_table1``.
        comparisons: pairs (model, baseline) of names among ``results``.
        judges: judges of the ranks, by name.
        sampling: draws of the questions.
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
    ranks: RankedRows = {
        (name, *judge.cells, model): result.ranks[name]
        for name, judge in judges.items()
        for model, result in by_name.items()
    }
    keys = ["name", "judge", "threshold", "model"]
    found = compare_shares(share_ranks(ranks, depth), keys, comparisons, sampling)
    found = found.assign(dataset=dataset)
    pairs = dict.fromkeys(comparisons)
    wanted = found.groupby(["model", "baseline"], sort=False)
    return [row for pair in pairs for row in to_rows(wanted.get_group(pair), DIFFERENCE_COLUMNS)]


def collect_metrics(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Collect the main figures of our models for ``dvc metrics``, without published systems."""
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
