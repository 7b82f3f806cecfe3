"""Arrow schemas of judgements and of best matches.

A warning counts the questions whose answers cannot be read as Java, for which no method can be
found.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pyarrow as pa

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.csv_tables import Row
from ncsbench.code.aroma.similarity_names import SIMILARITIES

JUDGEMENT_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
            *(pa.field(similarity, pa.float64(), nullable=False) for similarity in SIMILARITIES),
        ]
    )
)
"""Similarities of the answer of question ``query_id`` with method ``id``, sorted by both."""

MATCH_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("judge", pa.string(), nullable=False),
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("rank", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
            pa.field("similarity", pa.float64(), nullable=False),
        ]
    )
)
"""The methods of a corpus that resemble the answer of question ``query_id`` most, best first."""

ANSWER_COLUMNS = ("query_id", "stackoverflow_id", "wrapping", "features")
"""Columns of ``answers.csv``, in order: the reading of each answer as Java."""

UNREAD = "none"
"""The wrapping of an answer that cannot be read."""


def warn_of_unread(answers: Sequence[Row]) -> None:
    """Log the number of answers that cannot be read, and the first; nothing where all can be read.

    Args:
        answers: rows of ``judgement_schemas.ANSWER_COLUMNS``.
    """
    unread = [row for row in answers if row["wrapping"] == UNREAD]
    if unread:
        logging.getLogger("answers").warning(
            "%d of %d answers cannot be read as Java, so that no method can be right; the first is "
            "of question %s (stackoverflow_id %s); answers.csv has them with the wrapping %r "
            "(docs/judge.md)",
            len(unread), len(answers), unread[0]["query_id"], unread[0]["stackoverflow_id"], UNREAD,
        )  # fmt: skip
