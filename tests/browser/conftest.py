"""A browser for all tests of the explorer, an explorer of made-up data, and pages kept quiet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import open_context, require_chromium, start_chromium
from tests.browser.made_up_explorer import write_explorer

Opener = Callable[..., Page]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser; its event loop ends before tests of other folders run in this process."""
    with start_chromium(require_chromium()) as browser:
        yield browser


@pytest.fixture(scope="session")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an explorer of made-up data."""
    folder = tmp_path_factory.mktemp("explorer")
    write_explorer(folder)
    return folder


@pytest.fixture
def expected_errors() -> list[str]:
    """Parts of what the console says where a test damages a folder; else no error is expected."""
    return []


@pytest.fixture
def visit(chromium: Browser, expected_errors: list[str], explorer: Path) -> Iterator[Opener]:
    """Open ``visit(address, folder=..., **options)`` of an explorer in a fresh profile."""
    contexts = []
    problems: list[str] = []

    def open_page(address: str = "", folder: Path = explorer, **options: Any) -> Page:
        context = open_context(chromium, problems, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto((folder / "index.html").as_uri() + address)
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("window.harmed") is None, page.url
        context.close()
    assert [one for one in problems if not any(part in one for part in expected_errors)] == []


@pytest.fixture
def page(visit: Opener) -> Page:
    """The first view of the explorer of made-up data."""
    return visit()
