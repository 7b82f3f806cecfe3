"""Pages with tables of results, so that no number in them is typed by hand.

A block of a page names its source and is written anew by ``refresh_page``::

    <!-- from: results/ncsed/table1.md section="Strict judge" -->
    ...
    <!-- end -->
    <!-- from: results/ncsed/significance.csv where="metric=mrr" columns="model,p,p_holm" -->
    <!-- end -->
    <!-- from: results/ncsed/table1.csv rows="bm25,ncs" columns="model,mrr,published_mrr" -->
    <!-- end -->
    <!-- from: r.csv columns="model,mrr" beside="mrr of ncsed=results/ncsed/table1.csv:mrr" -->
    <!-- end -->
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from ncsbench.artifacts.csv_tables import read_headed_rows
from ncsbench.artifacts.storage import write_text
from ncsbench.errors import DataError
from ncsbench.tables.text_formats import escape_markdown

_START, _END = "<!-- from:", "<!-- end -->"
_BLOCK = re.compile(rf"({_START} ([^\n]*?) -->\n)(?:(?!{_START}).)*?{_END}", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-\d+)?")


def refresh_page(page: Path) -> int:
    """Write every block of a Markdown page anew from its source.

    Sources are paths from the working directory: one ``section`` of a Markdown file, or the
    ``columns`` of the rows of a CSV file that have all the values of ``where`` (``name=value``,
    separated by commas). Where no row has them, the table has none. ``rows`` names rows to show,
    in order, by their value in the first of the columns. ``beside`` (``heading=file:column``) adds
    a column of another CSV file, in the row of the same name in the first column; a row that the
    other file lacks has an empty cell.

    Returns:
        Number of blocks.

    Raises:
        DataError: where a page, a source, a section or a column is missing, a setting is unknown,
            or a block is malformed. The page is as before.
    """
    text = _read(page)
    _check_blocks(page, text)
    refreshed, count = _BLOCK.subn(lambda block: block[1] + _show(page, block[2]) + _END, text)
    write_text(page, refreshed)
    return count


def _check_blocks(page: Path, text: str) -> None:
    """A block without an end would swallow what stands between it and that of the next one."""
    whole = {block.start() for block in _BLOCK.finditer(text)}
    for start in re.finditer(_START, text):
        if start.start() not in whole:
            line = text.count("\n", 0, start.start()) + 1
            raise DataError(
                f"{page}, line {line}: the block is malformed; close '{_START} ... -->', alone on "
                f"its line, with a '{_END}' before the next block"
            )


def _show(page: Path, directive: str) -> str:
    where = f"{page}: block {directive!r}"
    try:
        source, *settings = shlex.split(directive)
    except ValueError as error:
        raise DataError(f"{where}: cannot be read ({error})") from error
    path = Path(source)
    table = path.suffix == ".csv"
    options = _read_options(
        settings, ("columns", "where", "rows", "beside") if table else ("section",), where
    )
    shown = _show_rows(path, options, where) if table else _show_section(path, options, where)
    if _START in shown or _END in shown:
        raise DataError(f"{where}: its source has a block of its own; name another section")
    return shown


def _read_options(settings: list[str], known: tuple[str, ...], where: str) -> dict[str, str]:
    """The settings by name; the first of ``known`` must be there."""
    options: dict[str, str] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in known or name in options or not value:
            raise DataError(f"{where}: {setting!r} is not one of {'=..., '.join(known)}=..., once")
        options[name] = value
    if known[0] not in options:
        raise DataError(f"{where}: say which with {known[0]}=...")
    return options


def _show_section(path: Path, options: dict[str, str], where: str) -> str:
    """What stands under the first heading of the second level that begins with ``section``."""
    for part in _read(path).split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if heading.startswith(options["section"]):
            return body.strip() + "\n"
    raise DataError(f"{where}: there is no such section")


def _show_rows(path: Path, options: dict[str, str], where: str) -> str:
    header, rows = read_headed_rows(path)
    columns = options["columns"].split(",")
    conditions = [pair.partition("=") for pair in options.get("where", "").split(",") if pair]
    for name in [*columns, *(name for name, _, _ in conditions)]:
        if name not in header:
            raise DataError(f"{where}: there is no column {name!r} in {path}")
    for name, equals, _ in conditions:
        if not equals:
            raise DataError(f"{where}: where needs {name}=<value>")
    kept = [row for row in rows if all(row[name] == value for name, _, value in conditions)]
    cells = [[row[name] for name in columns] for row in kept]
    if "rows" in options:
        cells = [_find_row(cells, name, where) for name in options["rows"].split(",")]
    if "beside" in options:
        heading, others = _read_beside(options["beside"], columns[0], where)
        columns.append(heading)
        cells = [[*row, others.get(row[0], "")] for row in cells]
    numeric = [
        bool(cells) and all(_NUMBER.fullmatch(row[column]) or not row[column] for row in cells)
        for column in range(len(columns))
    ]
    lines = [
        [escape_markdown(name) for name in columns],
        ["---:" if right else "---" for right in numeric],
        *([escape_markdown(cell) for cell in row] for row in cells),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _read_beside(setting: str, name: str, where: str) -> tuple[str, dict[str, str]]:
    """A heading, and the values of a column of another file by that of its column ``name``."""
    found = re.fullmatch("(.+)=(.+):(.+)", setting)
    if not found:
        raise DataError(f"{where}: beside needs <heading>=<file>:<column>")
    heading, path, column = found.groups()
    header, rows = read_headed_rows(Path(path))
    for needed in (name, column):
        if needed not in header:
            raise DataError(f"{where}: there is no column {needed!r} in {path}")
    others = {row[name]: row[column] for row in rows}
    if len(others) < len(rows):
        raise DataError(f"{where}: rows of {path} have the same {name!r}")
    return heading, others


def _find_row(cells: list[list[str]], name: str, where: str) -> list[str]:
    found = [row for row in cells if row[0] == name]
    if len(found) != 1:
        raise DataError(f"{where}: {len(found)} rows are named {name!r}; name one")
    return found[0]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
