"""Selection of the evaluation questions: candidates with a match in the corpus.

The number of questions left is recorded for each step, and author and licence for each post.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.base.files.csv_tables import Row, name_cells
from ncsbench.base.files.storage import read_json, write_json, write_text
from ncsbench.errors import DataError
from ncsbench.posts.dump.post_schemas import credit_post
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

EXAMPLES = 3
"""Number of example methods of a question, as in the released file."""

_PUBLISHED_FIELDS = [
    name for name in QUESTION_SCHEMA.names if name not in {"query_id", "occurrence"}
]

ATTRIBUTION_SCHEMA = pa.schema(
    [
        pa.field("query_id", pa.int32(), nullable=False),
        pa.field("post_id", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("author", pa.string(), nullable=False),
        pa.field("author_url", pa.string(), nullable=False),
        pa.field("link", pa.string(), nullable=False),
        pa.field("licence", pa.string(), nullable=False),
        pa.field("creation_date", pa.timestamp("ms", tz="UTC"), nullable=False),
    ]
)
"""A post: ``query_id`` is that of the candidate, ``kind`` is ``question`` or ``answer``."""

ATTRIBUTION_COLUMNS = ("stackoverflow_id", *ATTRIBUTION_SCHEMA.names[1:])
"""Columns of ``attribution.csv``, in order; ``stackoverflow_id`` is that of the question."""

FUNNEL_COLUMNS = ("step", "kept", "removed", "published")
"""Columns of ``funnel.csv``, in order."""


@dataclass(frozen=True)
class FunnelStep:
    """One step of the selection.

    Attributes:
        name: condition that a question had to meet, in words for a reader.
        kept: number of questions left after the step.
        published: name of the published count that is shown beside this step; may be empty.
    """

    name: str
    kept: int
    published: str = ""


def write_funnel(path: Path, steps: Sequence[FunnelStep]) -> None:
    """Write steps as JSON, in order, atomically."""
    write_json(path, [asdict(step) for step in steps])


def read_funnel(path: Path) -> list[FunnelStep]:
    """Read the steps that ``write_funnel`` wrote; raise ``DataError`` for any other content."""
    try:
        return [FunnelStep(**step) for step in read_json(path)]
    except TypeError as error:
        raise DataError(f"{path}: is no list of the selection's steps; make it again") from error


def funnel_rows(steps: Sequence[FunnelStep], published: Mapping[str, str]) -> list[Row]:
    """Make rows of ``FUNNEL_COLUMNS``: each step with its removed questions and published count.

    Args:
        steps: all steps in order.
        published: printed counts by the names that steps give in ``published``.

    Returns:
        One row a step; ``removed`` is empty for the first step, ``published`` for a step without
        a printed count.
    """
    before = [None, *(step.kept for step in steps)]
    records = (
        (one.name, one.kept, last and last - one.kept, published.get(one.published))
        for last, one in zip(before, steps, strict=False)
    )
    return name_cells(FUNNEL_COLUMNS, records)


def describe_post(row: int, kind: str, post: dict[str, Any], site: str) -> dict[str, Any]:
    """Make a row of ``ATTRIBUTION_SCHEMA`` for a question or an answer of a dump."""
    return {
        "query_id": row,
        "post_id": post["id"],
        "kind": kind,
        **credit_post(kind, post, site)._asdict(),
        "licence": post["licence"],
        "creation_date": post["creation_date"],
    }


def attribution_rows(attribution: pa.Table, names: dict[int, str]) -> list[dict[str, str]]:
    """Make rows of ``ATTRIBUTION_COLUMNS`` for the questions in ``names`` (Stack Overflow ids)."""
    return [
        {
            "stackoverflow_id": names[post["query_id"]],
            **{name: str(post[name]) for name in ATTRIBUTION_COLUMNS[1:-1]},
            "creation_date": post["creation_date"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        for post in attribution.to_pylist()
        if post["query_id"] in names
    ]


@dataclass(frozen=True)
class Selected:
    """The selected questions, and the last steps of the selection.

    Attributes:
        questions: rows of ``QUESTION_SCHEMA`` with ``examples`` and without their links.
        steps: the steps after those of ``posts.questions.candidates``.
    """

    questions: list[dict[str, Any]]
    steps: list[FunnelStep]


def select_questions(*, candidates: pa.Table, matches: pa.Table, judge: str) -> Selected:
    """Select the candidates that have a match in the corpus (DEV-49).

    Args:
        candidates: table of ``QUESTION_SCHEMA``.
        matches: table of ``MATCH_SCHEMA``, above the threshold of the judge.
        judge: name of the judge by which a match counts.

    Raises:
        DataError: where the matches are of other judges, or no question is left.
    """
    examples = _choose_examples(matches, judge)
    matched = [
        question | {"examples": examples[question["query_id"]]}
        for question in candidates.to_pylist()
        if question["query_id"] in examples
    ]
    if not matched:
        raise DataError(
            f"no question is left: none of {len(candidates)} candidates has a match in the corpus"
        )
    return Selected(
        matched,
        [
            FunnelStep("a match in the corpus", len(matched), "matched by the corpus"),
            FunnelStep("vague ones taken out by hand (not done)", len(matched), "curated"),
        ],
    )


def write_questions(
    path: Path, questions: list[dict[str, Any]], links: Mapping[int, str | None]
) -> None:
    """Write questions in the published schema, atomically.

    Args:
        path: file to write; as in the release, JSON of ASCII characters, indented by two.
        questions: rows of ``QUESTION_SCHEMA``.
        links: link of every example by method id; None becomes an empty text.
    """
    entries = [
        {name: question[name] for name in _PUBLISHED_FIELDS}
        | {"examples_url": [links[id_] or "" for id_ in question["examples"]]}
        for question in questions
    ]
    write_text(path, json.dumps(entries, indent=2) + "\n")


def _choose_examples(matches: pa.Table, judge: str) -> dict[int, list[int]]:
    """Return the best matches of every row under one judge, best first.

    Raises:
        DataError: where the matches are of other judges only.
    """
    there = sorted(set(matches["judge"].to_pylist()))
    if there and judge not in there:
        raise DataError(f"the matches are of {', '.join(there)}, none of {judge}")
    best: dict[int, list[tuple[int, int]]] = {}
    for match in matches.to_pylist():
        if match["judge"] == judge and match["rank"] <= EXAMPLES:
            best.setdefault(match["query_id"], []).append((match["rank"], match["id"]))
    return {row: [id_ for _, id_ in sorted(found)] for row, found in best.items()}
