"""The overview begins with the answer: a sentence, and the best rows as bars."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from ncsbench.apps.explorer.question_files import write_script
from tests.browser.conftest import Opener
from tests.browser.made_up_data import ANSWER, summary


def change_summary(explorer: Path, folder: Path, **changes: Any) -> Path:
    """A copy of the explorer whose summary has other values."""
    copy = Path(shutil.copytree(explorer, folder / "changed"))
    write_script(copy, "summary", summary() | changes)
    return copy


def test_the_answer_comes_first_in_large_type(page: Page) -> None:
    first, second = ANSWER.split(". ")
    answer = page.get_by_text(f"{first}.", exact=True)
    sizes = [
        one.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        for one in (answer, page.get_by_text(second), page.get_by_text("A method is"))
    ]
    assert sizes[0] > sizes[1] > sizes[2]
    chart = page.get_by_role("region", name="The best rows")
    for one in (answer, chart):
        box = one.bounding_box()
        assert box is not None
        assert box["y"] < 500  # in the first view, without scrolling
    names = page.get_by_role("main").get_by_role("heading").all_inner_texts()
    assert names[:3] == ["made_up", "The best rows by the strict judge", "Table 1: all rows"]


def test_the_best_rows_are_bars_with_interval_kind_and_sign(page: Page) -> None:
    rows = page.get_by_role("region", name="The best rows").get_by_role("listitem")
    expect(rows).to_have_count(4)
    for row, texts in zip(
        rows.all(),
        (
            ("ncs", "word vectors", "[0.020, 0.800]"),
            ("bm25", "words", "≈"),
            ("__proto__", "0.000"),
            ("Random methods", "chance or length"),
        ),
        strict=True,
    ):
        for text in texts:
            expect(row).to_contain_text(text)
    widths = [float(row.locator("rect").get_attribute("width") or "nan") for row in rows.all()]
    assert widths == sorted(widths, reverse=True)
    expect(page.get_by_text("Rows with ≈ cannot be distinguished")).to_be_visible()


def test_without_an_answer_no_sentence_is_there(
    visit: Opener, explorer: Path, tmp_path: Path
) -> None:
    page = visit(folder=change_summary(explorer, tmp_path, answer=None))
    expect(page.get_by_role("region", name="The best rows")).to_be_visible()
    expect(page.get_by_text("Best is")).to_have_count(0)
    expect(page.get_by_text("≈", exact=True)).to_have_count(0)


def test_an_address_of_a_question_is_its_id_and_not_its_place(
    visit: Opener, explorer: Path, tmp_path: Path
) -> None:
    questions = list(reversed(summary()["questions"]))
    page = visit("#/question/5", change_summary(explorer, tmp_path, questions=questions))
    expect(page.get_by_role("heading", level=1)).to_have_text("Parse a date")
