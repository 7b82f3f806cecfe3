"""Two passes over a part of a dump: first its questions, then the answers to the chosen questions.

There are two because an answer may come before its question, or in another part. Only the first
pass reports broken rows, except for errors in a row that is known to be an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ncsbench.artifacts.storage import write_json
from ncsbench.posts.dump_options import PostSettings
from ncsbench.posts.id_sets import IdSet, load_ids
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
from ncsbench.posts.row_groups import RecordFile
from ncsbench.posts.row_xml import (
    ANSWER_WITHOUT_QUESTION,
    LONG_ROW,
    POST_LEDGER_SCHEMA,
    LedgerLine,
    parse_row,
    read_head,
)
from ncsbench.posts.rows import RawRow, iterate_rows, part_range

POSTS, LEDGER, IDS, COUNTS = "posts.parquet", "ledger.parquet", "ids.npy", "counts.json"
"""Files of a part: its posts, ledger lines, ids of all its questions, numbers of its rows."""

ALL_IDS, TAKEN_IDS = "all.npy", "taken.npy"
"""Files between the passes: ids of all questions of the dump, and of those that were taken."""


class _QuestionPass:
    def __init__(self, tags: Sequence[str], posts: RecordFile, ledger: RecordFile) -> None:
        self._tags = frozenset(tags)
        self._posts, self._ledger = posts, ledger
        self.ids = IdSet()
        self.kinds: Counter[int] = Counter()
        self.rows = 0

    def read(self, row: RawRow) -> None:
        """Keep what a row gives."""
        self.rows += 1
        attributes, error = read_head(row.offset, row.text)
        if attributes is not None:
            self._keep(attributes, row)
        if error:  # the ledger is by offset, and this may lie behind the row
            self.report(error)

    def _keep(self, attributes: Mapping[str, str], row: RawRow) -> None:
        number = None
        try:
            number, kind = read_identity(attributes)
            self.kinds[kind] += 1
            if kind != QUESTION:
                return
            self.ids.add(number)
            tags = read_tags(attributes)
            if not self._tags.isdisjoint(tags):
                self._posts.add(read_question(_parse(row), number, tags, row.offset))
        except UnreadablePostError as problem:
            self.report(problem.ledger_line(row.offset, number))

    def report(self, error: LedgerLine) -> None:
        """Write a line of the ledger."""
        self._ledger.add(error._asdict())


class _AnswerPass:
    def __init__(
        self, questions: IdSet, taken: IdSet, posts: RecordFile, ledger: RecordFile
    ) -> None:
        self._questions, self._taken = questions, taken
        self._posts, self._ledger = posts, ledger

    def read(self, row: RawRow) -> None:
        """Keep the answer that a row is."""
        attributes, _ = read_head(row.offset, row.text)
        if attributes is None:
            return
        try:
            number, kind = read_identity(attributes)
        except UnreadablePostError:  # reported by the first pass
            return
        if kind != ANSWER:
            return
        try:
            parent = read_parent(attributes)
            if parent in self._taken:
                self._posts.add(read_answer(_parse(row), number, parent, row.offset))
            elif parent not in self._questions:
                raise UnreadablePostError(ANSWER_WITHOUT_QUESTION, f"question {parent}")
        except UnreadablePostError as problem:
            self._ledger.add(problem.ledger_line(row.offset, number)._asdict())


def _parse(row: RawRow) -> Mapping[str, str]:
    """All attributes of a row of which some were read before."""
    return parse_row(row.offset, row.text).attributes or {}


def part_folders(folder: Path, parts: int) -> list[Path]:
    """Where a pass keeps each part, in the order of the dump."""
    return [folder / f"{part:04}" for part in range(parts)]


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
    with (
        RecordFile(output / POSTS, POST_QUESTION_SCHEMA) as posts,
        RecordFile(output / LEDGER, POST_LEDGER_SCHEMA) as ledger,
    ):
        reader = _QuestionPass(settings.tags, posts, ledger)
        for found in iterate_rows(settings.path, begin, end):
            if isinstance(found, RawRow):
                reader.read(found)
            else:
                reader.rows += found.reason == LONG_ROW
                reader.report(found)
    reader.ids.save(output / IDS)
    kinds = {str(kind): count for kind, count in sorted(reader.kinds.items())}
    write_json(output / COUNTS, {"rows": reader.rows, "types": kinds})


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
        RecordFile(output / POSTS, POST_ANSWER_SCHEMA) as posts,
        RecordFile(output / LEDGER, POST_LEDGER_SCHEMA) as ledger,
    ):
        reader = _AnswerPass(questions, taken, posts, ledger)
        for found in iterate_rows(settings.path, begin, end):
            if isinstance(found, RawRow):
                reader.read(found)
