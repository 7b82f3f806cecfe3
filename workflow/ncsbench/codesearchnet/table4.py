"""Table 4 of the CodeSearchNet paper: NDCG of systems on the annotations, with verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.codesearchnet.challenge_ranks import find_file, read_challenge_ranks
from ncsbench.codesearchnet.function_pool import read_pools
from ncsbench.codesearchnet.table4_scores import (
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
from ncsbench.evaluation.resampled_figures import ResampledFigure, tell_order
from ncsbench.function_corpus.annotations import TITLES, read_annotations, read_queries
from ncsbench.published.printed_cells import PublishedCells, read_published_cells

AVERAGE = "Avg"
"""The rows of plain means over languages."""
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
    return [
        _describe(scores, system, language, published_as.get(system, ""), cells)
        for system in scores.systems
        for language in (*scores.counts, AVERAGE)
    ]


def list_differences(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """Rows of ``DIFFERENCE_COLUMNS``: any two systems in every language, and in the average."""
    return [
        _compare(scores, (baseline, system), language, measure, published_as, cells)
        for language in (*scores.counts, AVERAGE)
        for measure in MEASURES
        for baseline, system in combinations(scores.systems, 2)
    ]


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
    scores: Table4Scores, system: str, language: str, row: str, cells: PublishedCells
) -> Row:
    title = TITLES.get(language, AVERAGE)
    shown: Row = {"system": system, "language": title, "published_as": row}
    figures = {measure: _find(scores, system, language, measure) for measure in MEASURES}
    for measure, figure in figures.items():
        bounds = None if figure is None else figure.interval
        shown[measure] = "" if figure is None else format_number(figure.value, _DIGITS)
        shown[f"{measure}_low"] = "" if bounds is None else format_number(bounds.low, _DIGITS)
        shown[f"{measure}_high"] = "" if bounds is None else format_number(bounds.high, _DIGITS)
    for name in COUNTS:
        counts = scores.counts.values() if language == AVERAGE else [scores.counts[language]]
        shown[name] = str(sum(getattr(one, name) for one in counts))
    for kind, table in PUBLISHED_TABLES.items():
        shown[f"published_{kind}"] = cells.get((table, row, title), "")
    shown["published_all_200_trees"] = cells.get((_TREES, row, title), "")
    shown["verdict"] = "; ".join(_judge(scores, language, figures, shown, cells))
    return shown


def _find(scores: Table4Scores, system: str, language: str, measure: str) -> ResampledFigure | None:
    if language == AVERAGE:
        return scores.average(system, measure)
    return scores.figures.get((system, language, measure))


def _judge(
    scores: Table4Scores,
    language: str,
    figures: Mapping[str, ResampledFigure | None],
    shown: Row,
    cells: PublishedCells,
) -> Iterator[str]:
    """What can be said of a row."""
    if figures["all"] is None:
        yield "no figure: not every language has queries with relevance and predictions of them"
        return
    printed_kinds = [kind for kind in OFFICIAL if shown[f"published_{kind}"]]
    if printed_kinds:
        # The published average is that of all languages, also of those that are not at hand.
        wanted = TITLES if language == AVERAGE else [language]
        if all(_is_published_pool(scores, one, cells) for one in wanted):
            yield from (_place(kind, figures[kind], shown) for kind in printed_kinds)
        else:
            printed = int(cells.get(("Table 1", TITLES.get(language, ALL), "all"), "0"))
            yield (
                f"not comparable: pool ({int(shown['functions']):,} of {printed:,} functions, "
                f"{int(shown['judged_at_hand']):,} of {int(shown['judged']):,} judged)"
            )
    if shown["system"] != RANDOM and (few := _tell_few(scores, language)):
        yield few


def _is_published_pool(scores: Table4Scores, language: str, cells: PublishedCells) -> bool:
    """Whether what was searched may be taken for what the paper searched (DEV-140)."""
    counts = scores.counts.get(language)
    if counts is None:
        return False
    printed = int(cells.get(("Table 1", TITLES[language], "all"), "0"))
    return counts.functions >= ALMOST_ALL * printed and counts.judged_at_hand == counts.judged


def _place(kind: str, figure: ResampledFigure | None, shown: Row) -> str:
    printed = float(shown[f"published_{kind}"])
    if figure is None or figure.interval.low <= printed <= figure.interval.high:
        return f"{kind}: the published figure lies in the interval"
    return f"{kind}: {'above' if figure.value > printed else 'below'} the published figure"


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


def _compare(
    scores: Table4Scores,
    rows: tuple[str, str],
    language: str,
    measure: str,
    published_as: Mapping[str, str],
    cells: PublishedCells,
) -> Row:
    baseline, system = rows
    title = TITLES.get(language, AVERAGE)
    shown: Row = {
        **dict.fromkeys(DIFFERENCE_COLUMNS, ""),
        **{"language": title, "measure": measure, "system": system, "baseline": baseline},
    }
    table = PUBLISHED_TABLES[measure.removesuffix("_pool_idcg")]
    printed = [cells.get((table, published_as.get(row, ""), title), "") for row in rows]
    published = float(printed[1]) - float(printed[0]) if all(printed) else None
    if published is not None:
        shown["published_difference"] = format_number(published, 3, signed=True)
    first, second = (_find(scores, row, language, measure) for row in (system, baseline))
    if first is None or second is None:
        return {**shown, "verdict": "no figure"}
    if few := _tell_few(scores, language):
        return {**shown, "verdict": few}
    found = first - second
    bounds = found.interval
    shown["difference"] = format_number(found.value, _DIGITS, signed=True)
    shown["low"] = format_number(bounds.low, _DIGITS, signed=True)
    shown["high"] = format_number(bounds.high, _DIGITS, signed=True)
    side = found.side(_DIGITS)
    shown["verdict"] = {1: "higher", -1: "lower", 0: "not shown to differ"}[side]
    shown["order"] = tell_order(side, published or 0)
    return shown
