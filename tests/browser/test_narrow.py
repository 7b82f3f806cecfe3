"""On a telephone no view is wider than the screen."""

from __future__ import annotations

import pytest

from tests.browser.chromium import NARROW
from tests.browser.conftest import Opener
from tests.browser.views import VIEWS, draw_all, wait_for_view

WIDER = """() => [...document.querySelectorAll("body *")]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .filter(one => !one.parentElement.closest("[role=region][tabindex]"))
    .slice(0, 5).map(one => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("view", VIEWS)
def test_the_page_does_not_scroll_sideways(visit: Opener, view: str) -> None:
    page = visit(VIEWS[view], viewport=NARROW)
    wait_for_view(page)
    if view == "overview":
        draw_all(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"], page.evaluate(WIDER)
