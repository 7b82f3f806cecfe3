"""What Table 4 needs of a system's rankings: the first results, and the annotated ones.

Rankings of 99 queries in six languages take 11 MB; this is a fiftieth of it, so that it can be
committed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import read_table, write_table
from ncsbench.codesearchnet.reference_rankings import CANDIDATES
from ncsbench.codesearchnet.submission import Prediction, Ranking
from ncsbench.errors import DataError

CHALLENGE_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("query", pa.string(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
    ]
)
"""Results of one run, in rank order: those of the first ``CANDIDATES`` ranks, which the row
``ensemble`` takes, and the annotated ones. ``query`` is in lower case, ``rank`` counts from 1."""


def write_challenge_ranks(
    path: Path, predictions: Iterable[Prediction], judged: Collection[str]
) -> None:
    """Write what Table 4 needs of rankings, without repeated functions.

    Args:
        path: Parquet file of ``CHALLENGE_SCHEMA``.
        predictions: best first within a language and query.
        judged: addresses of annotated functions.
    """
    rows = [
        {"language": language, "query": query, "rank": rank, "url": one.url}
        for (language, query), some in groupby(predictions, lambda one: (one[0], one[1].lower()))
        for rank, one in enumerate(some, start=1)
        if rank <= CANDIDATES or one.url in judged
    ]
    write_table(path, pa.Table.from_pylist(rows, CHALLENGE_SCHEMA), CHALLENGE_SCHEMA)


def read_challenge_ranks(path: Path) -> dict[Ranking, list[str]]:
    """Rankings by language and query; a rank that is not in the file has a text that is no URL."""
    rankings: dict[Ranking, list[str]] = {}
    for row in read_table(path, CHALLENGE_SCHEMA).to_pylist():
        ranking = rankings.setdefault((row["language"], row["query"]), [])
        ranking += [f"rank {rank}" for rank in range(len(ranking) + 1, row["rank"])]
        ranking.append(row["url"])
    return rankings


def find_file(files: Iterable[Path], run: str) -> Path:
    """The file that is named after a run.

    Raises:
        DataError: where none is given.
    """
    for path in files:
        if path.stem == run:
            return path
    raise DataError(f"{run}: there is no such file among those of the runs; name it")
