"""Queries from titles (``ncsbench.pairs.comment_filter.query_titles``)."""

from __future__ import annotations

import gzip
import html
import re
from pathlib import Path

import pytest

from ncsbench.pairs.comment_filter.query_titles import ALL_PHRASES, choose_titles
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set

TITLES = [
    "How to read a file in Java?",
    "How  to read a file in JAVA",
    "how to sort <b>a map</b> (by value)?",
    "How to use @Autowired in a class",
    "How do I parse a date?",
    "How doing nothing works",
    "What\u2019s the best way to close a stream?",
    "NullPointerException in a list",
    "how to ??",
    "How to " + "x" * 2000,
]


def test_titles_that_begin_with_how_to_become_queries_dev_178() -> None:
    found = choose_titles(TITLES, load_rule_set("as_released"))
    assert found.titles == ("read a file in java", "sort a map")
    assert found.counts == {
        **{"kept": 2, "repeated": 1, "other_start": 4, "rejected": 1, "too_long": 1, "empty": 1}
    }


def test_all_titles_without_their_leading_phrases_dev_178() -> None:
    found = choose_titles(TITLES, load_rule_set("none"), phrases="all")
    assert "parse a date" in found.titles
    assert "close a stream" in found.titles
    assert "nullpointerexception in a list" in found.titles
    assert "how doing nothing works" in found.titles
    assert found.counts["empty"] == 1
    assert sum(found.counts.values()) == len(TITLES)
    assert list(found.titles) == sorted(set(found.titles))
    assert choose_titles(TITLES[::-1], load_rule_set("none"), phrases="all") == found
    assert len(ALL_PHRASES) == len(set(ALL_PHRASES))


@pytest.mark.shared
def test_titles_of_a_real_dump(shared: Path) -> None:
    with gzip.open(
        shared / "data" / "stackoverflow" / "Posts.xml.gz", "rt", encoding="utf-8"
    ) as file:
        found = [re.search(' Title="([^"]+)"', line) for line in file]
    titles = [html.unescape(title[1]) for title in found if title]
    how_to = choose_titles(titles, load_rule_set("as_released"))
    everything = choose_titles(titles, load_rule_set("as_released"), phrases="all")
    assert 1300 < len(how_to.titles) < 1500
    assert len(everything.titles) > 8000
    assert set(how_to.titles) < set(everything.titles)
