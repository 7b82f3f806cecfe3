"""Inject faults into runs of the sample and see that a plain rerun gives the same bytes.

Usage: python tests/faults/faults.py [--only NAME ...] [--kills N] [--seed N] [--json FILE]
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.faults import (  # noqa: E402  (also run as a script)
    damaged_bytes,
    fetch_kills,
    file_times,
    full_disk,
    kills,
    lost_files,
    read_rights,
    two_runs,
)
from tests.faults.bench import Bench, Outcome, make_bench  # noqa: E402
from tests.faults.project import MODELS  # noqa: E402

FAULTS: dict[str, Callable[[Bench], None]] = {
    "kills": kills.inject,
    "fetch": fetch_kills.inject,
    "disk": full_disk.inject,
    "rights": read_rights.inject,
    "bytes": damaged_bytes.inject,
    "two": two_runs.inject,
    "times": file_times.inject,
    "lost": lost_files.inject,
}


def main() -> int:
    """Run the faults that were asked for; 1 where one of them was not borne."""
    options = read_options()
    # A shell's background job ignores the interrupt, and what it starts would too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started = time.monotonic()
    with ExitStack() as stack:
        scratch = options.folder or Path(stack.enter_context(TemporaryDirectory(prefix="faults-")))
        bench = make_bench(ROOT, scratch, options.models)
        bench.seed, bench.kills, bench.keep = options.seed, options.kills, bool(options.folder)
        bench.report = lambda outcome: say(outcome.line())
        say(f"undisturbed run: {bench.seconds:.0f} s, {len(bench.expected)} artifacts")
        for fault in options.only or FAULTS:
            FAULTS[fault](bench)
    summarize(bench.outcomes, time.monotonic() - started)
    if options.json:
        options.json.write_text(json.dumps([one.row() for one in bench.outcomes], indent=1) + "\n")
    return int(any(not outcome.held for outcome in bench.outcomes))


def read_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(FAULTS), help="these faults")
    parser.add_argument("--models", nargs="+", default=MODELS, help="rows of the table")
    parser.add_argument("--kills", type=int, default=30, help="how many kills (default 30)")
    parser.add_argument("--seed", type=int, default=2019, help="of moments and bytes")
    parser.add_argument("--json", type=Path, help="write every outcome to this file")
    parser.add_argument("--folder", type=Path, help="work here and keep what failed")
    return parser.parse_args()


def summarize(outcomes: list[Outcome], seconds: float) -> None:
    """Counts per fault, then the failures again."""
    say(f"\n{'fault':<10} {'cases':>5} {'held':>5}")
    for fault in dict.fromkeys(outcome.fault for outcome in outcomes):
        of_fault = [outcome for outcome in outcomes if outcome.fault == fault]
        say(f"{fault:<10} {len(of_fault):>5} {sum(one.held for one in of_fault):>5}")
    say(
        f"{'all':<10} {len(outcomes):>5} {sum(one.held for one in outcomes):>5}  in {seconds:.0f} s"
    )
    for outcome in outcomes:
        if not outcome.held:
            say(outcome.line())


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
