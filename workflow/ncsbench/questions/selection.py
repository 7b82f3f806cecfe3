"""Selects the evaluation questions: candidates with a match in the corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import write_text
from ncsbench.errors import DataError
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.selection_funnel import FunnelStep

EXAMPLES = 3
"""Example methods of a question, as in the released file."""

_PUBLISHED_FIELDS = [
    name for name in QUESTION_SCHEMA.names if name not in {"query_id", "occurrence"}
]


@dataclass(frozen=True)
class Selected:
    """The questions that are left, and how many each step left.

    Attributes:
        questions: rows of ``QUESTION_SCHEMA`` with ``examples`` and without their links.
        steps: those after ``questions.candidates``.
    """

    questions: list[dict[str, Any]]
    steps: list[FunnelStep]


def select_questions(*, candidates: pa.Table, matches: pa.Table, judge: str) -> Selected:
    """Keep the candidates with a match (DEV-49).

    Args:
        candidates: table of ``QUESTION_SCHEMA``.
        matches: table of ``MATCH_SCHEMA``, above the threshold of the judge.
        judge: the judge that counts.

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
    """The best matches of every row under one judge, best first; ``DataError`` without one."""
    there = sorted(set(matches["judge"].to_pylist()))
    if there and judge not in there:
        raise DataError(f"the matches are of {', '.join(there)}, none of {judge}")
    best: dict[int, list[tuple[int, int]]] = {}
    for match in matches.to_pylist():
        if match["judge"] == judge and match["rank"] <= EXAMPLES:
            best.setdefault(match["query_id"], []).append((match["rank"], match["id"]))
    return {row: [id_ for _, id_ in sorted(found)] for row, found in best.items()}
