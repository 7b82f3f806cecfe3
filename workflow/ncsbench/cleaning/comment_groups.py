"""What rules and model do with the comments of raw pairs, group by group, in the paper's order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import format_number
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.comment_filter.rule_filter import RuleCount, RuleCounts, RuleFilter
from ncsbench.comment_filter.rule_sets import RULE_SETS, RuleSet, make_rule_set
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.rule_shares import PRINTED_RULES
from ncsbench.published.printed_figures import PublishedCells

ORIGINAL, REJECTED, MODEL, RETAINED = "original", "rejected", "model", "retained"
"""Groups beside those of the rules: all comments, those that a rule rejects, those that the model
rejects, and what is left."""


PRINTED_WHOLE = "Original CSN-t"
"""The printed row of all comments."""


@dataclass(frozen=True)
class CommentGroups:
    """Raw comments and what became of them.

    Attributes:
        read: how many there are.
        rules: what each rule did, in the paper's order.
        kept: pairs that rules and model keep; None where there is no such set.
    """

    read: int
    rules: Sequence[RuleCount]
    kept: int | None

    @property
    def left(self) -> int:
        """How many comments no rule rejects."""
        return self.rules[-1].retained if self.rules else self.read

    @property
    def rejected_by_model(self) -> int | None:
        """How many of these the model rejects; None where there is no such set."""
        return None if self.kept is None else self.left - self.kept


def printed_rule(rule: str) -> str:
    """The printed row of a rule; empty for one that is not printed."""
    return PRINTED_RULES.get(rule.removesuffix("_as_released"), "")


def find_printed_count(printed: PublishedCells, row: str) -> tuple[str, str, str]:
    """Name a row of the printed Table 4, its comments and their share; empty without such a row."""
    count = printed.get(("Table 4", row, "pairs"), "")
    whole = printed.get(("Table 4", PRINTED_WHOLE, "pairs"), "")
    return (row, count, divide(count, whole)) if count else ("", "", "")


def divide(part: int | str, whole: int | str) -> str:
    """A share in [0, 1] with four digits; empty where either number is missing."""
    return format_number(int(part) / int(whole), 4) if part != "" and whole else ""


def order_rules(name: str) -> RuleSet:
    """A named set of rules in the order of the paper's tables (DEV-198); others stand last."""
    places = {printed: place for place, printed in enumerate(PRINTED_RULES.values())}
    rules = sorted(RULE_SETS[name], key=lambda rule: places.get(printed_rule(rule), len(places)))
    return make_rule_set(name, rules, None, where=name)


def group_comments(raw: Path, rules: RuleSet, kept: Path | None) -> CommentGroups:
    """Apply rules to raw comments, and count what rules and model keep.

    Args:
        raw: raw pairs, a file of ``PAIR_SCHEMA``.
        rules: in the order in which they are counted.
        kept: the pairs that rules and model keep; None where there are none.
    """
    rule_filter, counts = RuleFilter(rules), RuleCounts(rules)
    for comment in iterate_comments(raw):
        counts.add(rule_filter.judge(comment))
    number = None if kept is None else count_pairs(kept)
    return CommentGroups(counts.read, counts.rows(), number)


def count_pairs(path: Path) -> int:
    """Number of pairs of a file of ``PAIR_SCHEMA``."""
    return sum(1 for _ in iterate_comments(path))


def iterate_comments(path: Path) -> Iterator[str]:
    """The queries of a file of ``PAIR_SCHEMA``, in order."""
    for table in iterate_tables(path, PAIR_SCHEMA, ["query"]):
        yield from table["query"].to_pylist()
