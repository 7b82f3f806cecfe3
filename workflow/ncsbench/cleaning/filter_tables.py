"""Tables 4, 6 and 7 of Sun et al. (ICSE 2022): what the filter does, and sizes of training sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
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
        row = {
            **dict.fromkeys(TABLE7_COLUMNS, ""),
            **{"data_set": name, "published_as": published_as},
            **{"source": source, "language": language},
            "published_pairs": printed.get(("Table 7", published_as, "pairs"), ""),
            "published_likeness": printed.get(("Table 7", published_as, "likeness"), ""),
        }
        path = sets / f"{name}.parquet"
        if name in (published_as, "StaQC"):
            row["note"] = OF_OTHERS
        elif name not in settings.sets or not path.exists():
            row["note"] = NOT_MADE
        else:
            row["pairs"] = str(count_pairs(path))
        rows.append(row)
    write_rows(output, TABLE7_COLUMNS, rows)


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
        row = {**dict.fromkeys(TABLE4_COLUMNS, ""), "group": group, "does": does}
        if count is None:
            row["note"] = NOT_MADE
        else:
            row |= {
                "comments": str(count),
                "share": _divide(count, groups.read),
                "sample_size": str(cochran_sample_size(count)),
                "sample_size_as_printed": str(printed_sample_size(count)),
            }
        rows.append(row | _find_printed(_GROUPS.get(group) or printed_rule(group), printed))
    return rows


def list_steps(groups: CommentGroups, printed: PublishedCells) -> list[Row]:
    """Rows of ``TABLE6_COLUMNS``."""
    empty = dict.fromkeys(TABLE6_COLUMNS, "")
    whole = printed.get(("Table 6", "HTML tag", "retained"), "")
    rows = [{**empty, "rule": ORIGINAL, "retained": str(groups.read), "published_retained": whole}]
    left = groups.read
    for rule in groups.rules:
        left = rule.retained
        rows.append(
            {
                **empty,
                **{"rule": rule.rule, "does": _tell(rule.rule)},
                **{"discarded": str(rule.changed + rule.rejected), "retained": str(left)},
                "published_as": printed_rule(rule.rule),
            }
        )
    last = {**empty, "rule": MODEL, "does": "rejects", "published_as": _GROUPS[MODEL]}
    if groups.kept is None:
        last["note"] = NOT_MADE
    else:
        last |= {"discarded": str(left - groups.kept), "retained": str(groups.kept)}
    for row in [*rows, last]:
        for column in ("discarded", "retained"):
            found = printed.get(("Table 6", row["published_as"], column), "")
            row[f"published_{column}"] = row[f"published_{column}"] or found
        if row["retained"]:
            row["share_retained"] = _divide(int(row["retained"]), groups.read)
        if row["published_retained"] and whole:
            row["published_share_retained"] = _divide(int(row["published_retained"]), int(whole))
    return [*rows, last]


def _tell(rule: str) -> str:
    return "detaches" if rule.startswith("detach") else "rejects"


def _find_printed(printed_as: str, printed: PublishedCells) -> Row:
    """The printed figures of a group of Table 4, per cent as shares."""
    figures = {
        name: printed.get(("Table 4", printed_as, name), "")
        for name in ("pairs", "likeness", "percent_0", "percent_1_or_2")
    }
    if not figures["pairs"]:
        return {}
    whole = int(printed["Table 4", _GROUPS[ORIGINAL], "pairs"])
    shares = {name: _percent(figures[f"percent_{name}"]) for name in ("0", "1_or_2")}
    return {
        "published_as": printed_as,
        "published_comments": figures["pairs"],
        "published_share": _divide(int(figures["pairs"]), whole),
        "published_likeness": figures["likeness"],
        **{f"published_share_{name}": share for name, share in shares.items()},
    }


def _percent(text: str) -> str:
    return format_number(float(text) / 100, 3) if text else ""


def _divide(part: int, whole: int) -> str:
    """A share in [0, 1]; empty of nothing."""
    return format_number(part / whole, _DIGITS) if whole else ""
