"""Table 3 of the CodeSearchNet paper, MRR of test pairs among distractors, and open choices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.storage import read_json, read_table
from ncsbench.codesearchnet.challenge_ranks import find_file
from ncsbench.codesearchnet.distractor_ranks import ALL, RANK_SCHEMA, random_reciprocal_rank
from ncsbench.codesearchnet.table_options import ChoiceSettings, Table3Settings
from ncsbench.configuration.strict_model import Names
from ncsbench.evaluation.figure_text import arrange, format_columns, spread, to_rows
from ncsbench.evaluation.figures import Figures, join_figures, summarise
from ncsbench.evaluation.resampling import Sampling
from ncsbench.function_corpus.annotations import TITLES
from ncsbench.published.printed_figures import (
    PublishedCells,
    read_published_cells,
    tell_other_size,
)
from ncsbench.published.verdicts import judge_figures

DIRECTIONS = {"code_to_query": "query_rank", "query_to_code": "code_rank"}
"""What is ranked for what, with the column of the ranks. The released code and the printed figures
have the first."""
PRINTED = "code_to_query"
PUBLISHED_POOL = 1000
POOLED, MEAN = "pooled", "mean"
"""Rows of all languages: pairs in common pools, as the printed column Avg, and the plain mean."""
OTHER_POOL = "not comparable: pool"
_KEYS = ("system", "direction", "language", "pool")
_DIGITS = 4


def table3_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Columns of ``table3.csv``, in order; each size of pool has its own."""
    of_pools = (
        name
        for pool in pools
        for name in (f"mrr_{pool}", f"mrr_{pool}_low", f"mrr_{pool}_high", f"pairs_{pool}")
    )
    return ("system", "seeds", "direction", "language", *of_pools, "published", "verdict")


def choice_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Columns of ``csn_choices.csv``, in order; each size of pool has its own."""
    of_pools = (
        f"{name}_{pool}"
        for pool in pools
        for name in ("mrr", "mrr_without", "difference", "low", "high")
    )
    return ("choice", "changed", "of", "direction", "language", *of_pools)


def write_table3(
    settings: Table3Settings,
    ranks: Sequence[Path],
    records: Sequence[Path],
    output: Path,
    published: Path | None = None,
) -> None:
    """Write the MRR of test pairs among distractors, beside the paper's Table 3.

    Figures are means over seeds, intervals are over pairs and seeds together; a random order is the
    last system.

    Args:
        settings: of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        records: what the results of every run come from (``write_record``).
        output: CSV file of ``table3_columns`` to write.
        published: the printed figures; without, nothing stands beside ours.
    """
    cells = read_published_cells(published)
    runs = {system: settings.runs_of(system) for system in settings.systems}
    places = (*settings.languages, POOLED, MEAN)
    figures = measure_pairs(settings, runs, ranks)
    others = {
        system: _tell_other_pairs(find_file(records, runs[system][0]), cells)
        for system in settings.published_as
        if system in runs
    }
    verdicts = pd.Series(_judge(figures, settings, others, cells), dtype=object)
    frame = figures.frame.drop(columns="runs").assign(verdict=verdicts)
    values = (runs, DIRECTIONS, places, settings.pools)
    frame = arrange(frame, dict(zip(_KEYS, values, strict=True))).fillna({"n": 0, "verdict": ""})
    names = {"value": "mrr_{}", "low": "mrr_{}_low", "high": "mrr_{}_high", "n": "pairs_{}"}
    wide = spread(frame, "pool", settings.pools, names | {"verdict": "verdict_{}"})
    wide["seeds"] = [len(runs[system]) for system in wide["system"]]
    printed = _find_printed(wide, settings, cells)
    wide["published"] = printed.where(wide["direction"] == PRINTED, "")
    wide["verdict"] = [
        _find_verdict(row, settings.pools, others.get(row["system"], ""))
        for row in wide.to_dict("records")
    ]
    wide = pd.concat([wide, _expect_random(settings)], ignore_index=True)
    wide["language"] = [TITLES.get(place, place) for place in wide["language"]]
    columns = table3_columns(settings.pools)
    wide = format_columns(wide, [name for name in columns if name.startswith("mrr_")], _DIGITS)
    counts = [name for name in columns if name.startswith(("pairs_", "seeds"))]
    write_rows(output, columns, to_rows(format_columns(wide, counts, 0), columns))


def compare_choices(settings: ChoiceSettings, ranks: Sequence[Path], output: Path) -> None:
    """Compare the open choices of the encoders: what each changes of the MRR of test pairs.

    Differences are paired by test pair.

    Args:
        settings: of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
        output: CSV file of ``choice_columns`` to write: both directions, in common pools and the
            mean.
    """
    compared = {choice.name: choice.of for choice in settings.choices}
    runs = {name: (name,) for name in dict.fromkeys([*compared, *compared.values()])}
    figures = measure_pairs(settings, runs, ranks).against("system", compared.items())
    frame = figures.frame.assign(
        mrr=figures.frame["baseline_value"] + figures.frame["value"],
        changed=figures.frame["system"].map(
            {
                choice.name: ", ".join(f"{key}: {value}" for key, value in choice.options.items())
                for choice in settings.choices
            }
        ),
    )
    frame = frame.drop(columns=["n", "runs"])
    names = {"mrr": "mrr_{}", "baseline_value": "mrr_without_{}", "value": "difference_{}"}
    wide = spread(frame, "pool", settings.pools, names | {"low": "low_{}", "high": "high_{}"})
    columns = choice_columns(settings.pools)
    signed = [name for name in columns if name.startswith(("difference_", "low_", "high_"))]
    wide = format_columns(wide, signed, _DIGITS, signed=True)
    wide = format_columns(wide, [name for name in columns if name.startswith("mrr_")], _DIGITS)
    wide = wide.rename(columns={"system": "choice", "baseline": "of"})
    order = {"choice": compared, "direction": DIRECTIONS, "language": (POOLED, MEAN)}
    write_rows(output, columns, to_rows(arrange(wide, order), columns))


def measure_pairs(
    settings: Table3Settings | ChoiceSettings, runs: Mapping[str, Names], ranks: Sequence[Path]
) -> Figures:
    """MRR by system, direction, language and pool, with ``POOLED`` and ``MEAN`` of all languages.

    Args:
        settings: languages, pools and resamples.
        runs: names of the files of each system, one for each seed.
        ranks: a table of ``RANK_SCHEMA`` for every run.
    """
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    parts = []
    for system, names in runs.items():
        files = [find_file(ranks, name) for name in names]
        units = pd.concat(
            part for seed, file in enumerate(files) for part in _read_units(file, seed)
        )
        units = units[units["pool"].isin(settings.pools)].assign(system=system)
        figures = summarise(units, _KEYS, sampling)
        of_languages = figures.choose(figures.frame["language"].isin(settings.languages))
        found = of_languages.frame.groupby(["direction", "pool"])["language"].transform("size")
        whole = of_languages.choose(found == len(settings.languages))
        parts += [figures, whole.average("language", MEAN)]
    return join_figures(parts)


def _read_units(path: Path, seed: int) -> Iterator[pd.DataFrame]:
    """Reciprocal ranks of the pairs of a run, in both directions."""
    table = read_table(path, RANK_SCHEMA).to_pandas()
    languages, _ = pd.factorize(table["language"], sort=True)
    head = pd.DataFrame(
        {
            "language": table["scope"].replace({ALL: POOLED}),
            "pool": table["pool"],
            "unit": (languages << 40) + table["function_id"],
            "seed": seed,
        }
    )
    for direction, column in DIRECTIONS.items():
        yield head.assign(direction=direction, value=1 / table[column])


def _tell_other_pairs(record: Path, published: PublishedCells) -> str:
    """Whether a run learnt from fewer or more pairs than the paper's; empty where from as many."""
    training = read_json(record)["training"]
    trained = sum(one["pairs"]["trained"] for one in training.values())
    return tell_other_size("pairs", trained, published.get(("released pairs", "All", "train"), ""))


def _judge(
    figures: Figures, settings: Table3Settings, others: Mapping[str, str], published: PublishedCells
) -> list[str]:
    """A verdict for each figure that stands beside a printed one; empty for the others."""
    frame = figures.frame
    beside = (frame["direction"] == PRINTED) & (frame["pool"] == PUBLISHED_POOL)
    printed = _find_printed(frame, settings, published).where(beside, "")
    values = [float(one) if one else None for one in printed]
    return judge_figures(figures, values, [others.get(one, "") for one in frame["system"]])


def _find_printed(
    frame: pd.DataFrame, settings: Table3Settings, published: PublishedCells
) -> pd.Series[str]:
    """The printed figure of the system and language of each row; empty where it has none."""
    titles = TITLES | {POOLED: "Avg"}
    cells = [
        published.get(("Table 3", settings.published_as.get(system, ""), titles.get(language, "")))
        for system, language in zip(frame["system"], frame["language"], strict=True)
    ]
    return pd.Series(cells, dtype=object).fillna("")


def _find_verdict(row: Mapping[str, Any], pools: Sequence[int], other: str) -> str:
    """The verdict on a figure beside a printed one, or the reason why the two are not compared.

    It is empty for a row without a printed figure, or without any of ours.
    """
    if verdict := row.get(f"verdict_{PUBLISHED_POOL}", ""):
        return str(verdict)
    measured = any(not math.isnan(row[f"mrr_{pool}"]) for pool in pools)
    return (other or OTHER_POOL) if row["published"] and measured else ""


def _expect_random(settings: Table3Settings) -> pd.DataFrame:
    """What a random order is expected to reach: no pair counts, and there is no interval."""
    places = (*settings.languages, POOLED, MEAN)
    keys = pd.MultiIndex.from_product(
        [["random order"], DIRECTIONS, places], names=["system", "direction", "language"]
    )
    cells = {f"mrr_{pool}": random_reciprocal_rank(pool) for pool in settings.pools}
    return keys.to_frame(index=False).assign(**cells, published="", verdict="")
