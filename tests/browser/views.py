"""The views of an explorer of made-up data, by their addresses."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

VIEWS = {
    "overview": "#/",
    "questions": "#/questions",
    "question": "#/question/1",
    "no such view": "#/nothing",
}
WAITING = re.compile("Loading the (summary|question)")


def wait_for_view(page: Page) -> None:
    """Until the view has its heading and waits for none of its data but methods out of sight."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(WAITING)).to_have_count(0)


def draw_all(page: Page) -> None:
    """Scroll to every figure, so that each is drawn."""
    for figure in page.get_by_role("main").get_by_role("heading", level=3).all():
        figure.scroll_into_view_if_needed()
    expect(page.locator("[role=img]:visible:not(:has(svg))")).to_have_count(0)
    page.evaluate("window.scrollTo(0, 0)")
