"""Threads of posts that represent searches: a title, and the code of its best Java answer.

Threads are chosen like candidate evaluation questions, but without the evaluation questions, their
near copies and answers that the judge cannot read. Near duplicates of each other have one part.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.pairs.leak_checks.leaks import SIMILAR, LeakFinder, read_post_ids, title_keys
from ncsbench.pairs.training_pairs.pair_files import STEP_OF_KIND, open_finder
from ncsbench.pairs.training_pairs.pair_options import ThreadPart, ThreadSettings
from ncsbench.pairs.training_pairs.thread_parts import (
    PARTS,
    THREAD_PART_SCHEMA,
    THREAD_PARTS,
    THREADS,
)
from ncsbench.posts.questions.candidates import choose_candidates
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection import FUNNEL_COLUMNS, FunnelStep, funnel_rows
from ncsbench.posts.questions.selection_options import CandidateSettings

_PARTS: tuple[tuple[ThreadPart, int], ...] = (("training", 80), ("selection", 90), ("test", 100))
"""The parts, each with the number of a hundred groups at which the part ends."""


def group_threads(threads: pa.Table) -> list[int]:
    """Find the group of each thread: the least post id among its near duplicates.

    Two threads are near duplicates where their titles have the same words, or where one answer is
    nearly the other: word by word for answers of few words, else by the Jaccard similarity of
    ``pairs.leak_checks.leaks`` (DEV-51), of the whole or of the body of a method. An answer that
    only contains another answer makes no group: a short answer is contained in many, and one group
    would hold them all. A group is the transitive closure, so that no order matters.

    Args:
        threads: table of ``QUESTION_SCHEMA`` whose ids of Stack Overflow are numbers.

    Returns:
        One post id for each row, in order.
    """
    rows = threads.to_pylist()
    posts = {row["query_id"]: int(row["stackoverflow_id"]) for row in rows}
    first = {post: post for post in posts.values()}

    def find(post: int) -> int:
        while first[post] != post:
            first[post] = post = first[first[post]]
        return post

    def join(one: int, other: int) -> None:
        one, other = sorted((find(one), find(other)))
        first[other] = one

    titles: dict[str, int] = {}
    finder = LeakFinder(threads)
    for row in rows:
        post = posts[row["query_id"]]
        for key in title_keys(row["question"]):
            join(post, titles.setdefault(key, post))
        for copy in finder.find_snippets(row["answer"]):
            if copy.jaccard >= SIMILAR:
                join(post, posts[copy.query_id])
    return [find(posts[row["query_id"]]) for row in rows]


def choose_part(group: int) -> ThreadPart:
    """Choose the part of a group by a hash: 80 % are for training, 10 % for each other part.

    So a group keeps its part when other groups are added or removed.
    """
    digest = blake2b(str(group).encode(), digest_size=8).digest()
    place = int.from_bytes(digest) % 100
    return next(part for part, end in _PARTS if place < end)


_FUNNEL = FUNNEL_COLUMNS[:3]  # without the published counts, which do not exist for threads


def choose_threads(
    questions: Path, answers: Path, options: ThreadSettings, finder: LeakFinder
) -> tuple[pa.Table, list[FunnelStep]]:
    """Choose the threads among the posts of a dump.

    Args:
        questions: table of ``POST_QUESTION_SCHEMA``.
        answers: table of ``POST_ANSWER_SCHEMA``.
        options: settings of the choice.
        finder: finder of evaluation questions and their answers.

    Returns:
        Table of ``QUESTION_SCHEMA``, rows from 1 by descending popularity, without examples; and
        the number of questions that each step left.

    Raises:
        DataError: where no thread is left; the message has the number that each step left.
    """
    settings = CandidateSettings(
        **{name: getattr(options, name) for name in ThreadSettings.model_fields},
        answer="best",
        java_only=True,
        tags_needed="any",
    )
    candidates = choose_candidates(questions, answers, settings)
    kept, held = [], Counter[str]()
    for row in candidates.questions.to_pylist():
        posts = read_post_ids(row["question_url"]) | read_post_ids(row["answer_url"])
        leak = finder.find(row["question"], row["answer"], posts)
        if leak is None:
            kept.append(row)
        else:
            held[leak.kind] += 1
    steps, left = candidates.steps, len(candidates.questions)
    for kind, name in STEP_OF_KIND.items():
        left -= held[kind]
        steps.append(FunnelStep(name, left))
    features = ((row, features_of_answer(row["answer"])) for row in kept)
    kept = [row for row, found in features if found is not None and len(found.ids)]
    steps.append(FunnelStep("an answer that the judge can read", len(kept)))
    if not kept:
        counts = ", ".join(f"{step.name} {step.kept}" for step in steps)
        raise DataError(f"{questions}: no thread is left; questions by step: {counts}")
    rows = [row | {"query_id": number} for number, row in enumerate(kept, 1)]
    return pa.Table.from_pylist(rows, QUESTION_SCHEMA), steps


def write_threads(
    settings: ThreadSettings,
    post_questions: Path,
    post_answers: Path,
    questions: Path,
    output: Path,
    score_sheet: Path | None = None,
) -> None:
    """Choose threads of posts with a Java answer, in three parts, to choose rankers by.

    Args:
        settings: settings of the choice.
        post_questions: questions of a dump, as Parquet.
        post_answers: answers of a dump, as Parquet.
        questions: evaluation questions, which no thread may hold.
        output: folder to write: ``threads.parquet``, ``thread_parts.parquet``, ``funnel.csv``,
            ``counts.json``.
        score_sheet: published score sheet; its questions are left out by id as well.
    """
    finder = open_finder(questions, score_sheet)
    threads, steps = choose_threads(post_questions, post_answers, settings, finder)
    groups = group_threads(threads)
    parts = [choose_part(group) for group in groups]
    columns = {"query_id": threads["query_id"], "part": parts, "group": groups}
    write_table(output / THREADS, threads, QUESTION_SCHEMA)
    write_table(output / THREAD_PARTS, pa.table(columns, THREAD_PART_SCHEMA), THREAD_PART_SCHEMA)
    rows = funnel_rows(steps, {})
    write_rows(output / "funnel.csv", _FUNNEL, [{n: row[n] for n in _FUNNEL} for row in rows])
    of_parts = {
        name: _count([group for group, part in zip(groups, parts, strict=True) if part == name])
        for name in PARTS
    }
    write_json(output / "counts.json", {**_count(groups), "parts": of_parts})


def _count(groups: list[int]) -> dict[str, int]:
    return {"threads": len(groups), "groups": len(set(groups))}
