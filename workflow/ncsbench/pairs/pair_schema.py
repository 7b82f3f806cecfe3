"""The Arrow schema of training pairs."""

from __future__ import annotations

import pyarrow as pa

PAIR_SCHEMA = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in (
            "query",
            "code",
            "source",
            "key",
            "licence",
            "code_url",
            "code_author",
            "code_author_url",
            "query_url",
            "query_author",
            "query_author_url",
            "query_licence",
            "class_name",
            "comments",
        )
    ]
)
"""A training pair. ``source`` says what it was made from (``stackoverflow`` or ``github``), ``key``
is unique and names the position there; ``licence`` is the code's. ``class_name`` and ``comments``
are what a method of a corpus has beside its code: the name of the type around it, and the comments
before it with its docstring, each on lines of its own. Unknown texts are empty."""
