"""Evaluation questions: the published JSON schema (NCSED paper, section 2.3), and lists of ids.

Questions whose right methods are known (``gold`` of the dataset file) need no answer and may also
be BEIR's ``queries.jsonl``, or a CSV file with the column ``question`` and, if wanted, ``id``.

Ids of Stack Overflow are facts and can be committed. The start of every run checks both and needs
no tables, which is why ``questions_file`` is another module.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ncsbench.base.files.csv_tables import read_records
from ncsbench.base.files.json_lines import read_objects, take_text
from ncsbench.base.files.storage import read_json
from ncsbench.errors import ConfigurationError, DataError

TEXT_FIELDS = (
    *("stackoverflow_id", "question", "question_url", "question_author", "question_author_url"),
    *("answer", "answer_url", "answer_author", "answer_author_url"),
)
"""Fields that are texts; some of them may be missing in an entry."""
_NEEDED = ("stackoverflow_id", "question", "answer")
_LIMIT = 1 << 63
_LONGEST = 40


def read_entries(paths: list[Path], *, answered: bool = True) -> list[dict[str, Any]]:
    """Read the questions of all files in order, with the fields of ``QUESTION_SCHEMA``.

    Rows count from 1. ``stackoverflow_id``, ``question`` and ``answer`` must be there and not
    empty; the other fields of the schema may be missing. A ``DataError`` names file and entry.

    Args:
        paths: files of questions.
        answered: False where an answer may be missing, and JSON lines and CSV are read, too.
    """
    rows: list[dict[str, Any]] = []
    occurrences: Counter[str] = Counter()
    for path in paths:
        entries = read_json(path) if answered else _read_any(path)
        if not isinstance(entries, list) or not entries:
            raise DataError(f"{path}: must be a JSON list of at least one question")
        for number, entry in enumerate(entries, 1):
            row = _question(f"{path}: question {number}", entry, answered=answered)
            if path.suffix == ".csv" and row["stackoverflow_id"] in occurrences:
                continue  # gold of one question in two files
            occurrences[row["stackoverflow_id"]] += 1
            row["occurrence"] = occurrences[row["stackoverflow_id"]]
            row["query_id"] = len(rows) + 1
            rows.append(row)
    return rows


def _read_any(path: Path) -> Any:
    """Read entries from JSON, JSON lines (``_id``, ``text``) or CSV (``question``)."""
    if path.suffix == ".csv":
        return _read_csv(path)
    if ".jsonl" in path.suffixes:
        names = {"stackoverflow_id": "_id", "question": "text"}
        return [
            {field: take_text(f"{path}, line {line}", one, name) for field, name in names.items()}
            for line, one in read_objects(path)
        ]
    if path.suffix not in (".json", ""):
        raise DataError(f"{path}: holds no texts of questions; name a file that does as questions")
    return read_json(path)


def _read_csv(path: Path) -> list[dict[str, str]]:
    """Read each question once; its id is in the column ``id``, or else is its text."""
    records = [record for record in read_records(path) if any(record[1])]
    header = records[0][1] if records else []
    if "question" not in header:
        raise DataError(f"{path}, line 1: must name a column question, with commas between columns")
    asked: dict[str, str] = {}
    for line, cells in records[1:]:
        if len(cells) != len(header):
            wanted = f"{len(header)}; a text with commas needs double quotes around it"
            raise DataError(f"{path}, line {line}: has {len(cells)} cells, not {wanted}")
        row = dict(zip(header, map(str.strip, cells), strict=True))
        if asked.setdefault(row.get("id", row["question"]), row["question"]) != row["question"]:
            raise DataError(f"{path}, line {line}: id {row['id']} has another question above")
    return [{"stackoverflow_id": id_, "question": text} for id_, text in asked.items()]


def _question(where: str, entry: Any, *, answered: bool) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise DataError(f"{where}: must be an object")
    row: dict[str, Any] = {}
    for name in TEXT_FIELDS:
        value = entry.get(name, "")
        if name == "stackoverflow_id" and type(value) is int:
            value = str(value)
        if not isinstance(value, str):
            raise DataError(f"{where}: field {name!r} must be text")
        if name in _NEEDED[: 3 if answered else 2] and not value.strip():
            raise DataError(f"{where}: field {name!r} is missing or empty")
        row[name] = _storable(value)
    row["examples"] = _list(where, entry, "examples", int)
    row["examples_url"] = _list(where, entry, "examples_url", str)
    return row


def _list(where: str, entry: dict[str, Any], name: str, kind: type) -> list[Any]:
    values = entry.get(name, [])
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        raise DataError(f"{where}: field {name!r} must be a list of {kind.__name__} values")
    if kind is int and not all(abs(value) < _LIMIT for value in values):
        raise DataError(f"{where}: field {name!r} has a number of more than 64 bits")
    return values if kind is int else [_storable(value) for value in values]


def _storable(text: str) -> str:
    """Replace lone surrogates of a text by ``?``: JSON allows them, and UTF-8 cannot store them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _write_number(value: Any) -> Any:
    return str(value) if type(value) is int else value


QuestionId = Annotated[
    str,
    BeforeValidator(_write_number, json_schema_input_type=int | str),
    Field(min_length=1, max_length=_LONGEST),
]
"""A ``stackoverflow_id``; a number is read as the text of its digits."""


def _explain_ids(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    try:
        return check(tuple(value) if isinstance(value, list) else value)  # no longer JSON here
    except ValidationError as error:
        raise ValueError(f"want a list of ids, or a file of them, not {value!r}") from error


QuestionIds = Annotated[tuple[QuestionId, ...] | str, WrapValidator(_explain_ids)]
"""Ids, or the path of a text file with one id a line."""


def read_ids(path: Path) -> tuple[str, ...]:
    """Read ids from a text file, one a line; blank lines and blanks around an id do not count.

    Raises:
        ConfigurationError: where the file cannot be read, has no ids, has an id twice, or has a
            line that is not an id.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 text ({error.reason})") from error
    ids: dict[str, None] = {}
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line:
            continue
        if len(line.split()) > 1 or len(line) > _LONGEST:
            raise ConfigurationError(f"{path}: line {number}: {line[:60]!r} is no id; write one")
        if line in ids:
            raise ConfigurationError(f"{path}: line {number}: {line} is there twice; keep one")
        ids[line] = None
    if not ids:
        raise ConfigurationError(f"{path}: has no ids; write one a line")
    return tuple(ids)
