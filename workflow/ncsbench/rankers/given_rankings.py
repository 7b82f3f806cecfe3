"""Runs made elsewhere, held against a corpus and against the questions that they answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ncsbench.artifacts.csv_tables import read_rows, write_rows
from ncsbench.corpus.document_ids import find_methods, read_document_id
from ncsbench.corpus.documents import MethodList
from ncsbench.errors import DataError
from ncsbench.rankers.given_files import GivenResult, read_given_run
from ncsbench.runs.rankings import Query, Run

QUESTION_COLUMNS = ("query_id", "title_sha256")
"""Columns of the file that says which questions a run answers."""
_DIGITS = 16


def read_rankings(
    path: Path, corpus: MethodList, asked: Mapping[int, int], *, named: bool = False
) -> Run:
    """Read a run of another tool as method ids.

    Ranks are those of the file: of equal scores every one but the first is written as the next
    lower number, since equal ones would be ordered by method id.

    Args:
        path: the run; documents are method ids, or ids as ``corpus.document_ids`` has them.
        corpus: the corpus that it is of.
        asked: questions by query id.
        named: whether every tag must name the corpus.

    Raises:
        DataError: naming file and line, for a file that is no run (``rankers.given_files``), and
            where there is no such method or question, or a method is there twice for one.
    """
    manifest = corpus.manifest()
    results = read_given_run(path, corpus_hash=manifest["corpus_hash"], named=named)
    for result in results:
        if result.query_id not in asked:
            raise DataError(
                f"{path}, line {result.line}: there is no question {result.query_id}; the query id "
                f"is the number of a question, and there are {len(asked)}, from {min(asked)}"
            )
    ids = _find_ids(path, results, corpus, int(manifest["methods"]))
    _check_once(path, results, ids)
    return Run(
        query_ids=np.array([result.query_id for result in results], dtype=np.int32),
        ids=np.array(ids, dtype=np.int64),
        scores=np.array(_lower_equal(results), dtype=np.float64),
    )


def write_asked(path: Path, queries: Iterable[Query]) -> None:
    """Write which questions a run answers."""
    rows = (
        {"query_id": str(one.query_id), "title_sha256": f"{hash_title(one.text):0{_DIGITS}x}"}
        for one in queries
    )
    write_rows(path, QUESTION_COLUMNS, rows)


def read_asked(path: Path) -> dict[int, int]:
    """Hashes of the titles of questions by query id, at least one.

    Raises:
        DataError: where the file is none that ``write_asked`` wrote.
    """
    try:
        rows = read_rows(path, QUESTION_COLUMNS)
        found = {int(row["query_id"]): int(row["title_sha256"], 16) for row in rows}
    except ValueError as error:
        raise DataError(f"{path}: is damaged; add the run again: ncsbench runs add") from error
    if not found or not all(0 < id_ < 2**31 and 0 <= h < 2**64 for id_, h in found.items()):
        raise DataError(f"{path}: is damaged; add the run again: ncsbench runs add")
    return found


def hash_title(title: str) -> int:
    """The first 64 bits of the SHA-256 of the title of a question."""
    return int(hashlib.sha256(title.encode()).hexdigest()[:_DIGITS], 16)


def _find_ids(
    path: Path, results: Sequence[GivenResult], corpus: MethodList, methods: int
) -> list[int]:
    """The method of every result."""
    documents = {result.document for result in results}
    numbers = {text: int(text) for text in documents if text.isascii() and text.isdigit()}
    places = {text: read_document_id(text) for text in documents - numbers.keys()}
    found = find_methods(corpus, filter(None, places.values()))
    known = {text: id_ for text, id_ in numbers.items() if id_ < methods}
    known |= {text: found[place] for text, place in places.items() if place in found}
    unknown = documents - known.keys()
    if not unknown:
        return [known[result.document] for result in results]
    first = min((one for one in results if one.document in unknown), key=lambda one: one.line)
    others = len(unknown) - 1
    more = f" (nor {others:,} other{'s' * (others > 1)} of the file)" if others else ""
    if first.document in numbers:
        reason = f"method ids are from 0 to {methods - 1}"
    elif places[first.document] is None:
        reason = "it is neither a method id nor owner/repo/path/File.java:line"
    else:
        reason = f"no method of {corpus.path} has its name on that line of such a file"
    raise DataError(
        f"{path}, line {first.line}: document {first.document[:200]!r} is unknown{more}: {reason}"
    )


def _check_once(path: Path, results: Sequence[GivenResult], ids: Sequence[int]) -> None:
    lines: dict[tuple[int, int], int] = {}
    for result, id_ in zip(results, ids, strict=True):
        before = lines.setdefault((result.query_id, id_), result.line)
        if before != result.line:
            raise DataError(
                f"{path}, line {result.line}: {result.document[:200]!r} is method {id_}, which "
                f"line {before} ranks for query {result.query_id} too; a method is ranked once"
            )


def _lower_equal(results: Sequence[GivenResult]) -> list[float]:
    """Scores that decrease strictly within each query."""
    scores: list[float] = []
    query_id = -1
    for result in results:
        score = result.score
        if result.query_id == query_id and score >= scores[-1]:
            score = float(np.nextafter(scores[-1], -np.inf))
        scores.append(score)
        query_id = result.query_id
    return scores
