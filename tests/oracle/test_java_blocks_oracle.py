"""Java blocks of upvoted answers to android questions: the rule against labels, and who is read."""

from __future__ import annotations

import csv
import gzip
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ncsbench.code.java.java_blocks import is_java_block
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.posts.dump.bodies import extract_code

pytestmark = pytest.mark.shared

LABELS = Path(__file__).with_name("java_blocks.csv")
SEED = 20240601
"""The 100 labelled blocks are the first of all blocks, shuffled with it."""


PLAIN = re.compile(r"<pre[^<>]*>(?:(?!</?pre|<code).)*</pre>", re.DOTALL)
"""A block without ``code`` in it: the labels count the others alone."""


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
                for number, text in enumerate(extract_code(PLAIN.sub("", post["Body"]))):
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
    assert confusion == {(True, True): 52, (False, False): 48}


def test_java_blocks_yield_features(blocks: dict[tuple[int, int], str]) -> None:
    java = [text for text in blocks.values() if is_java_block(text)]
    features = [features_of_answer(text) for text in java]
    read = sum(1 for found in features if found is not None and found.size)
    assert (len(blocks), len(java), read) == (3651, 1971, 1937)
    assert read / len(java) > 0.979
