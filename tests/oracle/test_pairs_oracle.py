"""Leaks on real posts and answers, against comparing every snippet with every answer."""

import gzip
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.pairs.leak_checks.leaks import (
    COMMON_WORDS,
    CONTAINED,
    SIMILAR,
    USEFUL_PAIRS,
    USEFUL_RUN,
    USEFUL_WORDS,
    LeakFinder,
    split_code_tokens,
)
from ncsbench.posts.dump.bodies import extract_code
from ncsbench.posts.questions.questions_file import read_questions

pytestmark = pytest.mark.shared

SNIPPETS = 1500


@pytest.fixture(scope="module")
def finder(shared: Path, root: Path) -> LeakFinder:
    sheet = read_score_sheet(root / "config" / "published" / "score_sheet.csv")
    questions = read_questions([shared / "data" / "ncsed" / "questions-dev.json"])
    return LeakFinder(questions, sheet.stackoverflow_ids)


@pytest.fixture(scope="module")
def answers(shared: Path) -> list[str]:
    path = shared / "data" / "ncsed" / "questions-dev.json"
    return list(read_questions([path])["answer"].to_pylist())


@pytest.fixture(scope="module")
def posts(shared: Path) -> tuple[set[int], list[str]]:
    """Ids of all posts of the dump, and snippets of its answers about Android."""
    path = shared / "data" / "stackoverflow" / "Posts.xml.gz"
    ids, asked, snippets = set(), set(), []
    with gzip.open(path) as file:
        for _, row in ElementTree.iterparse(file):  # noqa: S314
            ids.add(int(row.get("Id", "0")))
            if "android" in row.get("Tags", ""):
                asked.add(row.get("Id"))
            if row.get("ParentId") in asked:
                snippets += extract_code(row.get("Body", ""))
            row.clear()
    return ids, snippets


Words = tuple[list[str], list[str], Counter[tuple[str, str]]]


def count(code: str) -> Words:
    tokens, words = split_code_tokens(code)
    return tokens, words, Counter(pairwise(words))


def compare(answer: Words, snippet: Words) -> bool:
    """The rule by its definition, for one answer and one snippet."""
    (tokens, words, one), (other_tokens, other_words, other) = answer, snippet
    if len(words) < USEFUL_WORDS:
        return words == other_words if len(words) > COMMON_WORDS else tokens == other_tokens
    starts = range(len(other_words) - len(words) + 1)
    if len(words) >= USEFUL_RUN and any(
        words == other_words[start : start + len(words)] for start in starts
    ):
        return True
    shared, smaller = (one & other).total(), min(one.total(), other.total())
    if shared == 0:
        return False
    similarity = shared / (one | other).total()
    return similarity >= SIMILAR or (smaller >= USEFUL_PAIRS and shared / smaller >= CONTAINED)


def test_the_index_finds_what_comparing_with_every_answer_finds_on_real_posts(
    finder: LeakFinder, answers: list[str], posts: tuple[set[int], list[str]]
) -> None:
    counted = list(map(count, answers))
    leaking = 0
    for snippet in posts[1][:SNIPPETS]:
        words = count(snippet)
        near = any(compare(answer, words) for answer in counted)
        found = finder.find_snippet(snippet)
        leaking += near
        # The finder compares a snippet that is one method by its body as well.
        if near or not re.fullmatch(r"[^;{}=]*\).*\}\s*", snippet, re.DOTALL):
            assert (found is not None) == near, snippet
    assert leaking >= 5


def test_the_dump_holds_no_evaluation_question_by_id(
    finder: LeakFinder, posts: tuple[set[int], list[str]]
) -> None:
    leaks = [finder.find("no title", "", [number]) for number in sorted(posts[0])]
    assert [leak for leak in leaks if leak is not None] == []


@pytest.mark.parametrize(
    "copy",
    [
        "{}",
        "// copied\n{}\n/* end */",
        "void copied(View view) {{\n    {}\n}}",
        "if (SDK_INT > 9) {{ {} }}",
        "import android.view.View;\n\n{}",
        '@SuppressWarnings("unchecked")\npublic void copied() {{\n    {}\n}}',
    ],
)
def test_copies_of_every_evaluation_answer_are_found(
    finder: LeakFinder, answers: list[str], copy: str
) -> None:
    missed = [
        answer for answer in answers if finder.find_snippet(copy.format(answer + "\n")) is None
    ]
    assert missed == []
