"""Debian's Chromium without a window, and pages of it that note what they should not do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Request, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT = 120_000
"""Milliseconds: a guard against hanging that says nothing of speed."""
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}
PHONE = {"width": 390, "height": 844}


def find_chromium() -> str | None:
    """The program, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def require_chromium() -> str:
    """The program; the test is skipped where there is none."""
    program = find_chromium()
    if program is None:
        pytest.skip("needs Chromium (make browser_packages)")
    return program


@contextmanager
def start_chromium(program: str) -> Iterator[Browser]:
    """A browser without a window; nothing is downloaded."""
    expect.set_options(timeout=WAIT)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def open_context(browser: Browser, problems: list[str], **options: Any) -> BrowserContext:
    """A fresh profile whose errors and requests beyond the disk are added to ``problems``."""
    settings = {"viewport": WIDE, "reduced_motion": "reduce", "accept_downloads": True, **options}
    context = browser.new_context(**settings)
    context.set_default_timeout(WAIT)

    def note_request(request: Request) -> None:
        if not request.url.startswith(("file://", "data:", "blob:")):
            problems.append(f"request: {request.url}")

    context.on("request", note_request)
    context.on(
        "console",
        lambda said: (
            problems.append(f"console: {said.text}") if said.type in {"error", "warning"} else None
        ),
    )
    context.on("weberror", lambda error: problems.append(f"error: {error.error}"))
    context.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
    return context
