"""Makes a filter of comments: counts what it does with those that it is fitted on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ncsbench.comment_filter.comment_filter import CommentFilter
from ncsbench.comment_filter.comment_lines import open_lines, read_lines
from ncsbench.comment_filter.filter_folder import check_folder, save_filter
from ncsbench.comment_filter.filter_options import FilterOptions
from ncsbench.comment_filter.filter_stream import StreamCounts, cut_batches, judge_lines
from ncsbench.comment_filter.rule_filter import RuleCounts
from ncsbench.comment_filter.rule_sets import load_rule_set
from ncsbench.errors import DataError

RULES_ONLY = "rules only: no comment is compared with queries"


def fit_filter(
    source: str,
    output: Path,
    options: FilterOptions,
    *,
    field: str = "comment",
    report: Callable[[int], None] = lambda lines: None,
) -> StreamCounts:
    """Fit a filter on comments, which are read as a stream, and write its folder.

    Args:
        source: JSON Lines with a comment each, plain or gzipped; ``-`` for standard input.
        output: folder to write; one that holds something else than a filter is refused.
        options: of the filter.
        field: that holds the comment.
        report: is told the number of lines read, now and then.

    Returns:
        What the filter does with these comments.

    Raises:
        ConfigurationError: for options or an output that cannot be used.
        DataError: where the source cannot be read, or has no comment that is kept.
    """
    check_folder(output)
    rules = CommentFilter(load_rule_set(options.rules))
    counts = StreamCounts(RuleCounts(rules.rule_set))
    with open_lines(source) as stream:
        for batch in cut_batches(read_lines(stream, source, field)):
            for _, decision in judge_lines(rules, batch, counts.rules):
                counts.add(decision)
            report(counts.read)
    if not counts.kept:
        raise DataError(f"{source}: the rules keep none of its comments; {counts.describe()}")
    save_filter(rules, output, fitted=describe_fit(counts), note=RULES_ONLY)
    return counts


def describe_fit(counts: StreamCounts) -> dict[str, Any]:
    """What a filter did with the comments that it was fitted on, as JSON."""
    return {
        "read": counts.read,
        "kept": counts.kept,
        "share_kept": counts.kept / counts.read,
        "changed": counts.changed,
        "rejected": dict(sorted(counts.rejected.items())),
        "rules": [row._asdict() for row in counts.rules.rows()],
    }
