"""The functions that a ranking was chosen from: how many, and which of the annotated ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA, make_url

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
