"""The list of questions: filters, search, order, the address, and the file of what is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ncsbench.base.text.safe_text import show_cell
from tests.browser.conftest import Opener
from tests.browser.downloads import read_saved
from tests.browser.made_up_data import NEAR, PUBLISHED, RANKS, STRICT, TITLES

A, B = "ncs", "bm25"
LIST = f"#/questions?model={A}&with={B}&judge=lenient"
ALL = range(len(TITLES))


def answered(ranks: tuple[int, ...], number: int, k: int = 10) -> bool:
    return 0 < ranks[number] <= k


def flips(number: int) -> bool:
    published = PUBLISHED[A][number]
    return published is not None and answered(RANKS[A], number) != (0 < published <= 10)


FILTERS: dict[str, Callable[[int], bool]] = {
    f"answered by {A} and not by {B}": lambda n: (
        answered(RANKS[A], n) and not answered(RANKS[B], n)
    ),
    f"{A} and the score sheet disagree at 10": flips,
    f"{A} returns a near copy of the answer": lambda n: bool(NEAR[A][n]),
    f"{A} is right under the lenient judge only": lambda n: (
        answered(RANKS[A], n) and not answered(STRICT[A], n)
    ),
    "no model is right within 50": lambda n: not any(ranks[n] for ranks in RANKS.values()),
}


def find_links(page: Page) -> Locator:
    return page.get_by_role("table").get_by_role("rowheader").get_by_role("link")


def expect_questions(page: Page, numbers: list[int]) -> None:
    expect(find_links(page)).to_have_text([TITLES[number] for number in numbers])
    noun = "question" if len(numbers) == 1 else "questions"
    count = f"{len(numbers)} {noun} of {len(TITLES)}"
    expect(page.get_by_role("main").get_by_text(count, exact=True)).to_be_visible()


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_leaves_what_the_figures_say(visit: Opener, name: str) -> None:
    page = visit(LIST)
    expect_questions(page, list(ALL))
    page.get_by_label(name).check()
    expected = [number for number in ALL if FILTERS[name](number)]
    assert 0 < len(expected) < len(TITLES)
    expect_questions(page, expected)


def test_filters_are_combined_and_models_k_and_judge_count(visit: Opener) -> None:
    page = visit(LIST)
    names = list(FILTERS)
    page.get_by_label(names[0]).check()
    page.get_by_label(names[3]).check()
    expect_questions(page, [n for n in ALL if FILTERS[names[0]](n) and FILTERS[names[3]](n)])
    page.get_by_label(names[3]).uncheck()
    page.get_by_label("Answered at").select_option("1")
    expect_questions(
        page, [n for n in ALL if answered(RANKS[A], n, 1) and not answered(RANKS[B], n, 1)]
    )
    page.get_by_label("Judge", exact=True).select_option("strict")
    expect(page).not_to_have_url(re.compile("judge="))  # the strict judge is the default
    page.get_by_label("Answered at").select_option("5")
    expect_questions(
        page, [n for n in ALL if answered(STRICT[A], n, 5) and not answered(STRICT[B], n, 5)]
    )
    page.get_by_label("Model A").select_option(B)
    page.get_by_label("Model B").select_option("__proto__")
    expect_questions(page, [n for n in ALL if answered(STRICT[B], n, 5)])


def test_the_text_is_searched_without_regard_to_case(visit: Opener) -> None:
    page = visit(LIST)
    page.keyboard.press("/")
    page.keyboard.type("A LINE")
    expect_questions(page, [3])
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").fill("900005")
    expect_questions(page, [5])
    page.get_by_role("searchbox").fill("<img src")
    expect_questions(page, [0])


def test_where_nothing_is_found_the_page_says_what_to_leave_out(visit: Opener) -> None:
    page = visit(LIST)
    page.get_by_role("searchbox").fill("zzz")
    expect(page.get_by_text("No question passes")).to_be_visible()
    page.get_by_role("button", name="Show all questions").click()
    expect_questions(page, list(ALL))
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_the_address_restores_the_view(visit: Opener) -> None:
    page = visit(LIST)
    page.get_by_label("Answered at").select_option("5")
    page.get_by_label(f"answered by {A} and not by {B}").check()
    page.get_by_role("searchbox").fill("a")
    page.get_by_role("columnheader", name="Difference").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Difference")).to_have_attribute(
        "aria-sort", "descending"
    )
    later = page.context.new_page()
    later.goto(page.url)
    expect(later.get_by_label("Answered at")).to_have_value("5")
    expect(later.get_by_label(f"answered by {A} and not by {B}")).to_be_checked()
    expect(later.get_by_role("searchbox")).to_have_value("a")
    expect(find_links(later)).to_have_text(find_links(page).all_inner_texts())
    for _ in range(2):  # the order, the filter; typing makes no steps of its own
        page.go_back()
    expect(page.get_by_label("Answered at")).to_have_value("5")
    expect(page.get_by_label(f"answered by {A} and not by {B}")).not_to_be_checked()


def test_a_heading_sorts_ranks_with_none_last(visit: Opener) -> None:
    page = visit(LIST)
    page.get_by_role("columnheader", name=A).get_by_role("button").click()
    expect_questions(page, sorted(ALL, key=lambda number: RANKS[A][number] or 1000))


def test_the_file_has_the_questions_shown(visit: Opener, tmp_path: Path) -> None:
    page = visit(f"{LIST}&sort=-difference")
    shown = find_links(page).all_inner_texts()
    rows = read_saved(
        page.get_by_role("button", name="The questions shown as a CSV file"), tmp_path
    )
    assert [row["title"] for row in rows] == [show_cell(title) for title in shown]
    assert [row["title"] for row in rows if row["title"].startswith("'=")]
    for row in rows:
        number = int(row["question"]) - 1
        assert row[f"rank {A}"] == str(RANKS[A][number] or "")  # none is no rank: an empty cell
        assert row[f"strict_rank {B}"] == str(STRICT[B][number] or "")
        assert row[f"published_rank {A}"] == str(PUBLISHED[A][number] or "")
        assert int(row[f"near_copy {A}"]) == NEAR[A][number]
