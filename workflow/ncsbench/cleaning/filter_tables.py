"""Tables 4, 6 and 7 of Sun et al. (ICSE 2022): what the filter does, and sizes of training sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ncsbench.artifacts.csv_tables import Row, format_number, name_cells, write_rows
from ncsbench.cleaning.comment_groups import (
    MODEL,
    ORIGINAL,
    REJECTED,
    RETAINED,
    CommentGroups,
    count_pairs,
    group_comments,
    order_rules,
    printed_rule,
)
from ncsbench.cleaning.sample_sizes import cochran_sample_size, printed_sample_size
from ncsbench.configuration.strict_model import Names, StrictModel
from ncsbench.published.printed_cells import PublishedCells, read_published_cells

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
    ORIGINAL: "Original CSN-t",
    IN_TOTAL: "In total",
    MODEL: "Discarded by the model filter",
    RETAINED: "Retained",
}
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
_DIGITS = 4


class FilterTableSettings(StrictModel):
    """Settings of the stages ``cleaning table4`` and ``table6``."""

    rules: Literal["as_published", "as_released"]
    """Those of the run; they are counted in the paper's order."""


class Table7Settings(StrictModel):
    """Settings of the stage ``cleaning table7``."""

    sets: Names
    """Training sets of the run."""


def write_table4(
    settings: FilterTableSettings,
    *,
    raw: Path,
    kept: Path | None,
    published: Path | None,
    output: Path,
) -> None:
    """Write how many comments each rule and the model touch.

    Args:
        settings: of the table.
        raw: raw pairs of the first source (``PAIR_SCHEMA``).
        kept: the filtered pairs; None where they are not made.
        published: ``nlqf_tables.csv``; None for nothing beside ours.
        output: CSV file to write.

    Raises:
        DataError: for a file that cannot be used.
    """
    groups = group_comments(raw, order_rules(settings.rules), kept)
    rows = list_groups(groups, read_published_cells(published))
    write_rows(output, TABLE4_COLUMNS, rows)


def write_table6(
    settings: FilterTableSettings,
    *,
    raw: Path,
    kept: Path | None,
    published: Path | None,
    output: Path,
) -> None:
    """Write what is left after each step, in the paper's order.

    Args:
        settings: of the table.
        raw: raw pairs of the source of the larger set (``PAIR_SCHEMA``).
        kept: the larger filtered set; None where it is not made.
        published: ``nlqf_tables.csv``; None for nothing beside ours.
        output: CSV file to write.

    Raises:
        DataError: for a file that cannot be used.
    """
    groups = group_comments(raw, order_rules(settings.rules), kept)
    write_rows(output, TABLE6_COLUMNS, list_steps(groups, read_published_cells(published)))


def write_table7(
    settings: Table7Settings,
    *,
    sets: Path,
    published: Path | None,
    output: Path,
) -> None:
    """Write how large training sets are, beside those of others with their printed likeness.

    Args:
        settings: of the table.
        sets: folder with ``<set>.parquet`` of the sets that are made.
        published: ``nlqf_tables.csv``; None for nothing beside ours.
        output: CSV file to write.

    Raises:
        DataError: for a file that cannot be used.
    """
    printed = read_published_cells(published)
    rows = []
    for name, published_as, source, language in _DATA_SETS:
        path = sets / f"{name}.parquet"
        is_made = name in settings.sets and path.exists()
        of_others = name in (published_as, "StaQC")
        pairs = count_pairs(path) if is_made and not of_others else None
        note = OF_OTHERS if of_others else "" if is_made else NOT_MADE
        theirs = (printed.get(("Table 7", published_as, one)) for one in ("pairs", "likeness"))
        rows.append((name, published_as, source, language, pairs, note, *theirs))
    write_rows(output, TABLE7_COLUMNS, name_cells(TABLE7_COLUMNS, rows))


def list_groups(groups: CommentGroups, printed: PublishedCells) -> list[Row]:
    """Rows of ``TABLE4_COLUMNS``."""
    touched = {row.rule: row.changed + row.rejected for row in groups.rules}
    left = groups.rules[-1].retained if groups.rules else groups.read
    counts: list[tuple[str, str, int | None]] = [
        (ORIGINAL, "", groups.read),
        *((rule, _tell(rule), count) for rule, count in touched.items()),
        (IN_TOTAL, "detaches, rejects", sum(touched.values())),
        (REJECTED, "rejects", groups.read - left),
        (MODEL, "rejects", None if groups.kept is None else left - groups.kept),
        (RETAINED, "", groups.kept),
    ]
    rows = []
    for group, does, count in counts:
        ours: tuple[object, ...] = (None, None, None, None, NOT_MADE)
        if count is not None:
            sizes = cochran_sample_size(count), printed_sample_size(count)
            ours = (count, _divide(count, groups.read), *sizes, None)
        theirs = _find_printed(_GROUPS.get(group) or printed_rule(group), printed)
        rows.append((group, does, *ours, *theirs))
    return name_cells(TABLE4_COLUMNS, rows)


def list_steps(groups: CommentGroups, printed: PublishedCells) -> list[Row]:
    """Rows of ``TABLE6_COLUMNS``."""
    left = groups.rules[-1].retained if groups.rules else groups.read
    steps: list[tuple[str, str, int | None, int | None, str]] = [
        (ORIGINAL, "", None, groups.read, "")
    ]
    for one in groups.rules:
        touched = one.changed + one.rejected
        steps.append((one.rule, _tell(one.rule), touched, one.retained, printed_rule(one.rule)))
    by_model = None if groups.kept is None else left - groups.kept
    steps.append((MODEL, "rejects", by_model, groups.kept, _GROUPS[MODEL]))
    whole = printed.get(("Table 6", "HTML tag", "retained"), "")
    rows = []
    for rule, does, discarded, retained, printed_as in steps:
        share = None if retained is None else _divide(retained, groups.read)
        note = NOT_MADE if retained is None else None
        theirs = [
            printed.get(("Table 6", printed_as, name), "") for name in ("discarded", "retained")
        ]
        if rule == ORIGINAL:
            theirs[1] = whole
        of_whole = _divide(int(theirs[1]), int(whole)) if theirs[1] and whole else None
        rows.append((rule, does, discarded, retained, share, note, printed_as, *theirs, of_whole))
    return name_cells(TABLE6_COLUMNS, rows)


def _tell(rule: str) -> str:
    return "detaches" if rule.startswith("detach") else "rejects"


def _find_printed(printed_as: str, printed: PublishedCells) -> tuple[str, ...]:
    """The printed cells of a group of Table 4, per cent as shares."""
    pairs, likeness, *percents = (
        printed.get(("Table 4", printed_as, name), "")
        for name in ("pairs", "likeness", "percent_0", "percent_1_or_2")
    )
    if not pairs:
        return ("",) * 6
    whole = int(printed["Table 4", _GROUPS[ORIGINAL], "pairs"])
    shares = map(_percent, percents)
    return (printed_as, pairs, _divide(int(pairs), whole), likeness, *shares)


def _percent(text: str) -> str:
    return format_number(float(text) / 100, 3) if text else ""


def _divide(part: int, whole: int) -> str:
    """A share in [0, 1]; empty of nothing."""
    return format_number(part / whole, _DIGITS) if whole else ""
