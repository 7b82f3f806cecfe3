"""Table 1 as text for a terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ncsbench.errors import DataError
from ncsbench.tables.table1 import COLUMNS

_FIGURES = {"answered_1": "@1", "answered_5": "@5", "answered_10": "@10", "mrr": "MRR"}


def format_table1(path: Path) -> str:
    """The figures of a ``table1.csv`` without their intervals, under a line that says what of.

    Raises:
        DataError: where the file is no such table or is empty.
    """
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as a table ({error})") from error
    if tuple(frame.columns) != COLUMNS or frame.empty:
        raise DataError(f"{path}: is not a table1.csv of at least one row")
    first = frame.iloc[0]
    shown = {"model": frame["model"], "trained on": frame["trained_on"]}
    for prefix in ("", "strict_"):
        for column, label in _FIGURES.items():
            shown[f"{prefix[:6]} {label}".strip()] = frame[f"{prefix}{column}"]
    shown["lines"] = frame["median_lines"]
    title = (
        f"Table 1 of {first['dataset']}: answered of {first['questions']} questions, "
        f"{first['measure']} > {first['threshold']}; "
        f"strict: {first['strict_measure']} > {first['strict_threshold']}; "
        "lines: median of the top 10"
    )
    return f"{title}\n{pd.DataFrame(shown).to_string(index=False)}"
