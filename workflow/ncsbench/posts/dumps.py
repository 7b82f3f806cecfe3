"""Reads a whole dump in one call."""

from __future__ import annotations

import tempfile
from pathlib import Path

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
    join_ids,
    join_ledgers,
    merge_posts,
)
from ncsbench.posts.users import write_users


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
