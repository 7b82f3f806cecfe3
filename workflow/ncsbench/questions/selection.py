"""Selects the evaluation questions: candidates with a match in the corpus that a reader kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import write_text
from ncsbench.errors import DataError
from ncsbench.questions.curation_file import Decision, Place, adopt_matches
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.selection_funnel import FunnelStep

EXAMPLES = 3
"""Example methods of a question, as in the released file."""

_PUBLISHED_FIELDS = [
    name for name in QUESTION_SCHEMA.names if name not in {"query_id", "occurrence"}
]
_SHOWN_IDS = 5


@dataclass(frozen=True)
class Selected:
    """The questions that are left, and how many each step left.

    Attributes:
        questions: rows of ``QUESTION_SCHEMA`` with ``examples`` and without their links.
        steps: those after ``questions.candidates``.
    """

    questions: list[dict[str, Any]]
    steps: list[FunnelStep]


def best_matches(matches: pa.Table, judge: str, count: int) -> dict[int, list[dict[str, Any]]]:
    """The best matches of every row under one judge, best first.

    Args:
        matches: table of ``MATCH_SCHEMA``.
        judge: one of ``SIMILARITIES``.
        count: how many at most of each row.

    Raises:
        DataError: where the table has no matches under this judge.
    """
    there = sorted(set(matches["judge"].to_pylist()))
    if there and judge not in there:
        raise DataError(f"the matches are of {', '.join(there)}, none of {judge}")
    best: dict[int, list[dict[str, Any]]] = {}
    for match in matches.to_pylist():
        if match["judge"] == judge and match["rank"] <= count:
            best.setdefault(match["query_id"], []).append(match)
    return {row: sorted(found, key=lambda match: match["rank"]) for row, found in best.items()}


def select_questions(
    *,
    candidates: pa.Table,
    matches: pa.Table,
    judge: str,
    decisions: Mapping[str, Decision] | None,
    find_places: Callable[[set[int]], Mapping[int, Place]],
) -> Selected:
    """Keep the candidates with a match and, where there are decisions, those that were kept.

    Args:
        candidates: table of ``QUESTION_SCHEMA``.
        matches: table of ``MATCH_SCHEMA``, above the threshold of the judge.
        judge: the judge that counts.
        decisions: by Stack Overflow id; candidates without one, or with a match that it was not
            made on, are left out. None: keep all.
        find_places: places of methods by their ids.

    Raises:
        DataError: where no question is left, with how many each step left.
    """
    best = best_matches(matches, judge, EXAMPLES)
    matched = [
        question | {"examples": [match["id"] for match in best[question["query_id"]]]}
        for question in candidates.to_pylist()
        if question["query_id"] in best
    ]
    steps = [FunnelStep("a match in the corpus", len(matched), "matched by the corpus")]
    kept = matched
    if decisions is None:
        steps.append(FunnelStep("curated (no curation file)", len(matched), "curated"))
    else:
        _warn_of_unknown(decisions, matched)
        read = _find_decided(matched, decisions, find_places)
        kept = [question for question in read if decisions[question["stackoverflow_id"]].keep]
        steps.append(FunnelStep("in the curation file", len(read)))
        steps.append(FunnelStep("kept by the curation", len(kept), "curated"))
    if not kept:
        counts = ", ".join(f"{step.name} {step.kept}" for step in steps)
        raise DataError(f"no question is left of {len(candidates)} candidates: {counts}")
    return Selected(kept, steps)


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


def _find_decided(
    matched: list[dict[str, Any]],
    decisions: Mapping[str, Decision],
    find_places: Callable[[set[int]], Mapping[int, Place]],
) -> list[dict[str, Any]]:
    """The questions with a decision that was made on all their examples."""
    places = find_places({id_ for question in matched for id_ in question["examples"]})
    matches = {
        question["stackoverflow_id"]: [places[id_] for id_ in question["examples"]]
        for question in matched
    }
    known = adopt_matches(decisions, matches)
    named = [question for question in matched if question["stackoverflow_id"] in known]
    read = [
        question
        for question in named
        if known[id_ := question["stackoverflow_id"]].covers(matches[id_])
    ]
    if len(read) < len(named):
        logging.getLogger("questions").warning(
            "%d questions of the curation file have matches that were not there when it was "
            "decided: they are left out until they are decided on too, in the rows that 'ncsbench "
            "questions sheet' adds",
            len(named) - len(read),
        )
    return read


def _warn_of_unknown(decisions: Mapping[str, Decision], matched: list[dict[str, Any]]) -> None:
    unknown = sorted(decisions.keys() - {question["stackoverflow_id"] for question in matched})
    if unknown:
        more = f" and {len(unknown) - _SHOWN_IDS} more" if len(unknown) > _SHOWN_IDS else ""
        logging.getLogger("questions").warning(
            "the curation file names %d ids that are no candidates with a match: %s%s",
            len(unknown),
            ", ".join(unknown[:_SHOWN_IDS]),
            more,
        )
