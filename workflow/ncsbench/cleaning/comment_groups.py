"""What rules and model do with the comments of raw pairs, group by group, in the paper's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.comment_filter.rule_filter import RuleCount, RuleCounts, RuleFilter
from ncsbench.comment_filter.rule_sets import RULE_SETS, RuleSet, make_rule_set
from ncsbench.label_files.label_file import LANGUAGE, match_query, read_labels
from ncsbench.label_files.scales import QUERY_LIKENESS
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.rule_shares import PRINTED_RULES

ORIGINAL, REJECTED, MODEL, RETAINED = "original", "rejected", "model", "retained"
"""Groups beside those of the rules: all comments, those that a rule rejects, those that the model
rejects, and what is left."""
NO_LABELS = "no file of labels is given"
NOT_LABELLED = "none of its comments is labelled"
Grades = Mapping[str, float]
"""Mean grade by comment, as ``match_query`` has it."""


@dataclass(frozen=True)
class CommentGroups:
    """Raw comments and what became of them.

    Attributes:
        read: how many there are.
        rules: what each rule did, in the paper's order.
        kept: pairs that rules and model keep; None where there is no such set.
        grades: grades of the labelled comments of each group.
    """

    read: int
    rules: Sequence[RuleCount]
    kept: int | None
    grades: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Likeness:
    """How like queries people find comments.

    Attributes:
        labelled: comments that people judged.
        mean: from 0 to 2; None where none is labelled.
        share_0: share of a mean grade below 0.5; the others are rather 1 or 2.
    """

    labelled: int
    mean: float | None
    share_0: float | None


def printed_rule(rule: str) -> str:
    """The printed row of a rule; empty for one that is not printed."""
    return PRINTED_RULES.get(rule.removesuffix("_as_released"), "")


def order_rules(name: str) -> RuleSet:
    """A named set of rules in the order of the paper's tables (DEV-198); others stand last."""
    places = {printed: place for place, printed in enumerate(PRINTED_RULES.values())}
    rules = sorted(RULE_SETS[name], key=lambda rule: places.get(printed_rule(rule), len(places)))
    return make_rule_set(name, rules, None, where=name)


def read_grades(paths: Iterable[Path]) -> Grades:
    """Mean grades of comments over all labels of some files of ``ncsbench label``.

    Raises:
        DataError: for a file that is none of labels on the scale of query-likeness.
    """
    found: dict[str, list[int]] = {}
    for path in paths:
        for label in read_labels(path, QUERY_LIKENESS):
            if label.language.lower() == LANGUAGE.lower():
                found.setdefault(match_query(label.query), []).append(label.grade)
    return {text: sum(grades) / len(grades) for text, grades in found.items()}


def group_comments(raw: Path, rules: RuleSet, kept: Path | None, grades: Grades) -> CommentGroups:
    """Apply rules to raw comments, and sort labelled ones into groups.

    A comment of a group that the rules keep is matched with labels as they left it, any other as
    it stands. A comment counts once in a group, however many pairs have it.

    Args:
        raw: raw pairs, a file of ``PAIR_SCHEMA``.
        rules: in the order in which they are counted.
        kept: the pairs that rules and model keep; None where there are none.
        grades: of people.
    """
    number = None if kept is None else sum(1 for _ in _iterate(kept, "key"))
    # Millions of keys are held for labelled comments alone.
    keys = None if kept is None or not grades else set(_iterate(kept, "key"))
    rule_filter, counts = RuleFilter(rules), RuleCounts(rules)
    groups: dict[str, dict[str, float]] = {}
    for key, comment in zip(_iterate(raw, "key"), _iterate(raw, "query"), strict=True):
        verdict = rule_filter.judge(comment)
        counts.add(verdict)
        if not grades:
            continue
        places = [(ORIGINAL, comment)]
        if verdict.rejected_by:
            places += [(verdict.rejected_by, comment), (REJECTED, comment)]
        elif keys is not None:
            places.append((RETAINED if key in keys else MODEL, verdict.comment))
        for group, text in places:
            matched = match_query(text)
            if matched in grades:
                groups.setdefault(group, {})[matched] = grades[matched]
    return CommentGroups(
        counts.read,
        counts.rows(),
        number,
        {group: [*found.values()] for group, found in groups.items()},
    )


def grade_set(pairs: Path, grades: Grades) -> tuple[int, Likeness]:
    """Number of pairs of a set, and how like queries its comments are."""
    count, found = 0, dict[str, float]()
    for comment in _iterate(pairs, "query"):
        count += 1
        if grades and (matched := match_query(comment)) in grades:
            found[matched] = grades[matched]
    return count, measure_likeness([*found.values()])


def measure_likeness(grades: Sequence[float]) -> Likeness:
    """Figures of the grades of some comments."""
    if not grades:
        return Likeness(0, None, None)
    low = sum(grade < 0.5 for grade in grades) / len(grades)
    return Likeness(len(grades), sum(grades) / len(grades), low)


def _iterate(path: Path, column: str) -> Iterator[str]:
    for table in iterate_tables(path, PAIR_SCHEMA, [column]):
        yield from table[column].to_pylist()
