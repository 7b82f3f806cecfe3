"""The page of a question: answer, first ranks, results with verdicts, marks and links."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ncsbench.apps.explorer.question_files import write_script
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from tests.browser.conftest import Opener
from tests.browser.made_up_data import (
    CODE,
    COMMIT,
    LEFT_OUT,
    LONG,
    MARKED,
    MODELS,
    NAMES,
    RANKS,
    STRICT,
    TITLES,
    methods,
    question,
    summary,
)

FIRST = "#/question/1?model=bm25&with=ncs"


def find_results(page: Page, model: str) -> list[Locator]:
    """Every result of a model, scrolled to, so that its method is read."""
    column = page.get_by_role("region", name=model, exact=True)
    articles = column.get_by_role("article")
    expect(articles.first).to_be_visible()
    for article in articles.all():
        article.scroll_into_view_if_needed()
    expect(column.get_by_text("Loading")).to_have_count(0)
    return articles.all()


def test_the_answer_and_every_first_rank_are_shown(visit: Opener) -> None:
    page = visit("#/question/2?model=bm25&with=ncs")
    answer = page.get_by_role("region", name="Answer")
    expect(answer.get_by_role("code")).to_have_text("compute(2);")
    expect(answer.get_by_role("link", name="Ben")).to_have_attribute(
        "href", "https://stackoverflow.com/users/2"
    )
    expect(answer).to_contain_text("CC BY-SA 3.0")
    expect(page.get_by_role("link", name="Anna")).to_be_visible()
    for model in MODELS:
        button = page.get_by_role("button", name=NAMES.get(model, model), exact=True)
        row = page.get_by_role("row").filter(has=button)
        for ranks, word in ((STRICT, "first rank, strict:"), (RANKS, "lenient:")):
            expect(row).to_contain_text(f"{word} {ranks[model][1] or 'none'}")
        expect(row).to_contain_text("0.050")


def test_a_question_says_what_counts_as_right_and_which_results_nearly_are(visit: Opener) -> None:
    page = visit("#/question/2?model=bm25&with=ncs")
    said = page.get_by_text("similar enough to this answer")
    expect(said).to_contain_text("dice above 0.25")
    expect(said).to_contain_text("pruned_jaccard_leaf above 0.25")
    pairs = question(2)["pairs"]
    dice = SIMILARITIES.index("dice")
    for model, ids in zip(MODELS, question(2)["results"], strict=True):
        missed = [id_ for id_ in ids if not pairs[str(id_)][1] >> 16]
        row = page.get_by_role("row").filter(
            has=page.get_by_role("button", name=NAMES.get(model, model), exact=True)
        )
        if not missed:
            expect(row).not_to_contain_text(re.compile(r"rank \d"))
            continue
        nearest = max(missed, key=lambda id_: pairs[str(id_)][0][dice])
        score = pairs[str(nearest)][0][dice] / 10_000
        expect(row).to_contain_text(f"{score:.3f}rank {ids.index(nearest) + 1}")


def test_results_that_one_judge_accepts_and_the_other_does_not_are_listed(visit: Opener) -> None:
    page = visit("#/question/2?model=bm25&with=ncs")
    pairs = question(2)["pairs"]
    disputed = [id_ for id_, pair in pairs.items() if pair[1] >> 16 in (1, 2)]
    entries = page.get_by_role("region", name="Where the judges disagree").get_by_role("listitem")
    expect(entries).to_have_count(len(disputed))
    for id_ in disputed:
        entry = entries.filter(has_text=f"Class{id_}.method (6 lines)")
        sign = "✓" if pairs[id_][1] >> 17 & 1 else "✗"
        dice = pairs[id_][0][SIMILARITIES.index("dice")] / 10_000
        expect(entry).to_contain_text(f"{sign} strict {dice:.3f}")


def test_where_the_texts_are_not_there_links_and_a_way_to_get_them_are(
    visit: Opener, explorer: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(explorer, tmp_path / "copy"))
    write_script(copy, "summary", summary() | {"texts": False})
    bare = question(2)
    bare["answer"] |= {"code": "", "url": ""}
    bare["pairs"] = {id_: [*pair[:2], ""] for id_, pair in bare["pairs"].items()}
    write_script(copy, "question-2", bare)
    for number, part in enumerate(methods()):
        emptied = {id_: {**one, "c": "", "d": ""} for id_, one in part.items()}
        write_script(copy, f"methods-{number}", emptied)
    page = visit("#/question/2?model=bm25&alone=1", copy)
    answer = page.get_by_role("region", name="Answer")
    expect(answer.get_by_text("snakemake --cores 1 data/sources/ncsed/")).to_be_visible()
    expect(answer.get_by_role("link", name="Answer on Stack Overflow")).to_have_attribute(
        "href", bare["url"]
    )
    result = find_results(page, "bm25")[2]
    expect(result.get_by_role("link")).to_have_count(1)
    expect(page.get_by_text("Code", exact=True).locator("visible=true")).to_have_count(0)
    expect(page.get_by_text("leads to the lines of its code")).to_be_visible()


def test_results_stand_in_rank_order_with_place_licence_and_link(visit: Opener) -> None:
    page = visit("#/question/5?model=bm25&with=ncs")
    for model in ("bm25", "ncs"):
        ids = question(5)["results"][MODELS.index(model)]
        results = find_results(page, model)
        assert len(results) == len(ids)
        for rank, (result, id_) in enumerate(zip(results, ids, strict=True), start=1):
            expect(result.get_by_role("heading")).to_contain_text(f"rank {rank} Class{id_}.method")
            expect(result).to_contain_text("MIT")
            place = f"src/Class{id_}.java"
            link = result.get_by_role("link", name=f"owner/first/{place}:3")
            address = f"https://github.com/owner/first/blob/{COMMIT}/{place}#L3-L8"
            expect(link).to_have_attribute("href", address)


def test_a_result_has_verdicts_and_the_similarity_under_every_judge(visit: Opener) -> None:
    page = visit("#/question/5?model=bm25&alone=1")
    data = question(5)
    for result, id_ in zip(find_results(page, "bm25"), data["results"][1], strict=True):
        scores, verdicts, _ = data["pairs"][str(id_)]
        judges = ((16, "lenient", 0), (17, "strict", SIMILARITIES.index("dice")))
        for bit, word, place in judges:
            sign = "✓" if verdicts >> bit & 1 else "✗"
            said = f"{sign} {word} {scores[place] / 10_000:.3f}"
            expect(result.get_by_text(said, exact=True)).to_be_visible()
        result.get_by_text("Similarity under every judge").click()
        for bit, (judge, score) in enumerate(zip(SIMILARITIES, scores, strict=True)):
            header = page.get_by_role("rowheader", name=re.compile(rf"^{judge}\b"))
            row = result.get_by_role("row").filter(has=header)
            expect(row).to_contain_text(f"{score / 10_000:.3f}")
            expect(row).to_contain_text("✓" if verdicts >> bit & 1 else "✗")


def test_tokens_that_the_judge_matched_are_marked(visit: Opener) -> None:
    page = visit(FIRST)
    for model, rank in (("bm25", 1), ("ncs", 1)):
        code = find_results(page, model)[rank - 1].get_by_role("code")
        expect(code).to_have_text(CODE)
        expect(code.get_by_role("mark")).to_have_text(list(MARKED))


def test_copies_are_told_and_a_long_method_says_what_is_left_out(visit: Opener) -> None:
    page = visit(FIRST)
    left, right = find_results(page, "bm25"), find_results(page, "ncs")
    expect(right[0]).not_to_contain_text("copy of rank")
    expect(left[1]).to_contain_text(f"{LEFT_OUT:,} more characters")
    left[1].get_by_role("button", name="Show all").click()
    expect(left[1].get_by_role("code")).to_have_text(LONG)
    assert [100, 103] == [question(1)["results"][1][rank] for rank in (0, 3)]
    expect(left[3]).to_contain_text("copy of rank 1")


def test_models_are_chosen_by_press_and_by_key(visit: Opener) -> None:
    page = visit(FIRST)
    page.get_by_role("button", name="__proto__").click()
    find_results(page, "__proto__")
    page.keyboard.press("1")  # the best by the strict judge
    find_results(page, "ncs")
    expect(page.get_by_role("button", name="ncs")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("beside those of").select_option("random")
    expect(page.get_by_text("Random methods returns nothing for this question")).to_be_visible()


def test_neighbours_are_those_of_the_filtered_list(visit: Opener) -> None:
    page = visit("#/questions?model=ncs&with=bm25&only=gap&judge=lenient")
    page.get_by_role("link", name=TITLES[1]).click()
    gap = [
        number
        for number in range(len(TITLES))
        if 0 < RANKS["ncs"][number] <= 10 and not 0 < RANKS["bm25"][number] <= 10
    ]
    expected = TITLES[gap[gap.index(1) + 1]]
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[1])
    expect(page.get_by_role("link", name="in the list").first).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_have_text(expected)
    page.keyboard.press("k")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[1])


def test_an_answer_that_no_reading_parses_is_said(visit: Opener) -> None:
    page = visit("#/question/4")
    expect(page.get_by_text("could not read this answer")).to_be_visible()


@pytest.mark.parametrize("view", ["#/question/1", FIRST])
def test_a_near_copy_is_told(visit: Opener, view: str) -> None:
    page = visit(view)
    scores = {id_: pair[0][0] for id_, pair in question(1)["pairs"].items()}
    ids = question(1)["results"][MODELS.index("ncs")]
    for result, id_ in zip(find_results(page, "ncs"), ids, strict=True):
        if scores[str(id_)] > 9000:
            expect(result).to_contain_text("near copy")
        else:
            expect(result).not_to_contain_text("near copy")
