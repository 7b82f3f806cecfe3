"""Which threads are near duplicates of each other, and the part that each group has."""

from __future__ import annotations

from hashlib import blake2b

import pyarrow as pa

from ncsbench.pairs.leaks import SIMILAR, LeakFinder, title_keys
from ncsbench.pairs.set_names import ThreadPart

_PARTS: tuple[tuple[ThreadPart, int], ...] = (("training", 80), ("selection", 90), ("test", 100))
"""Of a hundred groups, the number at which each part ends."""


def group_threads(threads: pa.Table) -> list[int]:
    """The group of each thread: the least post id of the questions that it is a near duplicate of.

    Two threads are near duplicates where their titles have the same words, or where one answer is
    nearly the other: word by word where these are few, else by the Jaccard similarity of
    ``pairs.leaks`` (DEV-51), of the whole or of the body of a method. That an answer contains
    another one makes no group: what a short one says is in many, and one group would hold them all.
    A group is the transitive closure, so that it does not depend on any order.

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
    """The part of a group: 80 % are for training, 10 % of each of the others, by a hash.

    So a group keeps its part when others come or go.
    """
    digest = blake2b(str(group).encode(), digest_size=8).digest()
    place = int.from_bytes(digest) % 100
    return next(part for part, end in _PARTS if place < end)
