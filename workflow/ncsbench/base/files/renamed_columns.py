"""Columns of tables that had other names in version 0.8.0 and before.

New names: the figure of a row is ``value`` or the name of its measure; the row that it is compared
with is ``baseline``, and that row's figure ``baseline_value``; ``low`` and ``high`` bound the
value, ``difference_low`` and ``difference_high`` the difference. The next release reads new names
alone.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

_LOG = logging.getLogger("columns")
_BOUNDS = {"low": "difference_low", "high": "difference_high"}

RENAMED: Mapping[str, Mapping[str, str]] = {
    "ablations.csv": {
        "ablated_value": "baseline_value",
        "low": "effect_low",
        "high": "effect_high",
    },
    "paired_differences.csv": _BOUNDS,
    "significance.csv": _BOUNDS,
    "table1_without_copies.csv": _BOUNDS,
    "micro_benchmark.csv": {"ours": "value"},
    "micro_choices.csv": {"ours": "value"},
    "ncs_2018.csv": {"system": "published_as"},
    "judge_rule.csv": {"figure": "value"},
    "default_models.csv": {
        "low": "mrr_low",
        "high": "mrr_high",
        "found_1": "answered_1",
        "found_10": "answered_10",
    },
    "csn_choices.csv": {
        "of": "model",
        "mrr_without_1000": "baseline_mrr_1000",
        "low_1000": "difference_1000_low",
        "high_1000": "difference_1000_high",
    },
    # of CodeSearchNet, and of the study of cleaning
    "table2.csv": {"difference_from": "baseline"},
    "table3.csv": {"system": "model", "difference_from": "baseline"},
    "table4.csv": {"system": "model"},
    "table4_differences.csv": {"system": "model", **_BOUNDS},
    "table5.csv": {"difference_from": "baseline"},
    "table8.csv": {"difference_from": "baseline"},
}
"""New names by old ones, by name of the file."""


def rename_header(path: Path, header: Sequence[str]) -> list[str]:
    """Return the header of a table with its new names; log a notice where it has old ones."""
    known = RENAMED.get(path.name, {})
    names = [name if known.get(name, name) in header else known[name] for name in header]
    if names != list(header):
        _LOG.warning(
            "%s: has columns of version 0.8.0 or before, which the next release refuses; make it "
            "again, or rename %s",
            path,
            ", ".join(
                f"{old} to {new}" for old, new in zip(header, names, strict=True) if old != new
            ),
        )
    return names


def rename_column(path: Path, name: str, header: Collection[str]) -> str:
    """Return the present name of a column that somebody names; log a notice for an old name."""
    new = name if name in header else RENAMED.get(path.name, {}).get(name, name)
    if new != name:
        _LOG.warning("%s: its column %s is called %s now; name it so", path, name, new)
    return new
