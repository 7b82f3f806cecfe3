"""The sheet that a person fills in: its rows, in random order, and the grades that come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.own_code.shown_methods import dedent_code
from ncsbench.base.files.csv_tables import Row, read_typed, write_rows
from ncsbench.base.files.hashes import forget_file
from ncsbench.base.files.storage import write_text
from ncsbench.base.runs.rankings import ranks_in_run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.base.text.safe_text import cut_text, show_cell
from ncsbench.errors import ConfigurationError, DataError

COLUMNS = ("query", "code", "grade", "notes", "document")
"""Columns of a sheet, in order. ``code`` helps the reader; ``code`` and ``notes`` are not read
again. ``document`` is a document id (``corpus.layout.document_ids``), and empty for a comment."""
RELEVANCE = (0, 1, 2, 3)
"""Grades of a method for a question, as CodeSearchNet's annotators used (Husain et al. 2019)."""
YES_NO = (0, 1)
"""Grades of a comment: 1 if it is like a query, else 0."""
_SHOWN = 60

RELEVANCE_INSTRUCTIONS = """\
Each row has a question and a method. Write into the column grade how well the method answers the
question:

3  what was asked for: you would copy it, or call it, nearly as it is
2  close: it does the work, or its main part, and needs changes that are easy to see
1  related: it shows a part of the way, or the same work on something else
0  something else: it does not help with the question

Judge what the code does, not how well it is written. Read the question as its author would mean
it; where it has several readings, one that fits is enough. Code that only passes the work on
counts by what its name says is done. Do not look the method up in a search engine.
"""
YES_NO_INSTRUCTIONS = """\
Each row has a comment, in the column query. Write into the column grade whether it is like a query
of a code search:

1  yes: somebody who needs such a method could type it, nearly as it is
0  no: it does not say what is done, or only somebody who knows this code could ask so

Judge the words as they are, not how well they describe a method that you do not see. Full stops,
capitals and "This method ..." do no harm. Remarks, references, permissions, signs without words
and languages other than English are not like a query.
"""
_FOR_BOTH = """
Leave the columns query, code and document as they are; notes are yours. A row without a grade
counts as not graded yet. Where two people grade, they talk about the rows afterwards.
"""

Pair = tuple[str, str]
"""Question as ``match_query`` has it, and document id; or comment, and an empty text."""


@dataclass(frozen=True)
class GradedSheet:
    """A sheet that somebody filled in.

    Attributes:
        grades: grades of the rows that have one.
        texts: text of the question or comment of each of these rows, as before it was written.
        left: number of rows without a grade.
        scale: the grades that the sheet may have.
    """

    grades: Mapping[Pair, int]
    texts: Mapping[Pair, str]
    left: int
    scale: tuple[int, ...]


def match_query(text: str) -> str:
    """Normalise a question's text so that rows can be matched: lower case, single blanks.

    CodeSearchNet's evaluation does so. A cell of a file may have an apostrophe before a formula.
    """
    return " ".join(show_cell(text.strip()).lower().split())


def write_sheet(output: Path, rows: list[Row], instructions: str) -> Path:
    """Write a sheet, and instructions for its reader beside it.

    Args:
        output: CSV file to write; a file that is there is kept, since somebody may have filled it.
        rows: rows of ``COLUMNS``, in the order of the sheet.
        instructions: instructions for the reader.

    Returns:
        The file with the instructions.

    Raises:
        ConfigurationError: where one of the files is there already.
    """
    beside = output.with_name(f"{output.stem}_instructions.txt")
    for path in (output, beside):
        if path.exists():
            raise ConfigurationError(f"{path}: is there already; name a new file")
    write_rows(output, COLUMNS, rows)
    forget_file(output)  # a person who fills the sheet in changes its bytes
    write_text(beside, instructions + _FOR_BOTH)
    return beside


def read_sheet(path: Path) -> GradedSheet:
    """Read a sheet that somebody filled in.

    Raises:
        DataError: naming file and line, for a file that is no sheet, a grade outside its scale,
            and a question and method that occur twice.
    """
    grades: dict[Pair, int] = {}
    texts: dict[Pair, str] = {}
    rows = read_typed(path, COLUMNS)[1]
    methods = any(row[-1].strip() for _, row in rows)
    scale = RELEVANCE if methods else YES_NO
    for where, (query, _, grade, _, document) in rows:
        for name, cell in (("query", query), ("document", document)):
            if not cell.strip() and (methods or name == "query"):
                raise DataError(f"{where}: {name} is empty")
        pair = (match_query(query), document.strip())
        if pair in texts:
            raise DataError(f"{where}: the same question and method as in a row above")
        texts[pair] = _take_back(query)
        if not grade.strip():
            continue
        if grade.strip() not in map(str, scale):
            said = ", ".join(map(str, scale))
            raise DataError(f"{where}: grade {grade[:_SHOWN]!r} must be one of {said}")
        grades[pair] = int(grade)
    return GradedSheet(grades, texts, len(texts) - len(grades), scale)


def _take_back(cell: str) -> str:
    """Return the text of a cell without the apostrophe that ``show_cell`` set before a formula."""
    text = cell.removeprefix("'")
    return text if show_cell(text) == cell else cell


_LINES, _WIDTH = 80, 200
"""Lines of a method, and characters of a line, that are shown: other programs read cells up to
32,767 characters."""
_LONGEST_COMMENT = 1000
"""Number of characters; a longer comment is no query, and its cell would be cut."""

Item = TypeVar("Item")


def draw_results(
    dataset: BuiltDataset,
    *,
    models: Sequence[str] | None,
    depth: int,
    count: int | None,
    seed: int,
) -> list[Row]:
    """Draw pairs of a question and a method that some row of the table ranks among its first.

    Questions with the same text count as one. Neither the row nor the rank is written.

    Args:
        dataset: the dataset whose questions and runs are read.
        models: rows of the table whose results count; None for all.
        depth: number of results of each row.
        count: number of pairs that are drawn; None for all.
        seed: seed of the order.

    Raises:
        ConfigurationError: for an unknown row.
        DataError: where there is no run.
    """
    for name in models or ():
        if name not in dataset.rows:
            known = ", ".join(dataset.rows)
            raise ConfigurationError(f"{dataset.name}: has no row {name}; it has {known}")
    asked = dataset.read_questions()
    titles = dict(zip(asked["query_id"].to_pylist(), asked["question"].to_pylist(), strict=True))
    found: dict[tuple[str, int], str] = {}
    for path in dataset.find_runs(models).values():
        run = read_run(path)
        kept = ranks_in_run(run) <= depth
        for query_id, id_ in zip(run.query_ids[kept].tolist(), run.ids[kept].tolist(), strict=True):
            if query_id in titles:
                found.setdefault((match_query(titles[query_id]), id_), titles[query_id])
    drawn = _draw(sorted(found), count, seed)
    documents = dataset.list_document_ids()
    methods = dataset.corpus.read_methods({id_ for _, id_ in drawn}, ["comment", "code"])
    return [
        _make_row(found[pair], documents[pair[1]], methods[pair[1]]["comment"] or "",
                  methods[pair[1]]["code"])
        for pair in drawn
    ]  # fmt: skip


def draw_comments(comments: Iterable[str], *, count: int | None, seed: int) -> list[Row]:
    """Draw distinct comments; comments that differ only in case and blanks count as one.

    Args:
        comments: the comments to draw from.
        count: number of comments that are drawn; None for all.
        seed: seed of the order.

    Raises:
        DataError: where no comment is short enough.
    """
    found: dict[str, str] = {}
    for comment in comments:
        if comment.strip() and len(comment) <= _LONGEST_COMMENT:
            found.setdefault(match_query(comment), comment.strip())
    if not found:
        raise DataError(f"there is no comment of at most {_LONGEST_COMMENT:,} characters")
    return [_make_row(found[key]) for key in _draw(sorted(found), count, seed)]


def _draw(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    order = np.random.default_rng(seed).permutation(len(items)).tolist()
    return [items[place] for place in order[:count]]


def _make_row(query: str, document: str = "", comment: str = "", code: str = "") -> Row:
    text = "\n".join(filter(None, [comment, dedent_code(code)]))
    shown = "\n".join(cut_text(text, lines=_LINES, width=_WIDTH))
    return {"query": query, "code": shown, "grade": "", "notes": "", "document": document}
