"""Models that combine others, their parts: what is made for them, and mistakes in their files."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ncsbench.apps.own_code.indexing import check_learnt
from ncsbench.base.configuration.files import fingerprint
from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.files.model_configuration import change_dimension, list_made
from ncsbench.pipeline.runs.run import RunConfiguration, load_run
from ncsbench.pipeline.trials.variants import take_haystack, take_part, vary_seed
from ncsbench.rankers.registry import anchor, find_options
from tests.refusals import one_line

Load = Callable[..., RunConfiguration]

RRF = """kind: rank_fusion
trained_on: docstrings, posts
parts: {words: bm25, docstrings: unif_github_c, posts: unif_stackoverflow_c}
"""
FUSED = """kind: rank_fusion
trained_on: docstrings
parts: {words: bm25, learnt: unif_github_c, moved: ncs_postrank, rare: other_words}
"""


@pytest.fixture
def load(project: Path) -> Load:
    """Writes model files and resolves the sample with some models."""
    models = project / "config/models"
    (models / "other_words.yaml").write_text("like: bm25\nwords: {class_name: false}\n")
    (models / "fused_rrf.yaml").write_text(RRF)

    def resolve(text: str = FUSED, *names: str, **keys: object) -> RunConfiguration:
        (models / "mine.yaml").write_text(text)
        config = {"models": ["mine", *names], "micro_benchmark": {"rows": []}, **keys}
        return load_run({"dataset": "sample", **config}, root=project)

    return resolve


def test_a_model_with_parts_has_an_index_beside_those_of_its_parts(load: Load) -> None:
    run = load()
    mine = run.models["mine"]
    assert list(mine.parts) == ["learnt", "moved", "rare", "words"]
    assert {"mine", "bm25", "unif_github_c", "ncs", "other_words"} <= run.indexes.keys()
    assert {name: run.index_of[part.name].name for name, part in mine.parts.items()} == {
        **{"words": "bm25", "learnt": "unif_github_c", "moved": "ncs", "rare": "other_words"}
    }
    assert mine.pair_sets == {"github_android"}
    assert mine.source_text and not mine.parts["words"].source_text
    assert mine.specification.kinds == [
        "rank_fusion",
        "unif",
        "ncs_postrank",
        "ncs",
        "bm25",
        "bm25",
    ]
    assert (
        mine.parts["rare"].keys["words"] != mine.keys["words"] == mine.parts["words"].keys["words"]
    )
    for part in mine.parts.values():
        assert f"sample/settings/words/{part.keys['words']}.json" in run.settings
        assert f"sample/settings/models/{part.indexed.name}.json" in run.settings
    settings = run.settings["sample/settings/models/mine.json"]["ranker"]
    assert settings["parts"]["moved"]["base"]["kind"] == "ncs"
    # Read back from the file, whose keys are sorted, it is the same.
    assert list(json.loads(json.dumps(settings, sort_keys=True))["parts"]) == list(mine.parts)
    assert anchor(mine.specification) == mine.specification


def test_settings_and_keys_of_models_without_parts_say_nothing_of_parts(load: Load) -> None:
    run = load(FUSED, "bm25", "ncs_expanded", "unif_both_c")
    for name, value in run.settings.items():
        if "/models/" in name and "mine" not in name:
            assert "parts" not in json.dumps(value), name
    model = run.models["bm25"]
    kind = find_options("bm25")
    options = kind.parse(model.specification.options, where="bm25").model_dump(
        mode="json", exclude=set(kind.of_queries)
    )
    made_from = [["bm25", options, None], model.keys, False, model.seed, []]
    assert model.index_key == fingerprint(made_from)


def test_an_index_is_made_again_where_that_of_a_part_would_be(load: Load) -> None:
    known = load().models["mine"].index_key
    assert load(FUSED + "options: {depth: 7, k: 3}").models["mine"].index_key == known
    assert load(FUSED + "options: {duplicates: collapsed}").models["mine"].index_key != known
    for before, after in (
        ("words: bm25", "other: bm25"),
        ("ncs_postrank", "ncs_100"),
        ("unif_github_c", "unif_github_a"),
        ("other_words", "bm25"),
    ):
        changed = load(FUSED.replace(before, after)).models["mine"].index_key
        assert changed != known, after
    # It orders the results of the same index.
    same = FUSED.replace("ncs_postrank", "ncs_without_stop_words_postrank")
    assert load(same).models["mine"].index_key == known


def test_parts_have_the_seed_the_haystack_and_the_dimension_of_the_whole(load: Load) -> None:
    mine = load().models["mine"]
    other = vary_seed(mine, 7)
    assert {part.name: part.seed for part in other.parts.values()} == {
        f"{part.name}-seed7": 7 for part in mine.parts.values()
    }
    moved = other.parts["moved"]
    assert moved.base is not None and moved.base.name == "ncs-seed7"
    assert other.index_key != mine.index_key
    among = take_haystack(mine, "500")
    assert among.indexed is mine and among.specification == mine.specification
    smaller = change_dimension(mine, 50).parts
    assert {
        name: part.learns.embedding.dimension
        for name, part in smaller.items()
        if part.learns.embedding
    } == {**{"learnt": 50, "moved": 50}}
    half = take_part(mine, "pairs", 2)
    assert half is not None and half.parts["learnt"].learns.training is not None
    assert half.parts["learnt"].learns.training.share == 0.5
    assert {one.name for one in list_made([half])} >= {"unif_github_c-pairs-1-of-2"}


def test_parts_may_have_parts_and_a_base_too(load: Load, tmp_path: Path) -> None:
    folder = tmp_path / "config/models"
    (folder / "inner.yaml").write_text(FUSED)
    (folder / "longest.yaml").write_text("kind: longest_first\ntrained_on: x\nbase: inner\n")
    run = load("kind: rank_fusion\ntrained_on: x\nparts: {a: inner, b: longest, c: ncs}\n")
    mine = run.models["mine"]
    assert {name: run.index_of[part.name].name for name, part in mine.parts.items()} == {
        **{"a": "inner", "b": "inner", "c": "ncs"}
    }
    assert {"other_words", "unif_github_c", "inner", "mine"} <= run.indexes.keys()
    assert run.models["mine"].pair_sets == {"github_android"}


def test_a_model_with_a_part_that_cannot_be_is_left_out(load: Load) -> None:
    dataset = Path("config/datasets/sample.yaml")
    text = dataset.read_text()
    dataset.write_text(text[: text.index("posts:")] + text[text.index("shards:") :])
    run = load(FUSED.replace("bm25,", "unif_stackoverflow_c,"))
    assert "stackoverflow_android" in run.left_out["mine"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FUSED.replace("bm25,", "bm52,"), "parts.words: 'bm52' is no model; did you mean 'bm25'?"),
        (FUSED.replace("bm25,", "my/a.yaml,"), "parts.words: 'my/a.yaml' is no model; copy it to"),
        (FUSED.replace("bm25,", "mine,"), "config/models/mine.yaml: builds on itself"),
        (FUSED.replace("bm25,", "round,"), "config/models/mine.yaml: builds on itself"),
        (FUSED.replace("words:", "a b:"), "parts.a b: the name may have letters"),
        (FUSED.replace("words:", "../x:"), "parts.../x: the name may have letters"),
        (FUSED + "base: bm25\n", "'base: bm25' and 'parts' exclude each other; remove"),
        (FUSED.replace("rank_fusion", "bm25"), "kind bm25: takes no parts; remove its block"),
        ("kind: rank_fusion\ntrained_on: x\n", "names no parts; add a block 'parts: {<name>: <mod"),
        ("kind: rank_fusion\ntrained_on: x\nparts: {}\n", "names no parts; add a block 'parts:"),
        ("kind: rank_fusion\ntrained_on: x\nparts: [bm25]\n", "parts: ['bm25'] is not of type"),
        (FUSED + "options: {depht: 3}\n", "unknown key 'options.depht'; did you mean 'depth'?"),
        (
            "like: carlcs_code\nbase: fused_rrf\n",
            "has an index of its own, which cannot hold that of its base fused_rrf, a model with",
        ),
    ],
)
def test_mistakes_in_a_model_with_parts_end_in_one_line(
    load: Load, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "config/models/round.yaml").write_text(FUSED.replace("bm25,", "mine,"))
    with one_line(ConfigurationError, message, "mine.yaml"):
        load(text)


def test_a_part_is_exchanged_by_a_model_file_like_another(load: Load) -> None:
    parts = load("like: fused_rrf\nparts: {posts: ncs}\n").models["mine"].parts
    assert {name: part.name for name, part in parts.items()} == {
        **{"docstrings": "unif_github_c", "posts": "ncs", "words": "bm25"}
    }


def test_models_that_are_searched_with_other_queries_or_functions_have_no_parts(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="mine builds on another model; name one that doe"):
        load(micro_benchmark={"rows": [{"table": "x", "row": "y", "model": "mine"}]})
    with pytest.raises(ConfigurationError, match="mine: learns from training pairs; take"):
        check_learnt(load().models["mine"])
    check_learnt(load("like: fused_rrf\nparts: {posts: bm25, docstrings: ncs}\n").models["mine"])
