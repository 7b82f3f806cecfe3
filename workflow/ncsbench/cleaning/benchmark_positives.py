"""The stage that makes queries and positives of a benchmark (DEV-190).

Source: Sun et al. (ICSE 2022), section 4: CSN-v, CosBench and NCSED, each query ranked among its
positives and 999 distractors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import write_table
from ncsbench.cleaning.benchmark_files import QUERY_SCHEMA, write_codes
from ncsbench.cleaning.cosbench import read_answers, read_code
from ncsbench.cleaning.named_functions import FoundCode, find_functions
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import DataError
from ncsbench.experiment.cleaning_file import (
    AnnotationBenchmark,
    AnswerBenchmark,
    BenchmarkOptions,
    QuestionBenchmark,
)
from ncsbench.function_corpus.annotations import read_annotations, read_queries
from ncsbench.questions.question_entries import read_entries

LISTING_COLUMNS = ("query", "url", "found")
"""Of the listing: number of the query in ``queries.parquet``, address or id of what counts as
right, and ``yes`` or why it is not there. A row without either says what else was not read."""

_LANGUAGE = "java"
_SHOWN = 300  # characters of what should be an address


class PositivesSettings(StrictModel):
    """Settings of the stage ``cleaning_positives``."""

    name: str
    """Name of the benchmark."""
    benchmark: BenchmarkOptions
    """What it is made of."""


class _Asked(NamedTuple):
    """A query, and the addresses or ids of what counts as right, each once."""

    text: str
    group: str
    wanted: tuple[str, ...]


def make_positives(
    settings: PositivesSettings,
    queries: Path,
    positives: Path,
    listing: Path,
    extracted: Path | None = None,
    corpus: Path | None = None,
) -> None:
    """Make the queries of a benchmark, and the code that counts as right.

    Queries without positives at hand are written too: no training may see them.

    Args:
        settings: of the stage.
        queries: file of ``QUERY_SCHEMA`` to write.
        positives: file of ``CODE_SCHEMA`` to write.
        listing: CSV with ``LISTING_COLUMNS`` to write, without texts.
        extracted: folder of the extracted Java functions; answers by ids need none.
        corpus: folder of their corpus, whose ledger says what was not read.

    Raises:
        DataError: where an input cannot be read, or no positive of any query is at hand.
    """
    options = settings.benchmark
    asked = _READERS[options.kind](options)
    wanted = dict.fromkeys(one for query in asked for one in query.wanted)
    if isinstance(options, AnswerBenchmark):
        made = read_code(Path(options.code), wanted)
    elif extracted is None or corpus is None:
        raise DataError(f"benchmark {settings.name}: needs --extracted and --corpus")
    else:
        made = find_functions(wanted, extracted=extracted, corpus=corpus)
    _write_listing(listing, asked, made)
    if not made.found:
        why = next(iter(made.missing.values()), "no query has any")
        raise DataError(
            f"benchmark {settings.name}: no positive is at hand; of the first: {why}; name a "
            "corpus or code that has some, or leave the benchmark out"
        )
    ids = {one: number for number, one in enumerate(one for one in wanted if one in made.found)}
    _write_queries(queries, asked, ids)
    write_codes(positives, [made.found[one] for one in ids])


def _read_annotated(options: AnnotationBenchmark) -> list[_Asked]:
    """Each relevant function is a query of its own; at the end, queries without any."""
    queries = read_queries(Path(options.queries))
    annotations = read_annotations(Path(options.annotations), queries)
    relevances = annotations.relevances(_LANGUAGE)
    asked, without = [], []
    for query in queries:
        urls = [url for url, relevance in relevances.get(query, {}).items() if relevance > 0]
        asked += [_Asked(query, query, (url,)) for url in urls]
        without += [] if urls else [_Asked(query, query, ())]
    return asked + without


def _read_questions(options: QuestionBenchmark) -> list[_Asked]:
    return [
        _Asked(row["question"], row["question"], tuple(dict.fromkeys(row["examples_url"])))
        for row in read_entries([Path(options.questions)])
    ]


def _read_cosbench(options: AnswerBenchmark) -> list[_Asked]:
    """Phrases and keywords of one need share their answers: those are one group."""
    return [
        _Asked(query.text, " ".join(sorted(query.answers)), query.answers)
        for query in read_answers(Path(options.answers))
    ]


_READERS: dict[str, Any] = {
    "annotations": _read_annotated,
    "questions": _read_questions,
    "answers": _read_cosbench,
}


def _write_queries(path: Path, asked: Sequence[_Asked], ids: dict[str, int]) -> None:
    rows = []
    for number, query in enumerate(asked):
        positives = sorted(ids[one] for one in query.wanted if one in ids)
        rows.append(
            {
                "query": number,
                "text": query.text,
                "group": query.group,
                "positives": positives,
                "at_hand": len(positives),
                "published": len(query.wanted),
            }
        )
    write_table(path, pa.Table.from_pylist(rows, QUERY_SCHEMA), QUERY_SCHEMA)


def _write_listing(path: Path, asked: Sequence[_Asked], made: FoundCode) -> None:
    rows: list[Row] = [
        {"query": str(number), "url": one[:_SHOWN], "found": made.missing.get(one, "yes")}
        for number, query in enumerate(asked)
        for one in query.wanted
    ]
    rows += [{"query": "", "url": "", "found": fault} for fault in made.faults]
    write_rows(path, LISTING_COLUMNS, rows)
