"""Judged pairs of question and method: each is stored once, whatever many runs found it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import copy_file, read_table, write_table
from ncsbench.errors import DataError
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA


def read_pairs(folder: Path) -> pa.Table:
    """All pairs of the files of a folder, sorted by question and method (``JUDGEMENT_SCHEMA``)."""
    return join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in sorted(folder.glob("*"))])


def write_new_pairs(
    folder: Path, *, earlier: list[Path], judged: list[Path], corpus_hash: str
) -> None:
    """Copy the files that are there, and add one with the pairs that none of them has."""
    for path in earlier:
        copy_file(path, folder / path.name)
    known = join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in earlier])
    found = join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in judged])
    together = join_pairs([known, found])
    new = leave_out(together, known)
    if len(new):
        path = folder / f"{len(earlier) + 1:04}.parquet"
        write_table(path, new, JUDGEMENT_SCHEMA, corpus_hash=corpus_hash, compact=True)


def join_pairs(tables: list[pa.Table]) -> pa.Table:
    """Judged pairs of several tables of ``JUDGEMENT_SCHEMA``, each once, sorted.

    Raises:
        DataError: where two tables judge a pair otherwise.
    """
    keys = [("query_id", "ascending"), ("id", "ascending")]
    schema = JUDGEMENT_SCHEMA.remove_metadata()
    if not tables:
        return schema.empty_table()
    joined = pa.concat_tables([table.cast(schema) for table in tables])
    once = joined.group_by(joined.column_names).aggregate([]).cast(schema).sort_by(keys)
    queries, ids = once["query_id"].to_numpy(), once["id"].to_numpy()
    twice = np.flatnonzero((queries[1:] == queries[:-1]) & (ids[1:] == ids[:-1]))
    if len(twice):
        raise DataError(
            f"method {ids[twice[0]]} of question {queries[twice[0]]} was judged otherwise before "
            f"({len(twice)} such pairs); publish everything anew: --anew"
        )
    return once


def leave_out(table: pa.Table, known: pa.Table) -> pa.Table:
    """The rows of judged pairs that are not among those that are known."""
    width = max(pc.max(one["id"]).as_py() or 0 for one in (table, known)) + 1
    keys, there = (
        one["query_id"].to_numpy().astype(np.int64) * width + one["id"].to_numpy()
        for one in (table, known)
    )
    return table.filter(pa.array(~np.isin(keys, there)))
