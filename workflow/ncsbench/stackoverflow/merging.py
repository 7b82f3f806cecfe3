"""The parts of a dump joined, in the order of the file and each id once."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.errors import DataError
from ncsbench.records import POST_ANSWER_SCHEMA, POST_LEDGER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.stackoverflow.id_sets import IdSet
from ncsbench.stackoverflow.reading import ALL_IDS, COUNTS, IDS, LEDGER, POSTS, TAKEN_IDS
from ncsbench.stackoverflow.record_files import RecordFile, iterate_groups, regroup
from ncsbench.stackoverflow.settings import PostSettings
from ncsbench.stackoverflow.troubles import DUPLICATE_ID, Trouble
from ncsbench.stackoverflow.users import name_authors
from ncsbench.storage import iterate_tables, read_json, write_json, write_tables

QUESTIONS, ANSWERS = "questions.parquet", "answers.parquet"


def join_ids(questions: Sequence[Path], output: Path) -> None:
    """After the first pass: which ids are questions, and which of them were taken.

    Args:
        questions: folders of the parts, in the order of the dump.
        output: folder for ``ALL_IDS`` and ``TAKEN_IDS``.
    """
    known = IdSet()
    for part in questions:
        known.update(part / IDS)
    known.save(output / ALL_IDS)
    del known  # each may take 128 MiB
    taken = IdSet()
    for number, _ in _iterate_places(questions, POST_QUESTION_SCHEMA):
        taken.add(number)
    taken.save(output / TAKEN_IDS)


def join_ledgers(questions: Sequence[Path], answers: Sequence[Path], output: Path) -> None:
    """After the second pass: all that was wrong, by offset, and what was counted.

    Args:
        questions: folders of the first pass, in the order of the dump.
        answers: folders of the second pass.
        output: folder for ``LEDGER`` and ``COUNTS``.
    """
    reasons: Counter[str] = Counter()
    first: int | None = None
    troubles = heapq.merge(
        _iterate_ledgers(questions),
        _iterate_ledgers(answers),
        _find_duplicates(questions, POST_QUESTION_SCHEMA),
        _find_duplicates(answers, POST_ANSWER_SCHEMA),
        key=lambda trouble: trouble.offset,
    )
    with RecordFile(output / LEDGER, POST_LEDGER_SCHEMA) as ledger:
        for trouble in troubles:
            first = trouble.offset if first is None else first
            reasons[trouble.reason] += 1
            ledger.add(trouble._asdict())
    counts = [read_json(part / COUNTS) for part in questions]
    kinds: Counter[str] = Counter()
    for count in counts:
        kinds.update(count["types"])
    total = {
        "rows": sum(count["rows"] for count in counts),
        "types": {kind: kinds[kind] for kind in sorted(kinds, key=int)},
        "questions": _count_distinct(questions, POST_QUESTION_SCHEMA),
        "answers": _count_distinct(answers, POST_ANSWER_SCHEMA),
        "ledger": dict(sorted(reasons.items())),
        "first_offset": first,
    }
    write_json(output / COUNTS, total)


def check_counts(settings: PostSettings, counts: Path) -> None:
    """Raise ``DataError`` where too much of a dump is broken, or it has no rows."""
    total: dict[str, Any] = read_json(counts)
    rows, reasons = total["rows"], total["ledger"]
    broken = sum(reasons.values())
    if not rows:
        raise DataError(f"{settings.path}: has no rows of posts")
    if min(1.0, broken / rows) > settings.maximum_broken:
        listed = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
        raise DataError(
            f"{settings.path}: {broken} troubles in {rows} rows are more than the share of"
            f" {settings.maximum_broken:g} that is allowed: {listed}; the first at byte"
            f" {total['first_offset']}, all in {counts.with_name(LEDGER)}"
        )


def merge_posts(
    questions: Sequence[Path], answers: Sequence[Path], output: Path, users: Path | None = None
) -> None:
    """Write ``QUESTIONS`` and ``ANSWERS`` from the parts of both passes.

    Args:
        questions: folders of the first pass, in the order of the dump.
        answers: folders of the second pass.
        output: folder for the two files.
        users: names of authors (``users.USER_SCHEMA``); None leaves them out.
    """
    for name, parts, schema in (
        (QUESTIONS, questions, POST_QUESTION_SCHEMA),
        (ANSWERS, answers, POST_ANSWER_SCHEMA),
    ):
        posts = name_authors(_iterate_distinct(parts, schema), users)
        write_tables(output / name, regroup(posts), schema)


def _iterate_distinct(parts: Iterable[Path], schema: pa.Schema) -> Iterator[pa.Table]:
    seen = IdSet()
    for part in parts:
        for table in iterate_groups(part / POSTS, schema):
            new = [seen.add(number) for number in table["id"].to_pylist()]
            yield table if all(new) else table.filter(pa.array(new))


def _iterate_places(parts: Iterable[Path], schema: pa.Schema) -> Iterator[tuple[int, int]]:
    for part in parts:
        for table in iterate_tables(part / POSTS, schema, ["id", "offset"]):
            yield from zip(table["id"].to_pylist(), table["offset"].to_pylist(), strict=True)


def _find_duplicates(parts: Iterable[Path], schema: pa.Schema) -> Iterator[Trouble]:
    seen = IdSet()
    for number, offset in _iterate_places(parts, schema):
        if not seen.add(number):
            yield Trouble(offset, number, DUPLICATE_ID, "an earlier post has this id")


def _count_distinct(parts: Iterable[Path], schema: pa.Schema) -> int:
    seen = IdSet()
    return sum(seen.add(number) for number, _ in _iterate_places(parts, schema))


def _iterate_ledgers(parts: Iterable[Path]) -> Iterator[Trouble]:
    tables = chain.from_iterable(
        iterate_tables(part / LEDGER, POST_LEDGER_SCHEMA) for part in parts
    )
    for table in tables:
        yield from (Trouble(**line) for line in table.to_pylist())
