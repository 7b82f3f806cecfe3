"""Table 4 of the CodeSearchNet paper: NDCG of systems on the annotations, with verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.codesearchnet.challenge_ranks import find_file, read_challenge_ranks
from ncsbench.codesearchnet.function_pool import read_pools
from ncsbench.codesearchnet.table4_scores import (
    AVERAGE,
    ENOUGH_JUDGED,
    MEASURES,
    OFFICIAL,
    RANDOM,
    PoolCounts,
    Table4Scores,
    score_systems,
)
from ncsbench.codesearchnet.table_options import Table4Settings
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.figure_text import arrange, format_columns, spread, to_rows
from ncsbench.evaluation.orders import find_side, tell_order
from ncsbench.function_corpus.annotations import TITLES, read_annotations, read_queries
from ncsbench.published.printed_figures import PublishedCells, read_published_cells
from ncsbench.published.verdicts import judge_figures

ALL = "All"
"""The row of all languages in the paper's Table 1."""
PUBLISHED_TABLES = {
    "within": "Table 4, Within",
    "all": "Table 4, All",
    "all_200_trees": "benchmarks, 200 trees, All",
}
_FIGURES = [f"{measure}{bound}" for measure in MEASURES for bound in ("", "_low", "_high")]
COLUMNS = (
    *("system", "language"),
    *_FIGURES,
    *(field.name for field in fields(PoolCounts)),
    *("published_as", *(f"published_{name}" for name in PUBLISHED_TABLES)),
    "verdict",
)
"""Columns of ``table4.csv``, in order. Intervals are of 95 %, over queries."""
DIFFERENCE_COLUMNS = (
    *("language", "measure", "system", "baseline"),
    *("difference", "low", "high", "verdict", "published_difference", "order"),
)
"""Columns of ``table4_differences.csv``, in order. The baseline stands above the system."""
ENOUGH_QUERIES = 30
"""Queries with ``ENOUGH_JUDGED`` annotated functions that a comparison of systems needs."""
ALMOST_ALL = 0.99
"""Share of the published number of functions with which a pool is taken for the published one."""

_PAIR = ("system", "baseline")
_DIFFERENCE = {"difference": "value", "low": "low", "high": "high"}
_DIGITS = 4


def write_table4(
    settings: Table4Settings,
    annotations: Path,
    queries: Path,
    ranks: Sequence[Path],
    pools: Path,
    output: Path,
    differences: Path,
    published: Path | None = None,
) -> None:
    """Write the NDCG of systems beside the paper's Table 4, and how far they are apart.

    Args:
        settings: of the table.
        annotations: annotations of the challenge, ``annotationStore.csv``.
        queries: queries of the challenge, ``queries.csv``.
        ranks: a table of ``CHALLENGE_SCHEMA`` for every run.
        pools: what was searched, of ``POOL_SCHEMA``.
        output: CSV file of ``COLUMNS`` to write.
        differences: CSV file of ``DIFFERENCE_COLUMNS`` to write.
        published: the printed figures; without, nothing stands beside ours.

    Raises:
        DataError: for a file that cannot be used.
        ConfigurationError: for an unknown system, and one that stands for a row that is not
            printed.
    """
    judged = read_annotations(annotations, read_queries(queries))
    rankings = {
        system: [
            read_challenge_ranks(find_file(ranks, run))
            for run in settings.runs.get(system, (system,))
        ]
        for system in settings.systems
    }
    cells = read_published_cells(published)
    _check_names(settings, cells)
    searched = read_pools(pools, settings.languages)
    scores = score_systems(settings, judged, rankings, searched)
    write_rows(output, COLUMNS, list_figures(scores, settings.published_as, cells))
    write_rows(
        differences, DIFFERENCE_COLUMNS, list_differences(scores, settings.published_as, cells)
    )


def list_figures(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """Rows of ``COLUMNS``: every system in every language, then its average."""
    frame = scores.figures.frame.drop(columns=["n", "runs"])
    frame = frame.assign(verdict=pd.Series(_judge(scores, published_as, cells), dtype=object))
    names = {"value": "{}", "low": "{}_low", "high": "{}_high", "verdict": "{}_verdict"}
    keys = {"system": scores.systems, "language": scores.counts}
    wide = arrange(spread(frame, "measure", MEASURES, names), keys).fillna(
        {f"{measure}_verdict": "" for measure in MEASURES}
    )
    wide = wide.join(pd.DataFrame(scores.counts.values(), [*scores.counts]), on="language")
    wide["published_as"] = [published_as.get(system, "") for system in wide["system"]]
    titles = [TITLES.get(language, AVERAGE) for language in wide["language"]]
    for name, table in PUBLISHED_TABLES.items():
        rows = zip(wide["published_as"], titles, strict=True)
        wide[f"published_{name}"] = [cells.get((table, *row), "") for row in rows]
    wide["verdict"] = ["; ".join(_say(scores, row, cells)) for row in wide.to_dict("records")]
    wide["language"] = titles
    return to_rows(format_columns(wide, _FIGURES, _DIGITS), COLUMNS)


def list_differences(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """Rows of ``DIFFERENCE_COLUMNS``: any two systems in every language, and in the average."""
    pairs = [(system, baseline) for baseline, system in combinations(scores.systems, 2)]
    found = scores.figures.against("system", pairs).frame
    found["pair"] = list(zip(found["system"], found["baseline"], strict=True))
    keys = {"language": scores.counts, "measure": MEASURES, "pair": pairs}
    frame = arrange(found.drop(columns=["system", "baseline"]), keys)
    printed = [
        _find_printed_difference(language, measure, pair, published_as, cells)
        for language, measure, pair in zip(*(frame[key] for key in keys), strict=True)
    ]
    few = frame["language"].map(lambda language: _tell_few(scores.counts[language]))
    bounds = zip(frame["low"], frame["high"], strict=True)
    sides = [find_side(low, high, _DIGITS) for low, high in bounds]
    orders = [tell_order(*row) for row in zip(sides, (one or 0 for one in printed), strict=True)]
    shown = frame["value"].notna() & (few == "")
    verdicts = pd.Series(sides).map({1: "higher", -1: "lower", 0: "not shown to differ"})
    frame = frame.assign(
        **{name: [pair[place] for pair in frame["pair"]] for place, name in enumerate(_PAIR)},
        language=[TITLES.get(language, AVERAGE) for language in frame["language"]],
        **{name: frame[old].where(shown) for name, old in _DIFFERENCE.items()},
        verdict=verdicts.mask(few != "", few).mask(frame["value"].isna(), "no figure"),
        published_difference=pd.Series(printed, dtype=float),
        order=pd.Series(orders).where(shown, ""),
    )
    frame = format_columns(frame, _DIFFERENCE, _DIGITS, signed=True)
    frame = format_columns(frame, ["published_difference"], 3, signed=True)
    return to_rows(frame, DIFFERENCE_COLUMNS)


def _check_names(settings: Table4Settings, cells: PublishedCells) -> None:
    for key, names in (
        ("ensemble", settings.ensemble or ()),
        ("published_as", settings.published_as),
    ):
        for name in names:
            if name not in settings.systems:
                hint = nearest(name, list(settings.systems))
                raise ConfigurationError(f"{key}: {name!r} is none of the systems; {hint}")
    printed = {row for table, row, _ in cells if table.startswith("Table 4, ")}
    for system, row in settings.published_as.items():
        if cells and row not in printed:
            raise ConfigurationError(
                f"published_as.{system}: Table 4 has no row {row!r}; "
                f"known: {', '.join(sorted(printed))}"
            )


def _judge(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[str]:
    """A verdict for each figure; empty where none is printed, or another pool was searched."""
    keys = [scores.figures.frame[key] for key in ("system", "language", "measure")]
    printed = [
        cells.get((table, published_as.get(system, ""), TITLES.get(language, AVERAGE)))
        if (table := PUBLISHED_TABLES.get(measure)) and _is_as_published(scores, language, cells)
        else None
        for system, language, measure in zip(*keys, strict=True)
    ]
    values = [float(one) if one else None for one in printed]
    return judge_figures(scores.figures, values, [""] * len(values))


def _say(scores: Table4Scores, row: Mapping[str, Any], cells: PublishedCells) -> Iterator[str]:
    """What can be said of a row."""
    if math.isnan(row["all"]):
        yield "no figure: not every language has queries with relevance and predictions of them"
        return
    verdicts = {kind: row[f"{kind}_verdict"] for kind in OFFICIAL if row[f"published_{kind}"]}
    yield from (f"{kind}: {verdict}" for kind, verdict in verdicts.items() if verdict)
    counts = scores.counts[row["language"]]
    if verdicts and not any(verdicts.values()):
        printed = int(cells.get(("Table 1", TITLES.get(row["language"], ALL), "all"), "0"))
        yield (
            f"not comparable: pool ({counts.functions:,} of {printed:,} functions, "
            f"{counts.judged_at_hand:,} of {counts.judged:,} judged)"
        )
    if row["system"] != RANDOM and (few := _tell_few(counts)):
        yield few


def _is_as_published(scores: Table4Scores, language: str, cells: PublishedCells) -> bool:
    """Whether what was searched may be taken for what the paper searched (DEV-140).

    The published average is that of all languages, also of those that are not at hand.
    """
    for one in TITLES if language == AVERAGE else [language]:
        counts = scores.counts.get(one)
        printed = int(cells.get(("Table 1", TITLES[one], "all"), "0"))
        if counts is None or counts.functions < ALMOST_ALL * printed:
            return False
        if counts.judged_at_hand != counts.judged:
            return False
    return True


def _tell_few(counts: PoolCounts) -> str:
    """That there are too few queries to compare systems (DEV-142); empty where there are enough."""
    if counts.queries_with_three >= ENOUGH_QUERIES:
        return ""
    return (
        f"no comparison of systems: {counts.queries_with_three} queries with {ENOUGH_JUDGED} "
        f"judged functions in the pool, {ENOUGH_QUERIES} are needed"
    )


def _find_printed_difference(
    language: str,
    measure: str,
    pair: tuple[str, str],
    published_as: Mapping[str, str],
    cells: PublishedCells,
) -> float | None:
    """The printed figure of the first system less that of the second; None where one is missing."""
    table = PUBLISHED_TABLES[measure.removesuffix("_pool_idcg")]
    title = TITLES.get(language, AVERAGE)
    printed = [cells.get((table, published_as.get(system, ""), title), "") for system in pair]
    return float(printed[0]) - float(printed[1]) if all(printed) else None
