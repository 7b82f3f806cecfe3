"""Rules against titles that are no how-to questions; all titles here are made up."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.errors import ConfigurationError
from ncsbench.posts.questions.selection_options import SelectionOptions
from ncsbench.posts.questions.title_rules import TITLE_RULES, rejecting_rule
from tests.patience import guard_against_hanging

ALL = list(TITLE_RULES)
DISCUSSION = ["comparison", "reason", "opinion", "concept", "fact"]


@pytest.mark.parametrize(
    "title",
    [
        "How to turn a list of words into one line",
        "How do I read the colour of a pixel?",
        "Best way to copy a map",
        "What is the best way to copy a map in Java?",
        "What is the Android way to share a picture?",
        "What's the easiest method to clear a canvas?",
        "Is it possible to rotate a marker?",
        "Is there a way to hide the toolbar while scrolling?",
        "Is there a class that counts words?",
        "Can I draw on top of a video?",
        "Android: Draw a circle",
        "Days between two dates",
        "Calculate the difference between two lists",
        "Java - difference between two dates in hours",
        "How to handle a SocketTimeoutException",
        "Catch an exception inside a stream",
        "Remove an item from a list without a ConcurrentModificationException",
        "Check that a file does not exist",
        "How should I store a colour?",
        "Draw a line in Android Studio",
        "The clock class is deprecated, what should I use instead?",
        "",
    ],
)
def test_how_to_questions_are_kept(title: str) -> None:
    assert rejecting_rule(title, ALL) is None


@pytest.mark.parametrize(
    ("title", "rule"),
    [
        ("What's the difference between a crate and a box?", "comparison"),
        ("Android: difference between pause and stop", "comparison"),
        ("Crate vs. Box", "comparison"),
        ("Why does the box have no lid?", "reason"),
        ("Java: why is a box final?", "reason"),
        ("What is the purpose of a lid?", "reason"),
        ("Should I close the box?", "opinion"),
        ("When to use a crate", "opinion"),
        ("Is it bad to nest boxes?", "opinion"),
        ("Best practices for boxes", "opinion"),
        ("What is a box?", "concept"),
        ("What does the hash sign mean", "concept"),
        ("How does the lid work internally?", "concept"),
        ("Understanding lids", "concept"),
        ("Does a box keep its order?", "fact"),
        ("Are crates thread safe?", "fact"),
        ("com.example.LidException: the lid is open", "trouble"),
        ("How do I fix 'lid not found' error", "trouble"),
        ("My crate doesn\u2019t open", "trouble"),
        ("The view is not showing the lid", "trouble"),
        ("App crashes when opening a crate", "trouble"),
        ("Add a lid doesn't work", "trouble"),
        ("How to add a folder to the build in Gradle", "tools"),
        ("How to install the JDK on a Mac", "tools"),
        ("Android Studio keyboard shortcut for lids", "tools"),
    ],
)
def test_other_titles_are_rejected_by_name(title: str, rule: str) -> None:
    assert rejecting_rule(title, ALL) == rule
    assert rejecting_rule(title.upper(), ALL) == rule


def test_the_first_given_rule_that_rejects_is_named() -> None:
    title = "Why does Gradle fail?"
    assert rejecting_rule(title, ["tools", "reason"]) == "tools"
    assert rejecting_rule(title, ["reason", "tools"]) == "reason"
    assert rejecting_rule(title, ["opinion"]) is None
    assert rejecting_rule(title, []) is None


def test_trouble_is_a_rule_of_its_own_beside_those_against_discussion_dev_43() -> None:
    report = "The list is not scrolling to its end"
    assert rejecting_rule(report, DISCUSSION) is None
    assert rejecting_rule(report, [*DISCUSSION, "trouble"]) == "trouble"
    assert list(TITLE_RULES) == [*DISCUSSION, "trouble", "tools"]


def test_an_unknown_rule_is_told_with_the_nearest_name() -> None:
    for rules, message in (
        (["opinon"], r"'opinon' is no title rule; did you mean 'opinion'\?"),
        (["Reason"], r"did you mean 'reason'\?"),
        (["reason", "zzz"], "title_rules.1: 'zzz' is no title rule; known: comparison"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            SelectionOptions.parse({"title_rules": rules}, where="x")


def test_the_page_has_a_reason_for_every_rule(root: Path) -> None:
    page = (root / "docs" / "posts.md").read_text()
    head = "| rule | rejects | reason |"
    rows = page[page.index(head) :].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    assert [row[1].strip("`") for row in cells] == list(TITLE_RULES)
    assert all(row[3] for row in cells)


@given(st.text(), st.permutations(ALL))
def test_any_title_is_judged_and_order_does_not_change_whether(
    title: str, rules: list[str]
) -> None:
    assert (rejecting_rule(title, rules) is None) == (rejecting_rule(title, ALL) is None)


@pytest.mark.parametrize(
    "piece",
    [
        "what ",
        "is there a ",
        "difference ",
        "calculate ",
        "not ",
        "a ",
        "- ",
        "should ",
        "returns ",
    ],
)
def test_endless_titles_are_judged_in_linear_time(piece: str) -> None:
    with guard_against_hanging():
        rejecting_rule(piece * 100_000, ALL)
