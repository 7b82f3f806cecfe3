"""Chooses the answer of a question and takes the code from it (DEV-47, DEV-48)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.languages.java_blocks import is_java_block
from ncsbench.posts.bodies import extract_code
from ncsbench.posts.post_schemas import POST_ANSWER_SCHEMA
from ncsbench.questions.selection_options import CandidateSettings

_COLUMNS = [name for name in POST_ANSWER_SCHEMA.names if name != "offset"]
_ROWS = 1024


@dataclass
class ChosenAnswers:
    """The chosen answer of each question that has one, and why others have none.

    Attributes:
        posts: by question id, the answer's columns of ``POST_ANSWER_SCHEMA`` with the
            code taken from it as ``snippet`` in place of ``body``.
        upvoted: questions with an answer whose score is above 0.
        with_code: those of them with a code block in such an answer.
    """

    posts: dict[int, dict[str, Any]] = field(default_factory=dict)
    upvoted: set[int] = field(default_factory=set)
    with_code: set[int] = field(default_factory=set)


def choose_answers(
    answers: Path, accepted: Mapping[int, int | None], options: CandidateSettings
) -> ChosenAnswers:
    """Choose the upvoted answer with code of every question.

    Args:
        answers: table of ``POST_ANSWER_SCHEMA``; it is streamed, and only the best answer
            so far of each question is held.
        accepted: id of the accepted answer, or None, of every question that is asked about.
        options: which answer, and what of its code.

    Returns:
        The answers; equal scores go by ascending id.
    """
    chosen = ChosenAnswers()
    wanted = pa.array(sorted(accepted), pa.int64())
    for table in iterate_tables(answers, POST_ANSWER_SCHEMA, _COLUMNS, _ROWS):
        asked = pc.and_(pc.is_in(table["parent_id"], wanted), pc.greater(table["score"], 0))
        for post in table.filter(asked).to_pylist():
            _consider(chosen, post, accepted[post["parent_id"]], options)
    return chosen


def take_snippet(blocks: list[str], which: str) -> str:
    """The ``first`` or the ``longest`` block (by characters, the first of equals), or ``all``."""
    if which == "longest":
        return max(blocks, key=len)
    return "\n\n".join(blocks) if which == "all" else blocks[0]


def _consider(
    chosen: ChosenAnswers, post: dict[str, Any], accepted: int | None, options: CandidateSettings
) -> None:
    question = post["parent_id"]
    chosen.upvoted.add(question)
    best = chosen.posts.get(question)
    if best is not None and _order(best, accepted, options) < _order(post, accepted, options):
        return
    blocks = [
        block.text
        for block in extract_code(post.pop("body"))
        if block.kind != "inline" and block.text.strip()
    ]
    if blocks:
        chosen.with_code.add(question)
    if options.java_only:
        blocks = [block for block in blocks if is_java_block(block)]
    if blocks:
        chosen.posts[question] = post | {"snippet": take_snippet(blocks, options.snippet)}


def _order(
    post: dict[str, Any], accepted: int | None, options: CandidateSettings
) -> tuple[bool, int, int]:
    preferred = options.answer == "accepted" and post["id"] == accepted
    return not preferred, -post["score"], post["id"]
