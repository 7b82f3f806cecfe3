"""Two runs compared by value: another processor may give other last digits, and so other bytes."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.corpus_stamps import split_tag
from ncsbench.base.runs.trec_files import read_lines
from ncsbench.corpus.layout.corpus_record import check_same_results
from ncsbench.errors import DataError

RELATIVE = 1e-6
"""Numbers whose relative difference is smaller count as equal."""

_ABSOLUTE = 1.1e-6  # one in the last of the six digits that the tables print
_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
_TOKEN = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\d\s]+|\S")
_TRIALS = "trials"  # trials have tables of their own; their folders are compared separately
_RUNS = {".trec", ".gz"}
_COMPARED = {".csv", ".parquet", ".txt", *_RUNS}


class Difference(NamedTuple):
    """A place at which two files differ, with the texts there."""

    row: int
    column: str
    expected: str
    found: str

    @property
    def size(self) -> float:
        """Difference of two numbers relative to the larger one; infinite where either is a text."""
        try:
            one, two = float(self.expected), float(self.found)
        except ValueError:
            return math.inf
        return abs(one - two) / (max(abs(one), abs(two)) or 1.0)


@dataclass(frozen=True)
class Comparison:
    """Numbers of files that two runs have in common, and the values that differ.

    Attributes:
        same: number of files with the same bytes.
        equal: number of files with other bytes and the same values.
        differing: number of differing values by name of the file.
        largest: the largest difference: file and place; None where nothing differs.
        alone: names of the files that only one run has.
    """

    same: int
    equal: int
    differing: dict[str, int]
    largest: tuple[str, Difference] | None
    alone: tuple[str, ...]

    def describe(self) -> str:
        """Say the result in one line."""
        compared = self.same + self.equal + len(self.differing)
        only = f"; {len(self.alone)} files only in one of them" if self.alone else ""
        if self.largest is None:
            return f"equal: {compared} files have the same values, {self.same} of them the " + (
                f"same bytes{only}"
            )
        name, place = self.largest
        row, column, expected, found = place
        which = "the first one that is no number" if math.isinf(place.size) else "the largest"
        return (
            f"{sum(self.differing.values())} values differ in {len(self.differing)} of {compared} "
            f"files; {which}: {name}, line {row}, {column}: {expected!r} and "
            f"{found!r}{only}"
        )


def compare_runs(old: Path, new: Path) -> Comparison:
    """Compare two results folders, or two tables, by value.

    Tables, rankings and qrels are compared, in subfolders too; files that repeat them for readers
    or describe the run (Markdown, LaTeX, JSON, figures) are not.

    Raises:
        DataError: where a path is missing, the two have no such file in common, or they belong
            to different corpora.
    """
    if old.is_file() and new.is_file():
        pairs, alone = {new.name: (old, new)}, []
    else:
        check_same_results(old, new)
        ours, theirs = _list_files(old), _list_files(new)
        pairs = {name: (ours[name], theirs[name]) for name in sorted(ours.keys() & theirs.keys())}
        alone = sorted(ours.keys() ^ theirs.keys())
    if not pairs:
        raise DataError(f"{old} and {new}: have no table in common; name two results folders")
    same = equal = 0
    differing: dict[str, int] = {}
    largest: tuple[str, Difference] | None = None
    for name, (one, two) in pairs.items():
        if _read(one) == _read(two):
            same += 1
            continue
        count = 0
        for found in iterate_differences(one, two):
            count += 1
            if largest is None or found.size > largest[1].size:
                largest = (name, found)
        if count:
            differing[name] = count
        else:
            equal += 1
    return Comparison(same, equal, differing, largest, tuple(alone))


def iterate_differences(expected: Path, found: Path) -> Iterator[Difference]:
    """List the places at which two files differ by more than the last digits of a number.

    Tables are compared by cells, another text by words; whole numbers and words must be the same.
    Files of different shapes differ in one place, which names the shape.
    """
    one, two = _walk(expected), _walk(found)
    for (row, column, left), (line, other, right) in zip_longest(one, two, fillvalue=(0, "", None)):
        if left is None or right is None or column != other:
            yield Difference(row or line, column or other, left or "nothing", right or "nothing")
            return
        if not are_equal(left, right):
            yield Difference(row, column, left, right)
            if column.startswith("number of "):
                return


def _list_files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise DataError(f"{folder}: is no folder; name two results folders, or two tables")
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in _COMPARED
        and path.is_file()
        and path.relative_to(folder).parts[0] != _TRIALS
    }


def _walk(path: Path) -> Iterator[tuple[int, str, str | None]]:
    """Walk through cells or words: line from 1 (the header), column or word number, and text."""
    if path.suffix == ".parquet":
        return _walk_rows(path)
    if path.suffix in _RUNS:  # tags of version 0.3.0 and before name no corpus
        return _walk_words("\n".join(split_tag(line)[0] for line in read_lines(path)))
    try:
        text = _read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not in UTF-8 ({error})") from error
    if path.suffix == ".csv":
        return _walk_cells(path, text)
    return _walk_words(text)


def _walk_rows(path: Path) -> Iterator[tuple[int, str, str | None]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    yield 1, "number of rows", str(len(table))
    for row, cells in enumerate(table.to_pylist(), 2):
        for name, cell in cells.items():
            yield row, name, str(cell)


def _walk_cells(path: Path, text: str) -> Iterator[tuple[int, str, str | None]]:
    records = list(csv.reader(io.StringIO(text, newline="")))
    header = records[0] if records else []
    for row, record in enumerate(records, 1):
        yield row, "number of cells", str(len(record))
        for number, cell in enumerate(record):
            yield row, header[number] if number < len(header) else str(number + 1), cell


def _walk_words(text: str) -> Iterator[tuple[int, str, str | None]]:
    for row, line in enumerate(text.splitlines(), 1):
        words = _TOKEN.findall(line)
        yield row, "number of words", str(len(words))
        for number, word in enumerate(words, 1):
            yield row, f"word {number}", word


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def are_equal(left: str, right: str) -> bool:
    """Say whether two cells are the same, or numbers that differ in their last digits alone."""
    if left == right:
        return True
    texts = (left, right)
    fractions = [_NUMBER.fullmatch(text) is not None for text in texts]
    if not any(fractions) or not all(
        fraction or _INTEGER.fullmatch(text)
        for fraction, text in zip(fractions, texts, strict=True)
    ):
        return False
    return math.isclose(float(left), float(right), rel_tol=RELATIVE, abs_tol=_ABSOLUTE)
