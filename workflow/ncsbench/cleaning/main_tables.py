"""Tables 2, 3, 5 and 8 of Sun et al. (ICSE 2022): trainings on raw, filtered and other pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.cleaning.cell_results import (
    Cell,
    CellResults,
    ResultFiles,
    read_cells,
    read_set_record,
)
from ncsbench.cleaning.random_order import expect_random
from ncsbench.cleaning.table_settings import (
    PUBLISHED_BENCHMARKS,
    PUBLISHED_MODELS,
    TableRow,
    TableSettings,
)
from ncsbench.evaluation.equivalence import LEVEL
from ncsbench.evaluation.grouped_intervals import draw_groups, resample_median
from ncsbench.evaluation.metrics import reciprocal_ranks
from ncsbench.evaluation.resampled_figures import ResampledFigure, tell_order
from ncsbench.evaluation.significance import adjust_by_holm
from ncsbench.published.printed_cells import PublishedCells, read_published_cells, tell_other_size

CUTS = (1, 5, 10)
"""Answered@k."""
RANDOM = "random order"
"""The model of the rows that chance is expected to reach."""
NOT_MADE, NOT_YET = "not made", "not made yet"
NOT_ASKED, NO_SET = "not made: not in the grid", "not made: no set of the experiment"
"""Verdicts of rows without figures: with a reason or without one, and where none is asked for."""
MEASURES = ("mrr_10", "mrr")
"""Mean reciprocal ranks: 0 beyond rank 10, as published, and of all ranks."""

_ANSWERED = tuple(f"answered_{k}" for k in CUTS)
_COMPARED = ("difference", "difference_low", "difference_high", "p", "p_holm")
COLUMNS = (
    *("model", "benchmark", "training_set", "made_of", "cut", "share_kept", "share_of_rules"),
    *("seeds", "trainings", "pairs", "hours", "kept_epoch", "queries", "groups", *_ANSWERED),
    *(f"{measure}{bound}" for measure in MEASURES for bound in ("", "_low", "_high")),
    *("published_as", "published_share_of_rules", "published_pairs", "published_hours"),
    *(*(f"published_{name}" for name in _ANSWERED), "published_mrr_10", "verdict"),
    *("difference_from", "measure", *_COMPARED, "published_difference", "order", "primary"),
)
"""Columns of ``table2.csv``, ``table3.csv``, ``table5.csv`` and ``table8.csv``, in order."""
_DIGITS = 4
_P_DIGITS = 4


def write_table(
    settings: TableSettings, *, results: ResultFiles, published: Path | None, output: Path
) -> None:
    """Write ``build_table`` of the cells that are made.

    Args:
        settings: of the table.
        results: files of the cells and sets.
        published: ``nlqf_tables.csv``; None for nothing beside ours.
        output: CSV file to write.

    Raises:
        DataError: for a file that is damaged or does not go with the others.
    """
    rows = build_table(settings, results, read_published_cells(published))
    write_rows(output, COLUMNS, rows)


def build_table(
    settings: TableSettings, results: ResultFiles, printed: PublishedCells
) -> list[Row]:
    """Rows of ``COLUMNS``: models by benchmarks by training sets; last, a random order.

    Args:
        settings: of the table.
        results: files of the cells and sets.
        printed: the printed figures.
    """
    names = dict.fromkeys(row.training_set for row in settings.rows)
    cells = read_cells(
        results,
        models=settings.models,
        sets={name: settings.sets.get(name, ()) for name in names},
        seeds=settings.seeds,
        grid=None if settings.grid is None else {*settings.grid} - {*settings.outdated},
    )
    # A record of what cannot be made, and is not kept, is not that of the set as it is configured.
    unknown = {*settings.left_out} - {name for (_, name), found in cells.cells.items() if found}
    made_of = {
        name: {} if name in unknown else _describe_set(settings, results, name) for name in names
    }
    rows: list[Row] = []
    tests: list[tuple[Row, float]] = []
    for model in settings.models:
        for benchmark in settings.ordered_benchmarks:
            figures = _Figures(settings, cells, model, benchmark)
            for row in settings.rows:
                shown = {
                    **dict.fromkeys(COLUMNS, ""),
                    **{"model": model, "benchmark": benchmark, "training_set": row.training_set},
                    **made_of[row.training_set],
                    **figures.describe(row.training_set),
                    **_find_published(settings, printed, model, benchmark, row),
                }
                shown["verdict"] = _judge(settings, shown, figures, row, printed)
                _compare(settings, shown, figures, row, printed)
                if shown["p"]:
                    tests.append((shown, figures.compare(row).p))
                rows.append(shown)
    _correct(tests)
    return [*rows, *(_expect(cells, one, settings) for one in settings.ordered_benchmarks)]


class _Figures:
    """Figures of the training sets of one model on one benchmark."""

    def __init__(
        self, settings: TableSettings, results: CellResults, model: str, benchmark: str
    ) -> None:
        self.model, self.benchmark = model, benchmark
        self.measure = settings.primary.measure if settings.primary else MEASURES[0]
        self._settings = settings
        self._cells: dict[str, list[Cell]] = {
            name: [cell for cell in found if benchmark in cell.ranks]
            for (of_model, name), found in results.cells.items()
            if of_model == model
        }
        self.queries = results.queries.get(benchmark)
        self._drawn = draw_groups(
            self.queries.groups if self.queries else (),
            seed=settings.seed,
            seeds=len(settings.seeds),
            draws=max([1, *map(len, settings.sets.values())]),
            resamples=settings.bootstrap_samples,
        )
        self._found: dict[tuple[str, str], ResampledFigure] = {}

    def cells(self, training_set: str) -> list[Cell]:
        """Trainings that ranked the benchmark, by seed and draw."""
        return self._cells.get(training_set, [])

    def count_asked(self, training_set: str) -> int:
        """How many trainings are asked for."""
        return self._settings.count_cells(training_set, self.model)

    def find(self, training_set: str, measure: str) -> ResampledFigure:
        """A figure of a training set that has cells; numbers of queries as shares."""
        key = training_set, measure
        if key not in self._found:
            of_seeds: dict[int, list[NDArray[np.float64]]] = {}
            for cell in self.cells(training_set):
                values = _score(cell.ranks[self.benchmark], measure)
                of_seeds.setdefault(cell.seed, []).append(values)
            self._found[key] = resample_median(list(of_seeds.values()), self._drawn)
        return self._found[key]

    def compare(self, row: TableRow) -> ResampledFigure:
        """The difference of a row, in numbers of queries for Answered@k."""
        own, other = (
            self.find(name, self.measure) for name in (row.training_set, row.difference_from)
        )
        found = own - other
        if self.measure in MEASURES or self.queries is None:
            return found
        queries = len(self.queries.groups)
        return ResampledFigure(queries * found.value, queries * found.resampled)

    def describe(self, training_set: str) -> Row:
        """The cells that are ours."""
        cells = self.cells(training_set)
        if not cells or self.queries is None:
            return {}
        queries = len(self.queries.groups)
        row = {
            "seeds": str(len({cell.seed for cell in cells})),
            "trainings": str(len(cells)),
            "pairs": f"{np.median([cell.pairs for cell in cells]):.0f}",
            "hours": format_number(float(np.median([cell.hours for cell in cells])), 2),
            "kept_epoch": f"{np.median([cell.kept_epoch for cell in cells]):g}",
            "queries": str(queries),
            "groups": str(len(set(self.queries.groups))),
        }
        for name in _ANSWERED:
            counts = [_score(cell.ranks[self.benchmark], name).sum() for cell in cells]
            row[name] = f"{np.median(counts):g}"
        for measure in MEASURES:
            figure = self.find(training_set, measure)
            bounds = figure.interval
            for bound, value in zip(
                ("", "_low", "_high"), (figure.value, bounds.low, bounds.high), strict=True
            ):
                row[measure + bound] = format_number(value, _DIGITS)
        return row


def _score(ranks: NDArray[np.int32], measure: str) -> NDArray[np.float64]:
    """What each query adds to a measure."""
    if measure in MEASURES:
        last = 10 if measure == "mrr_10" else np.iinfo(np.int32).max
        return reciprocal_ranks(ranks, int(last))
    return (ranks <= int(measure.removeprefix("answered_"))).astype(np.float64)


def _describe_set(settings: TableSettings, results: ResultFiles, training_set: str) -> Row:
    """What a training set is here, from the record of its first draw that is made."""
    draws = settings.sets.get(training_set, ())
    record: Mapping[str, Any] = next(filter(None, (read_set_record(results, d) for d in draws)), {})
    if not record:
        return {}
    row = {
        "made_of": f"{record['kind']} pairs of {record['source']}",
        "share_kept": format_number(record["pairs"] / max(record["of"], 1), _DIGITS),
    }
    if cut := record.get("cut"):
        row["cut"] = cut["method"]
        row["share_of_rules"] = format_number(cut["share_kept"], _DIGITS)
    elif record["kind"] == "filtered":
        row["share_of_rules"] = format_number(1, _DIGITS)
    return row


def _find_published(
    settings: TableSettings, printed: PublishedCells, model: str, benchmark: str, row: TableRow
) -> Row:
    if not row.published_as:
        return {}
    shown = {"published_as": row.published_as}
    names = {"published_pairs": "pairs", "published_hours": "hours", "published_mrr_10": "mrr"}
    names |= {f"published_{name}": name for name in _ANSWERED}
    for column, name in names.items():
        shown[column] = _print(settings, printed, model, benchmark, row.published_as, name)
    kept = _print(settings, printed, model, benchmark, row.published_as, "percent_kept")
    if kept:
        shown["published_share_of_rules"] = format_number(float(kept) / 100, _DIGITS)
    return shown


def _print(
    settings: TableSettings,
    printed: PublishedCells,
    model: str,
    benchmark: str,
    row: str,
    name: str,
) -> str:
    """A printed figure; empty where there is none."""
    table = f"Table {settings.table.removeprefix('table')}"
    of = PUBLISHED_MODELS.get(model, ""), PUBLISHED_BENCHMARKS.get(benchmark, ""), row
    return printed.get((table, ", ".join(of), name), "") if all(of) else ""


def _judge(
    settings: TableSettings, shown: Row, figures: _Figures, row: TableRow, printed: PublishedCells
) -> str:
    """What can be said of a row: what is missing, and how it stands to the printed one."""
    cells, wanted = figures.cells(row.training_set), figures.count_asked(row.training_set)
    if not cells:
        if not wanted:
            return NOT_ASKED if row.training_set in settings.sets else NO_SET
        names = (row.training_set, figures.benchmark, figures.model)
        reasons = [settings.left_out[name] for name in names if name in settings.left_out]
        return f"{NOT_MADE}: {reasons[0]}" if reasons else NOT_YET
    verdicts = []
    if len(cells) < wanted:
        verdicts.append(f"in part: {len(cells)} of {wanted} trainings")
    untrained = sum(cell.kept_epoch == 0 for cell in cells)
    if untrained:
        verdicts.append(f"untrained: {untrained} of {len(cells)} kept their first values")
    if shown["published_mrr_10"]:
        place = PUBLISHED_BENCHMARKS[figures.benchmark]
        queries = printed.get(("Table 2", place, "queries"), "")
        verdicts.append(
            tell_other_size("pairs", int(shown["pairs"]), shown["published_pairs"])
            or tell_other_size("queries", int(shown["queries"]), queries)
            or _place(shown)
        )
    return "; ".join(verdicts)


def _place(shown: Row) -> str:
    value, low, high = (
        float(shown[name]) for name in ("published_mrr_10", "mrr_10_low", "mrr_10_high")
    )
    if low <= value <= high:
        return "interval holds it"
    return "lower" if high < value else "higher"


def _compare(
    settings: TableSettings, shown: Row, figures: _Figures, row: TableRow, printed: PublishedCells
) -> None:
    """Fill in the difference from another training set, and the printed one."""
    other = row.difference_from
    if not other:
        return
    measure = figures.measure
    shown |= {"difference_from": other, "measure": measure}
    primary = settings.primary
    key = (figures.model, figures.benchmark, row.training_set, other)
    if primary and key == (primary.model, primary.benchmark, primary.better, primary.than):
        shown["primary"] = "yes"
    published = _published_difference(settings, figures, row, printed)
    if published is not None:
        digits = 3 if measure in MEASURES else 0
        shown["published_difference"] = format_number(published, digits, signed=True)
    if not figures.cells(row.training_set) or not figures.cells(other):
        return
    found = figures.compare(row)
    bounds = found.interval
    for name, value in zip(_COMPARED, (found.value, bounds.low, bounds.high), strict=False):
        shown[name] = format_number(value, _DIGITS, signed=True)
    shown["p"] = format_number(found.p, _P_DIGITS)
    pair = (row.training_set, other)
    whole = all(len(figures.cells(name)) == figures.count_asked(name) for name in pair)
    if whole:
        shown["order"] = tell_order(found.side(_DIGITS), published or 0)


def _published_difference(
    settings: TableSettings, figures: _Figures, row: TableRow, printed: PublishedCells
) -> float | None:
    """That of the printed rows, by the measure of the comparison; None where one is not printed."""
    names = {one.training_set: one.published_as for one in settings.rows}
    measure = {"mrr_10": "mrr", "mrr": ""}.get(figures.measure, figures.measure)
    values = [
        _print(settings, printed, figures.model, figures.benchmark, names.get(name, ""), measure)
        for name in (row.training_set, row.difference_from)
    ]
    return float(values[0]) - float(values[1]) if all(values) else None


def _correct(tests: list[tuple[Row, float]]) -> None:
    """Correct p-values but the primary one by Holm; orders that they do not carry are open."""
    alone = [(row, p) for row, p in tests if row["primary"]]
    family = [(row, p) for row, p in tests if not row["primary"]]
    corrected = adjust_by_holm([p for _, p in family])
    for (row, _), p in zip((*alone, *family), (*(p for _, p in alone), *corrected), strict=True):
        row["p_holm"] = format_number(p, _P_DIGITS)
        if row["order"] and p > LEVEL:
            row["order"] = "open"


def _expect(results: CellResults, benchmark: str, settings: TableSettings) -> Row:
    """The row of a random order."""
    row = {**dict.fromkeys(COLUMNS, ""), "model": RANDOM, "benchmark": benchmark}
    queries = results.queries.get(benchmark)
    if queries is None:
        reason = settings.left_out.get(benchmark)
        return {**row, "verdict": f"{NOT_MADE}: {reason}" if reason else NOT_YET}
    chance = expect_random(queries.sizes, CUTS)
    row |= {"queries": str(len(queries.groups)), "groups": str(len(set(queries.groups)))}
    for name, k in zip(_ANSWERED, CUTS, strict=True):
        row[name] = format_number(chance.answered[k], 1)
    row |= {name: format_number(getattr(chance, name), _DIGITS) for name in MEASURES}
    return row
