"""Comparing what two builds made, and one of them with what is committed."""

from __future__ import annotations

import csv
import fnmatch
import hashlib
import io
import math
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

RELATIVE = 1e-6
"""Numbers that differ by a smaller part of themselves are equal."""

_ABSOLUTE = 1.1e-6  # one in the last of the six digits that the tables print
_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")
_TOKEN = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[^\d\s]+|\S")
_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
SUMS = "SHA256SUMS"


class Difference(NamedTuple):
    """A place at which two files differ, and what stands there."""

    row: int
    column: str
    expected: str
    found: str


class Check(NamedTuple):
    """What a comparison with the committed files found.

    Attributes:
        same: files of the same bytes.
        equal: files of other bytes and the same values.
        problems: one line for each file that differs or is missing.
    """

    same: list[str]
    equal: list[str]
    problems: list[str]


def read_patterns(path: Path) -> list[str]:
    """Patterns of files that are not compared; each must have a reason after its ``#``."""
    patterns = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        pattern, _, reason = line.partition("#")
        if not line.strip():
            continue
        if not pattern.strip() or not reason.strip():
            raise ValueError(f"{path}, line {number}: must be 'pattern # reason'")
        patterns.append(pattern.strip())
    return patterns


def hash_artifacts(folder: Path, left_out: Sequence[str]) -> dict[str, str]:
    """SHA-256 of every file below ``data/`` and ``results/`` that no pattern leaves out."""
    names = sorted(
        path.relative_to(folder).as_posix()
        for top in ("data", "results")
        for path in (folder / top).rglob("*")
        if path.is_file()
    )
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in names
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in left_out)
    }


def compare_builds(first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
    """One line for each file that only one build made, or that differs."""
    lines = []
    for name in sorted(first.keys() | second.keys()):
        if name not in second:
            lines.append(f"{name}: only the first build made it")
        elif name not in first:
            lines.append(f"{name}: only the second build made it")
        elif first[name] != second[name]:
            lines.append(f"{name}: the builds differ ({first[name][:12]}, {second[name][:12]})")
    return lines


def compare_values(expected: Path, found: Path) -> Difference | None:
    """The first place at which two files differ by more than the last digits of a number.

    CSV is compared by cells, another text by words. Whole numbers and words must be the same.
    """
    one, two = expected.read_text(encoding="utf-8"), found.read_text(encoding="utf-8")
    walk = _walk_cells if expected.suffix == ".csv" else _walk_words
    for (row, column, left), (_, _, right) in zip_longest(
        walk(one), walk(two), fillvalue=(0, "", None)
    ):
        if left is None or right is None:
            return Difference(row, column, left or "nothing", right or "nothing")
        if not _are_equal(left, right):
            return Difference(row, column, left, right)
    return None


def read_sums(path: Path) -> dict[str, str]:
    """Hashes by path of a file in the form of ``sha256sum``; none where there is no file."""
    sums: dict[str, str] = {}
    if not path.exists():
        return sums
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        matched = _SUM.fullmatch(line)
        if matched is None:
            raise ValueError(f"{path}, line {number}: must be a SHA-256, two blanks and a path")
        sums[matched[2]] = matched[1]
    return sums


def check_expected(expected: Path, build: Path) -> Check:
    """Compare a build with the committed hashes and, where these differ, with committed copies.

    Args:
        expected: folder with ``SHA256SUMS`` and the copies under their paths.
        build: folder with ``data/`` and ``results/``.
    """
    check = Check([], [], [])
    for name, committed in sorted(read_sums(expected / SUMS).items()):
        copy, made = expected / name, build / name
        if not copy.is_file():
            check.problems.append(f"{name}: the committed copy is missing")
        elif hashlib.sha256(copy.read_bytes()).hexdigest() != committed:
            check.problems.append(f"{name}: the committed copy does not have the committed hash")
        elif not made.is_file():
            check.problems.append(f"{name}: was not made")
        elif made.read_bytes() == copy.read_bytes():
            check.same.append(name)
        elif (difference := compare_values(copy, made)) is None:
            check.equal.append(name)
        else:
            check.problems.append(
                f"{name}: row {difference.row}, column {difference.column}: expected "
                f"{difference.expected!r}, found {difference.found!r}"
            )
    return check


def update_expected(expected: Path, build: Path, names: Sequence[str]) -> None:
    """Replace the committed copies and hashes by those of a build."""
    shutil.rmtree(expected, ignore_errors=True)
    sums = []
    for name in sorted(names):
        (expected / name).parent.mkdir(parents=True, exist_ok=True)
        data = (build / name).read_bytes()
        (expected / name).write_bytes(data)
        sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    (expected / SUMS).write_text("".join(sums), encoding="utf-8")


def _walk_cells(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Row from 1 (the header), name of the column and text of every cell."""
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


def _are_equal(left: str, right: str) -> bool:
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
