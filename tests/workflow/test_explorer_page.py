"""The sample's explorer in a browser: every page opens, and filters find what the tables say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import open_context, require_chromium, start_chromium
from tests.browser.downloads import read_saved, save
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


@pytest.fixture(scope="module")
def ranks(sample_run: Path) -> dict[tuple[str, str], dict[int, int]]:
    """First ranks by model and judge, then by question."""
    rows = pq.read_table(sample_run / "results/sample/per_question.parquet").to_pylist()
    found: dict[tuple[str, str], dict[int, int]] = {}
    for row in rows:
        if row["replicate"] is None:
            by_question = found.setdefault((row["model"], row["judge"]), {})
            by_question[row["query_id"]] = row["first_rank"]
    return found


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


def test_filters_find_what_the_tables_say(
    opened: Callable[[str], Page], ranks: dict[tuple[str, str], dict[int, int]], tmp_path: Path
) -> None:
    ours, others = ranks[A, "pruned_jaccard_leaf"], ranks[B, "pruned_jaccard_leaf"]
    strict = ranks[A, "dice"]
    wanted = {
        f"answered by {A} and not by {B}": lambda n: 0 < ours[n] <= 10 and not 0 < others[n] <= 10,
        f"{A} is right under the lenient judge only": lambda n: (
            0 < ours[n] <= 10 and not 0 < strict[n] <= 10
        ),
    }
    page = opened(f"#/questions?model={A}&with={B}")
    for name, test in wanted.items():
        box = page.get_by_label(name)
        box.check()
        expected = [number for number in sorted(ours) if test(number)]
        expect(page.get_by_role("table").get_by_role("rowheader")).to_have_count(len(expected))
        rows = read_saved(page.get_by_role("button", name="questions shown"), tmp_path)
        assert [int(row["question"]) for row in rows] == expected
        assert [int(row[f"rank {A}"]) for row in rows] == [ours[number] for number in expected]
        box.uncheck()


def test_the_table_is_saved_as_it_was_made(
    opened: Callable[[str], Page], sample_run: Path, tmp_path: Path
) -> None:
    saved = save(opened("#/").get_by_role("button", name="Table 1 as a CSV file"), tmp_path)
    made = (sample_run / "results/table1.csv").read_text()
    assert sorted(saved.read_text().splitlines()) == sorted(made.splitlines())


def test_every_figure_is_drawn_or_says_why_not(opened: Callable[[str], Page]) -> None:
    page = opened("#/")
    draw_all(page)
    for name in ("Answered@k", "Lengths retrieved", "Time and memory"):
        assert page.get_by_role("img", name=name).locator("svg").count() > 0
    assert page.get_by_text("cannot be drawn").count() == 0
