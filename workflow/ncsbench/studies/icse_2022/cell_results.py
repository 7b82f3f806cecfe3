"""What the cells of a run reached, what they were trained on, and what chance would reach."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.benchmark_files import RANK_SCHEMA
from ncsbench.pairs.cleaned_pairs.cleaning_options import name_cell
from ncsbench.studies.icse_2022.table_settings import TableSettings

CELL_COLUMNS = ("model", "training_set", "seed", "draw", "pairs", "hours", "kept_epoch")
"""What ``read_cells`` says of a training: its set and the number of this among its draws, from 0;
pairs of the set; processor hours; the epoch whose values it has, 0 for those that it began with."""
ResultFiles = Mapping[tuple[str, str], Path]
"""Files by kind (``ranks``, ``cells`` or ``sets``) and name of the cell or set."""


def read_cells(files: ResultFiles, settings: TableSettings) -> pd.DataFrame:
    """Read the cells of a table that are made; one without either file counts as not made.

    Args:
        files: ranks and records of cells.
        settings: of the table; cells that it does not ask for, or that are outdated, are passed
            over.

    Returns:
        The rows of ``RANK_SCHEMA`` of every cell, cell by cell, with ``CELL_COLUMNS``.

    Raises:
        DataError: for a damaged file, one of another cell, and ranks of other queries than those
            of the cells before it.
    """
    parts: list[pd.DataFrame] = []
    queries: dict[str, pd.DataFrame] = {}
    names = dict.fromkeys(row.training_set for row in settings.rows)
    for model, name, seed in product(settings.models, names, settings.seeds):
        for draw, training_set in enumerate(settings.sets.get(name, ())):
            cell = name_cell(training_set, model, seed)
            ranks, record = files.get(("ranks", cell)), files.get(("cells", cell))
            asked = settings.grid is None or cell in settings.grid
            if asked and cell not in settings.outdated and ranks and record:
                about = _read_record(record, training_set, model, seed)
                values = (model, name, seed, draw, *about)
                columns = dict(zip(CELL_COLUMNS, values, strict=True))
                parts.append(_read_ranks(ranks, queries).assign(**columns))
    empty = pd.DataFrame(columns=[*RANK_SCHEMA.names, *CELL_COLUMNS])
    return pd.concat(parts, ignore_index=True) if parts else empty


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


def _read_ranks(path: Path, queries: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Ranks of a cell; ``queries`` are those of each benchmark in the cells before it."""
    table: pd.DataFrame = read_table(path, RANK_SCHEMA).to_pandas()
    for benchmark, own in table.groupby("benchmark", sort=False):
        # The first of several right ones cannot come behind all wrong ones and another right one.
        last = own["candidates"] - own["positives"] + 1
        if not ((own["positives"] > 0) & own["first_rank"].between(1, last)).all():
            raise DataError(f"{path}: {benchmark} has ranks that cannot be; rank the cell again")
        asked = own.drop(columns="first_rank").reset_index(drop=True)
        if not queries.setdefault(str(benchmark), asked).equals(asked):
            raise DataError(
                f"{path}: has other queries of {benchmark} than other cells; rank them all again"
            )
    return table


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


@dataclass(frozen=True)
class ChanceFigures:
    """Expected figures of a random order.

    Attributes:
        answered: expected number of queries with a positive up to a rank, by the rank.
        mrr_10: expected mean reciprocal rank of the first positive, 0 beyond rank 10.
        mrr: without a cut.
    """

    answered: dict[int, float]
    mrr_10: float
    mrr: float


@cache
def first_rank_chances(positives: int, candidates: int) -> NDArray[np.float64]:
    """Probability of each rank of the first positive in a random order (negative hypergeometric).

    Args:
        positives: from 1 to ``candidates``.
        candidates: how many are ordered, positives among them.

    Returns:
        float64, shape (candidates,): of ranks from 1; they sum to 1.

    Raises:
        ValueError: for other numbers of positives.
    """
    from scipy.stats import nhypergeom  # slow to import, and only chance needs it

    if not 1 <= positives <= candidates:
        raise ValueError(f"{positives} positives among {candidates} candidates")
    wrong_before = np.arange(candidates)
    chances: NDArray[np.float64] = nhypergeom.pmf(
        wrong_before, candidates, candidates - positives, 1
    )
    chances.flags.writeable = False
    return chances


def expect_random(queries: Iterable[tuple[int, int]], ranks: Iterable[int]) -> ChanceFigures:
    """Expected figures over queries.

    Args:
        queries: of each, at least one, how many of how many candidates are positive.
        ranks: the last ranks of the numbers of answered queries.
    """
    chances = [first_rank_chances(*query) for query in queries]
    shares = [of_query / np.arange(1, len(of_query) + 1) for of_query in chances]
    return ChanceFigures(
        {rank: float(sum(of_query[:rank].sum() for of_query in chances)) for rank in ranks},
        float(np.mean([of_query[:10].sum() for of_query in shares])),
        float(np.mean([of_query.sum() for of_query in shares])),
    )
