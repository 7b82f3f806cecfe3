"""Labelling in the page: grades by keys, a file that `ncsbench labels` reads, going on with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ncsbench.errors import DataError
from ncsbench.label_files.label_file import Label, read_labels, write_labels
from tests.browser.conftest import Opener
from tests.browser.downloads import save
from tests.browser.made_up_data import ADDRESS, MODELS, OTHER_NAME, TITLES, label, methods

POOL = label()["pool"]
NAMES = {
    int(id_): method.get("l", method["u"]) for part in methods() for id_, method in part.items()
}


def expect_item(page: Page, number: int) -> None:
    """The result of this number in the pool is asked about, and its code is there."""
    question, method = POOL[number]
    main = page.get_by_role("main")
    expect(main.get_by_text(TITLES[question - 1], exact=True)).to_be_visible()
    code = next(part[str(method)] for part in methods() if str(method) in part)["c"]
    expect(main.get_by_role("code")).to_contain_text(code[:60])


def saved(page: Page, folder: Path) -> list[Label]:
    return read_labels(save(page.get_by_role("button", name="Save"), folder))


def expected(number: int, grade: int, notes: str = "") -> Label:
    question, method = POOL[number]
    return Label("Java", TITLES[question - 1], NAMES[method], grade, notes)


def test_the_instructions_are_those_of_the_command_and_no_model_is_named(visit: Opener) -> None:
    page = visit("#/label")
    main = page.get_by_role("main")
    for line in label()["instructions"].splitlines():
        for part in (each for each in line.split("  ") if each):
            expect(main.get_by_text(part).first).to_be_attached()
    expect_item(page, 0)
    text = main.inner_text()
    assert not [model for model in MODELS if model in text]


def test_grades_by_key_are_saved_as_the_command_reads_them(visit: Opener, tmp_path: Path) -> None:
    page = visit("#/label")
    for number, grade in enumerate((3, 0, 2)):
        expect_item(page, number)
        page.keyboard.press(str(grade))
    expect_item(page, 3)
    page.keyboard.press("n")
    page.keyboard.type('=note, "quoted"')
    page.keyboard.press("Enter")
    page.get_by_role("button", name="related").click()
    page.keyboard.press("9")
    expect_item(page, 4)
    grades = [expected(n, grade) for n, grade in enumerate((3, 0, 2))]
    assert saved(page, tmp_path) == [*grades, expected(3, 1, '\'=note, "quoted"')]


def test_a_method_without_a_link_has_its_document_id(visit: Opener, tmp_path: Path) -> None:
    page = visit("#/label")
    number = next(at for at, (_, method) in enumerate(POOL) if NAMES[method] == OTHER_NAME)
    for at in range(number + 1):
        expect_item(page, at)
        page.keyboard.press("1")
    expect_item(page, number + 1)
    assert saved(page, tmp_path)[-1].document == OTHER_NAME != ADDRESS


def test_undo_and_skip(visit: Opener, tmp_path: Path) -> None:
    page = visit("#/label")
    expect_item(page, 0)
    page.keyboard.press("3")
    expect_item(page, 1)
    page.keyboard.press("u")
    expect_item(page, 0)
    page.get_by_role("button", name="Skip").click()
    expect_item(page, 1)
    page.keyboard.press("0")
    expect_item(page, 2)
    assert saved(page, tmp_path) == [expected(1, 0)]


def test_a_file_is_gone_on_with(visit: Opener, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    before = [expected(0, 2, "earlier"), expected(2, 1)]
    write_labels(mine, before)
    page = visit("#/label")
    page.get_by_text("Files", exact=True).click()
    page.get_by_label("Go on with my file").set_input_files(mine)
    expect_item(page, 1)
    page.keyboard.press("3")
    expect_item(page, 3)
    assert saved(page, tmp_path) == [*before, expected(1, 3)]


def test_what_others_judged_comes_last(visit: Opener, tmp_path: Path) -> None:
    others = tmp_path / "others.csv"
    write_labels(others, [expected(0, 2), expected(1, 1)])
    page = visit("#/label")
    page.get_by_text("Files", exact=True).click()
    page.get_by_label("Files of others").set_input_files(others)
    expect_item(page, 2)


def test_labels_outlast_the_page_where_the_browser_keeps_them(
    visit: Opener, tmp_path: Path
) -> None:
    page = visit("#/label")
    expect_item(page, 0)
    page.keyboard.press("2")
    page.get_by_role("link", name="Overview").click()
    page.keyboard.type("gl")
    expect_item(page, 1)
    later = page.context.new_page()
    later.goto(page.url)
    expect_item(later, 1)
    assert saved(later, tmp_path) == [expected(0, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Language,Query\n",
        "Language,Query,GitHubUrl,Relevance,Notes\nJava,a,b,7,\n",
        "Language,Query,GitHubUrl,Relevance,Notes\nJava,a,b\n",
        "Language,Query,GitHubUrl,Relevance,Notes\nJava,,b,1,\n",
        'Language,Query,GitHubUrl,Relevance,Notes\nJava,"a,b,1,\n',
        b"Language,Query,GitHubUrl,Relevance,Notes\nJava,\xff,b,1,\n",
        "<img src=x onerror=\"window.harmed='file'\">\n",
    ],
)
def test_what_is_no_file_of_labels_is_told_as_the_command_does(
    visit: Opener, tmp_path: Path, text: str | bytes
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError):
        read_labels(path)
    page = visit("#/label")
    page.get_by_text("Files", exact=True).click()
    page.get_by_label("Go on with my file").set_input_files(path)
    expect(page.get_by_role("alert")).to_contain_text("wrong.csv")
    expect_item(page, 0)


def test_instructions_are_folded_by_the_first_grade(visit: Opener) -> None:
    page = visit("#/label")
    words = page.locator("details.instructions")
    expect(words).to_have_attribute("open", "")
    expect_item(page, 0)
    page.keyboard.press("2")
    expect_item(page, 1)
    expect(words).not_to_have_attribute("open", "")
    page.get_by_text("Instructions", exact=True).click()
    page.keyboard.press("2")
    expect_item(page, 2)
    expect(words).to_have_attribute("open", "")  # the reader's choice stands
