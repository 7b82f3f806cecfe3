"""Pages with tables of results, so that no number in them is typed by hand.

A block of a page names its source and is written anew by ``refresh_page``::

    <!-- from: results/ncsed/table1.md section="Strict measure" -->
    ...
    <!-- end -->
    <!-- from: results/ncsed/significance.csv where="metric=mrr" columns="model,p,p_holm" -->
    <!-- end -->
"""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.storage import write_text
from ncsbench.tables.csv_rows import Row
from ncsbench.tables.text_formats import escape_markdown

_BLOCK = re.compile(r"(<!-- from: ([^\n]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def refresh_page(page: Path) -> int:
    """Write every block of a Markdown page anew from its source.

    Sources are paths from the working directory: one ``section`` of a Markdown file, or the
    ``columns`` of the rows of a CSV file that have all the values of ``where`` (``name=value``,
    separated by commas).

    Returns:
        Number of blocks.

    Raises:
        DataError: where a page, a source, a section or a column is missing.
    """
    text = _read(page)
    refreshed, count = _BLOCK.subn(lambda block: block[1] + _show(page, block[2]) + block[3], text)
    write_text(page, refreshed)
    return count


def _show(page: Path, directive: str) -> str:
    where = f"{page}: block {directive!r}"
    try:
        source, *settings = shlex.split(directive)
    except ValueError as error:
        raise DataError(f"{where}: cannot be read ({error})") from error
    options = dict(setting.partition("=")[::2] for setting in settings)
    path = Path(source)
    if path.suffix == ".csv":
        return _show_rows(path, options, where)
    return _show_section(_read(path), options.get("section", ""), where)


def _show_section(text: str, section: str, where: str) -> str:
    """What stands under the first heading of the second level that begins with ``section``."""
    for part in text.split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if section and heading.startswith(section):
            return body.strip() + "\n"
    raise DataError(f"{where}: there is no such section")


def _show_rows(path: Path, options: dict[str, str], where: str) -> str:
    rows: list[Row] = list(csv.DictReader(_read(path).splitlines()))
    conditions = [pair.partition("=")[::2] for pair in _split(options.get("where", ""))]
    columns = _split(options.get("columns", ""))
    known = set(rows[0]) if rows else set()
    for name in [*columns, *(name for name, _ in conditions)]:
        if name not in known:
            raise DataError(f"{where}: there is no column {name!r}")
    kept = [row for row in rows if all(row[name] == value for name, value in conditions)]
    cells = [[row[name] for name in columns] for row in kept]
    numeric = [all(_NUMBER.fullmatch(row[i]) or not row[i] for row in cells) for i, _ in
               enumerate(columns)]  # fmt: skip
    lines = [
        columns,
        ["---:" if right else "---" for right in numeric],
        *([escape_markdown(cell) for cell in row] for row in cells),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _split(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
