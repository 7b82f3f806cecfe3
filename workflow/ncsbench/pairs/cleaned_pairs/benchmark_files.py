"""The files of a benchmark: queries, right code (positives), distractors, and ranks among these."""

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
"""A query in each row; ``query`` is the number of the row. Queries with the same ``group`` are not
independent, so that a bootstrap draws groups. ``positives`` has the ascending ids (``CODE_SCHEMA``)
of the right code that could be found; ``at_hand`` is its number, ``published`` the number of right
code that the benchmark names. A query without positives is not ranked, but no training sees it
either."""

CODE_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int32(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("class_name", pa.string(), nullable=False),
    ]
)
"""A piece of code in each row; ``id`` is the number of the row. ``key`` is the key that a training
pair of the same method has, or ``cosbench:<id>``. ``url`` and ``class_name`` are empty where they
are not known."""

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
"""A query with positives in each row. ``group`` is the number of the first query of the group, as
text: texts of posts stay out of results. ``first_rank`` is the rank of the best positive, from 1
(DEV-195); ``candidates`` is the number of positives and distractors."""

FUNCTION_COLUMNS = ("repo", "sha", "path", "start_line", "end_line", "identifier", "code")
"""The columns of a function that ``describe_function`` needs."""


class Code(NamedTuple):
    """A piece of code, with all columns of ``CODE_SCHEMA`` but its id."""

    key: str
    url: str
    code: str
    class_name: str


@dataclass(frozen=True)
class Benchmark:
    """A benchmark to rank.

    Attributes:
        queries: the queries with positives (``QUERY_SCHEMA``).
        positives: right code of the queries (``CODE_SCHEMA``).
        distractors: code that is wrong for every query (``CODE_SCHEMA``).
    """

    queries: pa.Table
    positives: pa.Table
    distractors: pa.Table


def load_benchmark(folder: Path) -> Benchmark:
    """Read a benchmark; ``DataError`` where a file is missing or of another benchmark."""
    queries = read_table(folder / QUERIES, QUERY_SCHEMA)
    return Benchmark(
        queries=queries.filter(pc.greater(queries["at_hand"], 0)),
        positives=read_table(folder / POSITIVES, CODE_SCHEMA),
        distractors=read_table(folder / DISTRACTORS, CODE_SCHEMA),
    )


def describe_function(row: Mapping[str, Any]) -> Code:
    """Return a function with ``FUNCTION_COLUMNS`` as code of a benchmark."""
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
