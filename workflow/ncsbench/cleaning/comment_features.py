"""What raw comments hold that no query has (Sun et al., ICSE 2022, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ncsbench.artifacts.csv_tables import Row, format_number, name_cells, write_rows
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.cleaning.comment_groups import ORIGINAL
from ncsbench.comment_filter.rule_sets import Rule, load_rule_set
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.rule_shares import PRINTED_RULES
from ncsbench.published.printed_cells import PublishedCells, read_published_cells

COLUMNS = (
    *("feature", "comments", "share", "value"),
    *("published_as", "published_comments", "published_share"),
)
"""Columns of ``figure1.csv``, in order."""
ANY = "any of them"
"""The row of comments with at least one of the features."""

_PERCENTILES = (5, 25, 50, 75, 95)
_DIGITS = 4


def write_comment_features(*, raw: Path, published: Path | None, output: Path) -> None:
    """Write how many raw comments have what a rule is against, and how long they are.

    Args:
        raw: raw pairs (``PAIR_SCHEMA``).
        published: ``nlqf_tables.csv``; None for nothing beside ours.
        output: CSV file to write.

    Raises:
        DataError: for a file that cannot be used.
    """
    comments = (
        comment
        for table in iterate_tables(raw, PAIR_SCHEMA, ["query"])
        for comment in table["query"].to_pylist()
    )
    write_rows(output, COLUMNS, describe_comments(comments, read_published_cells(published)))


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
    named = [(ORIGINAL, read, "Original CSN-t")]
    named += [(name, count, PRINTED_RULES[name]) for name, count in counts.items()]
    named.append((ANY, touched, "In total"))
    rows = [_count(name, count, read, printed_as, printed) for name, count, printed_as in named]
    return [*rows, *_measure(lengths)]


def _has(rule: Rule, comment: str) -> bool:
    """Whether a rule would change a comment, or reject it."""
    answer = rule.apply(comment)
    return bool(answer != comment if rule.detaches else answer)


def _count(name: str, count: int, read: int, printed_as: str, printed: PublishedCells) -> Row:
    share = format_number(count / read, _DIGITS) if read else ""
    beside = ("", "", "")
    if value := printed.get(("Table 4", printed_as, "pairs")):
        whole = int(printed["Table 4", "Original CSN-t", "pairs"])
        beside = (printed_as, value, format_number(int(value) / whole, _DIGITS))
    return name_cells(COLUMNS, [(name, count, share, "", *beside)])[0]


def _measure(lengths: dict[str, list[int]]) -> list[Row]:
    """Mean and percentiles of lengths; none of nothing."""
    rows = []
    for unit, found in lengths.items():
        if not found:
            continue
        named = ("mean", *(f"percentile {place}" for place in _PERCENTILES))
        values = (np.mean(found), *np.percentile(found, _PERCENTILES))
        rows += [
            (f"{unit}, {name}", "", "", format_number(float(value), 2), "", "", "")
            for name, value in zip(named, values, strict=True)
        ]
    return name_cells(COLUMNS, rows)
