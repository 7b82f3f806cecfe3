"""Arrow schemas of judgements and of best matches."""

from __future__ import annotations

import pyarrow as pa

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.corpus_stamps import of_corpus

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
"""Columns of ``answers.csv``, in order: how each answer was read as Java."""

UNREAD = "none"
"""The wrapping of an answer that cannot be read."""
