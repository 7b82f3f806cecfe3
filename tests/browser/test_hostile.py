"""Texts of an attacker are shown as they are, and nothing of them is executed or loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.downloads import read_saved
from tests.browser.made_up_data import CODE, DIRECTION, IMAGE, SCRIPT, TITLES
from tests.browser.views import VIEWS, wait_for_view


def expect_harmless(page: Page) -> None:
    """No element, attribute or address of the attacker's; the fixture looks at the rest."""
    assert page.locator("main img, main script, main iframe, [onerror]").count() == 0
    assert page.locator("[href^=javascript i], [src^=javascript i]").count() == 0
    assert page.evaluate("window.harmed") is None


@pytest.mark.parametrize("view", VIEWS)
def test_no_text_becomes_an_element(visit: Opener, view: str) -> None:
    page = visit(VIEWS[view])
    wait_for_view(page)
    expect_harmless(page)


def test_code_names_and_authors_are_shown_literally(visit: Opener) -> None:
    page = visit("#/question/1?model=bm25&with=ncs")
    expect(page.get_by_role("region", name="Answer").get_by_role("code")).to_have_text(CODE)
    expect(page.get_by_role("region", name="Answer")).to_contain_text(f"by {SCRIPT}")
    expect(page.get_by_role("main")).to_contain_text(f"by {IMAGE}")
    results = page.get_by_role("region", name="bm25", exact=True).get_by_role("article")
    expect(results.nth(0).get_by_role("code")).to_contain_text(DIRECTION)
    expect(results.nth(2)).to_contain_text(f"__proto__/{IMAGE}/{IMAGE}/{SCRIPT}.java:3")
    expect(results.nth(2).get_by_role("heading")).to_contain_text("__proto__.constructor")
    assert results.nth(2).get_by_role("link").count() == 0
    expect_harmless(page)


def test_the_answer_and_what_a_model_does_are_shown_literally(page: Page) -> None:
    expect(page.get_by_text(f"Best is ncs, {IMAGE}.")).to_be_visible()
    page.get_by_role("button", name="ncs", exact=True).click()
    expect(page.get_by_text(f"Sums of {IMAGE}.")).to_be_visible()
    expect_harmless(page)


def test_a_text_of_the_address_is_only_a_text(visit: Opener, tmp_path: Path) -> None:
    page = visit(f"#/questions?q={IMAGE}&model={SCRIPT}&only=__proto__&sort=constructor&k=1e9")
    expect(page.get_by_role("searchbox")).to_have_value(IMAGE)
    expect_harmless(page)
    rows = read_saved(
        page.get_by_role("button", name="The questions shown as a CSV file"), tmp_path
    )
    assert [row["title"] for row in rows] == [TITLES[0]]


def test_what_became_an_element_after_all_would_do_nothing(
    page: Page, expected_errors: list[str]
) -> None:
    expected_errors += ["Content Security Policy", "https://example.invalid"]  # asked and refused
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.harmed = 'inline'";
            const image = document.createElement("img");
            image.setAttribute("onerror", "window.harmed = 'handler'");
            image.src = "https://example.invalid/image.png";
            document.body.append(script, image);
        }"""
    )
    page.get_by_role("link", name="Questions", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions")
    assert page.evaluate("window.harmed") is None
