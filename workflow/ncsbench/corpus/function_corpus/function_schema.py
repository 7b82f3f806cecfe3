"""Schema of the functions of one language."""

from __future__ import annotations

import pyarrow as pa

FUNCTION_SCHEMA = pa.schema(
    [
        pa.field("function_id", pa.int64(), nullable=False),
        pa.field("repo", pa.string(), nullable=False),
        pa.field("sha", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("identifier", pa.string(), nullable=False),
        pa.field("docstring", pa.string(), nullable=False),
        pa.field("summary", pa.string(), nullable=False),
        pa.field("docstring_tokens", pa.list_(pa.string()), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("code_tokens", pa.list_(pa.string()), nullable=False),
        pa.field("part", pa.string(), nullable=False),
        pa.field("is_pair", pa.bool_(), nullable=False),
    ]
)
"""One row a function, in the order of the ids (repository, path, position).

``part`` is ``train``, ``valid`` or ``test``, that of the repository. ``is_pair``: the function has
documentation and passes the filters of the paper (section 3.1), so that both are a pair to train or
test on; what no training may see of these is no pair either.
"""


def make_url(repo: str, sha: str, path: str, start_line: int, end_line: int) -> str:
    """The address of a function, as the annotations and the released files write it."""
    return f"https://github.com/{repo}/blob/{sha}/{path}#L{start_line}-L{end_line}"


EXTRACTED_SCHEMA = pa.schema(
    [pa.field("name", pa.string(), nullable=False), *list(FUNCTION_SCHEMA)[1:-2]]
)
"""Functions as the extraction finds them, with their unqualified name, in the order of the ids."""

REMOVED_SCHEMA = pa.schema(
    [
        pa.field("repo", pa.string(), nullable=False),
        pa.field("sha", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("function_id", pa.int64()),
    ]
)
"""Functions that a corpus leaves out, each with the one that represents it, null where none
does."""

COUNTS = ("functions", "documented", "dropped")
"""Numbers of functions of a file: all, those with documentation, those that a rule leaves out."""

FUNCTION_LEDGER_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        *(pa.field(name, pa.int32(), nullable=False) for name in COUNTS),
        pa.field("dropped_by", pa.map_(pa.string(), pa.int32())),
        pa.field("bytes_hash", pa.string()),
        pa.field("text_hash", pa.string()),
    ]
)
"""One line per repository (``path`` null) and per code file: ``taken`` or ``skipped`` and why, with
its ``COUNTS`` and, of a file that was taken, how many functions each rule left out and hashes of
its text (``corpus.methods.file_extraction``)."""
