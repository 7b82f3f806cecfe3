"""The sample's explorer in a browser: every page opens, and filters find what the tables say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import open_context, require_chromium, start_chromium
from tests.browser.views import draw_all, wait_for_view

pytestmark = pytest.mark.workflow
A, B = "ncs", "bm25"


@pytest.fixture(scope="module")
def opened(sample_run: Path) -> Iterator[Callable[[str], Page]]:
    """Pages of the sample's explorer by their addresses; none may say or ask for anything."""
    problems: list[str] = []
    with start_chromium(require_chromium()) as browser:
        context = open_context(browser, problems)
        page = context.new_page()

        def visit(address: str) -> Page:
            page.goto("about:blank")
            page.goto((sample_run / "results/sample/explorer/index.html").as_uri() + address)
            wait_for_view(page)
            return page

        yield visit
    assert problems == []


def test_every_question_opens(opened: Callable[[str], Page], sample_run: Path) -> None:
    listed = opened("#/questions").get_by_role("table").get_by_role("rowheader").all()
    files = [*(sample_run / "results/sample/explorer/data").glob("question-*.js")]
    assert len(listed) == len(files) == 40
    page = opened("#/question/1")
    for _ in range(len(files) - 1):
        title = page.title()
        page.get_by_role("link", name="Next").first.click()
        expect(page).not_to_have_title(title)
        wait_for_view(page)
    assert page.get_by_role("article").count() > 0
    expect(page.get_by_role("alert")).to_have_count(0)


def test_every_figure_is_drawn_or_says_why_not(opened: Callable[[str], Page]) -> None:
    page = opened("#/")
    draw_all(page)
    for name in ("Answered@k", "Two models, question by question"):
        assert page.get_by_role("img", name=name).locator("svg").count() > 0
    assert page.get_by_text("cannot be drawn").count() == 0
