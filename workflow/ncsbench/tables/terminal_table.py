"""Table 1 as text for a terminal."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import DataError
from ncsbench.tables.model_names import read_model_names
from ncsbench.tables.table1_files import read_table1
from ncsbench.tables.table1_text import describe_table1, list_best
from ncsbench.tables.text_formats import TextTable
from ncsbench.text.safe_text import show_visibly

WIDTH = 100
"""No line is longer."""

_NAME = 32  # a name that is no longer stays in one line


def format_table1(path: Path, *, brief: bool = False) -> str:
    """A ``table1.csv`` and the ``table1_long.csv`` beside it, in lines of at most ``WIDTH``.

    The first line says what it is of: dataset, methods, repositories and questions. Then come the
    figures with their intervals, and the published ones beside them, and last what each model is;
    ``brief``: of the best rows and of those with published figures, under the lenient judge.

    Raises:
        DataError: where a file is no such table, is empty or has figures that are none.
    """
    rows, size = read_table1(path)
    try:
        report = describe_table1(rows, size, notes={}, directions={})
        tables = list_best(rows) if brief else [*report.tables, *_list_models(rows)]
    except ValueError as error:
        raise DataError(f"{path}: a figure is no number ({error})") from error
    texts = [report.title, *report.paragraphs]
    wrapped = "\n".join(textwrap.fill(show_visibly(text), WIDTH) for text in texts)
    rest = [f"All rows, under every judge: ncsbench tables show {show_visibly(str(path))}"]
    return "\n\n".join([wrapped, *map(_format_split, tables), *(rest if brief else [])])


def _list_models(rows: Iterable[Row]) -> list[TextTable]:
    """What models are, by the names for people in the folder of the project; nothing without."""
    names = read_model_names()
    known = {row["model"]: names[row["model"]] for row in rows if row["model"] in names}
    cells = tuple((model, one.name, one.year, one.about) for model, one in known.items())
    header = ("model", "name", "year", "what it is")
    return [TextTable("The models", header, "llll", cells)] if cells else []


def _format_split(table: TextTable) -> str:
    """A table with long texts: its caption, then a table for each pair of names it begins with.

    Beside two names that may be long, in every line, no line has room for whole words of the text.
    """
    if "w" not in table.alignment:
        return format_table(table)
    texts = [textwrap.fill(show_visibly(table.caption), WIDTH)]
    for names, rows in groupby(table.rows, key=itemgetter(0, 1)):
        cells = tuple(row[2:] for row in rows)
        part = TextTable(" beside ".join(names), table.header[2:], table.alignment[2:], cells)
        texts.append(format_table(part))
    return "\n\n".join(texts)


def format_table(table: TextTable) -> str:
    """The caption, then the table; a cell that is too long goes on in the next line."""
    # Text, never markup: names of others may look like it.
    shown = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    widths = _choose_widths(table)
    for name, letter, width in zip(table.header, table.alignment, widths, strict=True):
        shown.add_column(
            Text(name),
            justify="right" if letter == "r" else "left",
            overflow="fold",
            width=width,
        )
    for row in table.rows:
        # Broken at blanks and hyphens, within a word only where it is longer than the column.
        cells = [
            "\n".join(textwrap.wrap(show_visibly(cell), width))
            for cell, width in zip(row, widths, strict=True)
        ]
        shown.add_row(*map(Text, cells))
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(shown)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join([textwrap.fill(show_visibly(table.caption), WIDTH), *lines])


def _choose_widths(table: TextTable) -> list[int]:
    """Figures and short names stand in one line; other texts share the rest of the line."""
    cells = [
        [show_visibly(row[number]) for row in table.rows] for number in range(len(table.header))
    ]
    longest = [max(map(len, column), default=0) for column in cells]
    whole = [max(count, len(name)) for count, name in zip(longest, table.header, strict=True)]
    if sum(whole) + len(whole) - 1 <= WIDTH:
        return whole
    words = [max(map(len, name.split()), default=0) for name in table.header]
    widths = {
        number: max(words[number], min(longest[number], WIDTH if letter == "r" else _NAME))
        for number, letter in enumerate(table.alignment)
        if letter == "r" or number == 0
    }
    free = WIDTH - sum(widths.values()) - (len(table.header) - 1)
    others = sorted(set(range(len(table.header))) - widths.keys(), key=lambda one: longest[one])
    for done, number in enumerate(others):
        share = max(1, free // (len(others) - done))
        widths[number] = min(whole[number], share)
        free -= widths[number]
    return [widths[number] for number in range(len(table.header))]
