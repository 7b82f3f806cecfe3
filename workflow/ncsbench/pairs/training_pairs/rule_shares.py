"""Counts of queries of training pairs that each rule on comments touches (Sun et al., Table 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ncsbench.base.files.csv_tables import name_cells
from ncsbench.pairs.comment_filter.rule_sets import RuleCounts, RuleSet
from ncsbench.pairs.training_pairs.pair_schema import iterate_pairs

SHARE_COLUMNS = ("rule_set", "rule", "pairs", "share", "published_share")

ALL, RETAINED = "all", "retained"
"""Rows beside those of the rules: all pairs, and the pairs that no rule rejects."""

PRINTED_RULES = {
    "detach_html_tags": "HTML tag",
    "detach_parentheses": "Parentheses",
    "javadoc_tags": "Javadoc tags",
    "urls": "URLs",
    "non_english": "Non-English",
    "punctuation": "Punctuation",
    "interrogation": "Interrogation",
    "short_sentence": "Short sentence",
}
"""Rows of the printed tables by rules, in the printed order."""
_PRINTED = {
    ALL: ("Table 4", "Original CSN-t"),
    **{rule: ("Table 4", row) for rule, row in PRINTED_RULES.items()},
    RETAINED: ("Table 3", "rule filter only"),
}


def count_rules(
    paths: Iterable[Path],
    rule_sets: Sequence[RuleSet],
    printed: Mapping[tuple[str, str], int],
) -> list[dict[str, str]]:
    """Count the queries of all files that each rule changes or rejects.

    A rule sees the queries that the rules before it left: of a rejected query only the first reason
    counts, as the sums of the paper's table show.

    Args:
        paths: files of ``PAIR_SCHEMA``.
        rule_sets: the sets of rules.
        printed: numbers of pairs by table and row of the paper; empty for no published shares.

    Returns:
        Rows with ``SHARE_COLUMNS``: ``pairs`` is the number of pairs that a rule changed or
        rejected, ``share`` their share of all pairs, in [0, 1], ``published_share`` the share of
        the paper's rule.
    """
    counted = [(rules, RuleCounts(rules)) for rules in rule_sets]
    for (query,) in iterate_pairs(paths, "query"):
        for rules, counts in counted:
            counts.add(rules.judge(query))
    shares = []
    for rules, counts in counted:
        touched = [(row.rule, row.changed + row.rejected) for row in counts.rows()]
        left = counts.rows()[-1].retained if touched else counts.read
        for rule, pairs in [(ALL, counts.read), *touched, (RETAINED, left)]:
            place = _PRINTED.get(rule.removesuffix("_as_released"))
            published = printed.get(place) if place else None
            both = _divide(pairs, counts.read), _divide(published, printed.get(_PRINTED[ALL]))
            shares.append((rules.name, rule, pairs, *both))
    return name_cells(SHARE_COLUMNS, shares)


def _divide(part: int | None, whole: int | None) -> str:
    """Return a share in [0, 1] with four digits; empty where a number is missing."""
    return f"{part / whole:.4f}" if part is not None and whole else ""
