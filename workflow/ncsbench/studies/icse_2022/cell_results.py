"""Ranks that the cells of a run reached, their training sets, and figures of a random order.

A cell is a model that was trained on a training set with a seed.
"""

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
"""Columns of a training in the result of ``read_cells``: ``draw`` is the number of the training set
among the draws of its set, from 0; ``hours`` are processor hours; ``kept_epoch`` is the epoch whose
weights the model has, 0 for its first weights."""
ResultFiles = Mapping[tuple[str, str], Path]
"""Files by kind (``ranks``, ``cells`` or ``sets``) and name of the cell or set."""


def read_cells(files: ResultFiles, settings: TableSettings) -> pd.DataFrame:
    """Read the cells of a table that are made; a cell that lacks ranks or record is not made.

    Args:
        files: ranks and records of cells.
        settings: settings of the table; cells that they do not ask for, or that are outdated, are
            passed over.

    Returns:
        The rows of ``RANK_SCHEMA`` of every cell, cell by cell, with ``CELL_COLUMNS``.

    Raises:
        DataError: for a damaged file, a file of another cell, and ranks of other queries than
            those of the cells before.
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
    """Read number of pairs, processor hours and kept epoch of a cell."""
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
    """Read the ranks of a cell, and compare its queries with those of the cells before.

    ``queries`` has the queries of each benchmark, and gets those of a benchmark that is new.
    """
    table: pd.DataFrame = read_table(path, RANK_SCHEMA).to_pandas()
    for benchmark, own in table.groupby("benchmark", sort=False):
        # The first of several positives ranks last where all wrong candidates are before it.
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
    """Read the record that ``cleaning_training_set`` wrote of a set; empty for a set not made.

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
    """Say whether parsed JSON is an object with the needed keys and types."""
    return isinstance(value, dict) and all(
        isinstance(value.get(key), kind) for key, kind in needed.items()
    )


@dataclass(frozen=True)
class ChanceFigures:
    """Expected figures of a random order.

    Attributes:
        answered: expected number of queries with a positive up to a rank, by the rank.
        mrr_10: expected mean reciprocal rank of the first positive, 0 beyond rank 10.
        mrr: expected mean reciprocal rank of the first positive, over all ranks.
    """

    answered: dict[int, float]
    mrr_10: float
    mrr: float


@cache
def first_rank_chances(positives: int, candidates: int) -> NDArray[np.float64]:
    """Compute the probability of each rank of the first positive in a random order.

    The distribution is negative hypergeometric.

    Args:
        positives: number of positives, from 1 to ``candidates``.
        candidates: number of candidates that are ordered, positives among them.

    Returns:
        Probabilities of ranks from 1, float64, shape (candidates,), with the sum 1.

    Raises:
        ValueError: for a number of positives out of this range.
    """
    from scipy.stats import nhypergeom  # slow to import, and only the figures of chance need it

    if not 1 <= positives <= candidates:
        raise ValueError(f"{positives} positives among {candidates} candidates")
    wrong_before = np.arange(candidates)
    chances: NDArray[np.float64] = nhypergeom.pmf(
        wrong_before, candidates, candidates - positives, 1
    )
    chances.flags.writeable = False
    return chances


def expect_random(queries: Iterable[tuple[int, int]], ranks: Iterable[int]) -> ChanceFigures:
    """Compute the expected figures of a random order over queries.

    Args:
        queries: numbers of positives and of candidates of each query; at least one query.
        ranks: the ranks up to which answered queries are counted.
    """
    chances = [first_rank_chances(*query) for query in queries]
    shares = [of_query / np.arange(1, len(of_query) + 1) for of_query in chances]
    return ChanceFigures(
        {rank: float(sum(of_query[:rank].sum() for of_query in chances)) for rank in ranks},
        float(np.mean([of_query[:10].sum() for of_query in shares])),
        float(np.mean([of_query.sum() for of_query in shares])),
    )
