"""Labels in the columns of CodeSearchNet's annotations (Husain et al. 2019, section 3).

Those of comments have the same columns under other names, so that a file says what its grades mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.typed_csv import read_typed
from ncsbench.errors import DataError
from ncsbench.label_files.scales import RELEVANCE, SCALES, Scale
from ncsbench.text.safe_text import show_cell

LANGUAGE = "Java"
"""Of the methods of a dataset."""
_SHOWN = 60


class Label(NamedTuple):
    """What one person says of one method for one question, or of one comment.

    Attributes:
        language: of the method.
        query: the question's text; or the comment.
        document: link of the method, or its document id (``corpus.document_ids``); of a comment a
            method that has it.
        grade: one of the scale.
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

    def identify(self, scale: Scale) -> tuple[str, ...]:
        """Equal for labels of the same: language, text and, where it is graded, the method."""
        return (self.language.lower(), *(self.pair if scale.of_methods else self.pair[:1]))


def match_query(text: str) -> str:
    """A question's text as labels are matched by it: lower case, single blanks.

    As CodeSearchNet's evaluation does; a cell of a file may have an apostrophe before a formula.
    """
    return " ".join(show_cell(text.strip()).lower().split())


def read_labels(path: Path, scale: Scale = RELEVANCE) -> list[Label]:
    """Read labels in the order of the file; a pair may have several.

    Raises:
        DataError: naming file and line, for what is no such file.
    """
    found, labels = read_scaled_labels(path, scale)
    if found is not scale:
        raise DataError(f"{path}, line 1: holds labels of the scale {found.name}, not {scale.name}")
    return labels


def read_scaled_labels(path: Path, expected: Scale = RELEVANCE) -> tuple[Scale, list[Label]]:
    """The scale that the header names, and the labels as ``read_labels`` has them.

    Args:
        path: a file of labels.
        expected: whose columns the message asks for where the header is that of no scale.
    """
    columns: dict[tuple[str, ...], Scale] = {one.columns: one for one in (expected, *SCALES)}
    header, rows = read_typed(path, *columns)
    scale = columns[header]
    language, text, document, grade, _ = header
    return scale, [
        Label(
            language=_text(where, row[0], language),
            query=_text(where, row[1], text),
            document=_text(where, row[2], document),
            grade=read_grade(where, row[3], grade, scale.grades),
            notes=row[4].strip(),
        )
        for where, row in rows
    ]


def mean_grades(labels: Iterable[Label], language: str) -> dict[str, dict[str, float]]:
    """The mean grade of every pair in one language (DEV-109).

    Returns:
        By question, as ``match_query`` has it, and document.
    """
    found: dict[str, dict[str, list[int]]] = {}
    for label in labels:
        if label.language.lower() == language.lower():
            query, document = label.pair
            found.setdefault(query, {}).setdefault(document, []).append(label.grade)
    return {
        query: {document: sum(grades) / len(grades) for document, grades in documents.items()}
        for query, documents in found.items()
    }


def write_labels(path: Path, labels: Iterable[Label], scale: Scale = RELEVANCE) -> None:
    """Write labels in their order, atomically; cells as ``show_cell`` has them."""
    rows = (
        dict(zip(scale.columns, (*label[:3], str(label.grade), label.notes), strict=True))
        for label in labels
    )
    write_rows(path, scale.columns, rows)


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
