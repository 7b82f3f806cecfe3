"""Merging of the parts of a dump, in the order of the file, each id once; reading whole dumps."""

from __future__ import annotations

import heapq
import logging
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import (
    iterate_row_groups,
    iterate_tables,
    read_json,
    write_json,
    write_tables,
)
from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.dump_passes import (
    ALL_IDS,
    COUNTS,
    IDS,
    LEDGER,
    POSTS,
    TAKEN_IDS,
    IdSet,
    open_records,
    part_folders,
    read_answers,
    read_questions,
    regroup,
)
from ncsbench.posts.dump.other_files import name_authors, write_users
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.dump.row_xml import DUPLICATE_ID, POST_LEDGER_SCHEMA, LedgerLine

QUESTIONS, ANSWERS = "questions.parquet", "answers.parquet"

_SCHEMAS = {QUESTIONS: POST_QUESTION_SCHEMA, ANSWERS: POST_ANSWER_SCHEMA}
_logger = logging.getLogger(__name__)


def read_dump(settings: PostSettings, output: Path) -> None:
    """Read questions, answers, ledger and counts of a dump into a folder.

    Ledger and counts are also written where too many rows are broken.

    Raises:
        DataError: where too many rows are broken, or the dump cannot be read at all.
    """
    output.mkdir(parents=True, exist_ok=True)
    # Files of an earlier run must not remain if this run stops.
    for name in (QUESTIONS, ANSWERS, LEDGER, COUNTS):
        (output / name).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".parts-") as folder:
        questions, ids, answers = (Path(folder) / name for name in ("questions", "ids", "answers"))
        for part, made in enumerate(part_folders(questions, settings.parts)):
            read_questions(settings, part=part, output=made)
        join_ids(settings, questions, ids)
        for part, made in enumerate(part_folders(answers, settings.parts)):
            read_answers(settings, part=part, ids=ids, output=made)
        join_ledgers(settings, questions, answers, output)
        users = None
        if settings.users is not None:
            users = Path(folder) / "users.parquet"
            write_users(settings, questions, answers, users)
        merge_posts(settings, output / COUNTS, questions, answers, output, users)


def join_ids(settings: PostSettings, questions: Path, output: Path) -> None:
    """Join the ids of questions that the first pass over a dump found, for the second pass.

    Args:
        settings: the number of parts.
        questions: folder of the first pass, a part in each folder.
        output: folder for the ids of all questions and of the questions that were taken.
    """
    parts = part_folders(questions, settings.parts)
    known = IdSet()
    for part in parts:
        known.update(part / IDS)
    known.save(output / ALL_IDS)
    del known  # each may take 128 MiB
    taken = IdSet()
    for number in _read_column(parts, QUESTIONS, "id").tolist():
        taken.add(number)
    taken.save(output / TAKEN_IDS)


def join_ledgers(settings: PostSettings, questions: Path, answers: Path, output: Path) -> None:
    """Join the ledgers of all parts of a dump, by offset, and their counts.

    Args:
        settings: the number of parts.
        questions: folder of the first pass, a part in each folder.
        answers: folder of the second pass.
        output: folder for ``ledger.parquet`` and ``counts.json``.
    """
    asked, answered = (part_folders(made, settings.parts) for made in (questions, answers))
    firsts, duplicates = _find_firsts(asked, answered)
    ledgers = _iterate_ledgers(asked), _iterate_ledgers(answered), duplicates
    reasons: Counter[str] = Counter()
    first: int | None = None
    with open_records(output / LEDGER, POST_LEDGER_SCHEMA) as add_error:
        for error in heapq.merge(*ledgers, key=lambda error: error.offset):
            first = error.offset if first is None else first
            reasons[error.reason] += 1
            add_error(error._asdict())
    counts = [read_json(part / COUNTS) for part in asked]
    kinds = sum((Counter(count["types"]) for count in counts), Counter[str]())
    total = {
        "rows": sum(count["rows"] for count in counts),
        "types": {kind: kinds[kind] for kind in sorted(kinds, key=int)},
        "questions": int(firsts[QUESTIONS].sum()),
        "answers": int(firsts[ANSWERS].sum()),
        "ledger": dict(sorted(reasons.items())),
        "first_offset": first,
    }
    write_json(output / COUNTS, total)


def _check_counts(settings: PostSettings, counts: Path) -> None:
    """Warn of broken rows; raise ``DataError`` where a dump has too many of them, or no rows."""
    total: dict[str, Any] = read_json(counts)
    rows, reasons = total["rows"], total["ledger"]
    broken = sum(reasons.values())
    if not rows:
        raise DataError(
            f"{settings.path}: has no rows of posts; it must be XML in UTF-8, gzip or 7z"
        )
    listed = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    where = f"the first at byte {total['first_offset']}, all in {counts.with_name(LEDGER)}"
    if min(1.0, broken / rows) > settings.maximum_broken:
        raise DataError(
            f"{settings.path}: {broken} errors in {rows} rows are more than the share of"
            f" {settings.maximum_broken:g} that is allowed: {listed}; {where}"
        )
    if broken:
        _logger.warning(
            "%s: %d errors in %d rows (%s), %s", settings.path, broken, rows, listed, where
        )


def merge_posts(
    settings: PostSettings,
    counts: Path,
    questions: Path,
    answers: Path,
    output: Path,
    users: Path | None = None,
) -> None:
    """Join the posts of all parts of a dump, unless too many rows are broken.

    Args:
        settings: the number of parts, and the largest share of broken rows.
        counts: file of the counts of ``join_ledgers``, beside the ledger.
        questions: folder of the first pass, a part in each folder.
        answers: folder of the second pass.
        output: folder for ``questions.parquet`` and ``answers.parquet``.
        users: names of authors, as Parquet; without this file, few posts have names of authors.

    Raises:
        DataError: where too many rows are broken, or the dump has no rows.
    """
    _check_counts(settings, counts)
    asked, answered = (part_folders(made, settings.parts) for made in (questions, answers))
    firsts, _ = _find_firsts(asked, answered)
    for file, parts in ((QUESTIONS, asked), (ANSWERS, answered)):
        posts = name_authors(_iterate_firsts(parts, file, firsts[file]), users)
        write_tables(output / file, regroup(posts), _SCHEMAS[file])


def _iterate_firsts(
    parts: Iterable[Path], file: str, firsts: NDArray[np.bool_]
) -> Iterator[pa.Table]:
    start = 0
    for part in parts:
        for _, table in iterate_row_groups(part / POSTS, _SCHEMAS[file]):
            yield table.filter(pa.array(firsts[start : start + len(table)]))
            start += len(table)


def _find_firsts(
    questions: Sequence[Path], answers: Sequence[Path]
) -> tuple[dict[str, NDArray[np.bool_]], list[LedgerLine]]:
    """Find the posts that are the first with their id, and write a line about each other post.

    An id counts once over questions and answers together, in the order of the dump.

    Returns:
        A mask by file, True for the first post with an id, bool, shape (posts,); ledger lines.
    """
    files = ((questions, QUESTIONS), (answers, ANSWERS))
    asked, answered = (_read_column(parts, file, "offset") for parts, file in files)
    offsets = np.concatenate([asked, answered])
    ids = np.concatenate([_read_column(parts, file, "id") for parts, file in files])
    order = np.argsort(offsets)
    firsts = np.zeros(len(ids), bool)
    firsts[order[np.unique(ids[order], return_index=True)[1]]] = True
    duplicates = [
        LedgerLine(int(offsets[post]), int(ids[post]), DUPLICATE_ID, "an earlier post has this id")
        for post in order[~firsts[order]]
    ]
    return {QUESTIONS: firsts[: len(asked)], ANSWERS: firsts[len(asked) :]}, duplicates


def _read_column(parts: Iterable[Path], file: str, column: str) -> NDArray[np.int64]:
    """Read a column of the posts of all parts, int64, shape (posts,)."""
    tables = (iterate_tables(part / POSTS, _SCHEMAS[file], [column]) for part in parts)
    found = [table[column].to_numpy() for table in chain.from_iterable(tables)]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _iterate_ledgers(parts: Iterable[Path]) -> Iterator[LedgerLine]:
    for part in parts:
        for table in iterate_tables(part / LEDGER, POST_LEDGER_SCHEMA):
            yield from (LedgerLine(**line) for line in table.to_pylist())
