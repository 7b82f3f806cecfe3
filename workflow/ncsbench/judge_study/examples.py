"""Published examples that lie in the corpus, and what judges say of them.

A judge should accept them, and find the earlier ones of a question more similar to its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import of_corpus
from ncsbench.artifacts.storage import read_table, write_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.evaluation.judged_rankings import JudgedRanking, join_judgements
from ncsbench.judge.answers import read_answers
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.judge.scores import score_pairs
from ncsbench.questions.question_schema import QUESTION_SCHEMA

EXAMPLE_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("rank", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
        ]
    )
)
"""Method ``id`` is the ``rank``-th example of question ``query_id``."""

_LINK = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/[^/]+/(.+)#L(\d+)(?:-L(\d+))?")


def read_example_link(link: str) -> tuple[str, str, int, int] | None:
    """Repository, path, first and last line of a published example; None for another link."""
    if not (found := _LINK.fullmatch(link)):
        return None
    repository, path, first, last = found.groups()
    return repository, unquote(path), int(first), int(last or first)


def find_examples(links: Mapping[int, list[str]], methods: Iterable[pa.Table]) -> pa.Table:
    """The published examples that lie in the corpus, by repository, path and lines (DEV-39).

    Args:
        links: links to the examples of each query id, best first.
        methods: tables of ``PLACE_SCHEMA``: all methods, then those that another stands for.

    Returns:
        A table of ``EXAMPLE_SCHEMA``, by question; the rank is the position among its links.
    """
    wanted: dict[tuple[str, str, int, int], list[tuple[int, int]]] = {}
    for row, of_row in links.items():
        for rank, link in enumerate(of_row, start=1):
            if place := read_example_link(link):
                wanted.setdefault(place, []).append((row, rank))
    methods_at: dict[tuple[int, int], int] = {}
    for table in methods:
        columns = ("repository", "path", "start_line", "end_line", "id")
        for *span, id_ in zip(*(table[name].to_pylist() for name in columns), strict=True):
            for position in wanted.get(tuple(span), ()):
                methods_at.setdefault(position, id_)  # of two methods on the same lines the first
    rows = [
        {"query_id": row, "rank": rank, "id": id_}
        for (row, rank), id_ in sorted(methods_at.items())
    ]
    return pa.Table.from_pylist(rows, EXAMPLE_SCHEMA)


def write_judged_examples(
    questions: Path, corpus: CorpusFolder, index: JudgeIndex, output: Path
) -> None:
    """Find and judge the published examples.

    Args:
        questions: questions as Parquet.
        corpus: folder of a built corpus.
        index: folder of the judge's index of the corpus.
        output: folder to write, with ``pairs.parquet`` and ``judgements.parquet``.
    """
    asked = read_table(
        questions, QUESTION_SCHEMA, ["query_id", "answer", "examples_url"]
    ).to_pylist()
    examples = find_examples(
        {question["query_id"]: question["examples_url"] for question in asked},
        corpus.iterate_places(),
    )
    judged = score_pairs(
        answers=read_answers({question["query_id"]: question["answer"] for question in asked}),
        index=index,
        query_ids=examples["query_id"].to_numpy(),
        ids=examples["id"].to_numpy(),
    )
    for name, table, schema in (
        ("pairs", examples, EXAMPLE_SCHEMA),
        ("judgements", judged, JUDGEMENT_SCHEMA),
    ):
        path = output / f"{name}.parquet"
        write_table(path, table, schema, corpus_hash=index.corpus_hash)


def read_judged_examples(folder: Path, query_ids: NDArray[np.int32]) -> JudgedRanking:
    """The examples of questions at their ranks, judged; -1 where one is not in the corpus."""
    pairs = read_table(folder / "pairs.parquet", EXAMPLE_SCHEMA)
    path = folder / "judgements.parquet"
    ranked = tuple(pairs[name].to_numpy() for name in ("query_id", "rank", "id"))
    depth = int(ranked[1].max(initial=0))
    return join_judgements(
        "examples", ranked, read_table(path, JUDGEMENT_SCHEMA), query_ids, depth, path
    )
