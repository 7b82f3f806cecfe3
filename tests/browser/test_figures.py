"""Every figure is drawn, and its file has the numbers behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Opener
from tests.browser.downloads import read_saved
from tests.browser.made_up_data import (
    DEPTH,
    MODELS,
    PUBLISHED,
    RANKS,
    STRICT,
    TITLES,
    summary,
)

TITLES_OF_FIGURES = (
    "Answered@k",
    "Differences from bm25",
    "Published and ours",
    "Two models, question by question",
)
MARKS = "svg :is(.mark-symbol path, .mark-rect path, .mark-line path, .mark-rule line)"


def find_figure(page: Page, title: str) -> Locator:
    """The figure of this title, scrolled to, with its numbers there."""
    figure = page.get_by_role("region", name=title, exact=True)
    figure.scroll_into_view_if_needed()
    expect(figure.get_by_role("img", name=title).locator(MARKS).first).to_be_attached()
    return figure


def read_figure(page: Page, title: str, folder: Path) -> list[dict[str, str]]:
    figure = find_figure(page, title)
    return read_saved(figure.get_by_role("button", name=f"{title} as a CSV file"), folder)


@pytest.mark.parametrize("title", TITLES_OF_FIGURES)
def test_a_figure_is_drawn_and_says_what_it_shows(page: Page, title: str) -> None:
    figure = find_figure(page, title)
    assert (figure.get_by_role("img", name=title).get_attribute("aria-label") or "").startswith(
        f"{title}. "
    )
    assert figure.get_by_role("img", name=title).locator("svg text").count() > 1  # axes
    figure.get_by_text("Numbers", exact=True).click()
    table = figure.get_by_role("region", name=f"{title}: numbers").get_by_role("table")
    expect(table.get_by_role("row").nth(1)).to_be_visible()


def test_answered_at_k_counts_first_ranks(page: Page, tmp_path: Path) -> None:
    find_figure(page, "Answered@k").get_by_label("Random methods", exact=True).check()
    rows = read_figure(page, "Answered@k", tmp_path)
    found = {(row["model"], int(row["k"])): int(row["answered"]) for row in rows}
    assert found == {
        (model, k): sum(0 < rank <= k for rank in STRICT[model])
        for model in MODELS
        for k in range(1, DEPTH + 1)
    }


def test_the_lenient_judge_can_be_chosen(page: Page, tmp_path: Path) -> None:
    find_figure(page, "Answered@k").get_by_label("Judge").select_option("lenient")
    page.wait_for_url("**judge=lenient**")
    rows = read_figure(page, "Answered@k", tmp_path)
    at_5 = {row["model"]: int(row["answered"]) for row in rows if row["k"] == "5"}
    assert at_5["ncs"] == sum(0 < rank <= 5 for rank in RANKS["ncs"])


def test_differences_have_intervals_and_counts(page: Page, tmp_path: Path) -> None:
    rows = read_figure(page, "Differences from bm25", tmp_path)
    given = [
        one for one in summary()["differences"] if (one["measure"], one["judge"]) == ("mrr", "dice")
    ]
    assert [row["model"] for row in rows] == [one["model"] for one in reversed(given)]
    for row, one in zip(rows, reversed(given), strict=True):
        for column in ("difference", "difference_low", "difference_high", "wins", "ties", "losses"):
            assert float(row[column]) == pytest.approx(one[column])
        assert row["p_holm"] == ("" if one["p_holm"] is None else str(one["p_holm"]))
        assert all(len(cell) < 20 for cell in row.values())  # 0.1 * 3 is not 0.30000000000000004
    assert list(rows[0])[:5] == [
        "model",
        "difference",
        "difference_low",
        "difference_high",
        "p_holm",
    ]


def test_a_sentence_on_differences_has_interval_and_p_or_says_how(visit: Opener) -> None:
    page = visit("#/?model=random&with=bm25")
    two = "Two models, question by question"
    expect(find_figure(page, two)).to_contain_text(
        "mean difference is \u22120.100 [\u22120.200, 0.000], p = 0.040 after Holm's correction."
    )
    page = visit("#/?model=ncs&with=random")
    expect(find_figure(page, two)).to_contain_text(
        "“ncsbench compare ncs random --dataset made_up” gives its interval and p."
    )


def test_published_figures_stand_beside_ours(page: Page, tmp_path: Path) -> None:
    (row,) = read_figure(page, "Published and ours", tmp_path)
    ranks = [rank or 0 for rank in PUBLISHED["ncs"]]
    assert (row["model"], row["published_as"]) == ("ncs", "NCS")
    for column, of in (("ours", RANKS["ncs"]), ("published", ranks)):
        mean = sum(1 / rank for rank in of if rank) / len(of)
        assert float(row[column]) == pytest.approx(mean, abs=1e-6)


def test_two_models_are_compared_question_by_question(visit: Opener, tmp_path: Path) -> None:
    page = visit("#/?model=ncs&with=bm25")
    rows = read_figure(page, "Two models, question by question", tmp_path)
    differences = [float(row["difference"]) for row in rows]
    assert differences == sorted(differences, reverse=True)
    assert sorted(int(row["question"]) for row in rows) == [*range(1, len(TITLES) + 1)]
    for row in rows:
        number = int(row["question"]) - 1
        ours, others = STRICT["ncs"][number], STRICT["bm25"][number]
        assert (row["rank ncs"], row["rank bm25"]) == (str(ours or ""), str(others or ""))
        expected = (1 / ours if ours else 0) - (1 / others if others else 0)
        assert float(row["difference"]) == pytest.approx(expected, abs=1e-6)


def test_a_bar_leads_to_its_question(page: Page) -> None:
    figure = find_figure(page, "Two models, question by question")
    figure.get_by_role("img", name="Two models").locator(".mark-rect path").first.click()
    page.wait_for_url("**#/question/*")
