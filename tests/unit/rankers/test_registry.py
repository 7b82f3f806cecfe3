from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ncsbench.code.java.search_fields import FIELDS
from ncsbench.errors import ConfigurationError
from ncsbench.rankers import registry
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.lexical.longest_first import LongestFirst
from ncsbench.rankers.registry import create_ranker, find_kind_module, find_options, list_kinds
from tests.one_line import ends_in_one_line

BASE = {"kind": "bm25", "options": {}}


def test_a_base_is_created_too() -> None:
    ranker = create_ranker(
        {"kind": "longest_first", "options": {"candidates": 7}, "base": BASE}, seed=1
    )
    assert isinstance(ranker, LongestFirst)
    assert isinstance(create_ranker({"kind": "bm25"}, seed=1), BM25)


PARTS = {"a": {"kind": "bm25"}}
NO_FIELD = dict.fromkeys(FIELDS, 0.0)


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
        ({"kind": "rank_fusion"}, "kind rank_fusion: names no parts; add a block 'parts: {<name>"),
        ({"kind": "bm25", "parts": PARTS}, "kind bm25: takes no parts; remove its block 'parts'"),
        (
            {"kind": "rank_fusion", "parts": {"a": {"kind": "bm52"}}},
            "unknown kind of model 'bm52'; did you mean",
        ),
        (
            {"kind": "rank_fusion", "parts": {"a": "bm25"}},
            "parts.a: 'bm25' is not of type 'object'",
        ),
    ],
)
def test_mistakes_in_a_specification_end_in_one_line(
    specification: dict[str, object], message: str
) -> None:
    with ends_in_one_line(ConfigurationError, message):
        create_ranker(specification, seed=1)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("bm25", {"k": 1.5}, "unknown key 'k'; did you mean 'k1'"),
        ("bm25", {"k1": "big"}, "k1: 'big' is not of type 'number'"),
        ("bm25", {"k1": True}, "k1: True is not of type 'number'"),
        ("bm25", {"engine": "bm25s"}, "engine: 'bm25s' is not one of 'own' or 'rank_bm25'"),
        ("bm25", {"query": "one-hot"}, "query: 'one-hot' is not one of 'one_hot' or 'counts'"),
        ("bm25", {"b": 2}, "b: 2 is greater than the maximum of 1"),
        ("bm25", {"k1": -1}, "k1: -1 is less than the minimum of 0"),
        ("bm25", {"k1": float("nan")}, "k1: nan: should be a finite number"),
        ("bm25f", {"weights": {"nam": 1}}, "nam"),
        ("bm25f", {"weights": {"name": -1}}, "weights.name: -1"),
        ("bm25f", {"b": {"name": 2}}, "b.name: 2"),
        ("bm25f", {"weights": NO_FIELD}, "all weights are 0"),
        ("elasticsearch_like", {"lossy_lengths": "no"}, "'no' is not of type 'boolean'"),
        ("elasticsearch_like", {"query": "cross_fields"}, "not one of 'best_fields' or"),
        ("elasticsearch_like", {"tokenizer": "camel"}, "tokenizer"),
        ("ncs", {"query_stop_words": "removed"}, "stop_words: true"),
        ("ncs", {"query_stop_words": "maybe"}, "'maybe' is not one of 'kept' or 'removed'"),
        ("encoder", {}, "name either 'model', the folder of an encoder, or 'vectors'"),
        ("encoder", {"model": "a", "vectors": "b"}, "name either 'model'"),
        ("encoder", {"vectors": "b", "pooling": "cls"}, "counts for nothing beside 'vectors'"),
        ("encoder", {"model": "a", "pooling": "last"}, "not one of 'mean', 'cls' or 'max'"),
        ("encoder", {"model": "a", "maximum_length": 0}, "0 is less than the minimum of 1"),
        ("encoder", {"model": "a", "prefix": "x"}, "unknown key 'prefix'"),
        ("encoder", {"model": ""}, "model: '': String should have at least 1"),
        ("ncs_expanded", {"minimum_value": 2}, "2 is greater than the maximum of 1"),
        ("longest_first", {"candidate": 3}, "'candidates'"),
        ("longest_first", {"candidates": 0}, "candidates"),
        ("ncs_postrank", {"depth": 0}, "depth: 0 is less than the minimum of 1"),
        ("ncs_postrank", {"depth": 2.5}, "2.5 is not of type"),
        ("ncs_postrank", {"stop_words": "a"}, "'a' is not a list; write stop_words: [a]"),
        ("rank_fusion", {"depth": 0}, "depth: 0 is less than the minimum of 1"),
        ("fused", {"near_copies": 1.5}, "near_copies: 1.5"),
        ("fused", {"duplicates": "gone"}, "duplicates: 'gone'"),
    ],
)
def test_wrong_options_end_in_one_line(kind: str, options: dict[str, object], message: str) -> None:
    parts = {name: BASE for name in ("a", "b") if kind in {"fused", "rank_fusion"}}
    based = kind in {"ncs_expanded", "longest_first", "ncs_postrank"}
    base = {"base": BASE} if based else {}
    with ends_in_one_line(ConfigurationError, message):
        create_ranker({"kind": kind, "options": options, "parts": parts, **base}, seed=1)


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
