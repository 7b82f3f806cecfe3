"""Reports of titles, paragraphs, tables and notes: Markdown and LaTeX; tables for a terminal.

Every text is treated as plain text from others: characters that a format would act on are escaped.
"""

from __future__ import annotations

import html
import io
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ncsbench.base.text.safe_text import show_line, show_visibly

WIDTH = 100
"""Largest number of characters of a line."""

_NAME = 32  # a name of at most this length stays in one line

_MARKDOWN = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "`": r"\textasciigrave{}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "±": r"\ensuremath{\pm}",
}
_WIDE = r"p{0.24\linewidth}"


@dataclass(frozen=True)
class TextTable:
    """A table of plain texts.

    Attributes:
        caption: the caption, which says what the table shows.
        header: names of the columns.
        alignment: one letter a column: l (left), r (right) or w (left, long text that may break).
        rows: cells, as many as columns.
    """

    caption: str
    header: tuple[str, ...]
    alignment: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Report:
    """A title, paragraphs, tables, then notes."""

    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...]


def to_markdown(report: Report) -> str:
    """Write the report as GitHub-flavoured Markdown."""
    parts = [f"# {escape_markdown(report.title)}", *map(escape_markdown, report.paragraphs)]
    for table in report.tables:
        lines = list_markdown(table.header, table.alignment, table.rows)
        parts += [f"## {escape_markdown(table.caption)}", "\n".join(lines)]
    if report.notes:
        notes = "\n".join(f"- {escape_markdown(note)}" for note in report.notes)
        parts += ["## Notes", notes]
    return "\n\n".join(parts) + "\n"


def list_markdown(
    header: Iterable[str], alignment: str, rows: Iterable[Iterable[str]]
) -> list[str]:
    """List the lines of a table in Markdown; ``alignment`` as of ``TextTable``."""
    marks = ["---:" if letter == "r" else "---" for letter in alignment]
    cells = [[escape_markdown(cell) for cell in row] for row in (header, *rows)]
    return [f"| {' | '.join(row)} |" for row in (cells[0], marks, *cells[1:])]


def to_latex(report: Report) -> str:
    """Write the report as LaTeX to be included in a document that loads ``booktabs``."""
    parts = [
        r"% Generated. Needs \usepackage{booktabs}.",
        rf"\section*{{{escape_latex(report.title)}}}",
        *map(escape_latex, report.paragraphs),
        *map(_latex_table, report.tables),
    ]
    if report.notes:
        items = "\n".join(rf"\item {escape_latex(note)}" for note in report.notes)
        parts.append(f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}")
    return "\n\n".join(parts) + "\n"


def _latex_table(table: TextTable) -> str:
    columns = "".join(_WIDE if letter == "w" else letter for letter in table.alignment)
    header, *rows = (
        " & ".join(_latex_cells(row, table.alignment)) + r" \\"
        for row in (table.header, *table.rows)
    )
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            r"\centering\small",
            rf"\caption{{{escape_latex(table.caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            header,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _latex_cells(row: tuple[str, ...], alignment: str) -> list[str]:
    """Escaped cells; a long cell may break behind + and _, where its words have no blanks."""
    return [
        re.sub(r"\\_|\+", r"\g<0>\\allowbreak{}", escape_latex(cell))
        if letter == "w"
        else escape_latex(cell)
        for cell, letter in zip(row, alignment, strict=True)
    ]


def escape_markdown(text: str) -> str:
    """Escape a text as one line that Markdown and HTML show as it is; underscores in words stay."""
    return html.escape(_MARKDOWN.sub(r"\\\g<0>", show_line(text)), quote=False)


def escape_latex(text: str) -> str:
    """Escape a text as one line for LaTeX; characters beyond Latin-1 are named by their number."""
    named = (
        character if ord(character) < 256 else f"<U+{ord(character):04X}>"
        for character in show_line(text)
    )
    escaped = (_LATEX.get(character, character) for character in "".join(named))
    return re.sub("-(?=-)", "-{}", "".join(escaped))


def format_table(table: TextTable) -> str:
    """Write the caption, then the table; a cell that is too long goes on in the next line."""
    # Text, never markup: texts from others may look like markup.
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
    """Choose widths: figures and short names fit in one line; other texts share the rest of it."""
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
