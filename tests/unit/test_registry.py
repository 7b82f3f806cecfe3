from __future__ import annotations

import shutil
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from ncsbench.configuration import validate_configuration
from ncsbench.errors import ConfigurationError
from ncsbench.models import registry
from ncsbench.models.bm25 import BM25
from ncsbench.models.longest_first import LongestFirst
from ncsbench.models.options import parse_options
from ncsbench.models.query_expansion import ExpansionOptions
from ncsbench.models.registry import can_be_made, check_model, create_ranker, list_kinds
from ncsbench.run_configuration import ModelConfiguration
from ncsbench.run_configuration.models import load_model

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
        ({"kind": None}, "unknown kind of model"),
        ({}, "unknown kind of model"),
        ({"kind": "bm25", "option": {}}, "unknown key 'option'; did you mean 'options'"),
        ({"kind": "longest_first"}, "names no base"),
        ({"kind": "bm25", "base": BASE}, "takes no base"),
        ({"kind": "ncs_expanded"}, "names no base"),
        (
            {"kind": "ncs_expanded", "options": {"minimum_value": 2}, "base": BASE},
            "'minimum_value' must be from 0 to 1",
        ),
        ({"kind": "longest_first", "options": {"candidate": 3}, "base": BASE}, "'candidates'"),
        ({"kind": "ncs_postrank", "options": {"depth": 2.5}, "base": BASE}, "of type int"),
        ({"kind": "ncs_postrank", "options": {"stop_words": "a"}, "base": BASE}, "list of words"),
    ],
)
def test_mistakes_end_in_one_line(specification: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        create_ranker(specification, seed=1)
    assert "\n" not in str(error.value)


def test_another_package_can_register_a_ranker(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("mine", "ncsbench.models.bm25:BM25", registry.ENTRY_POINT_GROUP),
        EntryPoint("ncs", "ncsbench.models.bm25:BM25", registry.ENTRY_POINT_GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    assert isinstance(create_ranker({"kind": "mine"}, seed=1), BM25)
    assert "mine" in list_kinds()
    # A name of this package cannot be taken.
    assert not isinstance(create_ranker({"kind": "ncs"}, seed=1), BM25)


def test_every_model_file_makes_a_ranker(root: Path) -> None:
    names = {path.stem for path in (root / "config" / "models").glob("*.yaml")}
    assert {"random", "random_long", "longest_first", "bm25", "ncs", "ncs_postrank"} <= names
    assert {"ncs_expanded", "ncs_expanded_postrank"} <= names
    for name in sorted(names):
        model = load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)
        check_model(model)


def make_model(kind: str, **keys: Any) -> ModelConfiguration:
    specification = {"kind": kind, "options": {}}
    if "base" in keys:
        specification["base"] = keys["base"].specification
    inputs = {"embedding": None, **keys}
    return ModelConfiguration("mine", "x", specification, words={}, seed=1, **inputs)


PAIRS = {"pairs": ["some"]}
NCS = make_model("ncs", embedding={"dimension": 100})


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (make_model("bm25", embedding={"dimensions": 3}), "embedding: unknown option 'dimensions'"),
        (make_model("bm25", expansion={"share": 1}), "expansion: unknown option 'share'"),
        (make_model("ncs"), "kind ncs needs word vectors; add a block 'embedding'"),
        (make_model("unif", embedding={}), "kind unif needs trained weights; add a block"),
        (make_model("unif", training=PAIRS), "training starts from word vectors; add a line"),
        (make_model("elasticsearch_like"), "add a line 'source_text: true'"),
        (make_model("ncs_expanded", base=NCS), "needs a table of expansions; add a block"),
        (make_model("ncs_postrank", base=make_model("ncs")), "kind ncs needs word vectors"),
    ],
)
def test_what_a_model_file_lacks_or_has_wrong_ends_in_one_line(
    model: ModelConfiguration, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        check_model(model)
    assert str(error.value).startswith("config/models/mine.yaml: ")
    assert "\n" not in str(error.value)
    assert not can_be_made(model)


def test_a_ranker_of_another_package_needs_no_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("mine", "ncsbench.models.bm25:BM25", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    assert not hasattr(BM25, "needs")
    check_model(make_model("mine"))


def test_a_base_gives_what_it_is_made_from(root: Path, tmp_path: Path) -> None:
    for part in ("config", "resources", "workflow/schemas"):
        shutil.copytree(root / part, tmp_path / part)
    text = "like: ncs_expanded\nbase: {}\n"
    stop_words = "resources/stopwords/english.txt"
    for base in ("unif_github", "elasticsearch_like"):
        (tmp_path / "config/models/mine.yaml").write_text(text.format(base))
        model = load_model("mine", root=tmp_path, stop_words=stop_words, seed=1)
        assert model.indexed is model and model.base is not None
        assert model.weights_key == model.base.weights_key
        assert model.source_text == model.base.source_text
        check_model(model)


def test_the_stop_words_are_lower_case_words_one_a_line(root: Path) -> None:
    text = (root / "resources" / "stopwords" / "english.txt").read_text(encoding="utf-8")
    words = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(words) == len(set(words)) > 100
    assert all(word.isalpha() and word == word.lower() for word in words)
    # Words that carry meaning in questions about Java and Android must not be among them.
    meaning = "get set put open close file view new all in out first last on off up down and or not"
    assert not set(words) & set(meaning.split()) - {"in", "on", "and", "or", "all", "up", "not"}


def test_a_file_of_kind_ncs_expanded_names_its_pairs(root: Path) -> None:
    schema = root / "workflow" / "schemas" / "model.schema.yaml"
    model = {"kind": "ncs_expanded", "trained_on": "pairs", "base": "ncs"}
    for incomplete, missing in ((model, "expansion"), ({**model, "expansion": {}}, "pairs")):
        with pytest.raises(ConfigurationError, match=f"{missing}'") as error:
            validate_configuration(incomplete, schema=schema, source="model.yaml")
        assert "\n" not in str(error.value)
    model = {**model, "expansion": {"pairs": "some"}}
    complete = validate_configuration(model, schema=schema, source="model.yaml")
    options = {key: value for key, value in complete["expansion"].items() if key != "pairs"}
    assert parse_options(ExpansionOptions, options, where="expansion") == ExpansionOptions()
