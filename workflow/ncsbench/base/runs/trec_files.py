"""Runs as TREC files: ``query_id Q0 id rank score tag``, the tag being ``<name>@<corpus>``.

The query id is the position in the questions file, not the Stack Overflow id, because one id occurs
twice among the 287 questions (DEV-30). A run file holds nothing but run lines, so its tag names the
corpus of its method ids; a run of another tool may name no corpus.
"""

from __future__ import annotations

import gzip
import logging
import math
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import note_corpus, split_tag, tag_run
from ncsbench.base.files.hashes import check_file
from ncsbench.base.files.storage import atomic_path, write_text
from ncsbench.base.runs.rankings import Run, find_fault, ranks_in_run
from ncsbench.errors import DataError

_COLUMNS = 6
_MAX_QUERY_ID = np.iinfo(np.int32).max
_MAX_ID = np.iinfo(np.int64).max


def write_run(path: Path, run: Run, *, tag: str, corpus_hash: str | None = None) -> None:
    """Write ``run`` as a TREC run file, atomically; equal runs give equal bytes.

    Tools of the trec_eval family ignore the rank: they sort by score, which they hold in single
    precision, and break ties by the text of the id. So that they see the order of ``run``, a
    score that is not below its predecessor in single precision is written as the next smaller
    single-precision number; all others are written in full (shortest float64 text): DEV-31.
    Reading such a file and writing it again gives the same bytes.

    Args:
        path: file to write; compressed where its name ends in ``.gz``.
        run: rankings, ordered as ``base.runs.rankings.Run`` says.
        tag: name of the model, without white space.
        corpus_hash: the corpus that the ids belong to; None leaves the tag as it is.

    Raises:
        DataError: where ``run`` or ``tag`` cannot be written as a valid run file.
    """
    if not tag or tag.split() != [tag]:
        raise DataError(f"{path}: the run's tag {tag!r} must be one word without white space")
    if corpus_hash is not None:
        tag = tag_run(tag, corpus_hash)
    fault = find_fault(run)
    if fault is not None:
        raise DataError(f"{path}: query id {run.query_ids[fault[0]]}: {fault[1]}")
    written = zip(
        run.query_ids.tolist(),
        run.ids.tolist(),
        ranks_in_run(run).tolist(),
        _decreasing_scores(path, run),
        strict=True,
    )
    lines = [
        f"{query_id} Q0 {id_} {rank} {score!r} {tag}\n" for query_id, id_, rank, score in written
    ]
    if path.suffix != ".gz":
        write_text(path, "".join(lines))
        return
    with atomic_path(path) as temporary:
        # Arrow has its own compressor, whose bytes are the same with every Python.
        temporary.write_bytes(pa.compress("".join(lines).encode(), codec="gzip", asbytes=True))


def path_of_run(results: Path, model: str) -> Path:
    """Return the file of a model's rankings in the results of a dataset."""
    return results / "runs" / f"{model}.trec.gz"


def read_lines(path: Path) -> list[str]:
    """Read the lines of a text file, decompressed where its name ends in ``.gz``.

    Raises:
        DataError: where the file cannot be read, or is no UTF-8 text.
    """
    check_file(path)
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path}: is no whole gzip file ({error})") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text ({error})") from error


def read_run(path: Path) -> Run:
    """Read a TREC run file with this project's query ids; it may be compressed by gzip.

    A run whose tag names no corpus is of another tool, or of version 0.3.0 and before: it is read
    with a warning.

    Returns:
        The rankings in the order of the file; an empty file is an empty run.

    Raises:
        DataError: naming file and line, where a line does not have six columns, a column of numbers
            has something else, query ids do not ascend, ranks do not count from 1, scores increase,
            equal scores do not go by ascending id, an id occurs twice for one query, or the tag
            names another corpus than the line before, or than a file read before.
    """
    query_ids: list[int] = []
    ids: list[int] = []
    ranks: list[int] = []
    scores: list[float] = []
    corpus = None
    for number, line in enumerate(read_lines(path), start=1):
        columns = line.split()
        where = f"{path}, line {number}"
        if len(columns) != _COLUMNS:
            raise DataError(
                f"{where}: has {len(columns)} columns, not the six 'query_id Q0 id rank score tag'"
            )
        query_ids.append(parse_whole(columns[0], "query id", where, low=1, high=_MAX_QUERY_ID))
        ids.append(parse_whole(columns[2], "method id", where, low=0, high=_MAX_ID))
        ranks.append(parse_whole(columns[3], "rank", where, low=1, high=_MAX_QUERY_ID))
        scores.append(parse_score(columns[4], where))
        found = split_tag(columns[5])[1]
        if corpus not in (None, found):
            raise DataError(f"{where}: the tag names another corpus than in line {number - 1}")
        corpus = found
    run = Run(
        query_ids=np.array(query_ids, dtype=np.int32),
        ids=np.array(ids, dtype=np.int64),
        scores=np.array(scores, dtype=np.float64),
    )
    fault = find_fault(run)
    if fault is not None:
        raise DataError(f"{path}, line {fault[0] + 1}: {fault[1]}")
    wrong = np.flatnonzero(np.array(ranks, dtype=np.int32) != ranks_in_run(run))
    if len(wrong):
        raise DataError(f"{path}, line {wrong[0] + 1}: ranks must count 1, 2, 3, ... in each query")
    if corpus:
        note_corpus(path, corpus)
    elif corpus is not None:
        logging.getLogger("runs").warning(
            "%s: the tag names no corpus (<name>@<first 12 digits of its hash>); the method ids "
            "are taken for those of the present corpus",
            path,
        )
    return run


def write_qrels(
    path: Path,
    *,
    query_ids: NDArray[np.int32],
    ids: NDArray[np.int64],
    relevant: NDArray[np.bool_],
    questions: NDArray[np.int32],
) -> None:
    """Write accepted pairs as TREC qrels, one line ``query_id 0 id 1`` each, atomically.

    Tools of the trec_eval family take means over the questions of the qrels. So a question without
    an accepted pair has one line, too, ``query_id 0 id 0``: the lowest id that was retrieved for
    the question, else 0, which represents no method here.

    Args:
        path: file to write.
        query_ids: query ids of the retrieved pairs, shape (n,), in any order.
        ids: method ids, shape (n,); a pair given twice is written once.
        relevant: True where the pair is accepted, shape (n,).
        questions: query ids of all evaluated questions.
    """
    pairs = set(zip(query_ids[relevant].tolist(), ids[relevant].tolist(), strict=True))
    lines = [(query_id, id_, 1) for query_id, id_ in pairs]
    for query_id in set(questions.tolist()).difference(query_id for query_id, _ in pairs):
        lines.append((query_id, int(min(ids[query_ids == query_id], default=0)), 0))
    write_text(
        path, "".join(f"{query_id} 0 {id_} {grade}\n" for query_id, id_, grade in sorted(lines))
    )


def _decreasing_scores(path: Path, run: Run) -> list[float]:
    """Return scores that strictly decrease in each query, also in single precision (DEV-31)."""
    limit = np.finfo(np.float32).max
    if np.any(np.abs(run.scores) >= limit):
        raise DataError(f"{path}: scores must lie between {-limit} and {limit}")
    written: list[float] = []
    query_id, previous = -1, np.float32(np.inf)
    for next_query, score in zip(run.query_ids.tolist(), run.scores.tolist(), strict=True):
        single = np.float32(score)
        if next_query == query_id and single >= previous:
            single = np.nextafter(previous, np.float32(-np.inf))
            score = float(single)  # noqa: PLW2901
        written.append(score)
        query_id, previous = next_query, single
    return written


def parse_whole(text: str, name: str, where: str, *, low: int, high: int) -> int:
    """Read a whole number; ``DataError`` with its name and ``where`` for another text."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(high)):
        value = int(text)
        if low <= value <= high:
            return value
    raise DataError(f"{where}: the {name} {text[:60]!r} is not a whole number from {low} to {high}")


def parse_score(text: str, where: str, *, below: float = math.inf) -> float:
    """Read a score, smaller than ``below`` in absolute value; ``DataError`` for another text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) < below:
        raise DataError(f"{where}: the score {text[:60]!r} is not a finite number")
    return value
