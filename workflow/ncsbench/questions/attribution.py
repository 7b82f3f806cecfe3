"""Who wrote the posts behind each question, and under which licence."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ncsbench.posts.post_schemas import credit_post

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
"""One post: ``query_id`` is the candidate's, ``kind`` is ``question`` or ``answer``."""

COLUMNS = ("stackoverflow_id", *ATTRIBUTION_SCHEMA.names[1:])
"""Columns of ``attribution.csv``, in order; ``stackoverflow_id`` is the question's."""


def describe_post(row: int, kind: str, post: dict[str, Any], site: str) -> dict[str, Any]:
    """A row of ``ATTRIBUTION_SCHEMA`` for a question or an answer of a dump."""
    return {
        "query_id": row,
        "post_id": post["id"],
        "kind": kind,
        **credit_post(kind, post, site)._asdict(),
        "licence": post["licence"],
        "creation_date": post["creation_date"],
    }


def attribution_rows(attribution: pa.Table, names: dict[int, str]) -> list[dict[str, str]]:
    """Rows of ``COLUMNS`` for the questions in ``names`` (Stack Overflow id by row)."""
    return [
        {
            "stackoverflow_id": names[post["query_id"]],
            **{name: str(post[name]) for name in COLUMNS[1:-1]},
            "creation_date": post["creation_date"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        for post in attribution.to_pylist()
        if post["query_id"] in names
    ]
