"""Table 4 of the CodeSearchNet paper: NDCG of systems on the annotations, with verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations, product
from pathlib import Path
from typing import Any

from ncsbench.artifacts.csv_tables import Row, format_number, name_cells, write_rows
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
from ncsbench.evaluation.figure_text import arrange, format_columns, spread
from ncsbench.evaluation.orders import find_side, tell_order
from ncsbench.function_corpus.annotations import TITLES, read_annotations, read_queries
from ncsbench.published.figure_verdicts import judge_figures
from ncsbench.published.printed_cells import PublishedCells, read_published_cells

ALL = "All"
"""The row of all languages in the paper's Table 1."""
COUNTS = tuple(field.name for field in fields(PoolCounts))
COLUMNS = (
    *("system", "language"),
    *(f"{measure}{bound}" for measure in MEASURES for bound in ("", "_low", "_high")),
    *COUNTS,
    *("published_as", *(f"published_{kind}" for kind in OFFICIAL), "published_all_200_trees"),
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
PUBLISHED_TABLES = {"within": "Table 4, Within", "all": "Table 4, All"}
ALMOST_ALL = 0.99
"""Share of the published number of functions with which a pool is taken for the published one."""

_TREES = "benchmarks, 200 trees, All"
_DIGITS = 4


def write_table4(
    settings: Table4Settings,
    *,
    annotations: Path,
    queries: Path,
    ranks: Sequence[Path],
    pools: Path,
    published: Path | None,
    output: Path,
    differences: Path,
) -> None:
    """Score the predictions of systems and write both tables.

    Args:
        settings: of the table.
        annotations: ``annotationStore.csv``.
        queries: ``queries.csv``.
        ranks: a table of ``CHALLENGE_SCHEMA`` for every run.
        pools: what was searched, of ``POOL_SCHEMA``.
        published: the printed figures; None for none beside ours.
        output: ``table4.csv``.
        differences: ``table4_differences.csv``.

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
    names = {"value": "{}", "low": "{}_low", "high": "{}_high"}
    frame = scores.figures.frame.drop(columns=["n", "runs"])
    wide = spread(frame, "measure", MEASURES, names)
    keys = {"system": scores.systems, "language": (*scores.counts, AVERAGE)}
    wide = arrange(wide, keys)
    text = format_columns(wide, wide.columns.drop(list(keys)), _DIGITS)
    verdicts = _judge(scores, published_as, cells)
    return [
        _describe(scores, ours, shown, published_as.get(str(ours["system"]), ""), cells, verdicts)
        for ours, shown in zip(wide.to_dict("records"), text.to_dict("records"), strict=True)
    ]


def list_differences(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """Rows of ``DIFFERENCE_COLUMNS``: any two systems in every language, and in the average."""
    found = scores.figures.against(
        "system", [(system, baseline) for baseline, system in combinations(scores.systems, 2)]
    )
    keys = ["language", "measure", "baseline", "system"]
    figures = found.frame.set_index(keys).to_dict("index")
    rows = []
    for key in product((*scores.counts, AVERAGE), MEASURES, combinations(scores.systems, 2)):
        language, measure, (baseline, system) = key
        title = TITLES.get(language, AVERAGE)
        printed = _find_printed_difference(measure, title, (baseline, system), published_as, cells)
        difference = figures.get((language, measure, baseline, system))
        compared = _compare(difference, _tell_few(scores, language), printed)
        rows.append((title, measure, system, baseline, *compared))
    return name_cells(DIFFERENCE_COLUMNS, rows)


def _check_names(settings: Table4Settings, cells: PublishedCells) -> None:
    for key, names in (
        ("ensemble", settings.ensemble or ()),
        ("published_as", settings.published_as),
    ):
        for name in names:
            if name not in settings.systems:
                hint = nearest(name, list(settings.systems))
                raise ConfigurationError(f"{key}: {name!r} is none of the systems; {hint}")
    printed = {row for table, row, _ in cells if table in PUBLISHED_TABLES.values()}
    for system, row in settings.published_as.items():
        if cells and row not in printed:
            raise ConfigurationError(
                f"published_as.{system}: Table 4 has no row {row!r}; "
                f"known: {', '.join(sorted(printed))}"
            )


def _describe(
    scores: Table4Scores,
    ours: Mapping[str, Any],
    text: Row,
    row: str,
    cells: PublishedCells,
    verdicts: Mapping[tuple[str, str, str], str],
) -> Row:
    """A row of the table from its figures, as numbers and as text."""
    language = ours["language"]
    title = TITLES.get(language, AVERAGE)
    shown: Row = text | {"language": title, "published_as": row}
    for name in COUNTS:
        counts = scores.counts.values() if language == AVERAGE else [scores.counts[language]]
        shown[name] = str(sum(getattr(one, name) for one in counts))
    for kind, table in PUBLISHED_TABLES.items():
        shown[f"published_{kind}"] = cells.get((table, row, title), "")
    shown["published_all_200_trees"] = cells.get((_TREES, row, title), "")
    shown["verdict"] = "; ".join(_say(scores, ours, shown, cells, verdicts))
    return shown


def _judge(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> dict[tuple[str, str, str], str]:
    """Verdicts by system, language and measure, where what was searched is as the paper's."""
    frame = scores.figures.frame
    keys = list(zip(frame["system"], frame["language"], frame["measure"], strict=True))
    printed = [
        cells.get((PUBLISHED_TABLES[measure], published_as.get(system, ""), title), "")
        if measure in PUBLISHED_TABLES and _is_as_published(scores, language, cells)
        else ""
        for system, language, measure in keys
        for title in [TITLES.get(language, AVERAGE)]
    ]
    verdicts = judge_figures(
        scores.figures, [float(one) if one else None for one in printed], [""] * len(keys)
    )
    return {key: verdict for key, verdict in zip(keys, verdicts, strict=True) if verdict}


def _say(
    scores: Table4Scores,
    ours: Mapping[str, Any],
    shown: Row,
    cells: PublishedCells,
    verdicts: Mapping[tuple[str, str, str], str],
) -> Iterator[str]:
    """What can be said of a row."""
    system, language = ours["system"], ours["language"]
    if math.isnan(ours["all"]):
        yield "no figure: not every language has queries with relevance and predictions of them"
        return
    printed_kinds = [kind for kind in OFFICIAL if shown[f"published_{kind}"]]
    found = [kind for kind in printed_kinds if (system, language, kind) in verdicts]
    yield from (f"{kind}: {verdicts[system, language, kind]}" for kind in found)
    if printed_kinds and not found:
        printed = int(cells.get(("Table 1", TITLES.get(language, ALL), "all"), "0"))
        yield (
            f"not comparable: pool ({int(shown['functions']):,} of {printed:,} functions, "
            f"{int(shown['judged_at_hand']):,} of {int(shown['judged']):,} judged)"
        )
    if system != RANDOM and (few := _tell_few(scores, language)):
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


def _tell_few(scores: Table4Scores, language: str) -> str:
    """That there are too few queries to tell systems apart (DEV-142); empty where there are not."""
    counts = scores.counts.values() if language == AVERAGE else [scores.counts[language]]
    found = sum(one.queries_with_three for one in counts)
    if found >= ENOUGH_QUERIES:
        return ""
    return (
        f"no comparison of systems: {found} queries with {ENOUGH_JUDGED} judged functions in the "
        f"pool, {ENOUGH_QUERIES} are needed"
    )


def _find_printed_difference(
    measure: str,
    title: str,
    systems: tuple[str, str],
    published_as: Mapping[str, str],
    cells: PublishedCells,
) -> float | None:
    """The printed figure of the second system less that of the first; None where one is missing."""
    table = PUBLISHED_TABLES[measure.removesuffix("_pool_idcg")]
    printed = [cells.get((table, published_as.get(row, ""), title), "") for row in systems]
    return float(printed[1]) - float(printed[0]) if all(printed) else None


def _compare(
    found: Mapping[str, Any] | None, few: str, published: float | None
) -> tuple[str | None, ...]:
    """The cells of a difference and of the printed one."""
    printed = None if published is None else format_number(published, 3, signed=True)
    if found is None or few:
        return (None, None, None, "no figure" if found is None else few, printed, None)
    shown = [format_number(found[name], _DIGITS, signed=True) for name in ("value", "low", "high")]
    side = find_side(found["low"], found["high"], _DIGITS)
    verdict = {1: "higher", -1: "lower", 0: "not shown to differ"}[side]
    return (*shown, verdict, printed, tell_order(side, published or 0))
