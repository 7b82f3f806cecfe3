"""Table 1 as text for a terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ncsbench.checksums import check_file
from ncsbench.errors import DataError
from ncsbench.evaluation.metrics import METRICS
from ncsbench.safe_text import show_visibly
from ncsbench.tables.table1 import COLUMNS
from ncsbench.tables.table1_text import LABELS, compare_in_text, list_published
from ncsbench.tables.text_formats import TextTable


def format_table1(path: Path) -> str:
    """The figures of a ``table1.csv`` without their intervals, under a line that says what of.

    Where published figures stand beside them, these follow with differences and verdicts.

    Raises:
        DataError: where the file is no such table, is empty or has figures that are none.
    """
    check_file(path)
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as a table ({error})") from error
    if tuple(frame.columns) != COLUMNS or frame.empty:
        raise DataError(f"{path}: is not a table1.csv of at least one row")
    first = frame.iloc[0]
    ours = frame[frame["questions"] != ""]
    shown = {"model": ours["model"], "trained on": ours["trained_on"]}
    for prefix in ("", "strict_"):
        for metric in METRICS:
            shown[f"{prefix[:6]} {LABELS[metric]}".strip()] = ours[f"{prefix}{metric}"]
    shown["lines"] = ours["median_lines"]
    title = (
        f"Table 1 of {first['dataset']}: answered of {first['questions']} questions, "
        f"{first['measure']} > {first['threshold']}; "
        f"strict: {first['strict_measure']} > {first['strict_threshold']}; "
        "lines: median of the top 10"
    )
    parts = [f"{title}\n{pd.DataFrame(shown).to_string(index=False)}"]
    rows = frame.to_dict("records")
    try:
        tables = [compare_in_text(rows), list_published(rows)]
    except ValueError as error:
        raise DataError(f"{path}: a published figure is no number ({error})") from error
    parts += [_format_table(table) for table in tables if table.rows]
    return show_visibly("\n\n".join(parts))


def _format_table(table: TextTable) -> str:
    frame = pd.DataFrame(table.rows, columns=table.header)
    return f"{table.caption}\n{frame.to_string(index=False)}"
