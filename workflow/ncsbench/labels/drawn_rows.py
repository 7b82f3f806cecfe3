"""The rows of a sheet: results of a dataset, or comments, in random order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.labels.label_sheet import match_query
from ncsbench.own_code.shown_methods import dedent_code
from ncsbench.runs.rankings import ranks_in_run
from ncsbench.runs.trec_files import read_run
from ncsbench.text.safe_text import cut_text

_LINES, _WIDTH = 80, 200
"""Lines of a method, and characters of a line, that are shown: other programs read cells up to
32,767 characters."""
_LONGEST_COMMENT = 1000
"""Characters; a longer comment is no query, and its cell would be cut."""

Item = TypeVar("Item")


def draw_results(
    dataset: BuiltDataset,
    *,
    models: Sequence[str] | None,
    depth: int,
    count: int | None,
    seed: int,
) -> list[Row]:
    """Draw pairs of a question and a method that some row of the table ranks among its first.

    Questions with the same text are one. Neither the row nor the rank is written.

    Args:
        dataset: whose questions and runs are read.
        models: rows that count; None for all.
        depth: how many results of each row.
        count: how many pairs are drawn; None for all.
        seed: of the order.

    Raises:
        ConfigurationError: for an unknown row.
        DataError: where there is no run.
    """
    for name in models or ():
        if name not in dataset.rows:
            known = ", ".join(dataset.rows)
            raise ConfigurationError(f"{dataset.name}: has no row {name}; it has {known}")
    asked = dataset.read_questions()
    titles = dict(zip(asked["query_id"].to_pylist(), asked["question"].to_pylist(), strict=True))
    found: dict[tuple[str, int], str] = {}
    for path in dataset.find_runs(models).values():
        run = read_run(path)
        kept = ranks_in_run(run) <= depth
        for query_id, id_ in zip(run.query_ids[kept].tolist(), run.ids[kept].tolist(), strict=True):
            if query_id in titles:
                found.setdefault((match_query(titles[query_id]), id_), titles[query_id])
    drawn = _draw(sorted(found), count, seed)
    documents = dataset.list_document_ids()
    methods = dataset.corpus.read_methods({id_ for _, id_ in drawn}, ["comment", "code"])
    return [
        _make_row(found[pair], documents[pair[1]], methods[pair[1]]["comment"] or "",
                  methods[pair[1]]["code"])
        for pair in drawn
    ]  # fmt: skip


def draw_comments(comments: Iterable[str], *, count: int | None, seed: int) -> list[Row]:
    """Draw distinct comments, known by their text without regard to case and blanks.

    Args:
        comments: what is drawn from.
        count: how many are drawn; None for all.
        seed: of the order.

    Raises:
        DataError: where no comment is short enough.
    """
    found: dict[str, str] = {}
    for comment in comments:
        if comment.strip() and len(comment) <= _LONGEST_COMMENT:
            found.setdefault(match_query(comment), comment.strip())
    if not found:
        raise DataError(f"there is no comment of at most {_LONGEST_COMMENT:,} characters")
    return [_make_row(found[key]) for key in _draw(sorted(found), count, seed)]


def _draw(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    order = np.random.default_rng(seed).permutation(len(items)).tolist()
    return [items[place] for place in order[:count]]


def _make_row(query: str, document: str = "", comment: str = "", code: str = "") -> Row:
    text = "\n".join(filter(None, [comment, dedent_code(code)]))
    shown = "\n".join(cut_text(text, lines=_LINES, width=_WIDTH))
    return {"query": query, "code": shown, "grade": "", "notes": "", "document": document}
