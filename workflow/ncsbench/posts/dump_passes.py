"""Two passes over a part of a dump: first its questions, then the answers to the chosen questions.

There are two because an answer may come before its question, or in another part. Only the first
pass reports broken rows, except for errors in a row that is known to be an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ncsbench.artifacts.storage import write_json
from ncsbench.posts.dump_options import PostSettings
from ncsbench.posts.part_files import (
    ALL_IDS,
    COUNTS,
    IDS,
    LEDGER,
    POSTS,
    TAKEN_IDS,
    IdSet,
    load_ids,
    open_records,
)
from ncsbench.posts.post_records import (
    ANSWER,
    QUESTION,
    UnreadablePostError,
    read_answer,
    read_identity,
    read_parent,
    read_question,
    read_tags,
)
from ncsbench.posts.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.row_xml import (
    ANSWER_WITHOUT_QUESTION,
    LONG_ROW,
    POST_LEDGER_SCHEMA,
    parse_row,
    read_head,
)
from ncsbench.posts.rows import RawRow, iterate_rows, part_range


def read_questions(settings: PostSettings, *, part: int, output: Path) -> None:
    """First pass: the questions with a wanted tag, and the ids of all questions.

    Args:
        settings: the dump, the tags, the number of parts.
        part: which part, from 0.
        output: folder for ``POSTS``, ``LEDGER``, ``IDS`` and ``COUNTS``.

    Raises:
        DataError: the dump cannot be unpacked, or is not in UTF-8.
        ConfigurationError: a compressed dump in several parts.
    """
    begin, end = part_range(settings.path, part, settings.parts)
    wanted, ids, kinds, rows = frozenset(settings.tags), IdSet(), Counter[int](), 0
    with (
        open_records(output / POSTS, POST_QUESTION_SCHEMA) as add_post,
        open_records(output / LEDGER, POST_LEDGER_SCHEMA) as add_error,
    ):
        for row in iterate_rows(settings.path, begin, end):
            if not isinstance(row, RawRow):
                rows += row.reason == LONG_ROW
                add_error(row._asdict())
                continue
            rows += 1
            attributes, error = read_head(row.offset, row.text)
            number = None
            try:
                if attributes is not None:
                    number, kind = read_identity(attributes)
                    kinds[kind] += 1
                    if kind == QUESTION:
                        ids.add(number)
                        tags = read_tags(attributes)
                        if not wanted.isdisjoint(tags):
                            add_post(read_question(_parse(row), number, tags, row.offset))
            except UnreadablePostError as problem:
                add_error(problem.ledger_line(row.offset, number)._asdict())
            if error:  # the ledger is by offset, and this may lie behind the row
                add_error(error._asdict())
    ids.save(output / IDS)
    types = {str(kind): count for kind, count in sorted(kinds.items())}
    write_json(output / COUNTS, {"rows": rows, "types": types})


def read_answers(settings: PostSettings, *, part: int, ids: Path, output: Path) -> None:
    """Second pass: the answers to the questions that were taken.

    Args:
        settings: the dump and the number of parts.
        part: which part, from 0.
        ids: folder of the ids of all questions and of those that were taken.
        output: folder for ``POSTS`` and ``LEDGER``.
    """
    begin, end = part_range(settings.path, part, settings.parts)
    questions, taken = load_ids(ids / ALL_IDS), load_ids(ids / TAKEN_IDS)
    with (
        open_records(output / POSTS, POST_ANSWER_SCHEMA) as add_post,
        open_records(output / LEDGER, POST_LEDGER_SCHEMA) as add_error,
    ):
        for row in iterate_rows(settings.path, begin, end):
            if not isinstance(row, RawRow):
                continue
            attributes = read_head(row.offset, row.text).attributes or {}
            try:
                number, kind = read_identity(attributes)
            except UnreadablePostError:  # reported by the first pass
                continue
            if kind != ANSWER:
                continue
            try:
                parent = read_parent(attributes)
                if parent in taken:
                    add_post(read_answer(_parse(row), number, parent, row.offset))
                elif parent not in questions:
                    raise UnreadablePostError(ANSWER_WITHOUT_QUESTION, f"question {parent}")
            except UnreadablePostError as problem:
                add_error(problem.ledger_line(row.offset, number)._asdict())


def _parse(row: RawRow) -> Mapping[str, str]:
    """All attributes of a row of which some were read before."""
    return parse_row(row.offset, row.text).attributes or {}
