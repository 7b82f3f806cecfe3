"""The cells that moved between two states of the results, such as two releases."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ncsbench.apps.shown_tables.value_comparison import Difference, are_equal
from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.errors import DataError

COLUMNS = (
    *("table", "rows_gone", "rows_new", "columns_gone", "columns_new", "cells", "moved", "texts"),
    *("largest", "row", "column", "old", "new"),
)
"""Columns of the list: a table a row. ``cells`` counts cells of rows and columns that both states
have, ``texts`` moved cells that are no numbers, ``largest`` is the largest move relative to the
larger number (``text`` where only texts moved), and the last four say where it is."""

_FRACTION = re.compile(r"\d\.\d{3}")


@contextmanager
def open_results(named: str) -> Iterator[Path]:
    """Give the folder of results of a state: a folder, or the name of a commit of this checkout.

    Raises:
        DataError: where there is no such folder and no such commit.
    """
    if Path(named).is_dir():
        yield Path(named)
        return
    with tempfile.TemporaryDirectory() as temporary:
        # An index of its own: neither the checkout's index nor its files are touched.
        environment = {**os.environ, "GIT_INDEX_FILE": f"{temporary}/index"}
        folder = Path(temporary, "results")
        for command in (
            ("read-tree", "--end-of-options", f"{named}:results"),
            ("checkout-index", "--all", f"--prefix={folder}/"),
        ):
            done = subprocess.run(  # noqa: S603  (arguments, no shell)
                ["git", *command],  # noqa: S607
                env=environment,
                capture_output=True,
                check=False,
            )
            if done.returncode:
                raise DataError(
                    f"{named}: is neither a folder nor a commit of this checkout with results/"
                )
        yield folder


def list_moves(old: Path, new: Path) -> list[Row]:
    """List the CSV tables that differ between two folders of results, the largest move first.

    Rows are matched by the cells that name them, and columns by their names.

    Returns:
        Rows of ``COLUMNS``; a table that only one folder has counts its rows as gone or new.
    """
    names = {path.relative_to(one).as_posix() for one in (old, new) for path in one.rglob("*.csv")}
    found = [_compare(name, old / name, new / name) for name in sorted(names)]
    moved = [(size, row) for size, row in found if row]
    return [row for _, row in sorted(moved, key=lambda one: (-one[0], one[1]["table"]))]


def _compare(name: str, old: Path, new: Path) -> tuple[float, Row]:
    """The largest move of a table, and its row; an empty row where nothing differs."""
    (before, olds), (after, news) = (_read(path) for path in (old, new))
    common = [column for column in before if column in set(after)]
    names = _find_names((olds, news), common)
    first, second = (_name_rows(rows, names) for rows in (olds, news))
    keys = [key for key in first if key in second]
    moves = [
        (Difference(0, column, first[key][column], second[key][column]), key)
        for key in keys
        for column in common
        if not are_equal(first[key][column], second[key][column])
    ]
    numbers = [move for move in moves if move[0].size < float("inf")]
    largest, where = max(numbers or moves, key=lambda move: move[0].size, default=(None, ()))
    counts = {
        "rows_gone": len(first) - len(keys),
        "rows_new": len(second) - len(keys),
        "columns_gone": len(set(before) - set(common)) if news else 0,
        "columns_new": len(set(after) - set(common)) if olds else 0,
        "moved": len(moves),
        "texts": len(moves) - len(numbers),
    }
    if not any(counts.values()):
        return 0.0, {}
    size = largest.size if largest and numbers else 0.0
    shown = f"{size:.3g}" if numbers or not moves else "text"
    cells = {name: str(count) for name, count in counts.items()}
    cells |= {"table": name, "cells": str(len(keys) * len(common)), "largest": shown}
    place = dict.fromkeys(("row", "column", "old", "new"), "")
    if largest:
        row = " ".join(filter(None, where))
        place = {"row": row, "column": largest.column}
        place |= {"old": largest.expected, "new": largest.found}
    return size, cells | place


def _read(path: Path) -> tuple[list[str], list[Row]]:
    return read_headed_rows(path) if path.is_file() else ([], [])


def _find_names(tables: Sequence[Sequence[Row]], columns: Sequence[str]) -> list[str]:
    """The first columns whose cells name a row; figures, with fractions, and verdicts never do."""
    names: list[str] = []
    for column in columns:
        fractions = (_FRACTION.search(row[column]) for rows in tables for row in rows)
        if column.startswith("verdict") or any(fractions):
            continue
        names.append(column)
        if all(len({_name(row, names) for row in rows}) == len(rows) for rows in tables):
            break
    return names


def _name_rows(rows: Sequence[Row], names: Sequence[str]) -> dict[tuple[str, ...], Row]:
    """Rows by their names; rows of the same name have a number behind it."""
    counts: Counter[tuple[str, ...]] = Counter()
    found = {}
    for row in rows:
        key = _name(row, names)
        counts[key] += 1
        found[(*key, f"({counts[key]})" if counts[key] > 1 else "")] = row
    return found


def _name(row: Row, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(row[name] for name in names)
