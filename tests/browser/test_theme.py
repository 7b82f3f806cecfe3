"""Light, dark, or as the system has it; remembered."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener

BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"


def is_dark(page: Page) -> bool:
    red, green, blue = re.findall(r"\d+", page.evaluate(BACKGROUND))[:3]
    return int(red) + int(green) + int(blue) < 3 * 128


def test_three_themes_follow_one_another_and_are_remembered(visit: Opener) -> None:
    page = visit(color_scheme="dark")
    press = page.get_by_role("button", name="Theme")
    seen = []
    for _ in range(4):
        seen.append((press.inner_text(), is_dark(page)))
        press.click()
    system, light, dark = ("Theme: system", True), ("Theme: light", False), ("Theme: dark", True)
    assert seen == [system, light, dark, system]
    later = page.context.new_page()
    later.goto(page.url)
    expect(later.get_by_role("button", name="Theme")).to_have_text("Theme: light")
    assert not is_dark(later)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_system_decides_unless_asked(visit: Opener, scheme: Literal["light", "dark"]) -> None:
    page = visit(color_scheme=scheme)
    assert is_dark(page) == (scheme == "dark")
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    assert is_dark(page) != (scheme == "dark")
