from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.rankers import registry
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.lexical.longest_first import LongestFirst
from ncsbench.rankers.registry import (
    create_ranker,
    find_kind_module,
    find_options,
    list_kinds,
)

BASE = {"kind": "bm25", "options": {}}


def test_the_kinds_are_the_modules_with_a_ranker() -> None:
    expected = ["bm25", "longest_first", "ncs", "ncs_expanded", "ncs_postrank", "random_order"]
    assert set(expected) <= set(list_kinds())
    assert "protocol" not in list_kinds()


def test_a_base_is_created_too() -> None:
    ranker = create_ranker(
        {"kind": "longest_first", "options": {"candidates": 7}, "base": BASE}, seed=1
    )
    assert isinstance(ranker, LongestFirst)
    assert isinstance(create_ranker({"kind": "bm25"}, seed=1), BM25)


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ({"kind": "bm52"}, "unknown kind of model 'bm52'; did you mean 'bm25'"),
        ({"kind": "protocol"}, "unknown kind of model 'protocol'"),
        ({"kind": "../bm25"}, "unknown kind of model"),
        ({"kind": None}, "model: kind: None is not of type 'string'"),
        ({}, "model: missing key 'kind'"),
        ({"kind": "bm25", "option": {}}, "unknown key 'option'; did you mean 'options'"),
        ({"kind": "longest_first"}, "names no base"),
        ({"kind": "bm25", "base": BASE}, "takes no base"),
        ({"kind": "ncs_expanded"}, "names no base"),
        (
            {"kind": "ncs_expanded", "options": {"minimum_value": 2}, "base": BASE},
            "minimum_value: 2 is greater than the maximum of 1",
        ),
        ({"kind": "longest_first", "options": {"candidate": 3}, "base": BASE}, "'candidates'"),
        ({"kind": "ncs_postrank", "options": {"depth": 2.5}, "base": BASE}, "2.5 is not of type"),
        (
            {"kind": "ncs_postrank", "options": {"stop_words": "a"}, "base": BASE},
            r"stop_words: 'a' is not a list; write stop_words: \[a\]",
        ),
    ],
)
def test_mistakes_end_in_one_line(specification: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        create_ranker(specification, seed=1)
    assert "\n" not in str(error.value)


def test_another_package_can_register_a_ranker(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("mine", "ncsbench.rankers.bm25:BM25", registry.ENTRY_POINT_GROUP),
        EntryPoint("ncs", "ncsbench.rankers.bm25:BM25", registry.ENTRY_POINT_GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    assert isinstance(create_ranker({"kind": "mine"}, seed=1), BM25)
    assert "mine" in list_kinds()
    # A name of this package cannot be taken.
    assert not isinstance(create_ranker({"kind": "ncs"}, seed=1), BM25)


def test_the_options_of_a_kind_are_found_without_its_ranker() -> None:
    for kind in list_kinds():
        ranker = importlib.import_module(f"ncsbench.{find_kind_module(kind)}").RANKER
        assert find_options(kind) is ranker.options_type


def test_a_ranker_of_another_package_names_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nameless:
        pass

    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("mine", "x:y", group)])
    monkeypatch.setattr(EntryPoint, "load", lambda point: Nameless)
    with pytest.raises(
        ConfigurationError,
        match="'mine' has no attribute 'options_type'; give its class a line 'options_type = Rank",
    ):
        find_options("mine")


def test_the_stop_words_are_lower_case_words_one_a_line(root: Path) -> None:
    text = (root / "resources" / "stopwords" / "english.txt").read_text(encoding="utf-8")
    words = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(words) == len(set(words)) > 100
    assert all(word.isalpha() and word == word.lower() for word in words)
    # Words that carry meaning in questions about Java and Android must not be among them.
    meaning = "get set put open close file view new all in out first last on off up down and or not"
    assert not set(words) & set(meaning.split()) - {"in", "on", "and", "or", "all", "up", "not"}
