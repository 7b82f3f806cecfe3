"""What the cells of a run reached: their ranks, and what they were trained on."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import read_json, read_table
from ncsbench.cleaning.rank_schema import RANK_SCHEMA
from ncsbench.errors import DataError
from ncsbench.experiment.cleaning_file import name_cell


@dataclass(frozen=True)
class RankedQueries:
    """The queries of a benchmark as they are ranked.

    Attributes:
        numbers: rows of the benchmark, int32, shape (queries,).
        groups: of each.
        sizes: of each, how many of how many candidates are right.
    """

    numbers: NDArray[np.int32]
    groups: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Cell:
    """A training that is made.

    Attributes:
        seed: of the training.
        draw: number of its training set among the draws, from 0.
        pairs: of its training set.
        hours: processor hours of the training.
        kept_epoch: whose values it has; 0 for those that it began with.
        ranks: first ranks by benchmark, int32, shape (queries,), from 1.
    """

    seed: int
    draw: int
    pairs: int
    hours: float
    kept_epoch: int
    ranks: Mapping[str, NDArray[np.int32]]


@dataclass(frozen=True)
class CellResults:
    """Cells by model and training set, and the queries of each benchmark that is ranked."""

    cells: Mapping[tuple[str, str], Sequence[Cell]]
    queries: Mapping[str, RankedQueries]


ResultFiles = Mapping[tuple[str, str], Path]
"""Files by kind (``ranks``, ``cells`` or ``sets``) and name of the cell or set."""


def read_cells(
    files: ResultFiles,
    *,
    models: Sequence[str],
    sets: Mapping[str, Sequence[str]],
    seeds: Sequence[int],
    grid: Collection[str] | None = None,
) -> CellResults:
    """Read the cells that are made; one without either file counts as not made.

    Args:
        files: ranks and records of cells.
        models: names of models.
        sets: training sets with the names of the files of their draws.
        seeds: of trainings.
        grid: names of cells: others are passed over; None to read all.

    Raises:
        DataError: for a damaged file, one of another cell, and ranks of other queries than those
            of the cells before it.
    """
    cells: dict[tuple[str, str], list[Cell]] = {}
    queries: dict[str, RankedQueries] = {}
    for model in models:
        for name, draws in sets.items():
            found = cells.setdefault((model, name), [])
            for seed in seeds:
                for draw, training_set in enumerate(draws):
                    cell = name_cell(training_set, model, seed)
                    ranks, record = files.get(("ranks", cell)), files.get(("cells", cell))
                    if (grid is None or cell in grid) and ranks and record:
                        about = _read_record(record, training_set, model, seed)
                        firsts = _read_ranks(ranks, queries)
                        found.append(Cell(seed, draw, *about, firsts))
    return CellResults(cells, queries)


def _read_record(path: Path, training_set: str, model: str, seed: int) -> tuple[int, float, int]:
    """Number of pairs, processor hours and kept epoch of a cell."""
    record: Any = read_json(path)
    try:
        if (record["set"], record["model"], record["seed"]) != (training_set, model, seed):
            raise DataError(f"{path}: is of another cell; rank this one again")
        hours = float(record["processor_seconds"]) / 3600
        if not math.isfinite(hours):
            raise ValueError(f"{hours} processor seconds")
        return int(record["pairs"]), hours, int(record["kept_epoch"])
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise DataError(f"{path}: is damaged ({error}); rank the cell again") from error


def _read_ranks(path: Path, queries: dict[str, RankedQueries]) -> dict[str, NDArray[np.int32]]:
    table = read_table(path, RANK_SCHEMA)
    firsts = {}
    for benchmark in table["benchmark"].unique().to_pylist():
        chosen = table.filter(pc.equal(table["benchmark"], benchmark))
        columns = {name: chosen[name].to_numpy() for name in ("query", "first_rank")}
        sizes = [chosen[name].to_pylist() for name in ("positives", "candidates")]
        own = RankedQueries(
            columns["query"], tuple(chosen["group"].to_pylist()), tuple(zip(*sizes, strict=True))
        )
        _check(path, benchmark, own, columns["first_rank"])
        known = queries.setdefault(benchmark, own)
        if not np.array_equal(known.numbers, own.numbers) or (known.groups, known.sizes) != (
            own.groups, own.sizes,
        ):  # fmt: skip
            raise DataError(
                f"{path}: has other queries of {benchmark} than other cells; rank them all again"
            )
        firsts[benchmark] = columns["first_rank"]
    return firsts


def _check(path: Path, benchmark: str, queries: RankedQueries, firsts: NDArray[np.int32]) -> None:
    sizes = np.array(queries.sizes)
    right, candidates = sizes[:, 0], sizes[:, 1]
    # The first of several right ones cannot come behind all that are wrong and another right one.
    last = candidates - right + 1
    if not ((right > 0) & (firsts > 0) & (firsts <= last)).all():
        raise DataError(f"{path}: {benchmark} has ranks that cannot be; rank the cell again")


def read_set_record(files: ResultFiles, training_set: str) -> Mapping[str, Any]:
    """What ``cleaning_training_set`` says of a set; empty where it is not made.

    Raises:
        DataError: where the file is damaged.
    """
    path = files.get(("sets", training_set))
    if path is None:
        return {}
    record: Mapping[str, Any] = read_json(path)
    needed = {"pairs": int, "of": int, "kind": str, "source": str, "rules": dict}
    of_cut = {"method": str, "share_kept": float}
    cut = record.get("cut") if isinstance(record, dict) else None
    if not _has(record, needed) or not (cut is None or _has(cut, of_cut)):
        raise DataError(
            f"{path}: is not what the stage cleaning_training_set writes; make it again"
        )
    return record


def _has(value: Any, needed: Mapping[str, type]) -> bool:
    """Whether parsed JSON is an object with these keys and types."""
    return isinstance(value, dict) and all(
        isinstance(value.get(key), kind) for key, kind in needed.items()
    )
