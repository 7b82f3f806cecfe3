"""The table of speed: each stage beside the best that exists, as ratios within one process.

Usage: python tests/bench/speed.py [STAGE ...] [--turns 5]

Prints a line for each row and puts it into stages.csv or growth.csv of results/speed/, in place of
the row of the same stage and size. docs/performance.md shows them, docs/figures/speed.svg growth.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import (  # noqa: E402
    speed_commands,
    speed_corpus,
    speed_encoder,
    speed_search,
    speed_training,
)
from tests.bench.paired import COLUMNS, compare  # noqa: E402

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows  # noqa: E402
from ncsbench.base.files.svg_figures import (  # noqa: E402
    COLOURS,
    MARKERS,
    add_legend,
    make_panels,
    save_figure,
)

RESULTS = ROOT / "results/speed"
FIGURE = ROOT / "docs/figures/speed.svg"
STAGES = {
    name: pairs
    for module in (speed_search, speed_corpus, speed_encoder, speed_training, speed_commands)
    for name, pairs in module.STAGES.items()
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    for name in given.stages or STAGES:
        if name not in STAGES:
            parser.error(f"{name} is no stage; these are: {', '.join(STAGES)}")
        for pair in STAGES[name]():
            row = compare(pair, given.turns)
            sys.stdout.write(
                f"{row['stage']}, {row['methods']} methods: {row['ours']} {row['unit']}, "
                f"{row['compared_with']} {row['peer']}; ratio {row['ratio']} "
                f"({row['ratio_low']} to {row['ratio_high']})\n"
            )
            sys.stdout.flush()
            replace_row(RESULTS / f"{pair.table}.csv", row)
    growth = RESULTS / "growth.csv"
    if growth.exists():
        save_figure(FIGURE, lambda: draw_growth(read_rows(growth, COLUMNS)))


def replace_row(path: Path, row: Row) -> None:
    rows = read_rows(path, COLUMNS) if path.exists() else []
    places = {(one["stage"], one["methods"]): one for one in rows}
    places[row["stage"], row["methods"]] = row
    write_rows(path, COLUMNS, places.values())


def draw_growth(rows: Sequence[Row]) -> Figure:
    """Seconds by number of methods: ours as lines, what it is compared with as dots."""
    title = "Processor time of stages by number of methods"
    figure, (panel,) = make_panels(height=5.4, title=title)
    stages = dict.fromkeys(row["stage"] for row in rows)
    for colour, mark, stage in zip(COLOURS, MARKERS, stages, strict=False):
        own = [row for row in rows if row["stage"] == stage]
        methods = [int(row["methods"]) for row in own]
        factors = [1 if row["unit"] == "s" else 0.001 for row in own]
        for side, line, face in (("ours", "-", colour), ("peer", ":", "none")):
            values = [float(row[side]) * one for row, one in zip(own, factors, strict=True)]
            label = stage if side == "ours" else f"compared: {own[0]['compared_with']}"
            panel.plot(
                methods, values, line, marker=mark, color=colour, markerfacecolor=face, label=label
            )
    panel.set(xscale="log", yscale="log", ylabel="seconds of processor time")
    panel.set_xlabel("methods (both axes are logarithmic)")
    add_legend(figure, panel, columns=2)
    return figure


if __name__ == "__main__":
    main()
