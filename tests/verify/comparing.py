"""Comparing what two builds made, and one of them with what is committed."""

import csv
import fnmatch
import hashlib
import io
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ncsbench.apps.shown_tables.value_comparison import iterate_differences

_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
_RANK = " FRank"
SUMS = "SHA256SUMS"


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
        elif not (differences := list(iterate_differences(copy, made))):
            check.equal.append(name)
        else:
            row, column, wanted, found = differences[0]
            more = f" ({len(differences) - 1} more)" if len(differences) > 1 else ""
            check.problems.append(
                f"{name}: row {row}, column {column}: expected {wanted!r}, found {found!r}{more}"
            )
    return check


def describe_moved_ranks(expected: Path, made: Path) -> str:
    """Name the models and questions whose first rank another build moved; empty for no move.

    Args:
        expected: a committed score sheet, a row for each question and a column for each model.
        made: the score sheet of the build.
    """
    if not (expected.is_file() and made.is_file()):
        return ""
    one, two = (list(csv.DictReader(io.StringIO(path.read_text()))) for path in (expected, made))
    moved = [
        (column.removesuffix(_RANK), row["No."], row[column], other[column])
        for row, other in zip(one, two, strict=False)
        for column in row.keys() & other.keys()
        if row[column] != other[column]
    ]
    if not moved:
        return ""
    model, question, before, after = min(moved)
    models, questions = len({one[0] for one in moved}), len({one[1] for one in moved})
    return (
        f"first ranks moved of {models} model{'s' * (models != 1)} in {questions} "
        f"question{'s' * (questions != 1)}, such as {model}, question {question}: "
        f"{before} -> {after}"
    )


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
