"""Runs as TREC files: ``row Q0 id rank score tag``, where ``row`` is the question's row.

The query id is the row of the questions file, not the Stack Overflow id, because one id occurs
twice among the 287 questions (DEV-30). A run file holds nothing but run lines.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.checksums import check_file
from ncsbench.errors import DataError
from ncsbench.records import Run
from ncsbench.storage import write_text

_COLUMNS = 6
_MAX_ROW = np.iinfo(np.int32).max
_MAX_ID = np.iinfo(np.int64).max


def make_run(
    *,
    rows: NDArray[np.int32],
    ids: NDArray[np.int64],
    scores: NDArray[np.float64],
    depth: int,
) -> Run:
    """Rank candidates: by row, then by score from high to low, then by ascending id.

    Args:
        rows: question rows, shape (n,), in any order.
        ids: method ids, shape (n,); no id twice for one row.
        scores: finite scores, shape (n,).
        depth: how many candidates of one row are kept, at least 0.

    Raises:
        ValueError: for scores that are not finite and for an id that occurs twice in one row.
    """
    rows = np.asarray(rows, dtype=np.int32)
    ids = np.asarray(ids, dtype=np.int64)
    scores = np.asarray(scores, dtype=np.float64)
    order = np.lexsort((ids, -scores, rows))
    run = Run(rows=rows[order], ids=ids[order], scores=scores[order])
    fault = _first_fault(run)
    if fault is not None:
        raise ValueError(f"question row {run.rows[fault[0]]}: {fault[1]}")
    kept = ranks_in_run(run) <= depth
    return Run(rows=run.rows[kept], ids=run.ids[kept], scores=run.scores[kept])


def ranks_in_run(run: Run) -> NDArray[np.int32]:
    """Rank of every result within its row, from 1; int32, shape (n,)."""
    positions = np.arange(len(run.rows))
    first = np.ones(len(run.rows), dtype=np.bool_)
    first[1:] = run.rows[1:] != run.rows[:-1]
    starts = np.maximum.accumulate(np.where(first, positions, 0))
    return (positions - starts + 1).astype(np.int32)


def write_run(path: Path, run: Run, *, tag: str) -> None:
    """Write ``run`` as a TREC run file, atomically; equal runs give equal bytes.

    Tools of the trec_eval family ignore the rank: they sort by score, which they hold in single
    precision, and break ties by the text of the id. So that they see the order of ``run``, a
    score that is not below its predecessor in single precision is written as the next smaller
    single-precision number; all others are written in full (shortest float64 text): DEV-31.
    Reading such a file and writing it again gives the same bytes.

    Args:
        path: file to write.
        run: rankings, ordered as ``records.Run`` says.
        tag: name of the model, without white space.

    Raises:
        DataError: where ``run`` or ``tag`` cannot be written as a valid run file.
    """
    if not tag or tag.split() != [tag]:
        raise DataError(f"{path}: the run's tag {tag!r} must be one word without white space")
    fault = _first_fault(run)
    if fault is not None:
        raise DataError(f"{path}: question row {run.rows[fault[0]]}: {fault[1]}")
    written = zip(
        run.rows.tolist(),
        run.ids.tolist(),
        ranks_in_run(run).tolist(),
        _decreasing_scores(path, run),
        strict=True,
    )
    lines = [f"{row} Q0 {id_} {rank} {score!r} {tag}\n" for row, id_, rank, score in written]
    write_text(path, "".join(lines))


def read_run(path: Path) -> Run:
    """Read a TREC run file whose query ids are question rows.

    Returns:
        The rankings in the order of the file; an empty file is an empty run.

    Raises:
        DataError: naming file and line, where a line does not have six columns, a number is
            none, rows do not ascend, ranks do not count from 1, scores increase, equal scores
            do not go by ascending id, or an id occurs twice for one row.
    """
    rows: list[int] = []
    ids: list[int] = []
    ranks: list[int] = []
    scores: list[float] = []
    for number, line in enumerate(_read_lines(path), start=1):
        columns = line.split()
        where = f"{path}, line {number}"
        if len(columns) != _COLUMNS:
            raise DataError(
                f"{where}: has {len(columns)} columns instead of the six 'row Q0 id rank score tag'"
            )
        rows.append(_integer(columns[0], "row", where, low=1, high=_MAX_ROW))
        ids.append(_integer(columns[2], "method id", where, low=0, high=_MAX_ID))
        ranks.append(_integer(columns[3], "rank", where, low=1, high=_MAX_ROW))
        scores.append(_score(columns[4], where))
    run = Run(
        rows=np.array(rows, dtype=np.int32),
        ids=np.array(ids, dtype=np.int64),
        scores=np.array(scores, dtype=np.float64),
    )
    fault = _first_fault(run)
    if fault is not None:
        raise DataError(f"{path}, line {fault[0] + 1}: {fault[1]}")
    wrong = np.flatnonzero(np.array(ranks, dtype=np.int32) != ranks_in_run(run))
    if len(wrong):
        raise DataError(f"{path}, line {wrong[0] + 1}: ranks must count 1, 2, 3, ... in each row")
    return run


def write_qrels(path: Path, *, rows: NDArray[np.int32], ids: NDArray[np.int64]) -> None:
    """Write accepted pairs as TREC qrels, one line ``row 0 id 1`` each, atomically.

    Args:
        path: file to write.
        rows: question rows, shape (n,), in any order.
        ids: method ids, shape (n,); a pair given twice is written once.
    """
    pairs = sorted(set(zip(rows.tolist(), ids.tolist(), strict=True)))
    write_text(path, "".join(f"{row} 0 {id_} 1\n" for row, id_ in pairs))


def _first_fault(run: Run) -> tuple[int, str] | None:
    """Position and name of the first violation of what ``records.Run`` promises."""
    rows, ids, scores = run.rows, run.ids, run.scores
    same_row = rows[1:] == rows[:-1]
    by_id = np.lexsort((ids, rows))
    repeated = (np.diff(rows[by_id]) == 0) & (np.diff(ids[by_id]) == 0)
    faults = (
        (np.flatnonzero(~np.isfinite(scores)), "the score is not a finite number"),
        (np.flatnonzero(rows[1:] < rows[:-1]) + 1, "rows must ascend"),
        (by_id[1:][repeated], "the method id occurs twice for this row"),
        (
            np.flatnonzero(same_row & (scores[1:] > scores[:-1])) + 1,
            "scores must not increase from one rank to the next",
        ),
        (
            np.flatnonzero(same_row & (scores[1:] == scores[:-1]) & (ids[1:] < ids[:-1])) + 1,
            "equal scores must be ordered by ascending method id",
        ),
    )
    found = [(int(positions.min()), message) for positions, message in faults if len(positions)]
    return min(found, key=lambda fault: fault[0]) if found else None


def _decreasing_scores(path: Path, run: Run) -> list[float]:
    """Scores strictly decreasing within each row, in single precision too (DEV-31)."""
    limit = np.finfo(np.float32).max
    if np.any(np.abs(run.scores) >= limit):
        raise DataError(f"{path}: scores must lie between {-limit} and {limit}")
    written: list[float] = []
    row, previous = -1, np.float32(np.inf)
    for next_row, score in zip(run.rows.tolist(), run.scores.tolist(), strict=True):
        single = np.float32(score)
        if next_row == row and single >= previous:
            single = np.nextafter(previous, np.float32(-np.inf))
            score = float(single)  # noqa: PLW2901
        written.append(score)
        row, previous = next_row, single
    return written


def _read_lines(path: Path) -> list[str]:
    check_file(path)
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text ({error})") from error


def _integer(text: str, name: str, where: str, *, low: int, high: int) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(high)):
        value = int(text)
        if low <= value <= high:
            return value
    raise DataError(f"{where}: the {name} {text!r} is not a whole number from {low} to {high}")


def _score(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{where}: the score {text!r} is not a finite number")
    return value
