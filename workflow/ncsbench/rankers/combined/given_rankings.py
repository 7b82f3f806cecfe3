"""Runs of other tools, read and checked against a corpus and the questions that they answer.

Their format is TREC's or Parquet; lines may have any order.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ncsbench.base.files.corpus_stamps import split_tag
from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.runs.trec_files import parse_score, parse_whole
from ncsbench.corpus.layout.document_ids import (
    Place,
    find_methods,
    read_document_id,
    write_document_id,
)
from ncsbench.corpus.layout.documents import MethodList
from ncsbench.errors import DataError

QUESTION_COLUMNS = ("query_id", "title_sha256")
"""Columns of the file that lists the questions that a run answers."""
_DIGITS = 16
_COLUMNS = 6
_DOCUMENTS = (("document",), ("id",), ("repository", "path", "start_line"))
_MOST = 2**31 - 1
_LARGEST_SCORE = 3.4e38
"""The largest score: tools of the trec_eval family have scores in single precision."""


class GivenResult(NamedTuple):
    """One line of a run.

    Attributes:
        line: number of the line in the file, from 1; in Parquet number of the row.
        query_id: id of the question.
        document: the method that was found, as the file names it.
        rank: rank in the file.
        score: score, finite.
    """

    line: int
    query_id: int
    document: str
    rank: int
    score: float


def read_given_run(path: Path, *, corpus_hash: str, named: bool = False) -> list[GivenResult]:
    """Read a run of another tool, ordered by query id and rank.

    The rank decides the order; ranks may begin at any number. Scores may be equal, but no score may
    be above the score of a better rank.

    Args:
        path: file of lines ``query_id Q0 document rank score tag``; blank lines are skipped; the
            file is gzipped where its name ends in ``.gz``. A name that ends in ``.parquet`` is that
            of a table with ``query_id``, ``rank`` and ``score`` (one of the two is enough) and
            ``document``, ``id``, or ``repository``, ``path`` and ``start_line``.
        corpus_hash: hash of the corpus that the run must be of, where a tag ends in ``@`` and a
            hash.
        named: True where every tag must end in ``@`` and a hash.

    Raises:
        DataError: naming file and line, where a line does not have six columns or has no number
            where it needs one, a query has a rank twice, or rank and score disagree; for a tag of
            another corpus or, with ``named``, of no corpus, and for a file without a result.
    """
    read = _read_table if path.suffix == ".parquet" else _read
    results = sorted(read(path, corpus_hash, named), key=lambda one: (one.query_id, one.rank))
    if not results:
        raise DataError(f"{path}: holds no result; a run has lines 'query_id Q0 id rank score tag'")
    _check_order(path, results)
    return results


def _read(path: Path, corpus_hash: str, named: bool) -> Iterator[GivenResult]:
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no regular file; name a run in the format of TREC")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from _read_lines(path, file, corpus_hash, named)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read ({reason})") from error


def _read_lines(
    path: Path, lines: Iterable[bytes], corpus_hash: str, named: bool
) -> Iterator[GivenResult]:
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        try:
            # Only ASCII blanks separate columns: a path may contain other blanks.
            columns = [column.decode("utf-8") for column in line.split()]
        except UnicodeDecodeError as error:
            raise DataError(f"{where}: is not UTF-8 text") from error
        if number == 1 and columns:
            columns[0] = columns[0].removeprefix("\ufeff")
        if not columns:
            continue
        if len(columns) != _COLUMNS:
            raise DataError(
                f"{where}: has {len(columns)} columns, not the six 'query_id Q0 id rank score "
                "tag'; a blank in a path is written %20"
            )
        said = split_tag(columns[5])[1]
        if named and not said:
            raise DataError(
                f"{where}: the tag {columns[5][:60]!r} does not end in '@' and the hash of the "
                "corpus that was searched; name it: --corpus HASH, 'corpus_hash' in corpus.json "
                "of an export or of results/<dataset>"
            )
        if said and not corpus_hash.startswith(said):
            raise DataError(
                f"{where}: the tag says that the run is of corpus {said}, not of "
                f"{corpus_hash[:12]}; make it from the files of this corpus"
            )
        yield GivenResult(
            line=number,
            query_id=parse_whole(columns[0], "query id", where, low=0, high=_MOST),
            document=columns[2],
            rank=parse_whole(columns[3], "rank", where, low=0, high=_MOST),
            score=parse_score(columns[4], where, below=_LARGEST_SCORE),
        )


def _read_table(path: Path, corpus_hash: str, named: bool) -> Iterator[GivenResult]:
    """Yield the rows of a Parquet file as results."""
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    said = (table.schema.metadata or {}).get(b"corpus_hash", b"").decode(errors="replace")
    if (said or named) and said != corpus_hash:
        raise DataError(
            f"{path}: is of corpus {said[:12] or 'unknown'}, not of {corpus_hash[:12]}; where it "
            "is of this one, say so: --corpus HASH"
        )
    names = next((one for one in _DOCUMENTS if set(one) <= set(table.column_names)), None)
    order = [one for one in ("rank", "score") if one in table.column_names]
    if names is None or not order or "query_id" not in table.column_names:
        raise DataError(
            f"{path}: has columns {', '.join(table.column_names)[:200]}; a run has query_id, rank "
            "or score, and document, id, or repository, path and start_line"
        )
    if "rank" not in order:
        table = table.sort_by([("query_id", "ascending"), ("score", "descending")])
    seen: Counter[int] = Counter()
    for number, row in enumerate(table.to_pylist(), start=1):
        where = f"{path}, row {number}"
        query_id = parse_whole(str(row["query_id"]), "query id", where, low=0, high=_MOST)
        seen[query_id] += 1
        rank = parse_whole(str(row.get("rank", seen[query_id])), "rank", where, low=0, high=_MOST)
        score = parse_score(str(row.get("score", -rank)), where, below=_LARGEST_SCORE)
        texts = [str(row[name]) for name in names]
        if len(texts) > 1:
            line = parse_whole(texts[2], "first line", where, low=0, high=_MOST)
            texts = [write_document_id(Place(f"{texts[0]}/{texts[1]}", line))]
        yield GivenResult(number, query_id, texts[0], rank, score)


def _check_order(path: Path, results: Sequence[GivenResult]) -> None:
    for before, result in itertools.pairwise(results):
        if before.query_id != result.query_id:
            continue
        where = f"{path}, line {result.line}"
        if before.rank == result.rank:
            raise DataError(
                f"{where}: rank {result.rank} of query {result.query_id} stands in line "
                f"{before.line} too; ranks of a query count 1, 2, 3, ..."
            )
        if before.score < result.score:
            raise DataError(
                f"{where}: score {result.score:g} of query {result.query_id} at rank {result.rank} "
                f"is above {before.score:g} at rank {before.rank}, in line {before.line}; the best "
                "has the highest score and rank 1"
            )


def read_rankings(
    path: Path, corpus: MethodList, asked: Mapping[int, int], *, named: bool = False
) -> Run:
    """Read a run of another tool as method ids.

    The order is that of the ranks in the file: of equal scores every one but the first is replaced
    by the next lower number, since methods with equal scores would be ordered by method id.

    Args:
        path: file of the run; documents are method ids, or ids as in
            ``corpus.layout.document_ids``.
        corpus: the corpus that was searched.
        asked: hashes of titles of questions by query id.
        named: True where every tag must name the corpus.

    Raises:
        DataError: naming file and line, for a file that is no run (``read_given_run``), and
            where there is no such method or question, or a question has a method twice.
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
    """Write the list of the questions that a run answers."""
    rows = (
        {"query_id": str(one.query_id), "title_sha256": f"{hash_title(one.text):0{_DIGITS}x}"}
        for one in queries
    )
    write_rows(path, QUESTION_COLUMNS, rows)


def read_asked(path: Path) -> dict[int, int]:
    """Read the hashes of the titles of questions by query id, at least one.

    Raises:
        DataError: where ``write_asked`` did not write the file.
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
    """Return the first 64 bits of the SHA-256 of the title of a question."""
    return int(hashlib.sha256(title.encode()).hexdigest()[:_DIGITS], 16)


def _find_ids(
    path: Path, results: Sequence[GivenResult], corpus: MethodList, methods: int
) -> list[int]:
    """Find the method id of the document of every result."""
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
    """Return scores that decrease strictly within each query."""
    scores: list[float] = []
    query_id = -1
    for result in results:
        score = result.score
        if result.query_id == query_id and score >= scores[-1]:
            score = float(np.nextafter(scores[-1], -np.inf))
        scores.append(score)
        query_id = result.query_id
    return scores
