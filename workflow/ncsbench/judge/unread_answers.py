"""Says of which questions no method can be found, since their answers cannot be read as Java."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ncsbench.artifacts.csv_tables import Row
from ncsbench.judge.judgement_schemas import UNREAD


def warn_of_unread(answers: Sequence[Row]) -> None:
    """Log how many answers cannot be read, and the first; nothing where all can.

    Args:
        answers: rows of ``judgement_schemas.ANSWER_COLUMNS``.
    """
    unread = [row for row in answers if row["wrapping"] == UNREAD]
    if unread:
        logging.getLogger("answers").warning(
            "%d of %d answers cannot be read as Java, so that no method can be right; the first is "
            "of question %s (stackoverflow_id %s); answers.csv has them with the wrapping %r "
            "(docs/answers.md)",
            len(unread), len(answers), unread[0]["query_id"], unread[0]["stackoverflow_id"], UNREAD,
        )  # fmt: skip
