"""Seconds of `ncsbench index` and `ncsbench search` on a folder of 50,000 methods.

Usage: python tests/bench/own_code.py [--methods N] [--base DATASET]

The folder is generated from the files of a dataset. Exits with 1 where a bar of docs/own-code.md is
missed: 60 s for the index, 100 ms of processor time for a question, 1.5 s from a cold start.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ncsbench.apps.own_code.asking import Asked, open_own
from ncsbench.apps.own_code.index_folder import IndexFolder
from ncsbench.apps.own_code.result_list import WantedList

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.made_up import write_java  # noqa: E402

QUESTIONS = (
    "close the soft keyboard", "read a text file line by line", "parse a date from a string",
    "sort a list of objects by a field", "open a database connection", "scale a bitmap",
    "check if the network is available", "send an http request with headers",
    "convert a byte array to hex", "start a background thread and wait for it",
)  # fmt: skip
STARTS = 20
BARS = {"index": 60.0, "question": 0.1, "cold start": 1.5}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", type=int, default=50_000)
    parser.add_argument("--base", default="sample")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder, index = Path(temporary, "code"), Path(temporary, "index")
        write_java(folder, given.base, given.methods)
        made = call("index", folder, "--index", index)
        again = call("index", folder, "--index", index)
        changed = next(iter(sorted(folder.rglob("*.java"))))
        changed.write_bytes(changed.read_bytes() + b"\n")
        one = call("index", folder, "--index", index)
        cold = [
            call("search", QUESTIONS[start % len(QUESTIONS)], "--index", index)[0]
            for start in range(STARTS)
        ]
        asked = Asked(open_own(IndexFolder(index), None))
        loaded = []
        for question in QUESTIONS * 2:
            started = time.process_time()
            asked.find(question, WantedList(5, by="file"))
            loaded.append(time.process_time() - started)
        similar = [call("similar", f"{changed}:20", "--index", index, check=False)[0] for _ in "12"]
    measured = {
        "index": made[0],
        "question": statistics.median(loaded),
        "cold start": statistics.median(cold),
    }
    sys.stdout.write(
        f"{made[2]}\nindex {made[0]:.1f} s ({made[1]:.1f} s of processor time), nothing changed "
        f"{again[0]:.1f} s, one file changed {one[0]:.1f} s\n"
        f"cold start, median of {STARTS}: {measured['cold start']:.2f} s; loaded, processor time: "
        f"{1000 * measured['question']:.0f} ms; similar: {similar[-1]:.1f} s\n"
    )
    missed = [name for name, bar in BARS.items() if measured[name] > bar]
    sys.stdout.write(f"missed: {', '.join(missed) or 'nothing'}\n")
    return 1 if missed else 0


def call(*arguments: object, check: bool = True) -> tuple[float, float, str]:
    """Run a command: wall seconds, processor seconds, what it printed last."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", *map(str, arguments)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds, after = time.perf_counter() - started, os.times()
    if check and done.returncode:
        sys.exit(done.stderr)
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return seconds, used, done.stdout.strip().rpartition("\n")[2]


if __name__ == "__main__":
    sys.exit(main())
