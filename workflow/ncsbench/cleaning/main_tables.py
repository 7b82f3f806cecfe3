"""Tables 2, 3, 5 and 8 of Sun et al. (ICSE 2022): trainings on raw, filtered and other pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
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
from ncsbench.evaluation.figures import Figures, summarise
from ncsbench.evaluation.metrics import reciprocal_ranks
from ncsbench.evaluation.orders import find_side, tell_order
from ncsbench.evaluation.resampling import MedianOfTrainings, Sampling
from ncsbench.evaluation.significance import LEVEL, adjust_by_holm
from ncsbench.published.printed_figures import PublishedCells, read_published_cells, tell_other_size
from ncsbench.published.verdicts import judge_figures

CUTS = (1, 5, 10)
"""Answered@k."""
RANDOM = "random order"
"""The model of the rows that chance is expected to reach."""
NOT_MADE, NOT_YET = "not made", "not made yet"
NOT_ASKED, NO_SET = "not made: not in the grid", "not made: no set of the experiment"
"""Verdicts of rows without figures: with a reason or without one, and where none is asked for."""
MEASURES = ("mrr_10", "mrr")
"""Mean reciprocal ranks: 0 beyond rank 10, as published, and of all ranks."""

_KEYS = ("model", "benchmark", "training_set", "measure")
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
    settings: TableSettings, results: Sequence[Path], output: Path, published: Path | None = None
) -> None:
    """Write Table 2, 3, 5 or 8 of Sun et al.: trainings on raw, filtered and other pairs.

    Args:
        settings: of the table.
        results: files of the cells and sets that are made, or folders that have their folders.
        output: CSV file of ``build_table`` to write.
        published: ``nlqf_tables.csv``; without it nothing stands beside ours.

    Raises:
        DataError: for a file that is damaged or does not go with the others.
    """
    paths = [path for one in results for path in ([one] if one.is_file() else one.glob("*/*"))]
    files = {(path.parent.name, path.stem): path for path in paths}
    rows = build_table(settings, files, read_published_cells(published))
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
    figures = measure_cells(settings, cells)
    differences = compare_sets(settings, figures)
    shown = figures.frame.set_index(list(_KEYS))
    places = [
        _Place(settings, cells, model, benchmark, row)
        for model in settings.models
        for benchmark in settings.ordered_benchmarks
        for row in settings.rows
    ]
    rows = [
        dict.fromkeys(COLUMNS, "")
        | {"model": one.model, "benchmark": one.benchmark, "training_set": one.row.training_set}
        | made_of[one.row.training_set]
        | _describe(one, shown)
        | _find_published(settings, printed, one.model, one.benchmark, one.row)
        for one in places
    ]
    beside = _judge_beside(figures, rows, printed)
    for place, row in zip(places, rows, strict=True):
        row["verdict"] = _judge(place, row, beside)
        row.update(_compare(place, differences, printed))
    return [*rows, *(_expect(cells, one, settings) for one in settings.ordered_benchmarks)]


def measure_cells(settings: TableSettings, results: CellResults) -> Figures:
    """Figures by model, benchmark, training set and measure: medians over trainings (DEV-196).

    Answered@k is a share of the queries here.

    Args:
        settings: of the table.
        results: ranks that the trainings reached.
    """
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    median = MedianOfTrainings(
        settings.seed,
        seeds=len(settings.seeds),
        draws=max([1, *map(len, settings.sets.values())]),
        resamples=settings.bootstrap_samples,
    )
    units = [
        pd.DataFrame(
            {
                **{"model": model, "benchmark": benchmark, "training_set": name},
                **{"measure": measure, "unit": results.queries[benchmark].numbers},
                "cluster": results.queries[benchmark].groups,
                "seed": [(cell.seed, cell.draw)] * len(ranks),
                "value": _score(ranks, measure),
            }
        )
        for (model, name), cells in results.cells.items()
        for cell in cells
        for benchmark, ranks in cell.ranks.items()
        for measure in dict.fromkeys([*MEASURES, settings.compared_measure])
    ]
    empty = pd.DataFrame(columns=[*_KEYS, "unit", "cluster", "seed", "value"])
    return summarise(pd.concat(units) if units else empty, _KEYS, sampling, median)


def compare_sets(settings: TableSettings, figures: Figures) -> pd.DataFrame:
    """Differences of training sets from those that their rows name, with p before and after Holm.

    The primary comparison is tested alone. Differences of Answered@k are numbers of queries.

    Returns:
        ``value``, ``low``, ``high``, ``p``, ``p_holm`` and ``primary``, with the index model,
        benchmark and training set.
    """
    baselines = {
        row.training_set: row.difference_from for row in settings.rows if row.difference_from
    }
    measure = settings.compared_measure
    found = figures.choose(figures.frame["measure"] == measure).against(
        "training_set", baselines.items()
    )
    p_values = found.find_p()
    frame = found.frame.assign(p=p_values, p_holm=p_values)
    if measure not in MEASURES:
        for name in ("value", "low", "high"):
            frame[name] *= frame["n"]
    names = ["model", "benchmark", "training_set", "baseline"]
    frame["primary"] = [
        settings.is_primary(*key) for key in frame[names].itertuples(index=False, name=None)
    ]
    family = ~frame["primary"].astype(bool)
    frame.loc[family, "p_holm"] = adjust_by_holm(frame.loc[family, "p"].tolist())
    return frame.set_index(["model", "benchmark", "training_set"])


class _Place(NamedTuple):
    """A row of a table: a training set of a model on a benchmark."""

    settings: TableSettings
    results: CellResults
    model: str
    benchmark: str
    row: TableRow

    def cells(self, training_set: str = "") -> list[Cell]:
        """Trainings on its set, or on another one, that ranked the benchmark."""
        found = self.results.cells[self.model, training_set or self.row.training_set]
        return [cell for cell in found if self.benchmark in cell.ranks]

    def is_whole(self, training_set: str) -> bool:
        """Whether all trainings that are asked for are made."""
        asked = self.settings.count_cells(training_set, self.model)
        return len(self.cells(training_set)) == asked


def _describe(place: _Place, figures: pd.DataFrame) -> Row:
    """The cells that are ours."""
    cells = place.cells()
    if not cells:
        return {}
    groups = place.results.queries[place.benchmark].groups
    shown = {
        "seeds": str(len({cell.seed for cell in cells})),
        "trainings": str(len(cells)),
        "pairs": f"{np.median([cell.pairs for cell in cells]):.0f}",
        "hours": format_number(float(np.median([cell.hours for cell in cells])), 2),
        "kept_epoch": f"{np.median([cell.kept_epoch for cell in cells]):g}",
        "queries": str(len(groups)),
        "groups": str(len(set(groups))),
    }
    for name in _ANSWERED:
        counts = [_score(cell.ranks[place.benchmark], name).sum() for cell in cells]
        shown[name] = f"{np.median(counts):g}"
    for measure in MEASURES:
        figure = figures.loc[(place.model, place.benchmark, place.row.training_set, measure)]
        shown[measure] = format_number(figure["value"], _DIGITS)
        shown |= {
            f"{measure}_{name}": format_number(figure[name], _DIGITS) for name in ("low", "high")
        }
    return shown


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


def _judge(place: _Place, shown: Row, beside: Mapping[tuple[str, str, str], str]) -> str:
    """Say of a row what is missing, and how its figure lies to the printed one."""
    settings, cells = place.settings, place.cells()
    training_set = place.row.training_set
    wanted = settings.count_cells(training_set, place.model)
    if not cells:
        if not wanted:
            return NOT_ASKED if training_set in settings.sets else NO_SET
        names = (training_set, place.benchmark, place.model)
        reasons = [settings.left_out[name] for name in names if name in settings.left_out]
        return f"{NOT_MADE}: {reasons[0]}" if reasons else NOT_YET
    verdicts = []
    if len(cells) < wanted:
        verdicts.append(f"in part: {len(cells)} of {wanted} trainings")
    untrained = sum(cell.kept_epoch == 0 for cell in cells)
    if untrained:
        verdicts.append(f"untrained: {untrained} of {len(cells)} kept their first values")
    if shown["published_mrr_10"]:
        verdicts.append(beside[place.model, place.benchmark, training_set])
    return "; ".join(verdicts)


def _judge_beside(
    figures: Figures, rows: Sequence[Row], printed: PublishedCells
) -> dict[tuple[str, str, str], str]:
    """Verdicts on the MRR up to rank 10 beside the printed ones, by model, benchmark and set."""
    chosen = figures.choose(figures.frame["measure"] == MEASURES[0])
    names = ["model", "benchmark", "training_set"]
    by_key = {tuple(row[name] for name in names): row for row in rows}
    keys = list(chosen.frame[names].itertuples(index=False, name=None))
    shown = [by_key[key] for key in keys]
    verdicts = judge_figures(
        chosen,
        [float(row["published_mrr_10"]) if row["published_mrr_10"] else None for row in shown],
        [_tell_other_sizes(row, printed) if row["published_mrr_10"] else "" for row in shown],
    )
    return dict(zip(keys, verdicts, strict=True))


def _tell_other_sizes(shown: Row, printed: PublishedCells) -> str:
    """That a row has other numbers of pairs or queries than the printed one; empty where not."""
    benchmark = PUBLISHED_BENCHMARKS[shown["benchmark"]]
    queries = printed.get(("Table 2", benchmark, "queries"), "")
    return tell_other_size("pairs", int(shown["pairs"]), shown["published_pairs"]) or (
        tell_other_size("queries", int(shown["queries"]), queries)
    )


def _compare(place: _Place, differences: pd.DataFrame, printed: PublishedCells) -> Row:
    """The difference from another training set, and the printed one; without another one, empty."""
    name, other = place.row.training_set, place.row.difference_from
    if not other:
        return {}
    measure = place.settings.compared_measure
    shown = {"difference_from": other, "measure": measure}
    if place.settings.is_primary(place.model, place.benchmark, name, other):
        shown["primary"] = "yes"
    published = _published_difference(place, printed)
    if published is not None:
        digits = 3 if measure in MEASURES else 0
        shown["published_difference"] = format_number(published, digits, signed=True)
    key = (place.model, place.benchmark, name)
    if key not in differences.index:
        return shown
    found = differences.loc[key]
    bounds = zip(_COMPARED, found[["value", "low", "high"]], strict=False)
    shown |= {column: format_number(value, _DIGITS, signed=True) for column, value in bounds}
    shown |= {column: format_number(found[column], _P_DIGITS) for column in ("p", "p_holm")}
    if place.is_whole(name) and place.is_whole(other):
        side = find_side(float(found["low"]), float(found["high"]), _DIGITS)
        # An order that the corrected test does not carry is open.
        shown["order"] = tell_order(side if found["p_holm"] <= LEVEL else 0, published or 0)
    return shown


def _published_difference(place: _Place, printed: PublishedCells) -> float | None:
    """That of the printed rows, by the measure of the comparison; None where one is not printed."""
    settings = place.settings
    names = {one.training_set: one.published_as for one in settings.rows}
    measure = settings.compared_measure
    measure = {"mrr_10": "mrr", "mrr": ""}.get(measure, measure)
    values = [
        _print(settings, printed, place.model, place.benchmark, names.get(name, ""), measure)
        for name in (place.row.training_set, place.row.difference_from)
    ]
    return float(values[0]) - float(values[1]) if all(values) else None


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
