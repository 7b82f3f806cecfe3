"""The effect of the filter: Tables 4, 6 and 7 and Figure 1 of Sun et al. (ICSE 2022).

Rules and model are counted in the paper's order (section 3.1; DEV-198).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from ncsbench.base.files.csv_tables import Row, format_number, name_cells, write_rows
from ncsbench.base.files.storage import iterate_tables
from ncsbench.evaluation.published.printed_figures import PublishedCells, read_published_cells
from ncsbench.pairs.comment_filter.rule_sets import (
    RULE_SETS,
    Rule,
    RuleCount,
    RuleCounts,
    RuleSet,
    load_rule_set,
    make_rule_set,
)
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.rule_shares import PRINTED_RULES
from ncsbench.studies.icse_2022.cell_settings import FilterTableSettings

ORIGINAL, REJECTED, MODEL, RETAINED = "original", "rejected", "model", "retained"
"""Groups beside those of single rules: all comments, comments that any rule rejects, comments that
the model rejects, and comments that are left."""
IN_TOTAL = "in total"
"""The group of all comments that rules change or reject, summed over rules as in the printed
table."""
ANY = "any of them"
"""The row of Figure 1 of comments with at least one of the features."""
NOT_MADE = "not made"
OF_OTHERS = "data of others, not at hand"

TABLE4_COLUMNS = (
    *("group", "does", "comments", "share", "sample_size", "sample_size_as_printed", "note"),
    *("published_as", "published_comments", "published_share"),
    *("published_likeness", "published_share_0", "published_share_1_or_2"),
)
"""Columns of ``table4.csv``, in order."""
TABLE6_COLUMNS = (
    *("rule", "does", "discarded", "retained", "share_retained", "note"),
    *("published_as", "published_discarded", "published_retained", "published_share_retained"),
)
"""Columns of ``table6.csv``, in order. Comments that a rule changes count as ``discarded``, too, as
printed."""
TABLE7_COLUMNS = (
    *("data_set", "published_as", "source", "language", "pairs", "note"),
    *("published_pairs", "published_likeness"),
)
"""Columns of ``table7.csv``, in order."""
FIGURE1_COLUMNS = (
    *("feature", "comments", "share", "value"),
    *("published_as", "published_comments", "published_share"),
)
"""Columns of ``figure1.csv``, in order."""

_GROUPS = {
    ORIGINAL: "Original CSN-t",
    IN_TOTAL: "In total",
    MODEL: "Discarded by the model filter",
    RETAINED: "Retained",
}
"""Printed rows of the groups other than those of rules."""
_DATA_SETS = (
    ("larger_filtered", "COFIC", "GitHub", "Java"),
    ("raw", "CSN (Java)", "GitHub", "Java"),
    ("filtered", "", "GitHub", "Java"),
    ("Hu et al.", "Hu et al.", "GitHub", "Java"),
    ("StaQC", "StaQC, Python", "Stack Overflow", "Python"),
    ("StaQC", "StaQC, SQL", "Stack Overflow", "SQL"),
    ("Barone et al.", "Barone et al.", "GitHub", "Python"),
)
"""Rows of Table 7: training set here, or data of other authors; printed row; source; language."""
_PERCENTILES = (5, 25, 50, 75, 95)
_MARGIN = 0.05
_VARIANCE = 1.96**2 * 0.5 * 0.5
_UNLIMITED = _VARIANCE / _MARGIN**2
"""Cochran's size for an unlimited population: 95 % confidence, a margin of 5 points."""


@dataclass(frozen=True)
class _Groups:
    """Counts of raw comments, and of the verdicts of rules and model on these.

    Attributes:
        read: number of raw comments.
        rules: counts of each rule, in the paper's order.
        kept: number of pairs that rules and model keep; None where there is no filtered set.
    """

    read: int
    rules: Sequence[RuleCount]
    kept: int | None

    @property
    def left(self) -> int:
        """The number of comments that no rule rejects."""
        return self.rules[-1].retained if self.rules else self.read

    @property
    def rejected_by_model(self) -> int | None:
        """The number of these comments that the model rejects; None without a filtered set."""
        return None if self.kept is None else self.left - self.kept


def write_filter_table(
    settings: FilterTableSettings,
    table: Literal["table4", "table6"],
    raw: Path,
    output: Path,
    kept: Path | None = None,
    published: Path | None = None,
) -> None:
    """Write Table 4 or 6: how many comments each rule and the model touch, or leave.

    Args:
        settings: settings of both tables.
        table: the table to write.
        raw: raw pairs of the source of the filtered set (``PAIR_SCHEMA``).
        output: CSV file to write.
        kept: the filtered set; without it the row of the model has no numbers.
        published: ``nlqf_tables.csv``; without it the published columns are empty.

    Raises:
        DataError: for a file that cannot be used.
    """
    rules = order_rules(settings.rules)
    counts = RuleCounts(rules)
    for comment in _iterate_comments(raw):
        counts.add(rules.judge(comment))
    groups = _Groups(counts.read, counts.rows(), None if kept is None else _count_pairs(kept))
    printed = read_published_cells(published)
    if table == "table4":
        write_rows(output, TABLE4_COLUMNS, _list_groups(groups, printed))
    else:
        write_rows(output, TABLE6_COLUMNS, _list_steps(groups, printed))


def write_table7(sets: Sequence[Path], output: Path, published: Path | None = None) -> None:
    """Write the sizes of training sets, beside data of other authors, with printed likeness.

    Args:
        sets: files of the sets that are made, each named like its set.
        output: CSV file to write.
        published: ``nlqf_tables.csv``; without it the published columns are empty.

    Raises:
        DataError: for a file that cannot be used.
    """
    printed, made = read_published_cells(published), {path.stem: path for path in sets}
    records = []
    for name, published_as, *place in _DATA_SETS:
        pairs = _count_pairs(made[name]) if name in made else None
        of_others = name in (published_as, "StaQC")
        note = OF_OTHERS if of_others else "" if pairs else NOT_MADE
        figures = [printed.get(("Table 7", published_as, one), "") for one in ("pairs", "likeness")]
        records.append((name, published_as, *place, pairs, note, *figures))
    write_rows(output, TABLE7_COLUMNS, name_cells(TABLE7_COLUMNS, records))


def write_comment_features(raw: Path, output: Path, published: Path | None = None) -> None:
    """Write how many raw comments have the feature that each rule is against, and their lengths.

    Args:
        raw: raw pairs (``PAIR_SCHEMA``).
        output: CSV file to write.
        published: ``nlqf_tables.csv``; without it the published columns are empty.

    Raises:
        DataError: for a file that cannot be used.
    """
    rows = describe_comments(_iterate_comments(raw), read_published_cells(published))
    write_rows(output, FIGURE1_COLUMNS, rows)


def describe_comments(comments: Iterable[str], printed: PublishedCells) -> list[Row]:
    """Make rows of ``FIGURE1_COLUMNS``: all comments, each feature, any feature, then lengths.

    An unchanged comment counts for every feature that it has, by the rules as published. The
    printed counts, of Table 4, count a comment for its first reason alone.
    """
    rules = load_rule_set("as_published").rules
    counts = dict.fromkeys([ORIGINAL, *(rule.name for rule in rules), ANY], 0)
    lengths: dict[str, list[int]] = {"characters": [], "words": []}
    for comment in comments:
        found = [rule.name for rule in rules if _has(rule, comment)]
        for name in (ORIGINAL, *found, *([ANY] if found else [])):
            counts[name] += 1
        lengths["characters"].append(len(comment))
        lengths["words"].append(len(comment.split()))
    named = PRINTED_RULES | {ORIGINAL: _GROUPS[ORIGINAL], ANY: _GROUPS[IN_TOTAL]}
    records: list[tuple[object, ...]] = [
        (name, count, _divide(count, counts[ORIGINAL]), "", *_find_count(printed, named[name]))
        for name, count in counts.items()
    ]
    records += [(name, "", "", value, "", "", "") for name, value in _measure(lengths)]
    return name_cells(FIGURE1_COLUMNS, records)


def order_rules(name: str) -> RuleSet:
    """Return a named set of rules in the order of the paper's tables, others last (DEV-198)."""
    places = {printed: place for place, printed in enumerate(PRINTED_RULES.values())}
    rules = sorted(RULE_SETS[name], key=lambda rule: places.get(_printed_rule(rule), len(places)))
    return make_rule_set(name, rules, None, where=name)


def cochran_sample_size(population: int) -> int:
    """Compute how many comments people must judge (Sun et al., section 5.2; DEV-198).

    The number, at least 0, is Cochran's sample size with the usual correction for a population.
    """
    if population < 1:
        return 0
    return round(_UNLIMITED / (1 + (_UNLIMITED - 1) / population))


def printed_sample_size(population: int) -> int:
    """Compute the sample size by the printed formula.

    It divides by ``c^2 - 1`` where Cochran's formula subtracts 1. The size is 384 or 385 for every
    group of the paper, and larger than the group itself for a small group.
    """
    if population < 1:
        return 0
    return round(_UNLIMITED / (1 + _VARIANCE / (_MARGIN**2 - 1) / population))


def _list_groups(groups: _Groups, printed: PublishedCells) -> list[Row]:
    """List rows of ``TABLE4_COLUMNS``."""
    touched = {row.rule: row.changed + row.rejected for row in groups.rules}
    counts: list[tuple[str, str, int | None]] = [
        (ORIGINAL, "", groups.read),
        *((rule, _tell(rule), count) for rule, count in touched.items()),
        (IN_TOTAL, "detaches, rejects", sum(touched.values())),
        (REJECTED, "rejects", groups.read - groups.left),
        (MODEL, "rejects", groups.rejected_by_model),
        (RETAINED, "", groups.kept),
    ]
    records = []
    for group, does, count in counts:
        ours: list[object] = ["", "", "", "", NOT_MADE]
        if count is not None:
            sizes = cochran_sample_size(count), printed_sample_size(count)
            ours = [count, _divide(count, groups.read), *sizes, ""]
        printed_as = _GROUPS.get(group) or _printed_rule(group)
        # The printed likeness of the group, and the printed per cent of its grades, as shares.
        likeness, *grades = (
            printed.get(("Table 4", printed_as, name), "")
            for name in ("likeness", "percent_0", "percent_1_or_2")
        )
        shares = (format_number(float(one) / 100, 3) if one else "" for one in grades)
        beside = _find_count(printed, printed_as)
        records.append((group, does, *ours, *beside, likeness, *shares))
    return name_cells(TABLE4_COLUMNS, records)


def _list_steps(groups: _Groups, printed: PublishedCells) -> list[Row]:
    """List rows of ``TABLE6_COLUMNS``."""
    counts: list[tuple[str, str, int | None, int | None]] = [
        (ORIGINAL, "", None, groups.read),
        *(
            (one.rule, _tell(one.rule), one.changed + one.rejected, one.retained)
            for one in groups.rules
        ),
        (MODEL, "rejects", groups.rejected_by_model, groups.kept),
    ]
    records = []
    whole = printed.get(("Table 6", "HTML tag", "retained"), "")
    for rule, does, discarded, retained in counts:
        printed_as = _GROUPS[MODEL] if rule == MODEL else _printed_rule(rule)
        beside = [printed.get(("Table 6", printed_as, one), "") for one in TABLE6_COLUMNS[2:4]]
        if rule == ORIGINAL:
            beside[1] = whole
        share, note = _divide(retained, groups.read), NOT_MADE if retained is None else ""
        ours = (rule, does, discarded, retained, share, note)
        records.append((*ours, printed_as, *beside, _divide(beside[1], whole)))
    return name_cells(TABLE6_COLUMNS, records)


def _tell(rule: str) -> str:
    return "detaches" if rule.startswith("detach") else "rejects"


def _printed_rule(rule: str) -> str:
    """Return the printed row of a rule; empty for a rule that is not printed."""
    return PRINTED_RULES.get(rule.removesuffix("_as_released"), "")


def _find_count(printed: PublishedCells, row: str) -> tuple[str, str, str]:
    """Return the name of a row of the printed Table 4, its comments and their share.

    Texts are empty where the figure is not printed.
    """
    count = printed.get(("Table 4", row, "pairs"), "")
    whole = printed.get(("Table 4", _GROUPS[ORIGINAL], "pairs"), "")
    return (row, count, _divide(count, whole)) if count else ("", "", "")


def _divide(part: int | str | None, whole: int | str) -> str:
    """Return a share in [0, 1] with four digits; empty where either number is missing."""
    missing = part is None or part == "" or not whole
    return "" if missing else format_number(int(part or 0) / int(whole), 4)


def _has(rule: Rule, comment: str) -> bool:
    """Say whether a rule would change a comment, or reject it."""
    answer = rule.apply(comment)
    return bool(answer != comment if rule.detaches else answer)


def _measure(lengths: dict[str, list[int]]) -> Iterator[tuple[str, str]]:
    """Yield names and values of mean and percentiles of lengths; nothing without comments."""
    for unit, found in lengths.items():
        if found:
            yield f"{unit}, mean", format_number(float(np.mean(found)), 2)
            for place, value in zip(_PERCENTILES, np.percentile(found, _PERCENTILES), strict=True):
                yield f"{unit}, percentile {place}", format_number(float(value), 2)


def _count_pairs(path: Path) -> int:
    return sum(1 for _ in _iterate_comments(path))


def _iterate_comments(path: Path) -> Iterator[str]:
    """Yield the queries of a file of ``PAIR_SCHEMA``, in order."""
    for table in iterate_tables(path, PAIR_SCHEMA, ["query"]):
        yield from table["query"].to_pylist()
