"""Compares the judge with files of reference values (features, scores of pairs and examples).

The files are JSON lines or CSV, also compressed; the texts that they refer to come from questions
and a corpus.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pyarrow as pa

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.judge.reference_values import (
    example_columns,
    feature_counts,
    inner_records,
    score_columns,
)

Row = dict[str, Any]

MethodKey = tuple[str, str, str, str]
"""A published method: repository, path, first line, last line."""


@dataclass(frozen=True)
class Evidence:
    """Texts that the files to be checked refer to.

    Attributes:
        answers: text of the answers by Stack Overflow id.
        methods: text of published methods.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[MethodKey, str] = field(default_factory=dict)


class Difference(NamedTuple):
    """A value that is not the expected one."""

    name: str
    expected: object
    found: object


class MalformedRowError(Exception):
    """A row that cannot be compared."""


class AbsentTextError(Exception):
    """A row whose texts are not at hand."""


@dataclass
class FileReport:
    """How one file compares.

    Attributes:
        name: name of the file.
        kind: a key of ``FORMATS``, or None where the file has no known format.
        total: rows compared, malformed ones included.
        absent: rows whose texts are not at hand; they are not in ``total``.
        misses: rows that differ, by id, with the first value that does.
        malformed: what is wrong with the rows that cannot be compared.
    """

    name: str
    kind: str | None
    total: int = 0
    absent: int = 0
    misses: dict[str, Difference] = field(default_factory=dict)
    malformed: list[str] = field(default_factory=list)

    @property
    def identical(self) -> int:
        """Rows in which nothing differs."""
        return self.total - len(self.misses) - len(self.malformed)

    @property
    def passes(self) -> bool:
        """Whether nothing differs."""
        return not self.misses and not self.malformed

    def lines(self) -> Iterator[str]:
        """The report as printable text."""
        name = _printable(self.name)
        if self.kind is None:
            yield f"{name}: not checked (no known format)"
            return
        absent = f", {self.absent} not at hand" if self.absent else ""
        yield f"{name}: {self.identical}/{self.total} identical{absent}"
        for row, difference in self.misses.items():
            yield _printable(f"  {row}: {_describe(difference)}")
        for reason in self.malformed:
            yield _printable(f"  malformed: {reason}")


def check_folder(folder: Path, evidence: Evidence) -> Iterator[FileReport]:
    """Check the files of a folder in the order of their names.

    Raises:
        DataError: the folder or a file in it cannot be read, or there is nothing to check.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise DataError(f"{folder}: cannot be read as a folder ({error.strerror})") from error
    kinds = {path: _kind_of(path) for path in paths}
    if not any(kinds.values()):
        raise DataError(f"{folder}: has no file to check; known are {', '.join(FORMATS)}")
    for path, kind in kinds.items():
        yield FileReport(path.name, None) if kind is None else _check_file(path, kind, evidence)


def wanted_methods(folder: Path) -> set[MethodKey]:
    """The published methods whose text the files of a folder need."""
    if not folder.is_dir():
        return set()
    return {
        _method_key(row)
        for path in sorted(folder.iterdir())
        if path.is_file() and _kind_of(path) == "example_scores"
        for _, row in read_rows(path)
        if row is not None and _EXAMPLE_KEYS <= row.keys()
    }


def read_rows(path: Path) -> Iterator[tuple[int, Row | None]]:
    """The rows of a file, numbered from 1; None for a line that is not a JSON object."""
    is_json = ".jsonl" in path.suffixes
    try:
        with _open(path) as file:
            rows = map(_json_object, filter(str.strip, file)) if is_json else csv.DictReader(file)
            yield from enumerate(rows, 1)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _json_object(line: str) -> Row | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _check_file(path: Path, kind: str, evidence: Evidence) -> FileReport:
    report = FileReport(path.name, kind)
    form = FORMATS[kind]
    for number, row in read_rows(path):
        try:
            if row is None or not form.columns <= row.keys():
                missing = sorted(form.columns - (row or {}).keys())
                raise MalformedRowError(f"has no {missing[0]!r}" if row else "is not a JSON object")
            name = form.name(row)
            difference = next(form.differences(row, evidence), None)
        except AbsentTextError:
            report.absent += 1
            continue
        except MalformedRowError as error:
            report.malformed.append(f"row {number} {error}")
        else:
            if difference is not None:
                misses = report.misses
                misses[name if name not in misses else f"{name} (row {number})"] = difference
        report.total += 1
    return report


def _check_features(row: Row, _: Evidence) -> Iterator[Difference]:
    source, features = _text(row, "source"), _counts(row, "features")
    found = feature_counts(source)
    yield from _feature_differences("feature", features, found)
    for column, value in (("n_features", found.total()), ("n_distinct", len(found))):
        if column in row and row[column] != value:
            yield Difference(column, row[column], value)
    if "inner_records" not in row:
        return
    inner = row["inner_records"]
    if not isinstance(inner, list) or not all(isinstance(record, dict) for record in inner):
        raise MalformedRowError("has no list of objects in 'inner_records'")
    wanted = [(_text(record, "method"), _counts(record, "features")) for record in inner]
    pairs = zip_longest(
        sorted(wanted, key=_by_name_and_features),
        sorted(inner_records(source), key=_by_name_and_features),
        fillvalue=("no record", Counter[str]()),
    )
    for (method, expected), (name, counts) in pairs:
        if method != name:
            yield Difference("inner record", method, name)
        yield from _feature_differences(f"inner record {method!r}: feature", expected, counts)


def _by_name_and_features(record: tuple[str, Mapping[str, int]]) -> tuple[str, list[Any]]:
    return record[0], sorted(record[1].items())


def _feature_differences(
    what: str, expected: Mapping[str, int], found: Mapping[str, int]
) -> Iterator[Difference]:
    for feature in sorted(expected.keys() | found.keys()):
        if expected.get(feature, 0) != found.get(feature, 0):
            name = f"{what} {feature!r}"
            yield Difference(name, expected.get(feature, 0), found.get(feature, 0))


def _check_pair(row: Row, _: Evidence) -> Iterator[Difference]:
    found = score_columns(_text(row, "query_source"), _text(row, "candidate_source"))
    return _column_differences(row, found, 1e-9)


def _check_example(row: Row, evidence: Evidence) -> Iterator[Difference]:
    answer = evidence.answers.get(_text(row, "stackoverflow_id"))
    method = evidence.methods.get(_method_key(row))
    if answer is None or method is None:
        raise AbsentTextError
    return _column_differences(row, example_columns(answer, method), 1e-6)


def _column_differences(
    row: Row, found: Mapping[str, float], tolerance: float
) -> Iterator[Difference]:
    for column in sorted(found.keys() & row.keys()):
        try:
            expected = float(row[column])
        except (TypeError, ValueError) as error:
            raise MalformedRowError(f"has {row[column]!r} as {column!r}, not a number") from error
        if not abs(expected - found[column]) <= tolerance:  # also where it is not a number
            yield Difference(column, row[column], found[column])


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise MalformedRowError(f"has no text in {name!r}")
    return value


def _counts(row: Row, name: str) -> dict[str, int]:
    value = row.get(name)
    if not isinstance(value, dict) or not all(type(count) is int for count in value.values()):
        raise MalformedRowError(f"has no counts in {name!r}")
    return value


_EXAMPLE_KEYS = frozenset({"stackoverflow_id", "repo", "path", "start_line", "end_line"})


def _method_key(row: Row) -> MethodKey:
    return str(row["repo"]), str(row["path"]), str(row["start_line"]), str(row["end_line"])


class _Format(NamedTuple):
    columns: frozenset[str]
    name: Callable[[Row], str]
    differences: Callable[[Row, Evidence], Iterator[Difference]]


FORMATS = {
    "spt_fixtures": _Format(
        frozenset({"id", "source", "features"}), lambda row: str(row["id"]), _check_features
    ),
    "similarity_fixtures": _Format(
        frozenset({"pair_id", "query_source", "candidate_source"}),
        lambda row: str(row["pair_id"]),
        _check_pair,
    ),
    "example_scores": _Format(
        _EXAMPLE_KEYS | {"method_id"},
        lambda row: f"{row['stackoverflow_id']} with {row['method_id']}",
        _check_example,
    ),
}
"""The known formats by the beginning of a file's name."""

_NAME = re.compile(
    r"(spt_fixtures(?=.*\.jsonl)|(?:similarity_fixtures|example_scores)(?=.*\.csv)).*"
)
_SUFFIX = re.compile(r".*\.(jsonl|csv)(?:\.gz)?")


def _kind_of(path: Path) -> str | None:
    """The format of a file by its name, else by the columns of its first row."""
    if not _SUFFIX.fullmatch(path.name):
        return None
    match = _NAME.fullmatch(path.name)
    if match:
        return match[1]
    _, first = next(read_rows(path), (0, None))
    columns = first.keys() if first else set()
    return next((kind for kind, form in FORMATS.items() if form.columns <= columns), None)


def _describe(difference: Difference) -> str:
    name, expected, found = difference
    return f"{name:.200} expected {expected!r:.200}, found {found!r:.200}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def read_evidence(folder: Path, questions: pa.Table | None, corpus: Path | None) -> Evidence:
    """Read what the files of a folder can be checked by.

    Args:
        folder: the files of reference values.
        questions: a table of ``QUESTION_SCHEMA``; None where answers are not at hand.
        corpus: folder of a built corpus; None where there is none.
    """
    rows = [] if questions is None else questions.to_pylist()
    return Evidence(
        answers={row["stackoverflow_id"]: row["answer"] for row in rows},
        methods=_read_code(corpus, wanted_methods(folder)) if corpus else {},
    )


def _read_code(corpus: Path, wanted: set[MethodKey]) -> dict[MethodKey, str]:
    """Text of the wanted methods; of several on the same lines the first."""
    columns = ["repository", "path", "start_line", "end_line", "code"]
    found: dict[MethodKey, str] = {}
    for table in CorpusFolder(corpus).iterate_methods(columns):
        for repository, path, start, end, code in zip(
            *(table[name].to_pylist() for name in columns), strict=True
        ):
            key = (repository, path, str(start), str(end))
            if key in wanted:
                found.setdefault(key, code)
    return found
