"""Milliseconds until the first view of an explorer stands, in headless Chromium.

Usage: python tests/bench/explorer.py [DATASET]

Each of five loads is a new browser with an empty profile; the time runs from the navigation to the
frame after Table 1 is there. Exits with 1 where the median of a dataset misses the bar of a second.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find_chromium, open_context, start_chromium  # noqa: E402

LOADS, BAR = 5, 1000.0
_NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", nargs="?", default="sample")
    index = ROOT / "results" / parser.parse_args().dataset / "explorer" / "index.html"
    program = find_chromium()
    if program is None:
        sys.exit("no Chromium: make browser_packages")
    if not index.exists():
        sys.exit(f"{index.relative_to(ROOT)} is not there: make explorer")
    times = [load(program, index) for _ in range(LOADS)]
    median = statistics.median(times)
    each = ", ".join(f"{one:.0f}" for one in times)
    sys.stdout.write(f"{index.parent.parent.name}: first view, median of {each}: {median:.0f} ms\n")
    return int(median > BAR)


def load(program: str, index: Path) -> float:
    """Milliseconds of one load by a browser that was just started."""
    with start_chromium(program) as browser:
        page = open_context(browser, []).new_page()
        started = time.perf_counter()
        page.goto(index.as_uri(), wait_until="commit")
        page.get_by_role("table").first.wait_for()
        page.evaluate(_NEXT_FRAME)
        return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
