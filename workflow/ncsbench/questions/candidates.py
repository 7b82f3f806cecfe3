"""Candidate questions: popular, with a title that asks for code and an upvoted answer with code.

These are the steps of the NCSED paper before the corpus is searched. Questions are streamed; only
the chosen ones and their answers' code are held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables, write_table
from ncsbench.posts.post_schemas import POST_QUESTION_SCHEMA, credit_post
from ncsbench.questions.answer_code import ChosenAnswers, choose_answers
from ncsbench.questions.attribution import ATTRIBUTION_SCHEMA, describe_post
from ncsbench.questions.popular_questions import PopularQuestions, find_popular
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.selection_funnel import FunnelStep, write_funnel
from ncsbench.questions.selection_options import CandidateSettings
from ncsbench.questions.title_rules import rejecting_rule

_COLUMNS = [name for name in POST_QUESTION_SCHEMA.names if name not in {"tags", "body", "offset"}]


@dataclass(frozen=True)
class Candidates:
    """The candidate questions and what is known about them.

    Attributes:
        questions: table of ``QUESTION_SCHEMA``, rows from 1 by descending popularity,
            without examples.
        attribution: table of ``ATTRIBUTION_SCHEMA``: the posts of every row.
        steps: how many questions each step left.
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
        settings: which questions count.
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
        options: see there.
        links: table of ``LINK_SCHEMA``, for an order by links or duplicates.

    Raises:
        ConfigurationError: where a rule for titles is unknown.
    """
    popular = find_popular(
        questions,
        tags=options.tags,
        count=options.count,
        popularity=options.popularity,
        links=links,
        tags_needed=options.tags_needed,
    )
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


_UNTITLED = "empty"


def _rejection(title: str, rules: Sequence[str]) -> str | None:
    return rejecting_rule(title, rules) if title.strip() else _UNTITLED


def _read_posts(questions: Path, ids: list[int]) -> list[dict[str, Any]]:
    """The questions of these ids, in their order."""
    wanted = pa.array(ids, pa.int64())
    found = {
        post["id"]: post
        for table in iterate_tables(questions, POST_QUESTION_SCHEMA, _COLUMNS)
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
    # The last step before the corpus is what the NCS paper calls pairs of question and snippet.
    last = "code in an upvoted answer", len(chosen.with_code)
    if options.java_only:
        steps.append(FunnelStep(*last))
        last = "Java in an upvoted answer", len(chosen.posts)
    steps.append(FunnelStep(*last, published="question and snippet pairs"))
    return steps
