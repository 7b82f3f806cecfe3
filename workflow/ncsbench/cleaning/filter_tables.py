"""Tables 4, 6 and 7 of Sun et al. (ICSE 2022): what the filter does, and sizes of training sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.cleaning.comment_groups import (
    MODEL,
    ORIGINAL,
    PRINTED_WHOLE,
    REJECTED,
    RETAINED,
    CommentGroups,
    count_pairs,
    divide,
    find_printed_count,
    group_comments,
    order_rules,
    printed_rule,
)
from ncsbench.cleaning.sample_sizes import cochran_sample_size, printed_sample_size
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.published.printed_figures import PublishedCells, read_published_cells

IN_TOTAL = "in total"
"""All that the rules change or reject, summed as in the printed table."""
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
"""Columns of ``table6.csv``, in order. What a rule takes something away from stands under
``discarded``, as printed."""
TABLE7_COLUMNS = (
    *("data_set", "published_as", "source", "language", "pairs", "note"),
    *("published_pairs", "published_likeness"),
)
"""Columns of ``table7.csv``, in order."""

_GROUPS = {
    ORIGINAL: PRINTED_WHOLE,
    IN_TOTAL: "In total",
    MODEL: "Discarded by the model filter",
    RETAINED: "Retained",
}
_STEP_NUMBERS = ("discarded", "retained")
_DATA_SETS = (
    ("larger_filtered", "COFIC", "GitHub", "Java"),
    ("raw", "CSN (Java)", "GitHub", "Java"),
    ("filtered", "", "GitHub", "Java"),
    ("Hu et al.", "Hu et al.", "GitHub", "Java"),
    ("StaQC", "StaQC, Python", "Stack Overflow", "Python"),
    ("StaQC", "StaQC, SQL", "Stack Overflow", "SQL"),
    ("Barone et al.", "Barone et al.", "GitHub", "Python"),
)
"""Training set here, or data of others; printed row; source; language."""


class FilterTableSettings(StrictModel):
    """Settings of the stage ``cleaning_filter_table``."""

    rules: Literal["as_published", "as_released"]
    """Those of the run; they are counted in the paper's order."""


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
        settings: of both tables.
        table: which one.
        raw: raw pairs of the source of the filtered set (``PAIR_SCHEMA``).
        output: CSV file to write.
        kept: the filtered set; without it the row of the model has no numbers.
        published: ``nlqf_tables.csv``; without it nothing stands beside ours.

    Raises:
        DataError: for a file that cannot be used.
    """
    groups = group_comments(raw, order_rules(settings.rules), kept)
    printed = read_published_cells(published)
    if table == "table4":
        write_rows(output, TABLE4_COLUMNS, list_groups(groups, printed))
    else:
        write_rows(output, TABLE6_COLUMNS, list_steps(groups, printed))


def write_table7(sets: Sequence[Path], output: Path, published: Path | None = None) -> None:
    """Write how large training sets are, beside those of others with their printed likeness.

    Args:
        sets: files of the sets that are made, named as these.
        output: CSV file to write.
        published: ``nlqf_tables.csv``; without it nothing stands beside ours.

    Raises:
        DataError: for a file that cannot be used.
    """
    printed, made = read_published_cells(published), {path.stem: path for path in sets}
    rows = []
    for name, published_as, source, language in _DATA_SETS:
        pairs = str(count_pairs(made[name])) if name in made else ""
        of_others = name in (published_as, "StaQC")
        note = OF_OTHERS if of_others else "" if pairs else NOT_MADE
        figures = [printed.get(("Table 7", published_as, one), "") for one in ("pairs", "likeness")]
        cells = (name, published_as, source, language, pairs, note, *figures)
        rows.append(dict(zip(TABLE7_COLUMNS, cells, strict=True)))
    write_rows(output, TABLE7_COLUMNS, rows)


def list_groups(groups: CommentGroups, printed: PublishedCells) -> list[Row]:
    """Rows of ``TABLE4_COLUMNS``."""
    touched = {row.rule: row.changed + row.rejected for row in groups.rules}
    counts: list[tuple[str, str, int | None]] = [
        (ORIGINAL, "", groups.read),
        *((rule, _tell(rule), count) for rule, count in touched.items()),
        (IN_TOTAL, "detaches, rejects", sum(touched.values())),
        (REJECTED, "rejects", groups.read - groups.left),
        (MODEL, "rejects", groups.rejected_by_model),
        (RETAINED, "", groups.kept),
    ]
    rows = []
    for group, does, count in counts:
        ours = ["", "", "", "", NOT_MADE]
        if count is not None:
            sizes = str(cochran_sample_size(count)), str(printed_sample_size(count))
            ours = [str(count), divide(count, groups.read), *sizes, ""]
        printed_as = _GROUPS.get(group) or printed_rule(group)
        beside = *find_printed_count(printed, printed_as), *_find_likeness(printed, printed_as)
        rows.append(dict(zip(TABLE4_COLUMNS, (group, does, *ours, *beside), strict=True)))
    return rows


def list_steps(groups: CommentGroups, printed: PublishedCells) -> list[Row]:
    """Rows of ``TABLE6_COLUMNS``."""
    counts: list[tuple[str, str, int | None, int | None]] = [
        (ORIGINAL, "", None, groups.read),
        *(
            (one.rule, _tell(one.rule), one.changed + one.rejected, one.retained)
            for one in groups.rules
        ),
        (MODEL, "rejects", groups.rejected_by_model, groups.kept),
    ]
    rows = []
    whole = printed.get(("Table 6", "HTML tag", "retained"), "")
    for rule, does, *numbers in counts:
        printed_as = _GROUPS[MODEL] if rule == MODEL else printed_rule(rule)
        ours = ["" if number is None else str(number) for number in numbers]
        beside = [printed.get(("Table 6", printed_as, name), "") for name in _STEP_NUMBERS]
        if rule == ORIGINAL:
            beside[1] = whole
        cells = [rule, does, *ours, divide(ours[1], groups.read), "" if ours[1] else NOT_MADE]
        cells += [printed_as, *beside, divide(beside[1], whole)]
        rows.append(dict(zip(TABLE6_COLUMNS, cells, strict=True)))
    return rows


def _tell(rule: str) -> str:
    return "detaches" if rule.startswith("detach") else "rejects"


def _find_likeness(printed: PublishedCells, printed_as: str) -> list[str]:
    """The printed likeness of a group of Table 4, and shares of its grades, from per cent."""
    likeness, *grades = (
        printed.get(("Table 4", printed_as, name), "")
        for name in ("likeness", "percent_0", "percent_1_or_2")
    )
    return [likeness, *(format_number(float(one) / 100, 3) if one else "" for one in grades)]
