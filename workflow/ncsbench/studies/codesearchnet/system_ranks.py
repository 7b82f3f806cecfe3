"""The ranks that tables are made of, apart from models and corpora, small enough to be committed.

Table 3 is made of ranks of pairs among distractors (CodeSearchNet paper, section 4.3). Pairs in a
random order are cut into pools of equal size; pairs that are left over are not ranked. In each pool
the right code is ranked among the codes of the pool for each query, and the right query among the
queries of the pool for each code. The paper's text has the first direction, the released code the
second (``model_test.py``). Ties count against the system, as in the released code (DEV-154).

Table 4 is made of the first results and the annotated results, and of the pools of functions that
were searched. Full rankings of 99 queries in six languages take 11 MB; these results take a
fiftieth.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_table, write_table
from ncsbench.corpus.function_corpus.annotations import read_annotations, read_queries
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA, make_url
from ncsbench.errors import DataError
from ncsbench.studies.codesearchnet.submission import Prediction, Ranking

ALL = "all"
"""The scope of pools that hold pairs of all languages."""
RANK_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("function_id", pa.int64(), nullable=False),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("pool", pa.int32(), nullable=False),
        pa.field("code_rank", pa.int32(), nullable=False),
        pa.field("query_rank", pa.int32(), nullable=False),
    ]
)
"""Ranks of one system. ``scope``: the language, or ``all`` where a pool has pairs of all languages.

``code_rank`` is the rank of the right code for its query, ``query_rank`` the rank of the right
query for its code, both from 1 to ``pool``.
"""
CANDIDATES = 10
"""Results of each system that are candidates for annotators (DEV-141)."""
CHALLENGE_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("query", pa.string(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
    ]
)
"""Results of one run, in rank order: the results of the first ``CANDIDATES`` ranks, which the row
``ensemble`` takes, and annotated functions of any rank. ``query`` is in lower case, ``rank`` counts
from 1."""
POOL_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("functions", pa.int64(), nullable=False),
        pa.field("judged", pa.list_(pa.string()), nullable=False),
        pa.field("repositories", pa.list_(pa.string()), nullable=False),
        pa.field("first_ids", pa.list_(pa.int64()), nullable=False),
    ]
)
"""The pools of functions, one row for each language, with the fields of a ``FunctionPool``;
``judged`` is sorted."""

_PLACE = ["repo", "sha", "path", "start_line", "end_line"]
_REPOSITORY = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/")


@dataclass(frozen=True)
class FunctionPool:
    """The functions that are searched in one language.

    Attributes:
        functions: number of functions.
        judged: addresses of the annotated functions among them.
        repositories: names of the repositories, in the order of the corpus.
        first_ids: id of the first function of each repository, ascending.
    """

    functions: int
    judged: frozenset[str]
    repositories: tuple[str, ...] = ()
    first_ids: tuple[int, ...] = ()


def draw_pools(pairs: int, pool: int, *, seed: int) -> list[NDArray[np.int64]]:
    """Return the positions of the pairs of each pool, each of shape (pool,).

    The list is empty where there are fewer pairs than one pool takes.
    """
    order = np.random.default_rng(seed).permutation(pairs)
    return [order[start : start + pool] for start in range(0, pairs - pool + 1, pool)]


def rank_pool(scores: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the ranks of the right codes and of the right queries in one pool.

    Args:
        scores: scores of queries by codes, shape (pool, pool); right pairs lie on the diagonal;
            minus infinity for codes that a ranking lacks.

    Returns:
        ``code_rank`` and ``query_rank``, int32, shape (pool,).
    """
    right = np.diagonal(scores)
    code_ranks = (scores >= right[:, None]).sum(axis=1)
    query_ranks = (scores >= right[None, :]).sum(axis=0)
    return code_ranks.astype(np.int32), query_ranks.astype(np.int32)


def write_challenge_ranks(
    path: Path, predictions: Iterable[Prediction], judged: Collection[str]
) -> None:
    """Write the results that Table 4 needs of rankings that repeat no function.

    Args:
        path: Parquet file of ``CHALLENGE_SCHEMA``.
        predictions: results, best first within a language and query.
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
    """Read rankings by language and query.

    A rank that is not in the file gets a text that is no URL, so that later ranks stay right.
    """
    rankings: dict[Ranking, list[str]] = {}
    for row in read_table(path, CHALLENGE_SCHEMA).to_pylist():
        ranking = rankings.setdefault((row["language"], row["query"]), [])
        ranking += [f"rank {rank}" for rank in range(len(ranking) + 1, row["rank"])]
        ranking.append(row["url"])
    return rankings


def find_file(files: Iterable[Path], run: str) -> Path:
    """Return the file that is named after a run; ``DataError`` where no such file is given."""
    for path in files:
        if path.stem == run:
            return path
    raise DataError(f"{run}: there is no such file among those of the runs; name it")


def write_pools(
    corpora: Mapping[str, Path], annotations: Path, queries: Path, output: Path
) -> None:
    """Write how many functions each language has, the annotated ones, and its repositories.

    Args:
        corpora: folder of the corpus of each language.
        annotations: annotations of the challenge, ``annotationStore.csv``.
        queries: queries of the challenge, ``queries.csv``.
        output: Parquet file of ``POOL_SCHEMA`` to write.
    """
    annotated = read_annotations(annotations, read_queries(queries))
    rows = []
    for language, corpus in corpora.items():
        pool = read_pool(
            corpus, {url for urls in annotated.relevances(language).values() for url in urls}
        )
        rows.append({"language": language, **vars(pool), "judged": sorted(pool.judged)})
    write_table(output, pa.Table.from_pylist(rows, POOL_SCHEMA), POOL_SCHEMA)


def read_pool(corpus: Path, judged: Collection[str]) -> FunctionPool:
    """Look the annotated functions and the repositories up in the corpus of one language.

    Args:
        corpus: folder of the corpus.
        judged: addresses of all annotated functions of the language.
    """
    wanted = set(judged)
    repositories = {match[1] for url in wanted if (match := _REPOSITORY.match(url))}
    names = pa.array(sorted(repositories), pa.string())
    functions = 0
    found: set[str] = set()
    first_ids: dict[str, int] = {}
    for table in iterate_tables(corpus / "functions.parquet", FUNCTION_SCHEMA, _PLACE):
        # A function's id is its place in the corpus, whose order is by repository.
        for function, repo in enumerate(table["repo"].to_pylist(), functions):
            first_ids.setdefault(repo, function)
        functions += len(table)
        for row in table.filter(pc.is_in(table["repo"], names)).to_pylist():
            found.add(make_url(**row))
    return FunctionPool(
        functions, frozenset(found & wanted), tuple(first_ids), tuple(first_ids.values())
    )


def read_pools(path: Path, languages: Sequence[str]) -> dict[str, FunctionPool]:
    """Read the pools of some languages; ``DataError`` where a language is not in the file."""
    pools = {
        row["language"]: FunctionPool(
            *(row["functions"], frozenset(row["judged"])),
            *(tuple(row["repositories"]), tuple(row["first_ids"])),
        )
        for row in read_table(path, POOL_SCHEMA).to_pylist()
    }
    if missing := [one for one in languages if one not in pools]:
        raise DataError(f"{path}: has no {missing[0]}; make it anew for all languages of the table")
    return {one: pools[one] for one in languages}
