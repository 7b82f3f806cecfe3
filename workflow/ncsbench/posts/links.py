"""How many posts link to each question, from the links file of a dump.

A row says that ``PostId`` links to ``RelatedPostId`` (``LinkTypeId`` 1) or is its duplicate (3).
"""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, write_table
from ncsbench.errors import DataError
from ncsbench.posts.dump_options import LinkSettings
from ncsbench.posts.post_schemas import POST_QUESTION_SCHEMA
from ncsbench.posts.row_xml import parse_row
from ncsbench.posts.rows import RawRow, iterate_rows
from ncsbench.posts.streams import LINKS_MEMBER

LINK_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("links", pa.int64(), nullable=False),
        pa.field("duplicates", pa.int64(), nullable=False),
    ]
)
"""A question by ascending id, each once: ``links`` of any kind to it, and how many of them say that
another post is its duplicate."""

_LINKED, _DUPLICATE = 1, 3
_KEYS = ("PostId", "RelatedPostId", "LinkTypeId")
_logger = logging.getLogger(__name__)


def write_links(settings: LinkSettings, questions: Path, output: Path) -> None:
    """Count the links and duplicates that point to each question of a dump.

    Args:
        settings: the file of links.
        questions: questions of the dump, as Parquet.
        output: file to write, ``LINK_SCHEMA``.
    """
    write_table(output, count_links(settings.path, questions), LINK_SCHEMA)


def count_links(dump: Path, questions: Path) -> pa.Table:
    """Count the links to some questions, as a table of ``LINK_SCHEMA``.

    A row that cannot be read is a warning: its link does not count. Nor does a link of a post to
    itself, or of a kind that is neither of the two.

    Args:
        dump: PostLinks.xml of a dump, plain, as gzip or in a 7z archive.
        questions: table of ``POST_QUESTION_SCHEMA``; its ids are streamed.

    Raises:
        DataError: the file cannot be unpacked, is not in UTF-8 or has no links.
    """
    tables = iterate_tables(questions, POST_QUESTION_SCHEMA, ["id"])
    found = [np.zeros(0, np.int64), *(table["id"].to_numpy() for table in tables)]
    ids = np.unique(np.concatenate(found))
    counts = np.zeros((2, len(ids)), np.int64)
    broken = read = 0
    for row in iterate_rows(dump, member=LINKS_MEMBER):
        attributes = None
        if isinstance(row, RawRow):
            attributes, _ = parse_row(row.offset, row.text)
        values = [] if attributes is None else [attributes.get(key, "") for key in _KEYS]
        if not values or not all(_is_number(value) for value in values):
            if not broken:
                _logger.warning("%s: cannot be read at byte %d", dump, row.offset)
            broken += 1
            continue
        read += 1
        source, target, kind = map(int, values)
        place = int(np.searchsorted(ids, target))
        if source == target or place == len(ids) or ids[place] != target:
            continue
        counts[0, place] += kind in (_LINKED, _DUPLICATE)
        counts[1, place] += kind == _DUPLICATE
    if not read:
        raise DataError(
            f"{dump}: has no rows of links; it must be PostLinks.xml, plain, gzip or 7z"
        )
    linked = int(np.count_nonzero(counts[0]))
    _logger.info("%s: links to %d of %d questions, %d errors", dump, linked, len(ids), broken)
    return pa.table([ids, *counts], schema=LINK_SCHEMA)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18
