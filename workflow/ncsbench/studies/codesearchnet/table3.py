"""Table 3 of the CodeSearchNet paper, MRR of test pairs among distractors, and open choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.configuration.strict_model import Names
from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.function_corpus.annotations import TITLES
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import (
    PublishedCells,
    read_published_cells,
    tell_other_size,
)
from ncsbench.evaluation.published.verdicts import judge_figures
from ncsbench.evaluation.statistics.figure_text import arrange, format_columns, spread, write_frame
from ncsbench.evaluation.statistics.figures import Figures, join_figures, summarise
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.studies.codesearchnet.system_ranks import (
    ALL,
    RANK_SCHEMA,
    FunctionPool,
    find_file,
    read_pools,
)
from ncsbench.studies.codesearchnet.table_options import TableSettings

DIRECTIONS = {"code_to_query": "query_rank", "query_to_code": "code_rank"}
"""Directions of search, with the column of their ranks: queries are ranked for a code, or codes for
a query. The released code and the printed figures have the first direction."""
PRINTED = "code_to_query"
PUBLISHED_POOL = 1000
POOLED, MEAN = "pooled", "mean"
"""Rows of all languages: pairs in pools of mixed languages, as in the printed column Avg, and the
plain mean over languages."""
OTHER_POOL = "not comparable: pool"
_KEYS = ("model", "direction", "language", "pool")
_DIGITS = 4


def table3_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Return the columns of ``table3.csv``, in order; each size of pool has its own columns."""
    bounds = ("mrr_{}_low", "mrr_{}_high", "mrr_{}_repositories_low", "mrr_{}_repositories_high")
    names = ("mrr_{}", *bounds, "pairs_{}")
    of_pools = (name.format(pool) for pool in pools for name in names)
    return ("model", "seeds", "direction", "language", *of_pools, "published", "verdict", "seen")


def choice_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Return the columns of ``csn_choices.csv``, in order; each size of pool has its own columns.

    ``model`` is the run that a choice is compared with, ``baseline_mrr_...`` the MRR of that run.
    """
    bounds = ("difference_{}", "difference_{}_low", "difference_{}_high")
    names = ("mrr_{}", "baseline_mrr_{}", *bounds)
    of_pools = (name.format(pool) for pool in pools for name in names)
    return ("choice", "changed", "model", "direction", "language", *of_pools)


def write_table3(
    settings: TableSettings,
    ranks: Sequence[Path],
    records: Sequence[Path],
    pools: Path,
    output: Path,
    published: Path | None = None,
) -> None:
    """Write the MRR of test pairs among distractors, beside the paper's Table 3.

    Figures are means over seeds, intervals are over pairs, or repositories, and seeds together; a
    random order is the last model.

    Args:
        settings: settings of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        records: the record of every run: JSON files of the origin of its results.
        pools: table of ``POOL_SCHEMA``, which says in which repository each function lies.
        output: CSV file of ``table3_columns`` to write.
        published: the printed figures; without them, their columns are empty.
    """
    cells = read_published_cells(published)
    runs = {model: settings.runs_of(model) for model in settings.systems}
    places = (*settings.languages, POOLED, MEAN)
    figures = measure_pairs(settings, runs, ranks)
    others = {
        model: _tell_other_pairs(find_file(records, runs[model][0]), cells)
        for model in runs
        if model in settings.published_as
    }
    verdicts = pd.Series(_judge(figures, settings, others, cells), dtype=object)
    frame = figures.frame.drop(columns="runs").assign(verdict=verdicts)
    searched = read_pools(pools, settings.languages)
    of_repositories = measure_pairs(settings, runs, ranks, searched).frame[[*_KEYS, "low", "high"]]
    frame = frame.merge(of_repositories, "left", on=_KEYS, suffixes=("", "_of_repositories"))
    values = (runs, DIRECTIONS, places, settings.pools)
    frame = arrange(frame, dict(zip(_KEYS, values, strict=True))).fillna({"n": 0, "verdict": ""})
    names = {"value": "mrr_{}", "low": "mrr_{}_low", "high": "mrr_{}_high", "n": "pairs_{}"}
    names |= {f"{end}_of_repositories": f"mrr_{{}}_repositories_{end}" for end in ("low", "high")}
    wide = spread(frame, "pool", settings.pools, names | {"verdict": "verdict_{}"})
    wide["seeds"] = [len(runs[model]) for model in wide["model"]]
    printed = _find_printed(wide, settings, cells)
    wide["published"] = printed.where(wide["direction"] == PRINTED, "")
    # The reason why a figure of ours is not compared with the printed one: other training pairs, or
    # no pool of the published size.
    measured = wide[[f"mrr_{pool}" for pool in settings.pools]].notna().any(axis=1)
    reasons = wide["model"].map(others).fillna("").replace({"": OTHER_POOL})
    reasons = reasons.where(measured & (wide["published"] != ""), "")
    judged = wide.get(f"verdict_{PUBLISHED_POOL}", pd.Series("", wide.index))
    wide["verdict"] = judged.where(judged != "", reasons)
    wide = pd.concat([wide, _expect_random(settings)], ignore_index=True)
    wide["language"] = [TITLES.get(place, place) for place in wide["language"]]
    wide["seen"] = [settings.seen.get(model, "") for model in wide["model"]]
    columns = table3_columns(settings.pools)
    wide = format_columns(wide, [name for name in columns if name.startswith("mrr_")], _DIGITS)
    counts = [name for name in columns if name.startswith(("pairs_", "seeds"))]
    write_frame(output, format_columns(wide, counts, 0), columns)


def compare_choices(settings: TableSettings, ranks: Sequence[Path], output: Path) -> None:
    """Compare the open choices of the encoders: by how much each changes the MRR of test pairs.

    Differences are paired by test pair.

    Args:
        settings: settings of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        output: CSV file of ``choice_columns`` to write: both directions, in pools of mixed
            languages and as the mean over languages.
    """
    compared = {choice.name: choice.of for choice in settings.choices}
    runs = {name: (name,) for name in dict.fromkeys([*compared, *compared.values()])}
    figures = measure_pairs(settings, runs, ranks).against("model", compared.items())
    frame = figures.frame.rename(columns={"model": "choice", "baseline": "model"})
    frame = frame.drop(columns=["n", "runs"]).assign(mrr=frame["baseline_value"] + frame["value"])
    names = {"mrr": "mrr_{}", "baseline_value": "baseline_mrr_{}", "value": "difference_{}"}
    bounds = {name: f"difference_{{}}_{name}" for name in ("low", "high")}
    wide = spread(frame, "pool", settings.pools, names | bounds)
    columns = choice_columns(settings.pools)
    signed = [name for name in columns if name.startswith("difference_")]
    wide = format_columns(wide, signed, _DIGITS, signed=True)
    wide = format_columns(wide, [name for name in columns if "mrr_" in name], _DIGITS)
    changed = {
        choice.name: ", ".join(f"{key}: {value}" for key, value in choice.options.items())
        for choice in settings.choices
    }
    wide["changed"] = wide["choice"].map(changed)
    order = {"choice": compared, "direction": DIRECTIONS, "language": (POOLED, MEAN)}
    write_frame(output, arrange(wide, order), columns)


def measure_pairs(
    settings: TableSettings,
    runs: Mapping[str, Names],
    ranks: Sequence[Path],
    searched: Mapping[str, FunctionPool] | None = None,
) -> Figures:
    """Measure the MRR by model, direction, language and pool, with ``POOLED`` and ``MEAN``.

    Args:
        settings: languages, pools and resamples.
        runs: names of the files of each model, one for each seed.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        searched: the searched functions of each language. With them, all pairs of a repository
            are drawn together, and figures of a single repository are left out; without them,
            each pair is drawn by itself.
    """
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    parts = []
    for model, names in runs.items():
        units = pd.concat(
            part
            for seed, name in enumerate(names)
            for part in _read_units(find_file(ranks, name), seed, searched)
        )
        units = units[units["pool"].isin(settings.pools)].assign(model=model)
        if searched is not None:
            units = units[units.groupby([*_KEYS])["cluster"].transform("nunique") > 1]
        figures = summarise(units, _KEYS, sampling)
        of_languages = figures.choose(figures.frame["language"].isin(settings.languages))
        found = of_languages.frame.groupby(["direction", "pool"])["language"].transform("size")
        whole = of_languages.choose(found == len(settings.languages))
        parts += [figures, whole.average("language", MEAN)]
    return join_figures(parts)


def _read_units(
    path: Path, seed: int, searched: Mapping[str, FunctionPool] | None
) -> Iterator[pd.DataFrame]:
    """Read reciprocal ranks of the pairs of a run, a frame for each of the two directions."""
    table = read_table(path, RANK_SCHEMA).to_pandas()
    languages, _ = pd.factorize(table["language"], sort=True)
    head = table[["pool"]].assign(
        language=table["scope"].replace({ALL: POOLED}),
        unit=(languages << 40) + table["function_id"],
        seed=seed,
    )
    if searched is not None:
        head["cluster"] = _find_repositories(path, table, searched)
    for direction, column in DIRECTIONS.items():
        yield head.assign(direction=direction, value=1 / table[column])


def _find_repositories(
    path: Path, table: pd.DataFrame, searched: Mapping[str, FunctionPool]
) -> NDArray[np.object_]:
    """Find the repository of each pair of a run."""
    found = np.empty(len(table), object)
    for language, places in table.groupby("language").indices.items():
        ids = table["function_id"].to_numpy()[places]
        pool = searched.get(language, FunctionPool(0, frozenset()))
        if (wrong := ids[ids >= pool.functions]).size:
            raise DataError(
                f"{path}: function {wrong[0]} of {language} is not among the {pool.functions} "
                "that are searched; make pools and ranks of the same corpora"
            )
        at = np.searchsorted(pool.first_ids, ids, side="right") - 1
        found[places] = np.array(pool.repositories, object)[at]
    return found


def _tell_other_pairs(record: Path, published: PublishedCells) -> str:
    """Say if a run learnt from fewer or more pairs than the paper's; empty for equal numbers."""
    training = read_json(record)["training"]
    trained = sum(one["pairs"]["trained"] for one in training.values())
    return tell_other_size("pairs", trained, published.get(("released pairs", "All", "train"), ""))


def _judge(
    figures: Figures, settings: TableSettings, others: Mapping[str, str], published: PublishedCells
) -> list[str]:
    """Return a verdict for each figure that has a printed counterpart; empty for the others."""
    frame = figures.frame
    beside = (frame["direction"] == PRINTED) & (frame["pool"] == PUBLISHED_POOL)
    printed = _find_printed(frame, settings, published).where(beside, "")
    values = [float(one) if one else None for one in printed]
    return judge_figures(figures, values, [others.get(one, "") for one in frame["model"]])


def _find_printed(
    frame: pd.DataFrame, settings: TableSettings, published: PublishedCells
) -> pd.Series[str]:
    """Find the printed figure of the model and language of each row, or ``""``."""
    titles = TITLES | {POOLED: "Avg"}
    cells = [
        published.get(("Table 3", settings.published_as.get(model, ""), titles.get(language, "")))
        for model, language in zip(frame["model"], frame["language"], strict=True)
    ]
    return pd.Series(cells, dtype=object).fillna("")


def _expect_random(settings: TableSettings) -> pd.DataFrame:
    """Make the rows of a random order: its expected MRR, without numbers of pairs and intervals."""
    places = (*settings.languages, POOLED, MEAN)
    keys = pd.MultiIndex.from_product(
        [["random order"], DIRECTIONS, places], names=["model", "direction", "language"]
    )
    cells = {f"mrr_{pool}": random_reciprocal_rank(pool) for pool in settings.pools}
    return keys.to_frame(index=False).assign(**cells, published="", verdict="")


def random_reciprocal_rank(pool: int) -> float:
    """Return the expected MRR of a random order: the mean of 1 / rank over the ranks of a pool."""
    return float((1 / np.arange(1, pool + 1)).sum() / pool)
