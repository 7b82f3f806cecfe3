"""What raw comments hold that no query has (Sun et al., ICSE 2022, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.cleaning.comment_groups import (
    ORIGINAL,
    PRINTED_WHOLE,
    divide,
    find_printed_count,
    iterate_comments,
)
from ncsbench.comment_filter.rule_sets import Rule, load_rule_set
from ncsbench.pairs.rule_shares import PRINTED_RULES
from ncsbench.published.printed_figures import PublishedCells, read_published_cells

COLUMNS = (
    *("feature", "comments", "share", "value"),
    *("published_as", "published_comments", "published_share"),
)
"""Columns of ``figure1.csv``, in order."""
ANY = "any of them"
"""The row of comments with at least one of the features."""

_PERCENTILES = (5, 25, 50, 75, 95)


def write_comment_features(raw: Path, output: Path, published: Path | None = None) -> None:
    """Write how many raw comments have what a rule is against, and how long they are.

    Args:
        raw: raw pairs (``PAIR_SCHEMA``).
        output: CSV file to write.
        published: ``nlqf_tables.csv``; without it nothing stands beside ours.

    Raises:
        DataError: for a file that cannot be used.
    """
    rows = describe_comments(iterate_comments(raw), read_published_cells(published))
    write_rows(output, COLUMNS, rows)


def describe_comments(comments: Iterable[str], printed: PublishedCells) -> list[Row]:
    """Rows of ``COLUMNS``: all comments, each feature, any of them, then lengths.

    A comment counts for every feature that it has as it stands, by the rules as published. The
    printed counts, of Table 4, have the first reason alone.
    """
    rules = load_rule_set("as_published").rules
    counts = dict.fromkeys([rule.name for rule in rules], 0)
    lengths: dict[str, list[int]] = {"characters": [], "words": []}
    touched = 0
    for comment in comments:
        found = [rule.name for rule in rules if _has(rule, comment)]
        for name in found:
            counts[name] += 1
        touched += bool(found)
        lengths["characters"].append(len(comment))
        lengths["words"].append(len(comment.split()))
    read = len(lengths["words"])
    named = [(ORIGINAL, read, PRINTED_WHOLE)]
    named += [(name, count, PRINTED_RULES[name]) for name, count in counts.items()]
    named.append((ANY, touched, "In total"))
    cells = [
        (name, str(count), divide(count, read), "", *find_printed_count(printed, printed_as))
        for name, count, printed_as in named
    ]
    cells += [(name, "", "", value, "", "", "") for name, value in _measure(lengths)]
    return [dict(zip(COLUMNS, row, strict=True)) for row in cells]


def _has(rule: Rule, comment: str) -> bool:
    """Whether a rule would change a comment, or reject it."""
    answer = rule.apply(comment)
    return bool(answer != comment if rule.detaches else answer)


def _measure(lengths: dict[str, list[int]]) -> Iterator[tuple[str, str]]:
    """Names and values of mean and percentiles of lengths; nothing where there is no comment."""
    for unit, found in lengths.items():
        if found:
            yield f"{unit}, mean", format_number(float(np.mean(found)), 2)
            for place, value in zip(_PERCENTILES, np.percentile(found, _PERCENTILES), strict=True):
                yield f"{unit}, percentile {place}", format_number(float(value), 2)
