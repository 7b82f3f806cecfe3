"""Tables 2, 3, 5 and 8 of Sun et al. (ICSE 2022): trainings on raw, filtered and other pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.measures.metrics import reciprocal_ranks
from ncsbench.evaluation.published.printed_figures import (
    PublishedCells,
    read_published_cells,
    tell_other_size,
)
from ncsbench.evaluation.published.verdicts import judge_figures
from ncsbench.evaluation.statistics.figure_text import find_side, tell_order
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.resampling import MedianOfTrainings, Sampling
from ncsbench.evaluation.statistics.significance import LEVEL, adjust_by_holm
from ncsbench.studies.icse_2022.cell_results import (
    CELL_COLUMNS,
    ResultFiles,
    expect_random,
    read_cells,
    read_set_record,
)
from ncsbench.studies.icse_2022.table_settings import (
    PUBLISHED_BENCHMARKS,
    PUBLISHED_MODELS,
    TableRow,
    TableSettings,
)

CUTS = (1, 5, 10)
"""Values of k for Answered@k, the number of queries with a positive up to rank k."""
RANDOM = "random order"
"""Name, in place of a model, of the rows of the expected figures of a random order."""
NOT_MADE, NOT_YET = "not made", "not made yet"
NOT_ASKED, NO_SET = "not made: not in the grid", "not made: no set of the experiment"
"""Verdicts of rows without figures: sets that the grid does not ask for, or that the experiment
does not have."""
MEASURES = ("mrr_10", "mrr")
"""Mean reciprocal ranks: with 0 beyond rank 10, as published, and over all ranks."""

_PLACE = ["model", "benchmark", "training_set"]
_KEYS = (*_PLACE, "measure")
_ANSWERED = tuple(f"answered_{k}" for k in CUTS)
_COMPARED = {"difference": "value", "difference_low": "low", "difference_high": "high"}
_PRINTED = {
    **{"published_pairs": "pairs", "published_hours": "hours"},
    **{f"published_{name}": name for name in _ANSWERED},
    "published_mrr_10": "mrr",
}
COLUMNS = (
    *(*_PLACE, "made_of", "cut", "share_kept", "share_of_rules"),
    *("seeds", "trainings", "pairs", "hours", "kept_epoch", "queries", "groups", *_ANSWERED),
    *(f"{measure}{bound}" for measure in MEASURES for bound in ("", "_low", "_high")),
    *("published_as", "published_share_of_rules", *_PRINTED, "verdict"),
    *("baseline", "measure", *_COMPARED, "p", "p_holm"),
    *("published_difference", "order", "primary"),
)
"""Columns of ``table2.csv``, ``table3.csv``, ``table5.csv`` and ``table8.csv``, in order."""
_DIGITS = 4


class _Place(NamedTuple):
    """A row of a table: a training set of a model on a benchmark."""

    settings: TableSettings
    ranked: Mapping[tuple[str, str, str], pd.DataFrame]
    printed: PublishedCells
    model: str
    benchmark: str
    row: TableRow

    @property
    def key(self) -> tuple[str, str, str]:
        """The values of ``_PLACE``."""
        return self.model, self.benchmark, self.row.training_set

    def cells(self, training_set: str = "") -> pd.DataFrame:
        """Return the trainings on the row's set, or on another, that ranked the benchmark.

        Each training is a row.
        """
        key = (self.model, self.benchmark, training_set or self.row.training_set)
        ranks = self.ranked.get(key, pd.DataFrame(columns=CELL_COLUMNS))
        return ranks.drop_duplicates(["seed", "draw"])

    def is_whole(self, training_set: str) -> bool:
        """Say whether all trainings on a set that are asked for are made."""
        asked = self.settings.count_cells(training_set, self.model)
        return len(self.cells(training_set)) == asked

    def find_printed(self, row: str, name: str) -> str:
        """Find a printed figure of a printed row, of this model and benchmark, or ``""``."""
        table = f"Table {self.settings.table.removeprefix('table')}"
        of = PUBLISHED_MODELS.get(self.model, ""), PUBLISHED_BENCHMARKS.get(self.benchmark, ""), row
        return self.printed.get((table, ", ".join(of), name), "") if all(of) else ""


def write_table(
    settings: TableSettings, results: Sequence[Path], output: Path, published: Path | None = None
) -> None:
    """Write Table 2, 3, 5 or 8 of Sun et al.: trainings on raw, filtered and other pairs.

    Args:
        settings: settings of the table.
        results: files of the cells and sets that are made, or parent folders of their folders.
        output: CSV file of ``build_table`` to write.
        published: ``nlqf_tables.csv``; without it the published columns are empty.

    Raises:
        DataError: for a file that is damaged or does not agree with the others.
    """
    paths = [path for one in results for path in ([one] if one.is_file() else one.glob("*/*"))]
    files = {(path.parent.name, path.stem): path for path in paths}
    rows = build_table(settings, files, read_published_cells(published))
    write_rows(output, COLUMNS, rows)


def build_table(
    settings: TableSettings, results: ResultFiles, printed: PublishedCells
) -> list[Row]:
    """Build rows of ``COLUMNS``: models by benchmarks by training sets; last, a random order.

    Args:
        settings: settings of the table.
        results: files of the cells and sets.
        printed: the printed figures.
    """
    ranks = read_cells(results, settings)
    # A set that cannot be made now, and has no ranks, may still have the record of an older
    # configuration.
    unknown = {*settings.left_out} - {*ranks["training_set"]}
    made_of = {
        row.training_set: _describe_set(settings, results, row.training_set)
        for row in settings.rows
        if row.training_set not in unknown
    }
    figures = measure_cells(settings, ranks)
    ranked = dict(iter(ranks.groupby(_PLACE, sort=False)))
    differences = compare_sets(settings, figures)
    shown = figures.frame.set_index(list(_KEYS))
    places = {
        place.key: place
        for model in settings.models
        for benchmark in settings.ordered_benchmarks
        for row in settings.rows
        for place in [_Place(settings, ranked, printed, model, benchmark, row)]
    }
    rows = {
        key: dict.fromkeys(COLUMNS, "")
        | dict(zip(_PLACE, key, strict=True))
        | made_of.get(place.row.training_set, {})
        | _describe(place, shown)
        | _find_published(place)
        for key, place in places.items()
    }
    beside = _judge_beside(figures, rows, printed)
    for key, row in rows.items():
        row["verdict"] = _judge(places[key], beside.get(key, ""))
        row.update(_compare(places[key], differences))
    chance = [_expect(ranks, one, settings) for one in settings.ordered_benchmarks]
    return [*rows.values(), *chance]


def measure_cells(settings: TableSettings, ranks: pd.DataFrame) -> Figures:
    """Measure figures by model, benchmark, training set and measure: medians over trainings.

    See DEV-196. Answered@k is a share of the queries here.

    Args:
        settings: settings of the table.
        ranks: ranks that the trainings reached (``read_cells``).
    """
    median = MedianOfTrainings(
        settings.seed,
        seeds=len(settings.seeds),
        draws=max([1, *map(len, settings.sets.values())]),
        resamples=settings.bootstrap_samples,
    )
    units = ranks.rename(columns={"query": "unit", "group": "cluster"}).assign(
        seed=list(zip(ranks["seed"], ranks["draw"], strict=True))
    )
    measured = [
        units.assign(measure=measure, value=_score(units["first_rank"].to_numpy(), measure))
        for measure in dict.fromkeys([*MEASURES, settings.compared_measure])
    ]
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    return summarise(pd.concat(measured), _KEYS, sampling, median)


def compare_sets(settings: TableSettings, figures: Figures) -> pd.DataFrame:
    """Compare training sets with the baselines of their rows, with p before and after Holm.

    The primary comparison is tested alone. Differences of Answered@k are numbers of queries.

    Returns:
        ``value``, ``low``, ``high``, ``p``, ``p_holm`` and ``primary``, with the index model,
        benchmark and training set.
    """
    baselines = {row.training_set: row.baseline for row in settings.rows if row.baseline}
    measure = settings.compared_measure
    found = figures.choose(figures.frame["measure"] == measure).against(
        "training_set", baselines.items()
    )
    p_values = found.find_p()
    frame = found.frame.assign(p=p_values, p_holm=p_values)
    if measure not in MEASURES:
        for name in ("value", "low", "high"):
            frame[name] *= frame["n"]
    frame["primary"] = [
        settings.is_primary(*key)
        for key in frame[[*_PLACE, "baseline"]].itertuples(index=False, name=None)
    ]
    family = ~frame["primary"].astype(bool)
    frame.loc[family, "p_holm"] = adjust_by_holm(frame.loc[family, "p"].tolist())
    return frame.set_index(_PLACE)


def _describe(place: _Place, figures: pd.DataFrame) -> Row:
    """Return the cells of a row with our figures; empty without a training."""
    cells = place.cells()
    if cells.empty:
        return {}
    ranks = place.ranked[place.key]
    medians = cells[["pairs", "hours", "kept_epoch"]].median()
    shown = {
        "seeds": str(cells["seed"].nunique()),
        "trainings": str(len(cells)),
        "pairs": f"{medians['pairs']:.0f}",
        "hours": format_number(medians["hours"], 2),
        "kept_epoch": f"{medians['kept_epoch']:g}",
        "queries": str(len(ranks) // len(cells)),
        "groups": str(ranks["group"].nunique()),
    }
    for name, k in zip(_ANSWERED, CUTS, strict=True):
        counts = (ranks["first_rank"] <= k).groupby([ranks["seed"], ranks["draw"]]).sum()
        shown[name] = f"{counts.median():g}"
    for measure in MEASURES:
        figure = figures.loc[(*place.key, measure)]
        for bound, name in {"": "value", "_low": "low", "_high": "high"}.items():
            shown[f"{measure}{bound}"] = format_number(figure[name], _DIGITS)
    return shown


def _score(ranks: NDArray[np.int32], measure: str) -> NDArray[np.float64]:
    """Score the first rank of each query under a measure; the figure is the mean of the scores."""
    if measure in MEASURES:
        last = 10 if measure == "mrr_10" else np.iinfo(np.int32).max
        return reciprocal_ranks(ranks, int(last))
    return (ranks <= int(measure.removeprefix("answered_"))).astype(np.float64)


def _describe_set(settings: TableSettings, results: ResultFiles, training_set: str) -> Row:
    """Describe the making of a training set, from the record of its first draw that is made."""
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


def _find_published(place: _Place) -> Row:
    """Return the cells with printed figures; empty for a row that is not printed."""
    published_as = place.row.published_as
    if not published_as:
        return {}
    shown = {column: place.find_printed(published_as, name) for column, name in _PRINTED.items()}
    if kept := place.find_printed(published_as, "percent_kept"):
        shown["published_share_of_rules"] = format_number(float(kept) / 100, _DIGITS)
    return {"published_as": published_as, **shown}


def _judge(place: _Place, beside: str) -> str:
    """Say of a row what is missing, and how its figure lies ``beside`` the printed one."""
    settings, cells = place.settings, place.cells()
    training_set = place.row.training_set
    wanted = settings.count_cells(training_set, place.model)
    if cells.empty:
        if not wanted:
            return NOT_ASKED if training_set in settings.sets else NO_SET
        names = (training_set, place.benchmark, place.model)
        reasons = [settings.left_out[name] for name in names if name in settings.left_out]
        return f"{NOT_MADE}: {reasons[0]}" if reasons else NOT_YET
    untrained = (cells["kept_epoch"] == 0).sum()
    verdicts = (
        f"in part: {len(cells)} of {wanted} trainings" if len(cells) < wanted else "",
        f"untrained: {untrained} of {len(cells)} kept their first values" if untrained else "",
        beside,
    )
    return "; ".join(filter(None, verdicts))


def _judge_beside(
    figures: Figures, rows: Mapping[tuple[str, str, str], Row], printed: PublishedCells
) -> dict[tuple[str, str, str], str]:
    """Judge the MRR up to rank 10 beside the printed MRR; verdicts by ``_PLACE``."""
    chosen = figures.choose(figures.frame["measure"] == MEASURES[0])
    keys = list(chosen.frame[_PLACE].itertuples(index=False, name=None))
    shown = [rows[key] for key in keys]
    values = [float(row["published_mrr_10"]) if row["published_mrr_10"] else None for row in shown]
    others = [_tell_other_sizes(row, printed) if row["published_mrr_10"] else "" for row in shown]
    return dict(zip(keys, judge_figures(chosen, values, others), strict=True))


def _tell_other_sizes(shown: Row, printed: PublishedCells) -> str:
    """Say if a row has other numbers of pairs or queries than the printed row, or return ``""``."""
    benchmark = PUBLISHED_BENCHMARKS[shown["benchmark"]]
    queries = printed.get(("Table 2", benchmark, "queries"), "")
    return tell_other_size("pairs", int(shown["pairs"]), shown["published_pairs"]) or (
        tell_other_size("queries", int(shown["queries"]), queries)
    )


def _compare(place: _Place, differences: pd.DataFrame) -> Row:
    """Return the cells of the difference from the row's baseline, ours and the printed one.

    They are empty for a row without a baseline.
    """
    settings, name, other = place.settings, place.row.training_set, place.row.baseline
    if not other:
        return {}
    measure = settings.compared_measure
    shown = {"baseline": other, "measure": measure}
    if settings.is_primary(place.model, place.benchmark, name, other):
        shown["primary"] = "yes"
    published_as = {one.training_set: one.published_as for one in settings.rows}
    column = {"mrr_10": "mrr", "mrr": ""}.get(measure, measure)
    values = [place.find_printed(published_as.get(one, ""), column) for one in (name, other)]
    published = float(values[0]) - float(values[1]) if all(values) else None
    if published is not None:
        digits = 3 if measure in MEASURES else 0
        shown["published_difference"] = format_number(published, digits, signed=True)
    if place.key not in differences.index:
        return shown
    found = differences.loc[place.key]
    for cell, key in _COMPARED.items():
        shown[cell] = format_number(found[key], _DIGITS, signed=True)
    for key in ("p", "p_holm"):
        shown[key] = format_number(found[key], _DIGITS)
    if place.is_whole(name) and place.is_whole(other):
        side = find_side(float(found["low"]), float(found["high"]), _DIGITS)
        # The order stays open where the corrected test is not significant.
        shown["order"] = tell_order(side if found["p_holm"] <= LEVEL else 0, published or 0)
    return shown


def _expect(ranks: pd.DataFrame, benchmark: str, settings: TableSettings) -> Row:
    """Make the row of a random order for a benchmark."""
    row = {**dict.fromkeys(COLUMNS, ""), "model": RANDOM, "benchmark": benchmark}
    queries = ranks[ranks["benchmark"] == benchmark].drop_duplicates("query")
    if queries.empty:
        reason = settings.left_out.get(benchmark)
        return {**row, "verdict": f"{NOT_MADE}: {reason}" if reason else NOT_YET}
    sizes = queries[["positives", "candidates"]].itertuples(index=False, name=None)
    chance = expect_random(sizes, CUTS)
    row |= {"queries": str(len(queries)), "groups": str(queries["group"].nunique())}
    for name, k in zip(_ANSWERED, CUTS, strict=True):
        row[name] = format_number(chance.answered[k], 1)
    return row | {name: format_number(getattr(chance, name), _DIGITS) for name in MEASURES}
