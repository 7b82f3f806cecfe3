"""The table of speed: each stage beside the best that exists, as ratios within one process.

Usage: python tests/bench/speed.py [STAGE ...] [--turns 5]

Prints a line for each row and puts it into stages.csv or growth.csv of results/speed/, in place of
the row of the same stage and size. docs/performance.md shows them, docs/figures/speed.svg growth,
which ``result_figures`` draws.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import (  # noqa: E402
    result_figures,
    speed_commands,
    speed_corpus,
    speed_encoder,
    speed_search,
    speed_training,
)
from tests.bench.paired import COLUMNS, compare  # noqa: E402

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows  # noqa: E402

RESULTS = ROOT / "results/speed"
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
    if (RESULTS / "growth.csv").exists():
        result_figures.main(names=["speed.svg"])


def replace_row(path: Path, row: Row) -> None:
    rows = read_rows(path, COLUMNS) if path.exists() else []
    places = {(one["stage"], one["methods"]): one for one in rows}
    places[row["stage"], row["methods"]] = row
    write_rows(path, COLUMNS, places.values())


if __name__ == "__main__":
    main()
