"""The most popular questions with all or any of some tags (NCSED paper; DEV-46, DEV-103)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import iterate_tables, read_table
from ncsbench.errors import ConfigurationError
from ncsbench.posts.post_schemas import LINK_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.questions.selection_options import LINK_ORDERS

_COLUMNS = ["id", "tags", "view_count", "score"]


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
    questions: Path,
    *,
    tags: Sequence[str],
    count: int,
    popularity: str,
    links: Path | None = None,
    tags_needed: str = "all",
) -> PopularQuestions:
    """The ``count`` most popular questions that have the ``tags``, ties by ascending id.

    Args:
        questions: table of ``POST_QUESTION_SCHEMA``; light columns are streamed.
        tags: tags that a question must have; with none, every question counts.
        count: how many are taken at most.
        popularity: as in ``questions.selection_options``.
        links: table of ``LINK_SCHEMA``; an order by links or duplicates needs it.
        tags_needed: whether a question must have ``all`` of the tags or ``any`` of them.
    """
    read = 0
    parts = [np.zeros((0, 4), np.int64)]
    for table in iterate_tables(questions, POST_QUESTION_SCHEMA, _COLUMNS):
        read += len(table)
        found = _find_tags(table["tags"], tags)
        has = found.any(axis=0) if tags_needed == "any" and tags else found.all(axis=0)
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
    if popularity == "score":
        order = np.lexsort((ids, -scores))
    else:
        # Views and scores have different scales, so that questions with views come first.
        keys = [ids, np.where(viewed == 1, -views, -scores), -viewed]
        if popularity in LINK_ORDERS:
            if links is None:
                raise ConfigurationError(
                    f"popularity {popularity!r} needs the counted links; give --links"
                )
            keys.append(-_read_links(links, popularity, ids))
        order = np.lexsort(keys)
    return PopularQuestions(ids[order[:count]], read, len(ids))


def _read_links(links: Path, column: str, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Links or duplicates of each question, 0 where none is counted."""
    table = read_table(links, LINK_SCHEMA, ["id", column])
    known, counts = (table[name].to_numpy() for name in ("id", column))
    if not len(known):
        return np.zeros(len(ids), np.int64)
    places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[places] == ids, counts[places], 0)


def _find_tags(lists: pa.ChunkedArray, tags: Sequence[str]) -> NDArray[np.bool_]:
    """Which lists have which tag, shape (tags, n)."""
    together = lists.combine_chunks()
    owners = pc.list_parent_indices(together).to_numpy(zero_copy_only=False)
    flat = pc.list_flatten(together)
    found = np.zeros((len(tags), len(together)), np.bool_)
    for row, tag in enumerate(tags):
        equal = pc.fill_null(pc.equal(flat, tag), False)
        found[row, owners[equal.to_numpy(zero_copy_only=False)]] = True
    return found
