"""Arrow schemas of posts, and their attribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

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
"""A question of a dump. ``body`` is HTML; ``licence`` is as stated in the dump, or follows from the
date (``posts.dump.dump_passes``); ``offset`` is the row's position in the unpacked dump, in bytes.
"""

POST_ANSWER_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("parent_id", pa.int64(), nullable=False),
        *_POST_FIELDS,
    ]
)
"""An answer of a dump to a question that was read; fields as in ``POST_QUESTION_SCHEMA``."""

LINK_SCHEMA = pa.schema(
    [pa.field(name, pa.int64(), nullable=False) for name in ("id", "links", "duplicates")]
)
"""A row for each question, by ascending id: the number of ``links`` of any kind to the question,
and the number of these that say that another post is its duplicate."""


class Credit(NamedTuple):
    """Attribution of a post, as CC BY-SA requires; texts are empty where the dump names nobody.

    Attributes:
        author: name of the author, such as ``user5`` where only a number is known.
        author_url: page of the author.
        link: page of the post.
    """

    author: str
    author_url: str
    link: str


def credit_post(kind: str, post: Mapping[str, Any], site: str) -> Credit:
    """Return name and links of a post.

    Args:
        kind: ``question`` or ``answer``.
        post: post with ``id``, ``owner_user_id`` and ``owner_display_name``.
        site: address of the site, such as ``https://stackoverflow.com``.
    """
    user, page = post["owner_user_id"], "questions" if kind == "question" else "a"
    return Credit(
        post["owner_display_name"] or ("" if user is None else f"user{user}"),
        "" if user is None else f"{site}/users/{user}",
        f"{site}/{page}/{post['id']}",
    )
