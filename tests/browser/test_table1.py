"""Table 1: figures, order, and the file of what is shown."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.downloads import read_saved
from tests.browser.made_up_data import MODELS, RANKS, summary

OF_MODELS = [model for model in MODELS if model != "random"]
"""The others are baselines, which stand below."""


def shown_models(page: Page) -> list[str]:
    table = page.get_by_role("region", name="Table 1", exact=True).get_by_role("table")
    names = table.get_by_role("rowheader").all_inner_texts()
    return [name for name in names if name in MODELS]


def test_every_row_has_the_figures_of_the_data(page: Page) -> None:
    table = page.get_by_role("region", name="Table 1", exact=True).get_by_role("table")
    for model in MODELS:
        row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=model))
        counts = [sum(0 < rank <= k for rank in RANKS[model]) for k in (1, 5, 10)]
        cells = row.get_by_role("cell").all_inner_texts()
        assert [text for text in cells if text.isdigit()][:3] == [str(count) for count in counts]
        mean = sum(1 / rank for rank in RANKS[model] if rank) / len(RANKS[model])
        assert any(f"{mean:.3f}" in text and "[0.010, 0.900]" in text for text in cells)


def test_a_heading_sorts_and_the_address_keeps_it(page: Page) -> None:
    best = sorted(OF_MODELS, key=lambda model: -sum(1 / rank for rank in RANKS[model] if rank))
    assert shown_models(page) == [*best, "random"]
    page.get_by_role("columnheader", name="MRR").first.get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="MRR").first).to_have_attribute(
        "aria-sort", "ascending"
    )
    assert shown_models(page) == [*reversed(best), "random"]
    later = page.context.new_page()
    later.goto(page.url)
    assert shown_models(later) == shown_models(page)
    page.go_back()
    assert shown_models(page) == [*best, "random"]


def test_the_file_has_the_rows_in_the_order_shown(page: Page, tmp_path: Path) -> None:
    page.get_by_role("columnheader", name="Model").get_by_role("button").click()
    saved = read_saved(page.get_by_role("button", name="Table 1 as a CSV file"), tmp_path)
    assert [row["model"] for row in saved] == shown_models(page)
    table = summary()["table"]
    given = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert sorted(saved, key=lambda row: row["model"]) == sorted(
        given, key=lambda row: row["model"]
    )
