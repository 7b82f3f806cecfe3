"""Files of gold: for each question, the places of code that are right, with a grade each.

A CSV file has the columns ``question`` (the text or id of a question) and ``document``, or
``path`` with ``repository``, ``line``, ``start_line`` and ``end_line`` where they are known;
``grade`` may be left out and is 1. A sheet that people filled in (``apps.exports.grade_sheet``) has
``code`` and ``notes``, too; its rows without a grade are left out. Other forms are qrels: BEIR's,
with the header ``query-id``, ``corpus-id``, ``score`` and tabs, and TREC's four columns without a
header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.csv_tables import read_records, read_utf8
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import DataError

_BEIR = ["query-id", "corpus-id", "score"]
_SHEET = {"code", "notes"}
_COLUMNS = {
    *("question", "document", "repository", "path", "line", "start_line", "end_line", "grade"),
    *_SHEET,
}
_MOST = 10**9
# As ``corpus.layout.document_ids`` writes it; a start of a run reads gold, and no Arrow.
_LINE_OF_ID = re.compile(r":[0-9]+(#[0-9]+)?$")


class GoldEntry(NamedTuple):
    """A place of code that is right for a question.

    Attributes:
        where: file and line, for messages.
        question: text or id of the question.
        document: id of a document, or path of a file, with the repository first where it is known.
        lines: first and last line, both included, from 1; None for the whole file.
        grade: 0 for a place that is judged and not right.
    """

    where: str
    question: str
    document: str
    lines: tuple[int, int] | None
    grade: int


def read_gold(paths: Sequence[Path]) -> list[GoldEntry]:
    """Read files of gold in the order given.

    Raises:
        DataError: naming the file and the line that is wrong.
    """
    entries = [entry for path in paths for entry in _read_file(path)]
    if not entries:
        raise DataError(f"{paths[0]}: has no entry; write a line for each right place")
    return entries


def _read_file(path: Path) -> Iterator[GoldEntry]:
    if path.suffix == ".csv":
        records = [record for record in read_records(path) if any(record[1])]
        header = _check_header(path, records[0][1] if records else [])
        for number, row in records[1:]:
            where = f"{path}, line {number}"
            if len(row) != len(header):
                raise DataError(f"{where}: has {len(row)} cells, not {len(header)}")
            named = dict(zip(header, map(str.strip, row), strict=True))
            if named.get("grade") or not _SHEET & named.keys():
                yield _read_row(where, named)
        return
    lines = read_utf8(path).split("\n")
    is_beir = lines[0].rstrip("\r").split("\t")[:3] == _BEIR
    for number, line in enumerate(lines, 1):
        if not line.strip() or (is_beir and number == 1):
            continue
        where = f"{path}, line {number}"
        cells = line.rstrip("\r").split("\t") if is_beir else line.split()
        if len(cells) != (3 if is_beir else 4):
            raise DataError(
                f"{where}: is no line of qrels: query id, 0, document id and grade, or with tabs "
                f"below the header {' '.join(_BEIR)}"
            )
        yield GoldEntry(where, cells[0], cells[-2], None, _read_grade(where, cells[-1]))


def _check_header(path: Path, header: list[str]) -> list[str]:
    unknown = [name for name in header if name not in _COLUMNS]
    if unknown and ";" in header[0]:
        raise DataError(f"{path}, line 1: has semicolons between its cells; save it with commas")
    if not header or unknown or "question" not in header or not {"document", "path"} & {*header}:
        named = f"{unknown[0]!r} is no column" if unknown else "a column is missing"
        raise DataError(
            f"{path}, line 1: {named}; there must be question, and document or path; there may be "
            "repository, line, start_line, end_line and grade"
        )
    return header


def _read_row(where: str, row: Mapping[str, str]) -> GoldEntry:
    parts = [part for name in ("repository", "path") if (part := row.get(name, "").strip("/"))]
    document = row.get("document", "") or "/".join(parts)
    if not document or not row["question"]:
        raise DataError(f"{where}: must name a question, and a document or path")
    lines = [name for name in ("line", "start_line", "end_line") if row.get(name)]
    if row.get("document") and parts:
        raise DataError(f"{where}: has a document and a path; leave one of them empty")
    if ("line" in lines and len(lines) > 1) or (lines and _LINE_OF_ID.search(document)):
        raise DataError(f"{where}: names lines twice; leave {lines[-1]} empty")
    grade = _read_grade(where, row.get("grade", "") or "1")
    return GoldEntry(where, row["question"], document, _read_lines(where, row), grade)


def _read_lines(where: str, row: Mapping[str, str]) -> tuple[int, int] | None:
    start = row.get("line", "") or row.get("start_line", "")
    end = row.get("end_line", "") or start
    if not start and not end:
        return None
    first, last = (_read_number(where, text, "a line") for text in (start, end))
    if not 1 <= first <= last:
        raise DataError(f"{where}: lines must count from 1 and ascend, not {start} to {end}")
    return first, last


def _read_grade(where: str, text: str) -> int:
    return max(_read_number(where, text, "a grade"), 0)  # trec_eval counts negative grades as 0


def _read_number(where: str, text: str, name: str) -> int:
    try:
        number = int(text)
        if abs(number) <= _MOST:
            return number
    except ValueError:
        pass
    raise DataError(f"{where}: {name} must be a whole number, not {show_line(text)!r}")
