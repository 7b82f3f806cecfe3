"""Pages with tables of results, so that no number in them is typed by hand.

A block of a page names its source and is written anew by ``refresh_page``::

    <!-- from: results/ncsed/table1.md section="Strict judge" -->
    ...
    <!-- end -->
    <!-- from: results/ncsed/significance.csv where="metric=mrr" columns="model,p,p_holm" -->
    <!-- end -->
    <!-- from: results/ncsed/table1.csv rows="bm25,ncs" columns="model,mrr,published_mrr" -->
    <!-- end -->
    <!-- from: results/a/table1.csv columns="model,mrr" digits=3 intervals=mrr names=model -->
    <!-- end -->
    <!-- from: config/published/claims.csv columns="text" tally=verdict -->
    <!-- end -->
    <!-- from: results/a/table1.csv answer=best -->
    <!-- end -->
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from ncsbench.apps.shown_tables.best_row import describe_best_rows, find_best_rows, label_model
from ncsbench.apps.shown_tables.claims import is_claims, resolve_claims, tally
from ncsbench.base.files.csv_tables import Row, format_number, read_headed_rows
from ncsbench.base.files.storage import write_text
from ncsbench.errors import DataError
from ncsbench.evaluation.statistics.text_formats import list_markdown
from ncsbench.studies.ncsed.model_names import read_model_names, show_model
from ncsbench.studies.ncsed.table1_files import read_table1

_START, _END = "<!-- from:", "<!-- end -->"
_BLOCK = re.compile(rf"({_START} ([^\n]*?) -->\n)(?:(?!{_START}).)*?{_END}", re.DOTALL)
_OF_ROWS = ("columns", "where", "rows", "sort", "headings", "digits", "intervals", "names", "tally")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e-\d+)?")
_SHOWN_NUMBER = re.compile(rf"{_NUMBER.pattern}( \(.*\))?")


def refresh_page(page: Path) -> int:
    """Write every block of a Markdown page anew from its source.

    Sources are paths from the working directory: one ``section`` of a Markdown file, or the
    ``columns`` of the rows of a CSV file that have all the values of ``where`` (``name=value``,
    separated by commas). If no row has these values, the table has no rows. ``rows`` names rows to
    show, in order, by their value in the first of the columns; ``sort`` orders the rows by a
    column, the largest number first. ``headings`` replace the names of the columns, ``digits`` is
    the number of decimals of fractions; a small number that would be shown as 0 keeps all its
    decimals. Columns of ``intervals``, of a Table 1, get their 95 % interval in brackets. The
    column of models that ``names`` gives shows names for people before the ids. ``tally`` counts
    the rows by the only column and by the column that it names. Claims show figures in place of
    the names of cells (``claims``). ``answer=best`` alone says which row of a Table 1 is best
    (``best_row``).

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
    """Refuse a block without an end: it would swallow the text up to the end of the next block."""
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
    if settings == ["answer=best"]:
        first, _, rest = describe_best_rows(find_best_rows(path), label_model).partition(". ")
        return f"**{first}.** {rest}\n"
    table = path.suffix == ".csv"
    options = _read_options(settings, _OF_ROWS if table else ("section",), where)
    shown = _show_rows(path, options, where) if table else _show_section(path, options, where)
    if _START in shown or _END in shown:
        raise DataError(f"{where}: its source has a block of its own; name another section")
    return shown


def _read_options(settings: list[str], known: tuple[str, ...], where: str) -> dict[str, str]:
    """Read the settings by name; the first of ``known`` must be there."""
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
    """Read the text under the first second-level heading that begins with ``section``."""
    for part in _read(path).split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if heading.startswith(options["section"]):
            return body.strip() + "\n"
    raise DataError(f"{where}: there is no such section")


def _show_rows(path: Path, options: dict[str, str], where: str) -> str:
    header, rows = read_headed_rows(path)
    if "intervals" in options:  # intervals of the other judges are in the file beside the table
        rows = read_table1(path)[0]
        header = list(rows[0])

    def list_names(option: str) -> list[str]:
        return options[option].split(",") if option in options else []

    columns, bounded, order, named = map(list_names, ("columns", "intervals", "sort", "names"))
    conditions = [pair.partition("=") for pair in options.get("where", "").split(",") if pair]
    needed = [f"{name}{bound}" for name in bounded for bound in ("_low", "_high")]
    for name in [*columns, *needed, *order, *named, *(name for name, _, _ in conditions)]:
        if name not in header:
            raise DataError(f"{where}: there is no column {name!r} in {path}")
    for name, equals, _ in conditions:
        if not equals:
            raise DataError(f"{where}: where needs {name}=<value>")
    kept = [row for row in rows if all(row[name] == value for name, _, value in conditions)]
    if is_claims(header):
        kept = resolve_claims(kept, str(path))
    if "tally" in options:
        kept = tally(kept, columns, options["tally"], where)
        columns = list(kept[0])
    if "rows" in options:
        kept = [_find_row(kept, columns[0], name, where) for name in options["rows"].split(",")]
    try:
        for name in named:
            known = read_model_names()
            kept = [{**row, name: show_model(row[name], known)} for row in kept]
        for name in order:
            kept.sort(key=lambda row: -float(row[name] or "-inf"))
        cells = [[_write_cell(row, name, bounded, options) for name in columns] for row in kept]
    except ValueError as error:
        raise DataError(f"{where}: a cell or digits is no number ({error})") from error
    columns = options["headings"].split(",") if "headings" in options else columns
    if any(len(columns) != len(row) for row in cells):
        raise DataError(f"{where}: has {len(columns)} headings for {len(cells[0])} columns")
    letters = [
        "r"
        if cells and all(not row[at] or _SHOWN_NUMBER.fullmatch(row[at]) for row in cells)
        else "l"
        for at in range(len(columns))
    ]
    return "".join(f"{line}\n" for line in list_markdown(columns, "".join(letters), cells))


def _write_cell(
    row: Mapping[str, str], name: str, bounded: Sequence[str], options: Mapping[str, str]
) -> str:
    """Write a cell as the page shows it."""

    def write(cell: str) -> str:
        if "digits" not in options or "." not in cell or not _NUMBER.fullmatch(cell):
            return cell
        shown = format_number(float(cell), int(options["digits"]), signed=cell.startswith("+"))
        return shown if float(shown) or not float(cell) else cell

    if name not in bounded or not row[name]:
        return write(row[name])
    return f"{write(row[name])} ({write(row[f'{name}_low'])} to {write(row[f'{name}_high'])})"


def _find_row(rows: list[Row], column: str, name: str, where: str) -> Row:
    found = [row for row in rows if row[column] == name]
    if len(found) != 1:
        raise DataError(f"{where}: {len(found)} rows are named {name!r}; name one")
    return found[0]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
