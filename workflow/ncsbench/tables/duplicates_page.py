"""``duplicates.md``: the duplicates of a dataset, and what they do to Table 1."""

from __future__ import annotations

from collections.abc import Sequence

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.corpus.duplicate_tables import RULES
from ncsbench.tables.table_settings import TableSettings
from ncsbench.tables.text_formats import Report, TextTable

_SHOWN = 20  # forks and libraries


def describe_duplicates(
    settings: TableSettings, counted: Sequence[Row], compared: Sequence[Row]
) -> Report:
    """The page.

    Args:
        settings: of Table 1.
        counted: rows of ``duplicates.csv``.
        compared: rows of ``table1_without_copies.csv``.
    """
    paragraphs = [
        "What counts as a duplicate stands in docs/duplicates.md, all figures stand in "
        "duplicates.csv and table1_without_copies.csv."
    ]
    if settings.duplicates != "kept":
        paragraphs.append(
            f"The corpus was built with 'duplicates: {settings.duplicates}': what is a duplicate "
            "by this rule is not in it."
        )
    tables = (
        _clusters(counted),
        _shared("Forks", "repositories", [row for row in counted if row["kind"] == "fork"]),
        _shared(
            "Vendored libraries", "package", [row for row in counted if row["kind"] == "library"]
        ),
        _figures(settings, compared),
    )
    return Report(
        title=f"Duplicates of {settings.dataset}",
        paragraphs=tuple(paragraphs),
        tables=tuple(table for table in tables if table.rows),
        notes=(),
    )


def _clusters(counted: Sequence[Row]) -> TextTable:
    header = (
        *("what", "compared by", "all", "duplicates", "share", "clusters"),
        *("of several repositories", "members of the largest"),
    )
    rows = tuple(
        (
            *(row[name] for name in ("kind", "name", "total", "copies")),
            _percent(row["share"]),
            *(row[name] for name in ("clusters", "across", "largest")),
        )
        for row in counted
        if row["kind"] in ("files", "methods")
    )
    caption = "Files and methods that are duplicates of an earlier one"
    return TextTable(caption=caption, header=header, alignment="llrrrrrr", rows=rows)


def _shared(caption: str, what: str, counted: Sequence[Row]) -> TextTable:
    if len(counted) > _SHOWN:
        caption += f", the first {_SHOWN} of {len(counted)}"
    header = (
        *(what, "in repositories", "files", "files that others have", "their methods"),
        "share of all methods",
    )
    names = ("name", "repositories", "total", "copies", "methods")
    rows = tuple(
        (*(row[name] for name in names), _percent(row["methods_share"])) for row in counted[:_SHOWN]
    )
    return TextTable(caption=caption, header=header, alignment="lrrrrr", rows=rows)


def _figures(settings: TableSettings, compared: Sequence[Row]) -> TextTable:
    chosen = {
        (row["model"], row["duplicates"]): row
        for row in compared
        if row["judge"] == settings.judge and row["measure"] == "mrr"
    }
    rows = []
    for model in settings.models:
        figures = [chosen[model.name, rule] for rule in RULES]
        without = (
            f"{_figure(row['without_copies'])} ({_figure(row['low'], signed=True)} to "
            f"{_figure(row['high'], signed=True)})"
            for row in figures
        )
        rows.append((model.name, _figure(figures[0]["with_copies"]), *without))
    return TextTable(
        caption=f"MRR without duplicates: {settings.judge} above {settings.threshold:g}, with the "
        "95 % interval of the difference",
        header=("model", "with all", *(f"without {rule}" for rule in RULES)),
        alignment="lr" + "r" * len(RULES),
        rows=tuple(rows),
    )


def _percent(share: str) -> str:
    return f"{100 * float(share):.1f} %"


def _figure(value: str, *, signed: bool = False) -> str:
    return format_number(float(value), 3, signed=signed)
