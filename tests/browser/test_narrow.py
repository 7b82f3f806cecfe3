"""On a telephone no view is wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import NARROW, PHONE
from tests.browser.conftest import Opener
from tests.browser.made_up_data import TITLES
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


def test_the_head_leaves_the_screen_to_the_content(visit: Opener) -> None:
    page = visit("#/", viewport=PHONE)
    head = page.get_by_role("banner").bounding_box()
    assert head is not None
    assert head["height"] <= 90


def test_a_row_of_table_1_has_name_and_bar_and_opens_for_the_rest(visit: Opener) -> None:
    page = visit("#/", viewport=PHONE)
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="ncs", exact=True))
    main = row.locator(".strict_mrr")
    expect(main).to_be_visible()
    expect(row.get_by_text("lenient judge: @1")).to_be_hidden()
    others = row.locator("td:not(.strict_mrr)")
    for cell in others.all():
        expect(cell).to_be_hidden()
    row.get_by_role("button").click()
    for cell in others.all():
        expect(cell).to_be_visible()
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


def test_the_next_question_is_a_thumb_away(visit: Opener) -> None:
    page = visit("#/question/2", viewport=PHONE)
    following = page.get_by_role("link", name="Next").locator("visible=true")
    expect(following).to_have_count(1)
    box = following.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["width"] >= 44
    assert box["y"] + box["height"] == PHONE["height"]
    following.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[2])
    below = page.evaluate(
        """() => {
            scrollTo(0, document.body.scrollHeight);
            const at = (selector) => document.querySelector(selector).getBoundingClientRect();
            return at("footer").top - at(".neighbours:last-child").bottom;
        }"""
    )
    assert below >= 0  # the bar covers nothing of the page's end
