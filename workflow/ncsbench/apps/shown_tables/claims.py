"""Claims of published texts beside the figures of committed tables.

``config/published/claims.csv`` has a sentence or a figure of a text in each row. Cells of tables in
its column ``ours`` are looked up, so that no figure of ours is typed by hand::

    {ncsed_383/table1.csv|model=ncs|answered_10} of {ncsed_383/table1.csv|model=ncs|questions}

That is a file below ``results/``, the values that its row has (``name=value``, separated by ``;``),
and the column. The verdict is computed from these figures by the row's ``test``, or is the word
that the row has in its column ``verdict``, where no figure of ours can decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from ncsbench.base.files.csv_tables import Row, format_number, read_headed_rows
from ncsbench.errors import DataError

RESULTS = Path("results")
SAME, NEAR, OTHER = "as printed", "within a fifth", "another figure"
HOLDS, FAILS, OPEN = "holds", "does not hold here", "not shown here"
_FIFTH = 0.2  # the margin of the verdicts of Table 1 (docs/table1.md)
_CELL = re.compile(r"\{([^{}|]+)\|([^{}|]*)\|([^{}|]+)\}")
_NUMBER = re.compile(r"(?<![\w.@])\d[\d,]*(?:\.\d+)?|(?<![\w.])\.\d+")
_DIGITS = 3


def is_claims(header: Sequence[str]) -> bool:
    """Say whether a table is one of claims."""
    return {"claim", "ours", "test", "verdict"} <= set(header)


def resolve_claims(rows: Sequence[Row], where: str) -> list[Row]:
    """Return claims with figures in place of names of cells, with verdicts and with commands.

    Args:
        rows: rows with the columns of ``config/published/claims.csv``.
        where: name of the table, for messages.

    Raises:
        DataError: where a named cell is missing, or a row has no verdict or two.
    """
    return [_resolve(row, f"{where}: {row['claim'][:60]!r}") for row in rows]


def tally(rows: Sequence[Row], columns: Sequence[str], of: str, where: str) -> list[Row]:
    """Count rows by the values of two columns.

    Args:
        rows: the rows.
        columns: name of the first column alone.
        of: name of the second column, whose values become columns, the most frequent first.
        where: text for messages.

    Returns:
        A row for each value of the first column, in the order of their first rows.

    Raises:
        DataError: where there is no row, no such column, or another number of columns than one.
    """
    if len(columns) != 1 or not rows or of not in rows[0]:
        raise DataError(f"{where}: tally needs rows, one column, and the name of another column")
    (by,) = columns
    counts = Counter((row[by], row[of]) for row in rows)
    names = [name for name, _ in Counter(row[of] for row in rows).most_common()]
    return [
        {by: one, **{name: str(counts[one, name] or "") for name in names}}
        for one in dict.fromkeys(row[by] for row in rows)
    ]


def _resolve(row: Row, where: str) -> Row:
    if bool(row["test"]) == bool(row["verdict"]):
        raise DataError(f"{where}: has no verdict, or two; fill in either 'test' or 'verdict'")
    named = _CELL.findall(row["ours"])
    cells = [_find_cell(file, values, column, where) for file, values, column in named]
    shown = map(_show, cells)
    numbers = [float(cell) for cell in cells if _is_number(cell)]
    verdict = row["verdict"] or _judge(row["test"], row["published"], numbers, where)
    files = dict.fromkeys(file for file, _, _ in named)
    command = row["command"] or "; ".join(f"ncsbench tables show {RESULTS / one}" for one in files)
    return {
        **row,
        "ours": _CELL.sub(lambda _: next(shown), row["ours"]),
        "verdict": verdict,
        "command": command,
    }


def _find_cell(file: str, conditions: str, column: str, where: str) -> str:
    header, rows = _read_table(RESULTS / file)
    wanted = [one.partition("=")[::2] for one in conditions.split(";") if one]
    for name in (column, *(name for name, _ in wanted)):
        if name not in header:
            raise DataError(f"{where}: {RESULTS / file} has no column {name!r}")
    found = [row for row in rows if all(row[name] == value for name, value in wanted)]
    if len(found) != 1:
        raise DataError(
            f"{where}: {len(found)} rows of {RESULTS / file} have {conditions}; name one row"
        )
    return found[0][column]


_read_table = cache(read_headed_rows)


def _show(cell: str) -> str:
    if not _is_number(cell):
        return cell
    number, sign = float(cell), cell.startswith("+")
    return format_number(number, _DIGITS, signed=sign) if "." in cell else f"{int(cell):,}"


def _is_number(cell: str) -> bool:
    try:
        return float(cell) is not None
    except ValueError:
        return False


def _judge(test: str, published: str, ours: Sequence[float], where: str) -> str:
    try:
        return _TESTS[test](published, ours)
    except KeyError as error:
        known = ", ".join(_TESTS)
        raise DataError(f"{where}: {test!r} is no test; these are: {known}") from error
    except (ValueError, IndexError) as error:
        raise DataError(f"{where}: the test {test!r} lacks a number ({error})") from error


def _compare(published: str, ours: Sequence[float]) -> str:
    """Compare figure by figure with the published ones, to the digits that are printed."""
    printed = [number.replace(",", "") for number in _NUMBER.findall(published)]
    if not ours or len(printed) != len(ours):
        raise ValueError(f"{len(printed)} published figures for {len(ours)} of ours")
    pairs = list(zip(printed, ours, strict=True))
    if all(round(own, len(one.partition(".")[2])) == float(one) for one, own in pairs):
        return SAME
    return (
        NEAR if all(abs(own - float(one)) <= _FIFTH * float(one) for one, own in pairs) else OTHER
    )


def _descend(_: str, ours: Sequence[float]) -> str:
    """Say whether each figure is above the next."""
    if len(ours) < 2:
        raise ValueError("there are fewer than two")
    return HOLDS if all(first > second for first, second in pairwise(ours)) else FAILS


def _exceed(published: str, ours: Sequence[float]) -> str:
    """Say whether the first figure is at least the first published number."""
    return HOLDS if ours[0] >= float(_NUMBER.findall(published)[0].replace(",", "")) else FAILS


def _exclude_zero(_: str, ours: Sequence[float]) -> str:
    """Say whether the interval of a difference, the last two figures, is above 0."""
    low, high = ours[-2], ours[-1]
    return HOLDS if low > 0 else FAILS if high < 0 else OPEN


_TESTS: Mapping[str, Callable[[str, Sequence[float]], str]] = {
    "figure": _compare,
    "descending": _descend,
    "at least": _exceed,
    "interval": _exclude_zero,
}
