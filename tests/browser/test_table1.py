"""Table 1: figures, order, what a row opens, and the file of what is shown."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.downloads import read_saved
from tests.browser.made_up_data import MODELS, NAMES, RANKS, STRICT, summary

OF_MODELS = [model for model in MODELS if model != "random"]
"""The others are baselines, which are below."""


def mean(ranks: tuple[int, ...]) -> float:
    return sum(1 / rank for rank in ranks if rank) / len(ranks)


def find_table(page: Page) -> Locator:
    return page.get_by_role("region", name="Table 1", exact=False).get_by_role("table").first


def find_row(page: Page, model: str) -> Locator:
    button = page.get_by_role("button", name=NAMES.get(model, model), exact=True)
    return find_table(page).get_by_role("row").filter(has=button)


def shown_models(page: Page) -> list[str]:
    ids = {NAMES.get(model, model): model for model in MODELS}
    return [ids[name] for name in find_table(page).locator("button.opens").all_inner_texts()]


def test_every_row_has_the_figures_of_the_data(page: Page) -> None:
    for model in MODELS:
        cells = find_row(page, model).get_by_role("cell").all_inner_texts()
        counts = [
            str(sum(0 < rank <= k for rank in ranks[model]))
            for ranks in (STRICT, RANKS)
            for k in (1, 5, 10)
        ]
        assert [text for text in cells if text.isdigit()][:6] == counts
        assert f"{mean(STRICT[model]):.3f}" in cells[0]
        assert ("[0.020, 0.800]" in cells[0]) == (model != "__proto__")  # it has no interval
        assert f"{mean(RANKS[model]):.3f}" in cells[4]
        assert "[0.010, 0.900]" in cells[4]


def test_a_row_has_a_name_a_small_id_and_its_kind_and_opens_for_the_rest(page: Page) -> None:
    row = find_row(page, "random")
    expect(row.get_by_role("rowheader")).to_contain_text("chance or length")
    expect(row.get_by_role("rowheader").get_by_text("random", exact=True)).to_be_visible()
    expect(find_row(page, "__proto__").locator(".kind")).to_have_count(0)  # it has no kind
    about = page.get_by_text("Any method.", exact=True)
    expect(about).to_be_hidden()
    button = row.get_by_role("button")
    button.click()
    expect(about).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    expect(about).to_be_hidden()
    find_row(page, "ncs").get_by_role("button").click()
    expect(page.get_by_text("Published for NCS: MRR")).to_be_visible()
    for text in ("(≈ equivalent)", "(≠ different)", ", of 12 questions."):
        expect(page.get_by_text("Published for NCS:")).to_contain_text(text)
    page.get_by_role("link", name="First right results of ncs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions")


def test_a_heading_sorts_and_the_address_keeps_it(page: Page) -> None:
    best = sorted(OF_MODELS, key=lambda model: -mean(STRICT[model]))
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
