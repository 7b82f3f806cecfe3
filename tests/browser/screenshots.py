"""Pictures of every view of an explorer, wide and narrow, light and dark, for people who review it.

Usage: python tests/browser/screenshots.py results/sample/explorer FOLDER
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser  # noqa: E402

from tests.browser.chromium import (  # noqa: E402
    NARROW,
    WIDE,
    find_chromium,
    open_context,
    start_chromium,
)
from tests.browser.views import VIEWS, draw_all, wait_for_view  # noqa: E402

WIDTHS = {"wide": WIDE, "narrow": NARROW}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("explorer", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    program = find_chromium()
    if program is None:
        sys.exit("no Chromium: make browser_packages")
    given.folder.mkdir(parents=True, exist_ok=True)
    with start_chromium(program) as browser:
        for width, scheme in product(WIDTHS, ("light", "dark")):
            take_all(browser, given.explorer, given.folder, width, scheme)
    return 0


def take_all(browser: Browser, explorer: Path, folder: Path, width: str, scheme: str) -> None:
    """One picture of the whole page of each view."""
    problems: list[str] = []
    context = open_context(browser, problems, viewport=WIDTHS[width], color_scheme=scheme)
    for view, address in VIEWS.items():
        page = context.new_page()
        page.goto((explorer.resolve() / "index.html").as_uri() + address)
        wait_for_view(page)
        if view == "overview":
            draw_all(page)
        path = folder / f"{view.replace(' ', '_')}-{width}-{scheme}.png"
        page.screenshot(path=path, full_page=True)
        page.close()
        sys.stdout.write(f"{path}\n")
    context.close()
    for problem in problems:
        sys.stdout.write(f"{problem}\n")


if __name__ == "__main__":
    sys.exit(main())
