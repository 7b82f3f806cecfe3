"""Typed records and their Arrow schemas: the nouns that flow between the stages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

MEASURES = (
    "pruned_jaccard_leaf",
    "pruned_jaccard_refeaturised",
    "containment",
    "set_containment",
    "jaccard",
    "dice",
    "set_cosine",
    "charged_overlap",
)
"""Similarity of an answer with a method, each in [0, 1]; formulas in ``judge.similarity``."""


class ItemKind(IntEnum):
    """Where an extracted item of a method comes from (NCS paper, section 3.1)."""

    COMMENT = 0
    METHOD_NAME = 1
    CLASS_NAME = 2
    INVOCATION = 3
    CONSTANT = 4
    STRING = 5
    CREATION = 6
    RESOURCE = 7


METHOD_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("repository", pa.string(), nullable=False),
        pa.field("commit", pa.string()),
        pa.field("path", pa.string(), nullable=False),
        pa.field("filepath", pa.string(), nullable=False),
        pa.field("method_name", pa.string(), nullable=False),
        pa.field("class_name", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("url", pa.string()),
        pa.field("code", pa.string(), nullable=False),
        pa.field("comment", pa.string()),
        pa.field("lines", pa.int32(), nullable=False),
        pa.field("tokens", pa.int32(), nullable=False),
    ]
)
"""One method with a body. ``id`` is dense from 0 in the order (repository, path, position)."""

ITEM_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("kinds", pa.list_(pa.uint8()), nullable=False),
        pa.field("texts", pa.list_(pa.string()), nullable=False),
    ]
)
"""The items of a method in text order: ``kinds[i]`` is the ``ItemKind`` of ``texts[i]``."""

LEDGER_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("methods", pa.int32(), nullable=False),
    ]
)
"""One line per repository (``path`` null) and per Java file: ``taken`` or ``skipped`` and why."""

QUESTION_SCHEMA = pa.schema(
    [
        pa.field("row", pa.int32(), nullable=False),
        pa.field("stackoverflow_id", pa.string(), nullable=False),
        pa.field("occurrence", pa.int32(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        pa.field("question_url", pa.string(), nullable=False),
        pa.field("question_author", pa.string(), nullable=False),
        pa.field("question_author_url", pa.string(), nullable=False),
        pa.field("answer", pa.string(), nullable=False),
        pa.field("answer_url", pa.string(), nullable=False),
        pa.field("answer_author", pa.string(), nullable=False),
        pa.field("answer_author_url", pa.string(), nullable=False),
        pa.field("examples", pa.list_(pa.int64()), nullable=False),
        pa.field("examples_url", pa.list_(pa.string()), nullable=False),
    ]
)
"""One evaluation question. ``row`` counts from 1 over the questions files in order, like the
published sheet's "No."; ``occurrence`` counts the uses of one ``stackoverflow_id`` from 1."""

JUDGEMENT_SCHEMA = pa.schema(
    [
        pa.field("row", pa.int32(), nullable=False),
        pa.field("id", pa.int64(), nullable=False),
        *(pa.field(measure, pa.float64(), nullable=False) for measure in MEASURES),
    ]
)
"""Similarities of the answer of question ``row`` with method ``id``, sorted by both, unique."""


MATCH_SCHEMA = pa.schema(
    [
        pa.field("measure", pa.string(), nullable=False),
        pa.field("row", pa.int32(), nullable=False),
        pa.field("rank", pa.int32(), nullable=False),
        pa.field("id", pa.int64(), nullable=False),
        pa.field("similarity", pa.float64(), nullable=False),
    ]
)
"""The methods of a corpus that resemble the answer of question ``row`` most, best first."""

PER_QUESTION_SCHEMA = pa.schema(
    [
        pa.field("measure", pa.string(), nullable=False),
        pa.field("threshold", pa.float64(), nullable=False),
        pa.field("row", pa.int32(), nullable=False),
        pa.field("stackoverflow_id", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("replicate", pa.string()),
        pa.field("first_rank", pa.int32(), nullable=False),
        pa.field("reciprocal_rank", pa.float64(), nullable=False),
        pa.field("answered_1", pa.bool_(), nullable=False),
        pa.field("answered_5", pa.bool_(), nullable=False),
        pa.field("answered_10", pa.bool_(), nullable=False),
        pa.field("published_rank", pa.int32()),
    ]
)
"""What one run reached on question ``row`` under one judge. ``replicate`` is null for the model's
own run; ranks are from 1, 0 = not found; ``published_rank`` is that of the model's published
counterpart, null where there is none or its sheet lacks the question."""

_UTC = pa.timestamp("ms", tz="UTC")
_POST_FIELDS = [
    pa.field("score", pa.int32(), nullable=False),
    pa.field("creation_date", _UTC, nullable=False),
    pa.field("owner_user_id", pa.int64()),
    pa.field("owner_display_name", pa.string()),
    pa.field("licence", pa.string(), nullable=False),
    pa.field("body", pa.string(), nullable=False),
    pa.field("offset", pa.int64(), nullable=False),
]

POST_QUESTION_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("view_count", pa.int64()),
        pa.field("accepted_answer_id", pa.int64()),
        *_POST_FIELDS,
    ]
)
"""A question of a dump. ``body`` is HTML; ``licence`` is stated or follows from the date
(``stackoverflow.licences``); ``offset`` is the row's place in the unpacked dump, in bytes."""

POST_ANSWER_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("parent_id", pa.int64(), nullable=False),
        *_POST_FIELDS,
    ]
)
"""An answer of a dump to a question that was read; fields as in ``POST_QUESTION_SCHEMA``."""

POST_LEDGER_SCHEMA = pa.schema(
    [
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("id", pa.int64()),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("detail", pa.string(), nullable=False),
    ]
)
"""What in a dump could not be read, and where it begins in the unpacked text, in bytes."""

PAIR_SCHEMA = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in (
            "query",
            "code",
            "source",
            "key",
            "licence",
            "code_url",
            "code_author",
            "code_author_url",
            "query_url",
            "query_author",
            "query_author_url",
            "query_licence",
        )
    ]
)
"""A training pair. ``source`` says what it was made from (``stackoverflow`` or ``github``), ``key``
is unique and names the place there; ``licence`` is the code's. Unknown texts are empty."""

EXPANSION_SCHEMA = pa.schema(
    [
        pa.field("query_word", pa.string(), nullable=False),
        pa.field("code_word", pa.string(), nullable=False),
        pa.field("count", pa.int64(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
    ]
)
"""How often a lemma of titles and a called method occur together, and that as a share of the
lemma's row (NCS paper, section 5.1); by (query_word, descending value, code_word)."""


@dataclass(frozen=True)
class Repository:
    """One repository to read; ``commit`` is None where the source has no versions."""

    owner: str
    name: str
    commit: str | None

    @property
    def full_name(self) -> str:
        """``owner/name``."""
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True)
class Query:
    """One evaluation question as a ranker sees it: the row of its file and its title."""

    row: int
    text: str


@dataclass(frozen=True)
class Run:
    """Rankings of one model, ordered by (row, rank).

    Attributes:
        rows: question rows, int32, shape (n,).
        ids: method ids, int64, shape (n,); no id twice for one row.
        scores: float64, shape (n,); never increasing within a row, ties by ascending id.
    """

    rows: NDArray[np.int32]
    ids: NDArray[np.int64]
    scores: NDArray[np.float64]
