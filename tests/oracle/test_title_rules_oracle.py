"""The rules for titles against titles read by hand, none of them an evaluation question."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ncsbench.posts.questions.title_rules import TITLE_RULES, rejecting_rule

pytestmark = pytest.mark.shared

LABELS = Path(__file__).with_name("title_labels.csv")
ALL = list(TITLE_RULES)


@pytest.fixture(scope="module")
def labelled(shared: Path) -> list[tuple[bool, bool, str | None]]:
    """Of each label: whether it is an android question, to be kept, and the rule that rejects."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = {row["question"]: row["keep"] == "yes" for row in csv.DictReader(file)}
    found = {}
    with gzip.open(shared / "data/stackoverflow/Posts.xml.gz") as file:
        for _, row in ET.iterparse(file):  # noqa: S314  (development data, checked when fetched)
            post = dict(row.attrib)
            row.clear()
            if post.get("Id") in labels:
                android = "<android>" in post["Tags"]
                found[post["Id"]] = android, labels[post["Id"]], rejecting_rule(post["Title"], ALL)
    assert sorted(found) == sorted(labels)
    assert all(int(question) % 2 for question in labels), "a title of the half rules were made on"
    return list(found.values())


def test_the_rules_agree_with_labels_of_android_questions(
    labelled: list[tuple[bool, bool, str | None]],
) -> None:
    confusion = Counter((keep, rule is None) for android, keep, rule in labelled if android)
    assert confusion == {
        (True, True): 44,
        (True, False): 2,
        (False, True): 6,
        (False, False): 48,
    }


def test_what_each_rule_wrongly_rejects(labelled: list[tuple[bool, bool, str | None]]) -> None:
    rejected = Counter(rule for _, _, rule in labelled)
    wrongly = Counter(rule for _, keep, rule in labelled if keep and rule is not None)
    assert {rule: (wrongly[rule], rejected[rule]) for rule in ALL} == {
        "comparison": (0, 12),
        "reason": (0, 12),
        "opinion": (0, 11),
        "concept": (2, 13),
        "fact": (1, 11),
        "trouble": (0, 45),
        "tools": (4, 36),
    }
    assert rejected[None] == 100
    assert sum(not keep for _, keep, rule in labelled if rule is None) == 15


def test_published_questions_pass_all_rules_but_the_one_against_trouble(shared: Path) -> None:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text(encoding="utf-8"))
    assert len(questions) == 185
    rejected = Counter(rejecting_rule(question["question"], ALL) for question in questions)
    assert rejected == {None: 164, "trouble": 19, "opinion": 1, "concept": 1}
    others = [rule for rule in ALL if rule != "trouble"]
    rejected = Counter(rejecting_rule(question["question"], others) for question in questions)
    assert rejected == {None: 182, "opinion": 1, "concept": 1, "tools": 1}
