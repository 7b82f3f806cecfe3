"""What is printed has all figures, scrolled to or not."""

from __future__ import annotations

from playwright.sync_api import Page, expect

BLANK = "[role=img]:visible:not(:has(svg))"


def test_figures_are_drawn_without_scrolling(page: Page) -> None:
    expect(page.locator("[role=img]:visible")).not_to_have_count(0)
    expect(page.locator(BLANK)).to_have_count(0)
    assert page.evaluate("window.scrollY") == 0
    page.emulate_media(media="print")
    expect(page.locator(BLANK)).to_have_count(0)


def test_printing_begins_the_drawing_at_once(page: Page) -> None:
    page.clock.install()  # what waits for its turn never has it
    page.reload()
    expect(page.get_by_role("heading", level=2, name="Figures")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(BLANK)).to_have_count(0)
