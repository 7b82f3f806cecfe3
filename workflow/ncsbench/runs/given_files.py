"""TREC runs of other tools: documents are texts, lines may stand in any order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ncsbench.artifacts.corpus_stamps import split_tag
from ncsbench.errors import DataError

_COLUMNS = 6
_MOST = 2**31 - 1
_LARGEST_SCORE = 3.4e38
"""Tools of the trec_eval family hold scores in single precision."""


class GivenResult(NamedTuple):
    """One line of a run.

    Attributes:
        line: its number in the file, from 1.
        query_id: of the question.
        document: what was found, as the file names it.
        rank: as the file says it.
        score: finite.
    """

    line: int
    query_id: int
    document: str
    rank: int
    score: float


def read_given_run(path: Path, *, corpus_hash: str, named: bool = False) -> list[GivenResult]:
    """Read a run of another tool, ordered by query id and rank.

    The rank says the order, from whichever number it counts; scores may be equal, but none above
    that of a better rank.

    Args:
        path: lines ``query_id Q0 document rank score tag``; blank ones count for nothing.
        corpus_hash: of the corpus that it must be of, where its tag ends in ``@`` and a hash.
        named: whether every tag must end so.

    Raises:
        DataError: naming file and line, where a line does not have six columns, a number is none,
            a rank is there twice for a query, or rank and score disagree; for a tag of another
            corpus or, with ``named``, of none, and for a file without a result.
    """
    results = sorted(_read(path, corpus_hash, named), key=lambda one: (one.query_id, one.rank))
    if not results:
        raise DataError(f"{path}: holds no result; a run has lines 'query_id Q0 id rank score tag'")
    _check_order(path, results)
    return results


def _read(path: Path, corpus_hash: str, named: bool) -> Iterator[GivenResult]:
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no regular file; name a run in the format of TREC")
    try:
        with path.open("rb") as file:
            yield from _read_lines(path, file, corpus_hash, named)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def _read_lines(
    path: Path, lines: Iterable[bytes], corpus_hash: str, named: bool
) -> Iterator[GivenResult]:
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        try:
            # Only ASCII blanks part columns: a path may have others.
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
            query_id=_whole(columns[0], "query id", where),
            document=columns[2],
            rank=_whole(columns[3], "rank", where),
            score=_score(columns[4], where),
        )


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


def _whole(text: str, name: str, where: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST)) and int(text) <= _MOST:
        return int(text)
    raise DataError(f"{where}: the {name} {text[:60]!r} is not a whole number up to {_MOST}")


def _score(text: str, where: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not abs(score) < _LARGEST_SCORE:
        raise DataError(f"{where}: the score {text[:60]!r} is not a finite number")
    return score
