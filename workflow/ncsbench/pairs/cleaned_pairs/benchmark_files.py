"""The files of a benchmark: queries, what counts as right, the distractors, ranks among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.corpus.function_corpus.function_schema import make_url
from ncsbench.pairs.training_pairs.docstring_pairs import GITHUB

QUERIES, POSITIVES, DISTRACTORS = "queries.parquet", "positives.parquet", "distractors.parquet"

QUERY_SCHEMA = pa.schema(
    [
        pa.field("query", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("positives", pa.list_(pa.int32()), nullable=False),
        pa.field("at_hand", pa.int32(), nullable=False),
        pa.field("published", pa.int32(), nullable=False),
    ]
)
"""One row a query, ``query`` is the row. ``group``: queries with the same are not independent, so
that a bootstrap draws groups. ``positives``: ascending ids of ``CODE_SCHEMA``, ``at_hand`` of the
``published`` ones. A query without any at hand is not ranked, but no training sees it either."""

CODE_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int32(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("class_name", pa.string(), nullable=False),
    ]
)
"""One row a piece of code, ``id`` is the row. ``key``: as that of a training pair of the same
method, or ``cosbench:<id>``. ``url`` and ``class_name`` are empty where they are not known."""

RANK_SCHEMA = pa.schema(
    [
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("query", pa.int32(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("positives", pa.int32(), nullable=False),
        pa.field("candidates", pa.int32(), nullable=False),
        pa.field("first_rank", pa.int32(), nullable=False),
    ]
)
"""One row a query with right code at hand. ``group``: the first query of the same group, as a text:
those of posts stay out of results. ``first_rank``: of the best right one, from 1 (DEV-195);
``candidates``: the right ones and the distractors."""

FUNCTION_COLUMNS = ("repo", "sha", "path", "start_line", "end_line", "identifier", "code")
"""What ``describe_function`` needs of a function."""


class Code(NamedTuple):
    """A piece of code, with the columns of ``CODE_SCHEMA`` but for its id."""

    key: str
    url: str
    code: str
    class_name: str


@dataclass(frozen=True)
class Benchmark:
    """A benchmark to rank.

    Attributes:
        queries: those with positives at hand (``QUERY_SCHEMA``).
        positives: their code (``CODE_SCHEMA``).
        distractors: code that is wrong for every query (``CODE_SCHEMA``).
    """

    queries: pa.Table
    positives: pa.Table
    distractors: pa.Table


def load_benchmark(folder: Path) -> Benchmark:
    """Read a benchmark; ``DataError`` where a file of it is missing or another one's."""
    queries = read_table(folder / QUERIES, QUERY_SCHEMA)
    return Benchmark(
        queries=queries.filter(pc.greater(queries["at_hand"], 0)),
        positives=read_table(folder / POSITIVES, CODE_SCHEMA),
        distractors=read_table(folder / DISTRACTORS, CODE_SCHEMA),
    )


def describe_function(row: Mapping[str, Any]) -> Code:
    """A function with ``FUNCTION_COLUMNS`` as code of a benchmark."""
    place = f"{row['repo']}/{row['path']}#L{row['start_line']}-L{row['end_line']}"
    return Code(
        key=f"{GITHUB}:{place}",
        url=make_url(*(row[name] for name in FUNCTION_COLUMNS[:5])),
        code=row["code"],
        class_name=row["identifier"].rpartition(".")[0],
    )


def write_codes(path: Path, codes: Iterable[Code]) -> None:
    """Write code as ``CODE_SCHEMA``, in order."""
    rows = [{"id": number, **code._asdict()} for number, code in enumerate(codes)]
    write_table(path, pa.Table.from_pylist(rows, CODE_SCHEMA), CODE_SCHEMA)
