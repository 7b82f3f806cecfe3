"""Reads a whole dump in one call."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ncsbench.artifacts.storage import write_table
from ncsbench.posts.dump_options import PostSettings
from ncsbench.posts.dump_passes import (
    COUNTS,
    LEDGER,
    part_folders,
    read_answers,
    read_questions,
)
from ncsbench.posts.merged_dumps import (
    ANSWERS,
    QUESTIONS,
    check_counts,
    join_ids,
    join_ledgers,
    merge_posts,
)
from ncsbench.posts.users import USER_SCHEMA, find_authors, read_users


def read_dump(settings: PostSettings, output: Path) -> None:
    """Read questions, answers, ledger and counts of a dump into a folder.

    Where too much is broken, ledger and counts are there all the same.

    Raises:
        DataError: too much is broken, or the dump cannot be read at all.
    """
    output.mkdir(parents=True, exist_ok=True)
    for name in (QUESTIONS, ANSWERS, LEDGER, COUNTS):  # of an earlier run, should this one stop
        (output / name).unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".parts-") as folder:
        ids = Path(folder) / "ids"
        questions = part_folders(Path(folder) / "questions", settings.parts)
        answers = part_folders(Path(folder) / "answers", settings.parts)
        for part, made in enumerate(questions):
            read_questions(settings, part=part, output=made)
        join_ids(questions, ids)
        for part, made in enumerate(answers):
            read_answers(settings, part=part, ids=ids, output=made)
        join_ledgers(questions, answers, output)
        check_counts(settings, output / COUNTS)
        users = None
        if settings.users is not None:
            users = Path(folder) / "users.parquet"
            wanted = find_authors(questions, answers)
            write_table(users, read_users(settings.users, wanted), USER_SCHEMA)
        merge_posts(questions, answers, output, users)
