"""Java blocks of upvoted answers to android questions: the rule against labels, and who is read."""

from __future__ import annotations

import csv
import gzip
import random
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ncsbench.judge.answers import features_of_answer
from ncsbench.languages.java_blocks import is_java_block

pytestmark = pytest.mark.shared

LABELS = Path(__file__).with_name("java_blocks.csv")
SEED = 20240601
"""The 100 labelled blocks are the first of all blocks, shuffled with it."""


class CodeBlocks(HTMLParser):
    """Texts of the ``pre`` elements with a ``code`` element inside."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self._text: list[str] | None = None
        self._has_code = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "pre":
            self._text, self._has_code = [], False
        elif tag == "code":
            self._has_code = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre" and self._text is not None:
            if self._has_code:
                self.blocks.append("".join(self._text))
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)


@pytest.fixture(scope="module")
def blocks(shared: Path) -> dict[tuple[int, int], str]:
    """By answer id and number; of answers with a positive score to android questions."""
    android = set()
    found = {}
    with gzip.open(shared / "data/stackoverflow/Posts.xml.gz") as file:
        for _, row in ET.iterparse(file):  # noqa: S314  (development data, checked when fetched)
            post = dict(row.attrib)
            row.clear()
            if post.get("PostTypeId") == "1" and "<android>" in post.get("Tags", ""):
                android.add(post["Id"])
            elif post.get("ParentId") in android and int(post["Score"]) > 0:
                for number, text in enumerate(CodeBlocks(post["Body"]).blocks):
                    found[int(post["Id"]), number] = text
    return dict(sorted(found.items()))


def test_the_rule_agrees_with_labels_by_hand(blocks: dict[tuple[int, int], str]) -> None:
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = {
            (int(row["answer"]), int(row["block"])): row["java"] == "yes"
            for row in csv.DictReader(file)
        }
    drawn = list(blocks)
    random.Random(SEED).shuffle(drawn)  # noqa: S311
    assert sorted(labels) == sorted(drawn[:100])
    confusion = Counter((java, is_java_block(blocks[key])) for key, java in labels.items())
    assert confusion == {(True, True): 52, (False, False): 45, (False, True): 3}


def test_java_blocks_yield_features(blocks: dict[tuple[int, int], str]) -> None:
    java = [text for text in blocks.values() if is_java_block(text)]
    features = [features_of_answer(text) for text in java]
    read = sum(1 for found in features if found is not None and found.size)
    assert (len(blocks), len(java)) == (3651, 1981)
    assert read / len(java) > 0.979
