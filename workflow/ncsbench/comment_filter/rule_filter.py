"""Rules applied to comments, and what each of them did (Sun et al., ICSE 2022, Table 6)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ncsbench.comment_filter.rule_sets import RuleSet


class Verdict(NamedTuple):
    """What the rules say of a comment.

    Attributes:
        comment: as detaching rules left it.
        rejected_by: name of the first rule that rejects it; empty where none does.
        changed_by: names of the rules that changed it, in order.
    """

    comment: str
    rejected_by: str
    changed_by: tuple[str, ...]


class RuleCount(NamedTuple):
    """What a rule did, as a row of the paper's Table 6.

    Attributes:
        rule: its name.
        changed: comments of which it took something away; their number stands under
            "#Discarded" there.
        rejected: comments that it rejected.
        retained: comments that were left after it.
    """

    rule: str
    changed: int
    rejected: int
    retained: int


class RuleFilter:
    """Applies a set of rules, each to what the one before left, until one rejects."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.rule_set = rule_set
        self._rules = [(rule.name, rule.detaches, rule.apply) for rule in rule_set.rules]

    def judge(self, comment: str) -> Verdict:
        """What the rules say of a comment; nothing is stripped from it (DEV-166).

        Raises:
            ConfigurationError: where a rule of the user's own fails.
        """
        changed: tuple[str, ...] = ()
        for name, detaches, apply in self._rules:
            answer = apply(comment)
            if detaches:
                if answer != comment:
                    comment = answer
                    changed += (name,)
            elif answer:
                return Verdict(comment, name, changed)
        return Verdict(comment, "", changed)


class RuleCounts:
    """Counts verdicts, rule by rule."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.read = 0
        self._names = [rule.name for rule in rule_set.rules]
        self._changed: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()

    def add(self, verdict: Verdict) -> None:
        """Count a comment."""
        self.read += 1
        if verdict.changed_by:
            self._changed.update(verdict.changed_by)
        if verdict.rejected_by:
            self._rejected[verdict.rejected_by] += 1

    def rows(self) -> list[RuleCount]:
        """One row for each rule, in order."""
        rows, retained = [], self.read
        for name in self._names:
            retained -= self._rejected[name]
            rows.append(RuleCount(name, self._changed[name], self._rejected[name], retained))
        return rows
