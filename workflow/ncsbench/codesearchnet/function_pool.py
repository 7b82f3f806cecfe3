"""The functions that a ranking was chosen from: how many, and which of the annotated ones.

That is all that Table 4 needs of corpora, and small enough to be committed beside the rankings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables, read_table, write_table
from ncsbench.errors import DataError
from ncsbench.function_corpus.annotations import read_annotations, read_queries
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA, make_url

POOL_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("functions", pa.int64(), nullable=False),
        pa.field("judged", pa.list_(pa.string()), nullable=False),
    ]
)
"""A language a row; ``judged`` has the addresses of a ``FunctionPool``, sorted."""

_PLACE = ["repo", "sha", "path", "start_line", "end_line"]
_REPOSITORY = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/")


@dataclass(frozen=True)
class FunctionPool:
    """What is searched in one language.

    Attributes:
        functions: how many functions there are.
        judged: addresses of the annotated ones among them.
    """

    functions: int
    judged: frozenset[str]


def read_pool(corpus: Path, judged: Collection[str]) -> FunctionPool:
    """Look the annotated functions up in a corpus.

    Args:
        corpus: folder of the corpus of one language.
        judged: addresses of all annotated functions of the language.
    """
    wanted = set(judged)
    repositories = {match[1] for url in wanted if (match := _REPOSITORY.match(url))}
    names = pa.array(sorted(repositories), pa.string())
    functions = 0
    found: set[str] = set()
    for table in iterate_tables(corpus / "functions.parquet", FUNCTION_SCHEMA, _PLACE):
        functions += len(table)
        for row in table.filter(pc.is_in(table["repo"], names)).to_pylist():
            found.add(make_url(**row))
    return FunctionPool(functions, frozenset(found & wanted))


def write_pools(
    corpora: Mapping[str, Path], annotations: Path, queries: Path, output: Path
) -> None:
    """Write how many functions are searched in each language, and which annotated ones.

    Args:
        corpora: folder of the corpus of each language.
        annotations: annotations of the challenge, ``annotationStore.csv``.
        queries: queries of the challenge, ``queries.csv``.
        output: Parquet file of ``POOL_SCHEMA`` to write.
    """
    annotated = read_annotations(annotations, read_queries(queries))
    rows = []
    for language, corpus in corpora.items():
        judged = {url for urls in annotated.relevances(language).values() for url in urls}
        pool = read_pool(corpus, judged)
        row = {"functions": pool.functions, "judged": sorted(pool.judged)}
        rows.append({"language": language, **row})
    write_table(output, pa.Table.from_pylist(rows, POOL_SCHEMA), POOL_SCHEMA)


def read_pools(path: Path, languages: Sequence[str]) -> dict[str, FunctionPool]:
    """What is searched in some languages; ``DataError`` where one of them is not in the file."""
    pools = {
        row["language"]: FunctionPool(row["functions"], frozenset(row["judged"]))
        for row in read_table(path, POOL_SCHEMA).to_pylist()
    }
    if missing := [one for one in languages if one not in pools]:
        raise DataError(f"{path}: has no {missing[0]}; make it anew for all languages of the table")
    return {one: pools[one] for one in languages}
