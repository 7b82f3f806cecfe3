"""A folder that was not copied whole is answered by a sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ncsbench.apps.explorer.explorer_folder import FORMAT
from tests.browser.conftest import Opener

CASES = {
    "data/summary.js": "#/",
    "data/question-1.js": "#/question/1",
    "data/methods-0.js": "#/question/1?model=bm25",
    "data/places.js": "#/question/1?model=bm25",
    "scripts/vega.js": "#/",
}


@pytest.fixture
def copy(explorer: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(explorer, tmp_path / "copy"))


@pytest.mark.parametrize("damage", ["missing", "cut"])
@pytest.mark.parametrize("name", CASES)
def test_a_data_file_that_cannot_be_read_is_named(
    visit: Opener, copy: Path, expected_errors: list[str], name: str, damage: str
) -> None:
    if damage == "missing":
        (copy / name).unlink()
    else:
        (copy / name).write_text((copy / name).read_text()[:60])
    expected_errors += ["ERR_FILE_NOT_FOUND"] if damage == "missing" else ["Unexpected", "Invalid"]
    page = visit(CASES[name], folder=copy)
    if name == "scripts/vega.js":
        page.get_by_role("heading", name="Answered@k").scroll_into_view_if_needed()
    expect(page.get_by_role("main").get_by_text(name).first).to_be_visible()
    expect(page.get_by_role("main").get_by_text("make explorer").first).to_be_visible()


def test_data_of_another_version_is_told(visit: Opener, copy: Path) -> None:
    path = copy / "data" / "summary.js"
    path.write_text(path.read_text().replace(f'"format":{FORMAT}', '"format":9'))
    page = visit(folder=copy)
    expect(page.get_by_role("alert")).to_contain_text("format 9")
