"""``micro_benchmark.csv`` and ``micro_choices.csv``: shares of methods that were found again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.equivalence import LEVEL, Outcome
from ncsbench.evaluation.proportions import paired_share_interval, wilson_interval
from ncsbench.micro_benchmark.found_ranks import FoundMethods, FoundRanks, Setting
from ncsbench.micro_benchmark.micro_options import DEPTH, MicroChoiceSettings, MicroTableSettings
from ncsbench.published.score_sheet_table import read_published

MEASURES = {"top_1": 1, "top_9": DEPTH}
"""The last rank that counts, by the name of the measure."""

_SETTING = ("query_words", "share_of", "equal_methods")
MICRO_COLUMNS = (
    *("dataset", "table", "row", "model", *_SETTING, "measure"),
    *("published", "ours", "low", "high", "verdict", "queries", "methods"),
)
"""Columns of ``micro_benchmark.csv``, in order; figures are shares."""
CHOICE_COLUMNS = (
    *("dataset", "model", *_SETTING, "measure", "ours", "low", "high"),
    *("difference", "difference_low", "difference_high", "queries", "methods"),
)
"""Columns of ``micro_choices.csv``, in order; differences from the first model, paired by query."""


def decide_verdict(found: int, asked: int, published: float, *, margin: float) -> Outcome:
    """Whether the share of ``found`` is the published one, which has no interval (DEV-95).

    By two one-sided tests, ``equivalent`` where the whole 90 % interval lies within ``margin`` of
    the published share; else ``different`` where the 95 % interval does not hold it; else
    ``inconclusive``.
    """
    close = wilson_interval(found, asked, level=1 - 2 * LEVEL)
    if published - margin < close.low and close.high < published + margin:
        return "equivalent"
    wide = wilson_interval(found, asked, level=1 - LEVEL)
    return "inconclusive" if wide.low <= published <= wide.high else "different"


def write_micro_benchmark(
    settings: MicroTableSettings,
    words: Path,
    queries: Path,
    runs: Path,
    published: Path,
    output: Path,
) -> None:
    """Write Tables 2 to 5 of the NCS paper, ours beside them.

    Args:
        settings: the rows.
        words: folder of the corpus as words.
        queries: queries of the micro-benchmark as Parquet.
        runs: folder of the runs, ``<model>.trec``.
        published: figures of the paper.
        output: CSV file to write.

    Raises:
        DataError: where a row is not published.
    """
    shares = _read_shares(published)
    asked = FoundMethods(words=words, queries=queries)
    ranks = {row.model: asked.read_ranks(runs / f"{row.model}.trec") for row in settings.rows}
    rows = []
    for row in settings.rows:
        for setting, measure, found in _iterate_cells(ranks[row.model]):
            if setting[0] != row.query_words:
                continue
            key = (row.table, row.row, measure)
            if key not in shares:
                raise DataError(
                    f"{published}: has no {measure} for {row.table}, {row.row}; "
                    "mend micro_benchmark.rows of the configuration"
                )
            rows.append(
                {
                    "dataset": settings.dataset,
                    "table": row.table,
                    "row": row.row,
                    "model": row.model,
                    **dict(zip(_SETTING, setting, strict=True)),
                    "measure": measure,
                    "published": format_number(shares[key], 3),
                    **_show_share(found),
                    "verdict": decide_verdict(
                        int(found.sum()), len(found), shares[key], margin=settings.margin
                    ),
                    **_sizes(asked),
                }
            )
    write_rows(output, MICRO_COLUMNS, rows)


def write_micro_choices(
    settings: MicroChoiceSettings, words: Path, queries: Path, runs: Path, output: Path
) -> None:
    """Write what models with other options find, and how far that is from the first one.

    Args:
        settings: the models.
        words: folder of the corpus as words.
        queries: queries of the micro-benchmark as Parquet.
        runs: folder of the runs, ``<model>.trec``.
        output: CSV file to write.
    """
    asked = FoundMethods(words=words, queries=queries)
    rows = []
    first: dict[tuple[Setting, str], NDArray[np.bool_]] = {}
    for model in settings.models:
        for setting, measure, found in _iterate_cells(asked.read_ranks(runs / f"{model}.trec")):
            base = first.setdefault((setting, measure), found)
            rows.append(
                {
                    "dataset": settings.dataset,
                    "model": model,
                    **dict(zip(_SETTING, setting, strict=True)),
                    "measure": measure,
                    **_show_share(found),
                    **_compare(found, base, blank=base is found),
                    **_sizes(asked),
                }
            )
    write_rows(output, CHOICE_COLUMNS, rows)


def _show_share(found: NDArray[np.bool_]) -> Row:
    interval = wilson_interval(int(found.sum()), len(found))
    values = {"ours": float(found.mean()), "low": interval.low, "high": interval.high}
    return {name: format_number(value, 4) for name, value in values.items()}


def _iterate_cells(
    ranks: FoundRanks,
) -> Iterator[tuple[Setting, str, NDArray[np.bool_]]]:
    for setting, first in ranks.items():
        for measure, depth in MEASURES.items():
            yield setting, measure, (first > 0) & (first <= depth)


def _compare(found: NDArray[np.bool_], base: NDArray[np.bool_], *, blank: bool) -> Row:
    names = ("difference", "difference_low", "difference_high")
    if blank:
        return dict.fromkeys(names, "")
    gained, lost = int((found & ~base).sum()), int((base & ~found).sum())
    interval = paired_share_interval(gained, lost, len(found))
    values = ((gained - lost) / len(found), interval.low, interval.high)
    return {
        name: format_number(value, 4, signed=True)
        for name, value in zip(names, values, strict=True)
    }


def _sizes(asked: FoundMethods) -> Row:
    return {"queries": str(asked.queries), "methods": str(asked.methods)}


def _read_shares(path: Path) -> Mapping[tuple[str, str, str], float]:
    """Published shares by table, row and measure; some are printed in percent."""
    units = {"percent": 100.0, "share": 1.0}
    shares = {}
    for figure in read_published(path):
        measure, _, unit = figure.column.rpartition("_")
        if measure in MEASURES and unit in units:
            shares[figure.table, figure.row, measure] = float(figure.value) / units[unit]
    return shares
