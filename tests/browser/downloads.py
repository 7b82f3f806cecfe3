"""What a button saves, read as a CSV file."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import Locator


def save(button: Locator, folder: Path) -> Path:
    """Press a button that saves a file; the file under its own name."""
    with button.page.expect_download() as found:
        button.click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def read_saved(button: Locator, folder: Path) -> list[dict[str, str]]:
    """The rows of the CSV file that a button saves."""
    with save(button, folder).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
