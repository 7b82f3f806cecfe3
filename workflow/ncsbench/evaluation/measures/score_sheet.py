r"""Score sheets in the format of the published one: a first rank per question and model.

Format of ``data/score_sheet.csv`` in facebookresearch/Neural-Code-Search-Evaluation-Dataset:
header ``No.,StackOverflow ID,<model> FRank,...``, ``NF`` for "not found", line ends CR LF.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import read_records
from ncsbench.base.files.storage import write_text
from ncsbench.base.text.safe_text import show_cell
from ncsbench.errors import DataError

_KEYS = ("No.", "StackOverflow ID")
_SUFFIX = " FRank"
_NOT_FOUND = "NF"
_MAX = np.iinfo(np.int32).max


@dataclass(frozen=True)
class ScoreSheet:
    """First ranks of several models on the same questions.

    Attributes:
        rows: rows of the questions ("No."), int32, shape (questions,), ascending.
        stackoverflow_ids: one id per question; an id can occur more than once.
        models: distinct names of the models.
        first_ranks: int32, shape (questions, models); from 1, 0 = not found.
    """

    rows: NDArray[np.int32]
    stackoverflow_ids: tuple[str, ...]
    models: tuple[str, ...]
    first_ranks: NDArray[np.int32]


def read_score_sheet(path: Path) -> ScoreSheet:
    """Read a score sheet.

    Raises:
        DataError: naming file and line, where the header, a row's length, its number or a
            rank is not as the format says.
    """
    header, *records = read_records(path) or [(1, [])]
    models = _read_models(path, header[1])
    rows: list[int] = []
    ids: list[str] = []
    ranks: list[list[int]] = []
    for line, record in records:
        where = f"{path}, line {line}"
        if len(record) != len(header[1]):
            raise DataError(f"{where}: has {len(record)} cells instead of {len(header[1])}")
        row = _whole_number(record[0], "No.", where)
        if rows and row <= rows[-1]:
            raise DataError(f"{where}: 'No.' must ascend, but {row} follows {rows[-1]}")
        rows.append(row)
        ids.append(record[1])
        ranks.append(
            [
                0 if cell == _NOT_FOUND else _whole_number(cell, f"FRank of {model}", where)
                for model, cell in zip(models, record[2:], strict=True)
            ]
        )
    return ScoreSheet(
        rows=np.array(rows, dtype=np.int32),
        stackoverflow_ids=tuple(ids),
        models=models,
        first_ranks=np.array(ranks, dtype=np.int32).reshape(len(rows), len(models)),
    )


def write_score_sheet(path: Path, sheet: ScoreSheet) -> None:
    """Write a score sheet in the published format, atomically."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*_KEYS, *(model + _SUFFIX for model in sheet.models)])
    for row, stackoverflow_id, ranks in zip(
        sheet.rows.tolist(), sheet.stackoverflow_ids, sheet.first_ranks.tolist(), strict=True
    ):
        cells = [_NOT_FOUND if rank == 0 else rank for rank in ranks]
        writer.writerow([row, show_cell(stackoverflow_id), *cells])
    write_text(path, text.getvalue())


def number_occurrences(stackoverflow_ids: Sequence[str]) -> list[int]:
    """Count the uses of each id from 1, in order: ``a b a`` gives ``1 1 2``."""
    seen: Counter[str] = Counter()
    occurrences = []
    for stackoverflow_id in stackoverflow_ids:
        seen[stackoverflow_id] += 1
        occurrences.append(seen[stackoverflow_id])
    return occurrences


def join_score_sheet(sheet: ScoreSheet, keys: Sequence[tuple[str, int]]) -> NDArray[np.int64]:
    """Find questions in a sheet by (Stack Overflow id, n-th occurrence): DEV-30.

    Args:
        sheet: the sheet to look into.
        keys: id and occurrence (from 1) of every question, as in ``QUESTION_SCHEMA``.

    Returns:
        Positions in the sheet, int64, shape (questions,); -1 for a question it does not have.
    """
    ids = sheet.stackoverflow_ids
    positions = {
        key: position for position, key in enumerate(zip(ids, number_occurrences(ids), strict=True))
    }
    return np.array([positions.get(key, -1) for key in keys], dtype=np.int64)


def _read_models(path: Path, header: list[str]) -> tuple[str, ...]:
    models = tuple(cell.removesuffix(_SUFFIX) for cell in header[len(_KEYS) :])
    expected = [*_KEYS, *(model + _SUFFIX for model in models)]
    if not models or header != expected or len(set(models)) != len(models):
        raise DataError(
            f"{path}, line 1: the header must be 'No.,StackOverflow ID' and one or more columns "
            f"'<model> FRank' with distinct names, not {','.join(header)!r}"
        )
    return models


def _whole_number(text: str, name: str, where: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(_MAX)) and 1 <= int(text) <= _MAX:
        return int(text)
    hint = "" if name == "No." else f" or {_NOT_FOUND}"
    raise DataError(f"{where}: {name} is {text!r} instead of a whole number from 1{hint}")


def are_published(questions: Sequence[Mapping[str, Any]], score_sheet: Path) -> bool:
    """Return True if any of the questions (of ``read_entries``) is in the score sheet."""
    keys = [(question["stackoverflow_id"], question["occurrence"]) for question in questions]
    return bool((join_score_sheet(read_score_sheet(score_sheet), keys) >= 0).any())
