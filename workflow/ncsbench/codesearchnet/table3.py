"""Table 3 of the CodeSearchNet paper: MRR of test pairs among distractors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import Field

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.artifacts.storage import read_json, read_table
from ncsbench.codesearchnet.challenge_ranks import find_file
from ncsbench.codesearchnet.distractor_ranks import ALL, RANK_SCHEMA, random_reciprocal_rank
from ncsbench.configuration.strict_model import Names, StrictModel
from ncsbench.evaluation.intervals import (
    Interval,
    draw_resamples,
    draw_runs,
    interval_between,
    resample_sum,
)
from ncsbench.function_corpus.annotations import TITLES
from ncsbench.published.printed_cells import PublishedCells, tell_other_size

DIRECTIONS = {"code_to_query": "query_rank", "query_to_code": "code_rank"}
"""What is ranked for what, with the column of the ranks. The released code and the printed figures
have the first."""
PUBLISHED_POOL = 1000
POOLED, MEAN = "pooled", "mean"
"""Rows of all languages: pairs in common pools, as the printed column Avg, and the plain mean."""
OTHER_POOL = "not comparable: pool"
_DIGITS = 4


def table3_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Columns of ``table3.csv``, in order; each size of pool has its own."""
    of_pools = (
        name
        for pool in pools
        for name in (f"mrr_{pool}", f"mrr_{pool}_low", f"mrr_{pool}_high", f"pairs_{pool}")
    )
    return ("system", "seeds", "direction", "language", *of_pools, "published", "verdict")


class Table3Settings(StrictModel):
    """Settings of the stage ``codesearchnet table3``."""

    systems: Names
    """The rows in order."""
    runs: dict[str, Names] = Field({})
    """Files of ranks of a system that has several, one for each seed, by system; its figures are
    means over them. Without, the file has its name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published table by the systems that rebuild them."""
    languages: Names
    """In the order of the table."""
    pools: tuple[int, ...]
    """Sizes of pools."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled pairs."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""


def build_table3(
    settings: Table3Settings,
    ranks: Sequence[Path],
    records: Sequence[Path],
    published: PublishedCells,
) -> list[Row]:
    """Rows of ``table3_columns``: every system, direction and language; last, a random order.

    Figures are means over seeds, intervals are over pairs and seeds together.

    Args:
        settings: of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        records: the record of every run (``write_record``).
        published: the printed figures.
    """
    languages, pools = settings.languages, settings.pools
    rows: list[Row] = []
    for system in settings.systems:
        runs = settings.runs.get(system, (system,))
        paths = [find_file(ranks, run) for run in runs]
        named = settings.published_as.get(system, "")
        other = _tell_other_pairs(find_file(records, runs[0]), published) if named else ""
        for direction in DIRECTIONS:
            for place in (*languages, POOLED, MEAN):
                row = {
                    "system": system,
                    "seeds": str(len(paths)),
                    "direction": direction,
                    "language": TITLES.get(place, place),
                }
                figures: dict[int, Interval] = {}
                places = languages if place == MEAN else (place,)
                for pool in pools:
                    shares = [
                        np.stack([read_shares(path, direction, one, pool) for path in paths])
                        for one in places
                    ]
                    means = [_resample(one, settings) for one in shares if one.size]
                    if len(means) == len(places):
                        figures[pool] = interval_between(np.mean(means, axis=0))
                    row |= _describe(pool, shares, figures.get(pool))
                printed = ""
                if direction == "code_to_query":
                    title = {POOLED: "Avg"}.get(place, TITLES.get(place, ""))
                    printed = published.get(("Table 3", named, title), "")
                row |= {"published": printed, "verdict": _judge(printed, figures, other)}
                rows.append(row)
    return [*rows, *_random_rows(languages, pools)]


def read_shares(path: Path, direction: str, place: str, pool: int) -> NDArray[np.float64]:
    """Reciprocal ranks of the pairs of a language, or ``POOLED``, in order; shape (pairs,)."""
    table = read_table(path, RANK_SCHEMA, ["scope", "pool", DIRECTIONS[direction]])
    scope = ALL if place == POOLED else place
    chosen = pc.and_(pc.equal(table["scope"], scope), pc.equal(table["pool"], pool))
    ranks: NDArray[np.int32] = table.filter(chosen)[DIRECTIONS[direction]].to_numpy()
    return 1 / ranks


def _describe(pool: int, shares: Sequence[NDArray[np.float64]], interval: Interval | None) -> Row:
    """The cells of one pool: reciprocal ranks of each language, shape (seeds, pairs)."""
    names = (f"mrr_{pool}", f"mrr_{pool}_low", f"mrr_{pool}_high", f"pairs_{pool}")
    cells = ["", "", ""]
    if interval is not None:
        mean = float(np.mean([one.mean() for one in shares]))
        cells = [format_number(one, _DIGITS) for one in (mean, interval.low, interval.high)]
    pairs = sum(one.shape[1] for one in shares)
    return dict(zip(names, (*cells, str(pairs)), strict=True))


def _resample(shares: NDArray[np.float64], settings: Table3Settings) -> NDArray[np.float64]:
    """Means over resampled pairs, each of a resampled seed; shape (resamples,)."""
    seeds, pairs = shares.shape
    seed, resamples = settings.seed, settings.bootstrap_samples
    draws = draw_resamples(pairs, np.random.default_rng(seed), resamples=resamples)
    runs = draw_runs(seeds, seed, resamples=resamples)
    means = np.empty(resamples)
    for run in range(seeds):
        means[runs == run] = resample_sum(shares[run], draws[runs == run]) / pairs
    return means


def _tell_other_pairs(record: Path, published: PublishedCells) -> str:
    """Whether a run learnt from fewer or more pairs than the paper's; empty where from as many."""
    training = read_json(record)["training"]
    trained = sum(one["pairs"]["trained"] for one in training.values())
    return tell_other_size("pairs", trained, published.get(("released pairs", "All", "train"), ""))


def _judge(printed: str, figures: Mapping[int, Interval], other: str) -> str:
    if not printed or not figures:
        return ""
    if other or PUBLISHED_POOL not in figures:
        return other or OTHER_POOL
    bounds = figures[PUBLISHED_POOL]
    if bounds.low <= float(printed) <= bounds.high:
        return "interval holds it"
    return "lower" if bounds.high < float(printed) else "higher"


def _random_rows(languages: Sequence[str], pools: Sequence[int]) -> list[Row]:
    """What a random order is expected to reach: no pair counts, and there is no interval."""
    cells: Row = {}
    for pool in pools:
        cells |= {f"mrr_{pool}_low": "", f"mrr_{pool}_high": "", f"pairs_{pool}": ""}
        cells[f"mrr_{pool}"] = format_number(random_reciprocal_rank(pool), _DIGITS)
    head = {"system": "random order", "seeds": "", "published": "", "verdict": ""}
    return [
        {**head, "direction": direction, "language": TITLES.get(place, place), **cells}
        for direction in DIRECTIONS
        for place in (*languages, POOLED, MEAN)
    ]
