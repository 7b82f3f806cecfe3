"""Tables of results as text for a terminal: Table 1 in its own form, others unchanged."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import groupby, takewhile
from operator import itemgetter
from pathlib import Path

from ncsbench.apps.shown_tables.best_row import (
    PER_QUESTION_FILE,
    describe_best_rows,
    find_best_rows,
    label_model,
)
from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.text.safe_text import show_visibly
from ncsbench.errors import DataError
from ncsbench.evaluation.statistics.text_formats import WIDTH, TextTable, format_table
from ncsbench.studies.ncsed.model_names import read_model_names
from ncsbench.studies.ncsed.table1_files import COLUMNS, read_table1
from ncsbench.studies.ncsed.table1_text import describe_table1, list_best

_MOST_ROWS = 2000
_FEWEST_NAMES = 2
_WIDEST = 40
_ROOM = 20
"""Characters of a line that are left for figures."""
_OF_TABLE1 = 3


def format_any_table(path: Path, *, brief: bool = False) -> str:
    """Show a Table 1 as ``format_table1`` has it, and every other CSV table unchanged.

    A table that is wider than a terminal is shown in parts, each with the names of the rows.

    Raises:
        DataError: where the file is no table, or is too long to be read at a terminal.
    """
    header, rows = read_headed_rows(path)
    if tuple(header[:_OF_TABLE1]) == COLUMNS[:_OF_TABLE1]:
        return format_table1(path, brief=brief)
    if len(rows) > _MOST_ROWS:
        raise DataError(f"{path}: has {len(rows):,} rows, too many to show; open it otherwise")
    names = _choose_names(header, rows)
    parts: list[list[str]] = []
    free = 0
    for column in (one for one in header if one not in names):
        width = _width(column, rows) + 1
        if width > free:
            parts.append([])
            free = WIDTH - sum(_width(name, rows) + 1 for name in names)
        parts[-1].append(column)
        free -= width
    tables = [_format_part([*names, *part], rows) for part in parts or [[]]]
    return f"{show_visibly(str(path))}: {len(rows):,} rows\n\n" + "\n\n".join(tables)


def format_table1(path: Path, *, brief: bool = False) -> str:
    """Show a ``table1.csv`` and the ``table1_long.csv`` beside it, in lines of at most ``WIDTH``.

    The first line names the dataset and counts methods, repositories and questions. Then come the
    figures with their intervals, and the published ones beside them, and last what each model is.
    ``brief`` shows the best rows and the rows with published figures, under the lenient judge, and
    says which row is best where ``per_question.parquet`` is beside the table, or in the folder of
    its dataset.

    Raises:
        DataError: where a file is no such table, is empty, or a figure in it is no number.
    """
    rows, size = read_table1(path)
    try:
        report = describe_table1(rows, size, notes={}, directions={})
        tables = list_best(rows) if brief else [*report.tables, *_list_models(rows)]
    except ValueError as error:
        raise DataError(f"{path}: a figure is no number ({error})") from error
    texts = [report.title, *report.paragraphs]
    answer = ""
    # The table of the configured dataset is copied to results/, without the file beside it.
    folders = (path.parent, path.parent / rows[0]["dataset"])
    made = [one for one in folders if brief and (one / PER_QUESTION_FILE).exists()]
    if made:
        answer = describe_best_rows(find_best_rows(made[0] / path.name), label_model)
    wrapped = "\n".join(_wrap(text) for text in texts)
    rest = [f"All rows, under every judge: ncsbench tables show {show_visibly(str(path))}"]
    parts = [wrapped, *filter(None, [_wrap(answer)]), *map(_format_split, tables)]
    return "\n\n".join([*parts, *(rest if brief else [])])


def _wrap(text: str) -> str:
    return textwrap.fill(show_visibly(text), WIDTH)


def _list_models(rows: Iterable[Row]) -> list[TextTable]:
    """Describe the models that have names for people in the folder of the project; may be empty."""
    names = read_model_names()
    known = {row["model"]: names[row["model"]] for row in rows if row["model"] in names}
    cells = tuple((model, one.name, one.year, one.about) for model, one in known.items())
    header = ("model", "name", "year", "what it is")
    return [TextTable("The models", header, "llll", cells)] if cells else []


def _format_split(table: TextTable) -> str:
    """Show a table with long texts: its caption, then a table for each pair of names in its rows.

    If two names that may be long were in every line, no line would have room for whole words of the
    text.
    """
    if "w" not in table.alignment:
        return format_table(table)
    texts = [_wrap(table.caption)]
    for names, rows in groupby(table.rows, key=itemgetter(0, 1)):
        cells = tuple(row[2:] for row in rows)
        part = TextTable(" beside ".join(names), table.header[2:], table.alignment[2:], cells)
        texts.append(format_table(part))
    return "\n\n".join(texts)


def _choose_names(header: list[str], rows: list[Row]) -> list[str]:
    """Choose the columns of names that distinguish the rows: as few as suffice and fit.

    They leave room for a figure. A name that all rows share distinguishes nothing.
    """
    names = [column for column in header if _is_name(column, rows)]
    varied = [name for name in names if len({row[name] for row in rows}) > 1]
    for count in range(min(_FEWEST_NAMES, len(varied)), len(varied) + 1):
        chosen = varied[:count]
        if sum(_width(name, rows) + 1 for name in chosen) + _ROOM > WIDTH:
            break
        if chosen and len({tuple(row[name] for name in chosen) for row in rows}) == len(rows):
            return chosen
    return list(takewhile(names.__contains__, header))[:_FEWEST_NAMES]


def _format_part(columns: list[str], rows: list[Row]) -> str:
    letters = ["l" if _is_name(column, rows) else "r" for column in columns]
    cells = tuple(tuple(row[column] for column in columns) for row in rows)
    return format_table(TextTable("", tuple(columns), "".join(letters), cells)).lstrip("\n")


def _is_name(column: str, rows: list[Row]) -> bool:
    """Return True if a column has anything but numbers."""
    return any(not _is_number(row[column]) for row in rows)


def _is_number(text: str) -> bool:
    try:
        return not text or float(text) is not None
    except ValueError:
        return False


def _width(column: str, rows: list[Row]) -> int:
    longest = max((len(row[column]) for row in rows), default=0)
    return max(len(column), min(longest, _WIDEST))
