"""The board as a figure: the MRR of every row under each judge, by the year of its method."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.files.svg_figures import ChartRow, Interval, draw_intervals, read_interval
from ncsbench.pipeline.evidence.evaluated_run import ENOUGH

_JUDGES = {
    "strict_mrr": "strict judge",
    "lenient_mrr": "lenient judge",
    "charged_mrr": "charged overlap",
}


def draw_board(board: Path, output: Path) -> None:
    """Draw the rows under the year of their method, the oldest year at the top.

    Rows that were handed in without a run are left out. Equal boards give equal bytes.
    """
    rows = [row for row in read_headed_rows(board)[1] if row["figures"] == "computed"]
    draw_intervals(
        output,
        [ChartRow(_mark(row), row["year"], _read(row)) for row in rows],
        title="MRR of each run on the board, by the year of its method\n"
        "(287 questions, 95 % intervals)",
        axis="MRR, higher is better; the number is that of the strict judge\n"
        "* lower bound: half of the results are judged\n† likely trained on the questions",
        series=[*_JUDGES.values()],
        by_kind=True,
    )


def _mark(row: Row) -> str:
    unsure, seen = float(row["judged"]) < ENOUGH, row["seen_questions"] != "no"
    return " ".join([row["model"], *(["*"] * unsure), *(["†"] * seen)])


def _read(row: Row) -> dict[tuple[str, str], Interval]:
    return {("", text): read_interval(row, column) for column, text in _JUDGES.items()}
