"""Models that are compared on threads: seeds, settings, mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.errors import ConfigurationError
from ncsbench.experiment.run import RunConfiguration, load_run
from ncsbench.learning_to_rank.thread_options import ThreadComparisonSettings
from tests.unit.test_tree_models import FUSED, load

__all__ = ["load"]
ASKED: dict[str, Any] = {
    "variants": ["bm25", "unif_stackoverflow_c"],
    "judged_against": ["ncs_postrank"],
    "seeds": [7, 2019],
}


@pytest.fixture(autouse=True)
def in_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)


def resolve(root: Path, dataset: str = "sample", **keys: Any) -> RunConfiguration:
    asked = {"dataset": dataset, "models": ["bm25"], "thread_comparison": ASKED | keys}
    return load_run(asked, root=root)


def test_a_variant_is_a_run_for_each_seed(root: Path) -> None:
    run = resolve(root)
    seeded = ("unif_stackoverflow_c-seed7", "unif_stackoverflow_c")
    assert run.compared.variants == {
        "bm25": ("bm25-seed7", "bm25"),
        "unif_stackoverflow_c": seeded,
    }
    assert run.compared.part == "selection"
    assert set(run.compared.by_name) == {"ncs_postrank", "bm25", "bm25-seed7", *seeded}
    assert run.compared.by_name.keys() <= run.runs.keys() and set(run.index_of) >= set(seeded)
    first, own = (run.runs[name] for name in seeded)
    assert (first.seed, own.seed) == (7, 2019) and first.weights_key != own.weights_key
    # They are no rows, and where one is it is the same model.
    assert "unif_stackoverflow_c" not in run.models and run.runs["bm25"] is run.models["bm25"]
    written = run.settings["sample/settings/thread_comparison.json"]
    settings = ThreadComparisonSettings.parse(written, where="here")
    assert {one.name: one.runs for one in settings.variants} == run.compared.variants
    assert settings.judged_against == ("ncs_postrank",)
    weights = f"sample/settings/weights/{first.weights_key}.json"
    assert run.settings[weights]["seed"] == 7
    assert "sample/settings/models/bm25-seed7.json" in run.settings


def test_a_model_that_no_seed_asks_for_is_not_made(root: Path) -> None:
    run = resolve(root, seeds=[7])
    variants = {"bm25": ("bm25-seed7",), "unif_stackoverflow_c": ("unif_stackoverflow_c-seed7",)}
    assert run.compared.variants == variants
    assert set(run.compared.by_name) == {"ncs_postrank", *(row for (row,) in variants.values())}
    assert "unif_stackoverflow_c" not in run.runs


def test_trees_of_a_variant_have_searchers_with_its_seed(load: Any) -> None:
    run = load(FUSED, "bm25", thread_comparison=ASKED | {"variants": ["mine"]})
    assert run.compared.variants == {"mine": ("mine-seed7", "mine")}
    seeded = run.runs["mine-seed7"]
    assert {part: one.name for part, one in seeded.searchers.items()}["fold0"] == "mine-seed7-fold0"
    assert seeded.trees_key != run.runs["mine"].trees_key
    assert f"sample/settings/trees/{seeded.trees_key}.json" in run.settings
    assert "mine-seed7-fold0" in run.indexes


@pytest.mark.parametrize("none", [{"variants": []}, {"variants": [], "judged_against": []}])
def test_nothing_is_made_where_no_variant_is_named(root: Path, none: dict[str, Any]) -> None:
    run = resolve(root, **none)
    assert run.compared.by_name == {} and set(run.runs) == set(run.models) | set(
        run.variants.by_name
    )
    assert "sample/settings/thread_comparison.json" not in run.settings


def test_without_posts_there_are_no_threads_to_compare_on(load: Any) -> None:
    path = Path("config/datasets/sample.yaml")
    dataset = yaml.safe_load(path.read_text())
    del dataset["posts"]
    path.write_text(yaml.safe_dump(dataset))
    assert load("like: bm25\n", thread_comparison=ASKED).compared.by_name == {}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"variants": ["bm2"]}, "thread_comparison.variants: 'bm2' is no model; .*bm25"),
        ({"judged_against": ["x"]}, "thread_comparison.judged_against: 'x' is no model"),
        ({"judged_against": []}, "thread_comparison.judged_against: is empty; name the models"),
        ({"seeds": []}, "thread_comparison.seeds"),
        ({"seeds": [1, 1]}, "thread_comparison.seeds.*1 is there twice"),
        ({"part": "fold0"}, "thread_comparison.part"),
        (
            {"variants": ["fused_parts"]},
            "thread_comparison: fused_parts cannot be: it learns from the pairs 'threads_deepcs_10",
        ),
    ],
)
def test_mistakes_end_in_one_line(root: Path, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as told:
        resolve(root, **keys)
    assert "\n" not in str(told.value)
