"""On a telephone no view is wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

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


def test_one_of_two_models_is_shown_where_both_have_no_room(visit: Opener) -> None:
    page = visit("#/question/1?model=ncs&with=bm25", viewport=NARROW)
    first, second = (page.get_by_role("region", name=name, exact=True) for name in ("ncs", "bm25"))
    expect(first).to_be_visible()
    expect(second).to_be_hidden()
    page.get_by_role("group", name="Results of").get_by_role("button", name="bm25").click()
    expect(second).to_be_visible()
    expect(first).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(first).to_be_visible()


def test_the_first_column_of_table_1_stays_and_covers_what_is_below(visit: Opener) -> None:
    page = visit("#/", viewport=NARROW)
    table = page.get_by_role("table", name="Table 1")
    table.evaluate("one => { one.parentElement.scrollLeft = 150; }")
    left = table.evaluate("one => one.parentElement.getBoundingClientRect().left")
    for place in (".part span", "tbody th[scope=row]"):
        box = table.locator(place).first.bounding_box()
        assert box is not None
        assert abs(box["x"] - left) <= 1
    cell = table.locator("tbody th[scope=row]").first
    assert cell.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
