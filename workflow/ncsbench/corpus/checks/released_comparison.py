"""Differences between a corpus and a released list of methods: by repository, with reasons."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from ncsbench.base.files.storage import read_table
from ncsbench.corpus.layout.corpus_schemas import PLACE_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA, LEFT_OUT, generalise
from ncsbench.corpus.methods.released_methods import RejectedLines

COMPARISON_COLUMNS = ("repository", "found", "reason", "methods")
"""``found`` is ``both``, ``only here`` or ``only released``; the reason is empty for ``both``."""
_FOUND = {"both": "both", "left_only": "only here", "right_only": "only released"}
_FILE = ["repository", "path"]
_PLACE = PLACE_SCHEMA.names[1:]


def compare_with_released(corpus: CorpusFolder, released: pa.Table) -> pd.DataFrame:
    """Count the methods that a corpus and a released list share, and those that only one has.

    Two methods are the same if repository, path and lines are equal. A method that the corpus
    leaves out in favour of an equal one counts as present.

    Args:
        corpus: a built corpus.
        released: table of ``RELEASED_SCHEMA``.

    Returns:
        A row of ``COMPARISON_COLUMNS`` for each repository and reason, in this order.
    """
    tables = [*corpus.iterate_methods([*_PLACE, "method_name"])]
    if corpus.duplicates_path.exists():  # generated corpora have none
        tables.append(read_table(corpus.duplicates_path, PLACE_SCHEMA, _PLACE))
    here = pa.concat_tables(tables, promote_options="default").to_pandas()
    there = released.select([*_PLACE, "method_name"]).to_pandas()
    for side in (here, there):  # a place that a list has twice is two methods
        side["number"] = side.groupby(_PLACE).cumcount()
    every = here.merge(
        there, "outer", on=[*_PLACE, "number"], suffixes=("", "_released"), indicator="found"
    )
    every["found"] = every["found"].map(_FOUND).astype(str)
    every["reason"] = ""
    shared = _are_among(every, every[every["found"] == "both"], _PLACE)
    ours, theirs = (~shared & (every["found"] == f"only {side}") for side in ("here", "released"))
    named_here = every.loc[ours & every["method_name"].notna(), [*_FILE, "method_name"]]
    named_there = every.loc[theirs, [*_FILE, "method_name_released"]]
    every.loc[ours, "reason"] = _explain_ours(every[ours], there, named_there)
    every.loc[theirs, "reason"] = _explain_theirs(every[theirs], corpus, named_here)
    twice = {"only here": "the place is listed once", "only released": "the place is listed twice"}
    again = shared & (every["found"] != "both")
    every.loc[again, "reason"] = every.loc[again, "found"].map(twice)
    return every.groupby(list(COMPARISON_COLUMNS[:-1])).size().rename("methods").reset_index()


def format_comparison(rows: pd.DataFrame, rejected: RejectedLines) -> list[str]:
    """Lines for people: sums over all repositories, and lines of the list that name no method."""
    sums = [
        f"{count:>10,}  {found}{f': {reason}' if reason else ''}"
        for (found, reason), count in rows.groupby(["found", "reason"])["methods"].sum().items()
    ]
    if rejected.count:
        sums.append(f"{rejected.count:>10,}  lines name no method (the first: {rejected.first})")
    return sums


def _are_among(rows: pd.DataFrame, others: pd.DataFrame, columns: list[str]) -> pd.Series:
    """Say of each row whether another table has its cells, under any names of columns."""
    wanted = pd.MultiIndex.from_frame(others.iloc[:, : len(columns)])
    return pd.Series(pd.MultiIndex.from_frame(rows[columns]).isin(wanted), rows.index)


def _explain_ours(rows: pd.DataFrame, there: pd.DataFrame, named: pd.DataFrame) -> np.ndarray:
    reasons = {
        "the list does not have the repository": ~rows["repository"].isin(there["repository"]),
        "the list does not have the file": ~_are_among(rows, there, _FILE),
        "other lines": _are_among(rows, named, [*_FILE, "method_name"]),
    }
    return np.select([*reasons.values()], [*reasons], "the list does not have the method")


def _explain_theirs(rows: pd.DataFrame, corpus: CorpusFolder, named: pd.DataFrame) -> np.ndarray:
    lines = read_table(corpus.ledger_path, LEDGER_SCHEMA).to_pandas()
    lines["why"] = lines["reason"].fillna("").map(generalise)
    lines["left_out"] = lines[list(LEFT_OUT)].any(axis=1)
    lines = lines[[*_FILE, "status", "why", "left_out"]].drop_duplicates(_FILE, keep="last")
    heads = lines[lines["path"].isna()].drop(columns="path")
    rows = rows.merge(heads, "left", "repository").merge(
        lines.dropna(subset="path"), "left", _FILE, suffixes=("", "_file")
    )
    reasons = [
        (rows["status"].isna(), "the repository is not listed"),
        (rows["status"] == "skipped", "repository: " + rows["why"].fillna("")),
        (rows["status_file"].isna(), "there is no such file"),
        (rows["status_file"] == "skipped", "file: " + rows["why_file"].fillna("")),
        (_are_among(rows, named, [*_FILE, "method_name_released"]), "other lines"),
        (rows["left_out_file"] == True, "the file has methods that are left out"),  # noqa: E712
    ]
    return np.select(
        [one.to_numpy() for one, _ in reasons],
        [np.asarray(text) for _, text in reasons],
        "there is no such method",
    )
