"""The documentation as a site: every page in it, nothing of it from a network."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from tests.patience import LONGEST

CONFIGURATION = "config/site/mkdocs.yml"
GENERATED = {"columns.md", "commands.md"}
NETWORK = re.compile(r"(?:https?:)?//")
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "link": "href"}


def build(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Build the site as ``make docs`` does, of a copy of what it is made from."""
    program = str(Path(sys.executable).with_name("properdocs"))
    arguments = ["build", "--strict", "--config-file", CONFIGURATION, *options]
    return subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    done = build(root, "--site-dir", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def list_pages(navigation: object) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    parts = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for part in parts for page in list_pages(part)]


def test_every_page_has_one_line_in_the_navigation(root: Path) -> None:
    text = (root / CONFIGURATION).read_text(encoding="utf-8")
    pages = list_pages(yaml.safe_load(text)["nav"])
    assert sorted(pages) == sorted(
        {page.name for page in (root / "docs").glob("*.md")} | GENERATED
    ), f"add new pages to nav of {CONFIGURATION}"


class LoadedParts(HTMLParser):
    """Collects what a browser loads with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if LOADED.get(tag) == name]


def test_the_site_is_built_without_a_warning_and_loads_nothing_from_a_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 35 and (site / "index.html") in pages
    for page in pages:
        parts = LoadedParts()
        parts.feed(page.read_text(encoding="utf-8"))
        assert len(parts.addresses) > 3
        assert [one for one in parts.addresses if NETWORK.match(one)] == [], page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        found = re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", text)
        assert [one for one in found if NETWORK.match(one)] == [], sheet


def test_the_reference_is_made_from_code(site: Path) -> None:
    for page, words in {
        "commands": "ncsbench corpus compare",
        "columns": "query_author_url",
        "own-code": "One line per result, by",
        "options": "bootstrap_samples",
    }.items():
        assert words in (site / f"{page}.html").read_text(encoding="utf-8")
    # On the site links have titles.
    home = (site / "index.html").read_text(encoding="utf-8")
    assert '<a href="reproducibility.html">Reproducibility' in home


def test_a_broken_link_and_a_page_without_a_line_end_the_build(root: Path, tmp_path: Path) -> None:
    for part in ("docs", "config/site"):
        shutil.copytree(root / part, tmp_path / part)
    (tmp_path / "workflow").symlink_to(root / "workflow")
    (tmp_path / "docs/new.md").write_text("# New\n\n[a](table1.md#nowhere) [b](gone.md)\n")
    done = build(tmp_path)
    assert done.returncode != 0
    for fault in ("new.md", "gone.md", "#nowhere"):
        assert fault in done.stderr


def test_the_explorer_is_a_part_of_the_site_where_it_was_made(root: Path, tmp_path: Path) -> None:
    for part in ("docs", "config/site"):
        shutil.copytree(root / part, tmp_path / part)
    (tmp_path / "workflow").symlink_to(root / "workflow")
    explorer = "explorer/ncsed_383/index.html"
    made = tmp_path / "build/site" / explorer
    (made.parent / "data").mkdir(parents=True)
    made.write_text("<!DOCTYPE html>")
    (made.parent / "data/summary.js").write_text("1;\n")
    done = build(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / explorer).read_bytes() == made.read_bytes()
    assert (tmp_path / "site/explorer/ncsed_383/data/summary.js").is_file()
    for page, link in {
        "index": f'<a href="{explorer}" class="md-tabs__link">',
        "explorer": f'<a href="{explorer}">explorer of 381 repositories</a>',
    }.items():
        assert link in (tmp_path / f"site/{page}.html").read_text(encoding="utf-8")


def test_the_site_is_searched_from_the_disk(site: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("needs Chromium (make browser_packages)")
    asked: list[str] = []
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = program.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: asked.append(message.text))
        page.goto((site / "index.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("chance and length baselines")
        page.wait_for_selector(".md-search-result__item", timeout=LONGEST * 1000)
        found = page.locator(".md-search-result__link").first.get_attribute("href")
        program.close()
    assert found and found.startswith(site.as_uri())
    assert [one for one in asked if not one.startswith("file:")] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_pages_fit_a_phone_and_have_no_serious_fault(
    site: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("needs Chromium (make browser_packages)")
    faults, wide = [], []
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = program.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        for name in ("index", "results-ncsed-383", "board"):
            page.goto((site / f"{name}.html").as_uri())
            page.wait_for_load_state("load")
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append(name)
            faults += [
                (name, fault["id"], fault["nodes"][0]["html"])
                for fault in Axe().run(page).response["violations"]
                if fault["impact"] in ("serious", "critical")
            ]
        program.close()
    assert (faults, wide) == ([], [])


def test_figures_follow_the_switch_between_light_and_dark(site: Path) -> None:
    page = (site / "board.html").read_text(encoding="utf-8")
    assert 'src="figures/board.svg#only-light"' in page
    assert 'src="figures/board_dark.svg#only-dark"' in page
    assert [one.name for one in site.glob("*.html") if "<picture" in one.read_text("utf-8")] == []
