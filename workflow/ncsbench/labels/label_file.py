"""Labels in the columns of CodeSearchNet's annotations (Husain et al. 2019, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ncsbench.artifacts.csv_tables import read_records, write_rows
from ncsbench.errors import DataError
from ncsbench.text.safe_text import show_cell

COLUMNS = ("Language", "Query", "GitHubUrl", "Relevance", "Notes")
"""Columns of a labels file, in order."""
GRADES = (0, 1, 2, 3)
"""From "has nothing to do with the question" to "is what was asked for"."""
LANGUAGE = "Java"
"""Of the methods of a dataset."""
_SHOWN = 60


class Label(NamedTuple):
    """What one person says of one method for one question.

    Attributes:
        language: of the method.
        query: the question's text.
        document: link of the method, or its document id (``corpus.document_ids``).
        grade: one of ``GRADES``.
        notes: free text.
    """

    language: str
    query: str
    document: str
    grade: int
    notes: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        """Question and method, the question as ``match_query`` has it."""
        return match_query(self.query), self.document


def match_query(text: str) -> str:
    """A question's text as labels are matched by it: lower case, single blanks.

    As CodeSearchNet's evaluation does; a cell of a file may have an apostrophe before a formula.
    """
    return " ".join(show_cell(text.strip()).lower().split())


def read_labels(path: Path) -> list[Label]:
    """Read labels in the order of the file; a pair may have several.

    Raises:
        DataError: naming file and line, for what is no such file.
    """
    return [
        Label(
            language=_text(where, row[0], "Language"),
            query=_text(where, row[1], "Query"),
            document=_text(where, row[2], "GitHubUrl"),
            grade=read_grade(where, row[3], "Relevance", GRADES),
            notes=row[4].strip(),
        )
        for where, row in read_typed(path, COLUMNS)
    ]


def write_labels(path: Path, labels: Iterable[Label]) -> None:
    """Write labels in their order, atomically; cells as ``show_cell`` has them."""
    rows = (
        dict(zip(COLUMNS, (*label[:3], str(label.grade), label.notes), strict=True))
        for label in labels
    )
    write_rows(path, COLUMNS, rows)


def read_typed(path: Path, columns: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The rows of a CSV file of these columns, each with ``file, line n`` for messages.

    Raises:
        DataError: for what is no regular file in UTF-8, another header, too few or many cells.
    """
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no regular file; name a file of labels")
    _check_text(path)
    records = read_records(path)
    if not records or records[0][1] != list(columns):
        raise DataError(f"{path}, line 1: the header must be {','.join(columns)!r}")
    rows = []
    for line, cells in records[1:]:
        where = f"{path}, line {line}"
        if len(cells) != len(columns):
            raise DataError(f"{where}: has {len(cells)} cells, not {len(columns)}")
        rows.append((where, cells))
    return rows


def read_grade(where: str, text: str, column: str, grades: Sequence[int]) -> int:
    """A grade of a scale; ``DataError`` for anything else."""
    if text.strip() not in {str(grade) for grade in grades}:
        raise DataError(
            f"{where}: {column} {text[:_SHOWN]!r} is none of {', '.join(map(str, grades))}"
        )
    return int(text)


def _text(where: str, text: str, column: str) -> str:
    if not text.strip():
        raise DataError(f"{where}: {column} is empty")
    return text.strip()


def _check_text(path: Path) -> None:
    """Name the line that is not UTF-8, which the reader of CSV files does not."""
    try:
        data = path.read_bytes()
        data.decode("utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: is not UTF-8 text") from error
