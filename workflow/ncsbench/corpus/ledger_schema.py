"""The Arrow schema of the ledger of a corpus: what was taken from the sources and what was not."""

from __future__ import annotations

import pyarrow as pa

LEDGER_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("methods", pa.int32(), nullable=False),
    ]
)
"""One line per repository (``path`` null) and per Java file: ``taken`` or ``skipped`` and why."""
