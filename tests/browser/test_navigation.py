"""From view to view by clicks, keys, links and the back button."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.made_up_data import TITLES


def expect_heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(text)


def test_clicks_lead_to_every_view_and_back(page: Page) -> None:
    expect_heading(page, "made_up")
    views = page.get_by_role("navigation", name="Views")
    for link, heading in (("Overview", "made_up"), ("Questions", "Questions")):
        views.get_by_role("link", name=link).click()
        expect_heading(page, heading)
        expect(views.get_by_role("link", name=link)).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name=TITLES[1]).click()
    expect_heading(page, TITLES[1])
    assert page.title().startswith(TITLES[1])
    page.go_back()
    expect_heading(page, "Questions")
    expect(page.get_by_role("link", name=TITLES[1])).to_be_focused()
    page.go_back()
    expect_heading(page, "made_up")
    page.go_forward()
    expect_heading(page, "Questions")


def test_keys_lead_to_every_view(page: Page) -> None:
    for keys, heading in (("gq", "Questions"), ("go", "made_up"), ("gq", "Que")):
        page.keyboard.type(keys)
        expect_heading(page, heading)
    for key in "jjjk":
        page.keyboard.press(key)
    expect(page.get_by_role("link", name=TITLES[1])).to_be_focused()
    page.keyboard.press("Enter")
    expect_heading(page, TITLES[1])


def test_keys_typed_into_a_field_do_nothing_else(visit: Opener) -> None:
    page = visit("#/questions")
    page.get_by_role("searchbox").fill("")
    page.keyboard.type("go t?")
    expect(page.get_by_role("searchbox")).to_have_value("go t?")
    expect_heading(page, "Questions")


def test_the_keys_are_listed_and_can_be_switched_off(page: Page) -> None:
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_role("row").filter(has_text="questions")).to_be_visible()
    dialog.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.type("gq")
    expect_heading(page, "made_up")


def test_everything_is_reached_with_the_tab_key(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.get_by_role("main").locator(":focus")
    expect(inside).to_have_count(1)


def test_an_address_of_nothing_is_answered_by_a_sentence(visit: Opener) -> None:
    for address in ("#/nothing", "#/question/999", "#/question/__proto__", "#/constructor"):
        page = visit(address)
        expect_heading(page, "")
        expect(page.get_by_role("alert")).not_to_be_empty()
        page.get_by_role("link", name="Questions").click()
        expect_heading(page, "Questions")


def test_the_address_of_a_view_can_be_copied(visit: Opener) -> None:
    page = visit("#/questions?model=ncs&with=bm25")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    button = page.get_by_role("button", name="Copy address")
    button.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == "#/questions?model=ncs&with=bm25"


def test_where_nothing_can_be_copied_the_address_is_selected(visit: Opener) -> None:
    page = visit("#/questions?model=ncs&with=bm25")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy address").click()
    dialog = page.get_by_role("dialog", name="Address of this view")
    expect(dialog.get_by_label("Copy this")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "#/questions?model=ncs&with=bm25"
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
