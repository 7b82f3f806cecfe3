"""The stages that make a benchmark: queries, positives (DEV-190) and distractors (DEV-191).

Source: Sun et al. (ICSE 2022), section 4: CSN-v, CosBench and NCSED, each query ranked among its
positives and 999 distractors. The guard that keeps benchmarks out of training data is made here,
too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import name_cells, read_utf8, write_rows
from ncsbench.base.files.storage import iterate_tables, read_json, read_table, write_table
from ncsbench.corpus.function_corpus.annotations import read_annotations, read_queries, read_url
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.benchmark_files import (
    CODE_SCHEMA,
    FUNCTION_COLUMNS,
    POSITIVES,
    QUERIES,
    QUERY_SCHEMA,
    Code,
    describe_function,
    write_codes,
)
from ncsbench.pairs.cleaned_pairs.cleaning_options import (
    AnnotationBenchmark,
    AnswerBenchmark,
    QuestionBenchmark,
)
from ncsbench.pairs.cleaned_pairs.found_code import FoundCode, find_functions, read_code
from ncsbench.pairs.cleaned_pairs.stage_settings import DistractorSettings, PositivesSettings
from ncsbench.pairs.leak_checks.benchmark_overlap import BenchmarkGuard, Positive
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.questions.question_entries import read_entries

LISTING_COLUMNS = ("query", "url", "found")
"""Columns of the listing: number of the query in ``queries.parquet``; address or id of right code;
``yes``, or why the code was not found. A row without query and address says what else was not
read."""

_LANGUAGE = "java"
_SHOWN = 300  # largest number of characters of an address that are written
_DOUBLE_COMMA = re.compile(r'"(\s*),\s*,(\s*)"')
_TRAINED = "train"
_SPARE = 1.1  # functions read in one pass for each one needed, as some may be near a positive


class _Asked(NamedTuple):
    """A query, its group, and the addresses or ids of its right code, each once."""

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

    Queries whose positives were not found are written, too: no training may see them.

    Args:
        settings: settings of the stage.
        queries: file of ``QUERY_SCHEMA`` to write.
        positives: file of ``CODE_SCHEMA`` to write.
        listing: CSV with ``LISTING_COLUMNS`` to write, without texts.
        extracted: folder of the extracted Java functions; answers by ids do not need it.
        corpus: folder of the corpus of these functions, whose ledger says what was not read.

    Raises:
        DataError: where an input cannot be read, or no positive of any query was found.
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
            f"benchmark {settings.name}: no positive was found; of the first: {why}; name a "
            "corpus or code that has some, or leave the benchmark out"
        )
    ids = {one: number for number, one in enumerate(one for one in wanted if one in made.found)}
    _write_queries(queries, asked, ids)
    write_codes(positives, [made.found[one] for one in ids])


def draw_distractors(
    settings: DistractorSettings,
    corpus: Path,
    positives: Path,
    raw: Sequence[Path],
    output: Path,
) -> None:
    """Draw the distractors of a benchmark, the wrong code that its positives are ranked among.

    Distractors are pairs of a corpus, of parts other than ``train`` and of repositories without raw
    pairs; the published distractors are of the part ``test``. No distractor shares a line with a
    positive of the benchmark, or is equal or near to a positive.

    Args:
        settings: settings of the stage.
        corpus: folder of the corpus of Java functions.
        positives: positives of the benchmark (``CODE_SCHEMA``).
        raw: files of all raw pairs, of every source.
        output: file of ``CODE_SCHEMA`` to write, in a random order.

    Raises:
        DataError: where there are too few functions that can be distractors.
    """
    language = read_json(corpus / "manifest.json")["language"]
    if language != "java":
        raise DataError(f"{corpus}: holds functions of {language}; distractors are of Java")
    functions = corpus / "functions.parquet"
    candidates = _find_candidates(functions, _find_repositories(raw))
    order = np.random.default_rng(settings.seed).permutation(candidates)
    guard = BenchmarkGuard(_read_positives(positives))
    chosen: list[Code] = []
    step = int(settings.count * _SPARE) + 1
    for start in range(0, len(order), step):
        for row in _read_functions(functions, order[start : start + step]):
            code = describe_function(row)
            if len(chosen) < settings.count and guard.find_code(code.code, code.url) is None:
                chosen.append(code)
        if len(chosen) == settings.count:
            break
    else:
        raise DataError(
            f"{corpus}: has {len(chosen)} pairs that can be distractors of {settings.name}, of "
            f"{len(candidates)} in repositories that are not trained on, and {settings.count} are "
            "asked for; ask for fewer as 'distractors', or take more repositories"
        )
    write_codes(output, chosen)


def load_guard(folders: Iterable[Path], questions: Iterable[Path]) -> BenchmarkGuard:
    """Load the guard that finds positives and queries of benchmarks in training data.

    A ledger names a query ``<benchmark>:<query>``, and a question ``stackoverflow:<id>``: texts of
    questions stay out of results.

    Args:
        folders: folders of the benchmarks, each named like its benchmark; distractors may be
            missing.
        questions: files of evaluation questions in the published form of NCSED.
    """
    positives: list[Positive] = []
    names: dict[str, str] = {}
    for folder in folders:
        positives += _read_positives(folder / POSITIVES)
        for row in read_table(folder / QUERIES, QUERY_SCHEMA, ["query", "text"]).to_pylist():
            names.setdefault(row["text"], f"{folder.name}:{row['query']}")
    for path in questions:
        for row in read_entries([path]):
            names.setdefault(row["question"], f"stackoverflow:{row['stackoverflow_id']}")
    return BenchmarkGuard(positives, names, names=names)


def _read_positives(path: Path) -> list[Positive]:
    """Read the positives of a benchmark for a guard, in the order of the ids."""
    table = read_table(path, CODE_SCHEMA, ["key", "code", "url"])
    return [Positive(**row) for row in table.to_pylist()]


def _read_annotated(options: AnnotationBenchmark) -> list[_Asked]:
    """Read a query for each relevant function; last, queries without a relevant function."""
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
    """Read ``query2answer.json``, which as published is no valid JSON: one comma is doubled.

    Queries with the same answers, a phrase and keywords for one need, are one group.

    Raises:
        DataError: naming file and place, for any other mistake of syntax and for JSON that is no
            list of objects with ``query`` and ``answerList``.
    """
    path = Path(options.answers)
    entries = _parse(path, read_utf8(path))
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{path}: must be a JSON list of at least one query")
    return [_read_query(f"{path}: query {row}", entry) for row, entry in enumerate(entries, 1)]


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        repaired = _DOUBLE_COMMA.sub(r'"\1,\2"', text, count=1)
    try:
        return json.loads(repaired)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: is not valid JSON, beside one double comma ({error})") from error


def _read_query(where: str, entry: Any) -> _Asked:
    if not isinstance(entry, dict):
        raise DataError(f"{where}: must be an object")
    text, answers = entry.get("query"), entry.get("answerList")
    if not isinstance(text, str) or not text.strip():
        raise DataError(f"{where}: field 'query' is missing, empty or no text")
    if not isinstance(answers, list) or not all(isinstance(one, str) and one for one in answers):
        raise DataError(f"{where}: field 'answerList' must be a list of ids")
    wanted = tuple(dict.fromkeys(map(_storable, answers)))
    return _Asked(_storable(text), " ".join(sorted(wanted)), wanted)


def _storable(text: str) -> str:
    """Return the text with unpaired surrogates replaced: valid in JSON, but not in UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


_READERS: dict[str, Any] = {
    "annotations": _read_annotated,
    "questions": _read_questions,
    "answers": _read_cosbench,
}


def _write_queries(path: Path, asked: Sequence[_Asked], ids: dict[str, int]) -> None:
    positives = [sorted(ids[one] for one in query.wanted if one in ids) for query in asked]
    columns = {
        "query": range(len(asked)),
        "text": [query.text for query in asked],
        "group": [query.group for query in asked],
        "positives": positives,
        "at_hand": list(map(len, positives)),
        "published": [len(query.wanted) for query in asked],
    }
    write_table(path, pa.table(columns, QUERY_SCHEMA), QUERY_SCHEMA)


def _write_listing(path: Path, asked: Sequence[_Asked], made: FoundCode) -> None:
    records: list[tuple[object, ...]] = [
        (number, one[:_SHOWN], made.missing.get(one, "yes"))
        for number, query in enumerate(asked)
        for one in query.wanted
    ]
    records += [("", "", fault) for fault in made.faults]
    write_rows(path, LISTING_COLUMNS, name_cells(LISTING_COLUMNS, records))


def _find_repositories(raw: Iterable[Path]) -> set[str]:
    """Find the repositories of training pairs, in lower case."""
    found: set[str] = set()
    for path in raw:
        for table in iterate_tables(path, PAIR_SCHEMA, ["code_url"]):
            places = map(read_url, table["code_url"].to_pylist())
            found.update(place.repo.lower() for place in places if place is not None)
    return found


def _find_candidates(functions: Path, trained: Collection[str]) -> NDArray[np.int64]:
    """Find the ids of the pairs of parts and repositories without training pairs, ascending."""
    names = pa.array(sorted(trained), pa.string())
    found = [np.empty(0, np.int64)]
    columns = ["function_id", "repo", "part", "is_pair"]
    for table in iterate_tables(functions, FUNCTION_SCHEMA, columns):
        known = pc.is_in(pc.utf8_lower(table["repo"]), names)
        free = pc.and_(pc.not_equal(table["part"], _TRAINED), pc.invert(known))
        chosen = table.filter(pc.and_(free, table["is_pair"]))
        found.append(chosen["function_id"].to_numpy())
    return np.concatenate(found)


def _read_functions(functions: Path, ids: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Yield functions in the order of the ids."""
    columns = ["function_id", *FUNCTION_COLUMNS]
    wanted, rows = pa.array(np.sort(ids)), {}
    for table in iterate_tables(functions, FUNCTION_SCHEMA, columns):
        chosen = table.filter(pc.is_in(table["function_id"], wanted))
        rows.update({row["function_id"]: row for row in chosen.to_pylist()})
    yield from (rows[one] for one in ids.tolist())
