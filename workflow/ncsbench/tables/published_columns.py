"""The columns of Table 1 that hold published figures, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.equivalence import FamilyTest
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, measure_ranks
from ncsbench.evaluation.results import CEILING, ModelResult, format_value
from ncsbench.published.systems import PublishedSystem, PublishedTable
from ncsbench.published.verdicts import Cell, decide_verdict
from ncsbench.tables.table1 import CELLS, TEST_STATISTICS


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
        rows: of ``table1.build_table1``; the new rows stand before the ceiling.
        results: of the models, as for ``build_table1``.
        published: the published systems; nothing changes where no question is in the sheet.
        cells: of ``compare_cells``.
        reasons: those that explain a cell with their shares, by model and metric.
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
        name, found = f"difference_{cell.metric}", cell.difference
        figures[name] = format_value(cell.metric, found.value)
        figures[f"{name}_low"] = format_value(cell.metric, found.interval.low)
        figures[f"{name}_high"] = format_value(cell.metric, found.interval.high)
        verdict = decide_verdict(cell, reasons.get((cell.model, cell.metric), {}))
        figures[f"verdict_{cell.metric}"] = verdict
        if cell.test is not None:
            figures[f"verdict_alone_{cell.metric}"] = cell.test.outcome_alone
            figures |= _test_figures(cell.metric, cell.test)
    return figures


def _test_figures(metric: Metric, test: FamilyTest) -> Row:
    values = {name: getattr(test, name) for name in TEST_STATISTICS}
    return {
        f"{name}_{metric}": f"{value:.4g}"
        if name.endswith(("_p", "_p_holm"))
        else format_value(metric, value)
        for name, value in values.items()
        if value is not None
    }
