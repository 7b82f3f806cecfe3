"""Candidate questions: popular, with a title that asks for code and an upvoted answer with code.

The steps are those of the NCSED paper before the corpus is searched. Questions are streamed; only
the chosen questions and their answers' code are held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_table, write_table
from ncsbench.code.java.java_blocks import is_java_block
from ncsbench.errors import ConfigurationError
from ncsbench.posts.dump.bodies import extract_code
from ncsbench.posts.dump.post_schemas import (
    LINK_SCHEMA,
    POST_ANSWER_SCHEMA,
    POST_QUESTION_SCHEMA,
    credit_post,
)
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection import (
    ATTRIBUTION_SCHEMA,
    FunnelStep,
    describe_post,
    write_funnel,
)
from ncsbench.posts.questions.selection_options import LINK_ORDERS, CandidateSettings
from ncsbench.posts.questions.title_rules import rejecting_rule

_POPULARITY_COLUMNS = ["id", "tags", "view_count", "score"]
_QUESTION_COLUMNS = [
    name for name in POST_QUESTION_SCHEMA.names if name not in {"tags", "body", "offset"}
]
_ANSWER_COLUMNS = [name for name in POST_ANSWER_SCHEMA.names if name != "offset"]
_ANSWER_ROWS = 1024
_UNTITLED = "empty"


@dataclass(frozen=True)
class Candidates:
    """The candidate questions, with the authors of their posts and the steps of the selection.

    Attributes:
        questions: table of ``QUESTION_SCHEMA``, rows from 1 by descending popularity,
            without examples.
        attribution: table of ``ATTRIBUTION_SCHEMA``: the posts of every row.
        steps: the steps of the selection, with the number of questions that each step left.
    """

    questions: pa.Table
    attribution: pa.Table
    steps: list[FunnelStep]


def write_candidates(
    settings: CandidateSettings,
    questions: Path,
    answers: Path,
    output: Path,
    links: Path | None = None,
) -> None:
    """Choose popular questions with a title and an upvoted answer that can be searched for.

    Args:
        settings: options of the selection.
        questions: questions of a dump, as Parquet.
        answers: answers of a dump, as Parquet.
        output: folder to write: ``questions.parquet``, ``attribution.parquet``, ``funnel.json``.
        links: counted links, as Parquet, for an order by links or duplicates.
    """
    chosen = choose_candidates(questions, answers, settings, links)
    write_table(output / "questions.parquet", chosen.questions, QUESTION_SCHEMA)
    write_table(output / "attribution.parquet", chosen.attribution, ATTRIBUTION_SCHEMA)
    write_funnel(output / "funnel.json", chosen.steps)


def choose_candidates(
    questions: Path, answers: Path, options: CandidateSettings, links: Path | None = None
) -> Candidates:
    """Choose the candidates among the posts of a dump.

    Args:
        questions: table of ``POST_QUESTION_SCHEMA``.
        answers: table of ``POST_ANSWER_SCHEMA``.
        options: options of the selection.
        links: table of ``LINK_SCHEMA``, for an order by links or duplicates.

    Raises:
        ConfigurationError: where a rule for titles is unknown.
    """
    popular = find_popular(questions, options, links)
    posts = _read_posts(questions, popular.ids.tolist())
    rules = {post["id"]: _rejection(post["title"], options.title_rules) for post in posts}
    asked = [post for post in posts if rules[post["id"]] is None]
    accepted = {post["id"]: post["accepted_answer_id"] for post in asked}
    chosen = choose_answers(answers, accepted, options)
    kept = [(post, chosen.posts[post["id"]]) for post in asked if post["id"] in chosen.posts]
    rows = [
        _question(row, question, answer, options.site)
        for row, (question, answer) in enumerate(kept, 1)
    ]
    credits_ = [
        describe_post(row, kind, post, options.site)
        for row, pair in enumerate(kept, 1)
        for kind, post in zip(("question", "answer"), pair, strict=True)
    ]
    removed = Counter(rule for rule in rules.values() if rule is not None)
    return Candidates(
        questions=pa.Table.from_pylist(rows, QUESTION_SCHEMA),
        attribution=pa.Table.from_pylist(credits_, ATTRIBUTION_SCHEMA),
        steps=_steps(options, popular, removed, chosen),
    )


def _rejection(title: str, rules: Sequence[str]) -> str | None:
    return rejecting_rule(title, rules) if title.strip() else _UNTITLED


def _read_posts(questions: Path, ids: list[int]) -> list[dict[str, Any]]:
    """Read the questions of some ids, in the order of the ids."""
    wanted = pa.array(ids, pa.int64())
    found = {
        post["id"]: post
        for table in iterate_tables(questions, POST_QUESTION_SCHEMA, _QUESTION_COLUMNS)
        for post in table.filter(pc.is_in(table["id"], wanted)).to_pylist()
    }
    return [found[id_] for id_ in ids]


def _question(
    row: int, question: dict[str, Any], answer: dict[str, Any], site: str
) -> dict[str, Any]:
    asked, answered = credit_post("question", question, site), credit_post("answer", answer, site)
    return {
        "query_id": row,
        "stackoverflow_id": str(question["id"]),
        "occurrence": 1,
        "question": question["title"],
        "question_url": asked.link,
        "question_author": asked.author,
        "question_author_url": asked.author_url,
        "answer": answer["snippet"],
        "answer_url": answered.link,
        "answer_author": answered.author,
        "answer_author_url": answered.author_url,
        "examples": [],
        "examples_url": [],
    }


def _steps(
    options: CandidateSettings,
    popular: PopularQuestions,
    removed: Counter[str],
    chosen: ChosenAnswers,
) -> list[FunnelStep]:
    left = len(popular.ids)
    joint = " and " if options.tags_needed == "all" else " or "
    steps = [
        FunnelStep("questions of the dump with a tag that is read", popular.read),
        FunnelStep(f"tagged {joint.join(options.tags) or 'as you like'}", popular.tagged),
        FunnelStep(f"most popular by {options.popularity}", left, "most popular questions"),
    ]
    for rule in (_UNTITLED, *dict.fromkeys(options.title_rules)):
        left -= removed[rule]
        steps.append(FunnelStep(f"title not rejected by: {rule}", left))
    steps.append(FunnelStep("an upvoted answer", len(chosen.upvoted)))
    # The NCS paper calls the result of the last step before the corpus pairs of question and
    # snippet.
    last = "code in an upvoted answer", len(chosen.with_code)
    if options.java_only:
        steps.append(FunnelStep(*last))
        last = "Java in an upvoted answer", len(chosen.posts)
    steps.append(FunnelStep(*last, published="question and snippet pairs"))
    return steps


@dataclass(frozen=True)
class PopularQuestions:
    """The chosen questions, and the numbers they were chosen from.

    Attributes:
        ids: int64, shape (n,), the most popular first.
        read: questions of the file.
        tagged: questions with the tags.
    """

    ids: NDArray[np.int64]
    read: int
    tagged: int


def find_popular(
    questions: Path, options: CandidateSettings, links: Path | None = None
) -> PopularQuestions:
    """Find the most popular questions with all or any of some tags (NCSED paper; DEV-46, DEV-103).

    Args:
        questions: table of ``POST_QUESTION_SCHEMA``; only small columns are streamed.
        options: the tags, the largest number of questions, and the order; ties go by ascending id.
        links: table of ``LINK_SCHEMA``; an order by links or duplicates needs it.

    Raises:
        ConfigurationError: where such an order has no counted links.
    """
    read = 0
    parts = [np.zeros((0, 4), np.int64)]
    for table in iterate_tables(questions, POST_QUESTION_SCHEMA, _POPULARITY_COLUMNS):
        read += len(table)
        found = _find_tags(table["tags"], options.tags)
        either = options.tags_needed == "any" and options.tags
        has = found.any(axis=0) if either else found.all(axis=0)
        tagged = table.filter(pa.array(has))
        views = tagged["view_count"]
        columns = [
            tagged["id"],
            pc.is_valid(views).cast(pa.int64()),
            pc.fill_null(views, 0),
            tagged["score"].cast(pa.int64()),
        ]
        parts.append(np.stack([column.to_numpy() for column in columns], axis=1))
    ids, viewed, views, scores = np.concatenate(parts).T
    if options.popularity == "score":
        order = np.lexsort((ids, -scores))
    else:
        # Views and scores have different scales, so that questions with views come first.
        keys = [ids, np.where(viewed == 1, -views, -scores), -viewed]
        if options.popularity in LINK_ORDERS:
            if links is None:
                raise ConfigurationError(
                    f"popularity {options.popularity!r} needs the counted links; give --links"
                )
            keys.append(-_read_links(links, options.popularity, ids))
        order = np.lexsort(keys)
    return PopularQuestions(ids[order[: options.count]], read, len(ids))


def _read_links(links: Path, column: str, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Read the number of links or duplicates of each question, 0 for a question not counted."""
    table = read_table(links, LINK_SCHEMA, ["id", column])
    places = pc.index_in(pa.array(ids), table["id"])
    counts: NDArray[np.int64] = pc.fill_null(table[column].take(places), 0).to_numpy()
    return counts


def _find_tags(lists: pa.ChunkedArray, tags: Sequence[str]) -> NDArray[np.bool_]:
    """Find the lists that have each tag: bool, shape (tags, n), True where list n has the tag."""
    together = lists.combine_chunks()
    owners = pc.list_parent_indices(together).to_numpy(zero_copy_only=False)
    flat = pc.list_flatten(together)
    found = np.zeros((len(tags), len(together)), np.bool_)
    for row, tag in enumerate(tags):
        equal = pc.fill_null(pc.equal(flat, tag), False)
        found[row, owners[equal.to_numpy(zero_copy_only=False)]] = True
    return found


@dataclass
class ChosenAnswers:
    """The chosen answers, and the questions that have answers of some quality.

    Attributes:
        posts: by question id, the chosen answer's columns of ``POST_ANSWER_SCHEMA``, with the
            code taken from the answer as ``snippet`` in place of ``body``.
        upvoted: ids of questions with an answer whose score is above 0.
        with_code: ids of questions with a code block in such an answer.
    """

    posts: dict[int, dict[str, Any]] = field(default_factory=dict)
    upvoted: set[int] = field(default_factory=set)
    with_code: set[int] = field(default_factory=set)


def choose_answers(
    answers: Path, accepted: Mapping[int, int | None], options: CandidateSettings
) -> ChosenAnswers:
    """Choose the upvoted answer with code of every question (DEV-47, DEV-48).

    Args:
        answers: table of ``POST_ANSWER_SCHEMA``; it is streamed, and only the best answer
            so far of each question is held.
        accepted: id of the accepted answer, or None, of every question that is asked about.
        options: options for the choice of the answer and of its code blocks.

    Returns:
        The answers; of equal scores, the answer with the lower id is chosen.
    """
    chosen = ChosenAnswers()
    wanted = pa.array(sorted(accepted), pa.int64())
    for table in iterate_tables(answers, POST_ANSWER_SCHEMA, _ANSWER_COLUMNS, _ANSWER_ROWS):
        asked = pc.and_(pc.is_in(table["parent_id"], wanted), pc.greater(table["score"], 0))
        for post in table.filter(asked).to_pylist():
            _consider(chosen, post, accepted[post["parent_id"]], options)
    return chosen


def take_snippet(blocks: list[str], which: str) -> str:
    """Return the ``first`` or ``longest`` block (in characters, the first of equals) or ``all``."""
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
    blocks = extract_code(post.pop("body"))
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
