"""axe-core finds no violation in any view, in light and in dark."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.chromium import PHONE
from tests.browser.conftest import Opener
from tests.browser.views import VIEWS, draw_all, wait_for_view

# Else axe-core asks for the style sheet once more, by a request that the page forbids.
OPTIONS = {"preload": False}
SIZES = {"wide": {"width": 1440, "height": 900}, "phone": PHONE}


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("width", ["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_no_violation(
    visit: Opener, view: str, scheme: Literal["light", "dark"], width: str
) -> None:
    page = visit(VIEWS[view], color_scheme=scheme, viewport=SIZES[width])
    wait_for_view(page)
    if view == "overview":
        draw_all(page)
        page.get_by_role("button", name="ncs", exact=True).click()
    if view == "question":
        page.get_by_role("article").get_by_role("code").first.wait_for()
    assert violations(page) == []


def test_the_dialog_of_keys_has_no_violation(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert violations(page) == []
