"""The model files of UNIF: recipes of training, and which of them the tables compare (DEV-92)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.pipeline.files.model_checks import read_comparisons
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.run import load_run

RECIPES = {
    "a": {"loss": "hinge", "negatives": 1, "epochs": 20, "batch_size": 32, "learning_rate": 0.001},
    "b": {"loss": "hinge", "negatives": 30, "epochs": 80, "batch_size": 32, "learning_rate": 0.001},
    "c": {"loss": "softmax", "epochs": 20, "batch_size": 128, "learning_rate": 0.003},
}


def load(root: Path, name: str) -> ModelConfiguration:
    return load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)


def read_config(root: Path, name: str) -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load((root / "config" / name).read_text())
    return config


@pytest.mark.parametrize(
    ("pairs", "system"), [("github", "UNIF_android"), ("stackoverflow", "UNIF_stackoverflow")]
)
def test_the_recipes_of_unif_differ_in_their_training_alone_dev_92(
    root: Path, pairs: str, system: str
) -> None:
    models = {recipe: load(root, f"unif_{pairs}_{recipe}") for recipe in RECIPES}
    first = models["a"]
    for recipe, model in models.items():
        assert model.learns.training is not None and first.learns.training is not None
        changed = first.learns.training.changed(**RECIPES[recipe])
        assert model.learns.training.model_dump() == changed.model_dump()
        assert model.learns.embedding == first.learns.embedding
        own = ("name", "learns", "published_as", "beside")
        assert model == replace(first, **{key: getattr(model, key) for key in own})
        assert (model.published_as or model.beside) == system
    (published,) = [name for name, model in models.items() if model.published_as]
    shown = {f"unif_{pairs}_{recipe}" for recipe in (published, "c")}
    others = {model.name for model in models.values()} - shown
    models_of_table = set(read_config(root, "config.yaml")["models"])
    assert shown <= models_of_table and not others & models_of_table
    assert others <= set(read_config(root, "datasets/ncsed.yaml")["further_models"])


def test_a_filter_of_comments_is_compared_by_models_that_differ_in_their_pairs_alone_dev_182(
    root: Path,
) -> None:
    best = load(root, "unif_github_c")
    assert best.learns.training is not None
    config, dataset = read_config(root, "config.yaml"), read_config(root, "datasets/ncsed.yaml")
    names = [f"unif_github_{which}" for which in ("raw", "filtered", "controlled")]
    for name in names:
        model = load(root, name)
        assert model.learns.training is not None
        pairs = best.learns.training.changed(pairs=(name.removeprefix("unif_"),))
        assert model.learns.training.model_dump() == pairs.model_dump()
        assert model.learns.embedding == best.learns.embedding
        own = ("name", "learns", "trained_on", "published_as", "beside")
        assert model == replace(best, **{key: getattr(model, key) for key in own})
        assert (model.published_as, model.beside) == ("", "UNIF_android")
        assert name in dataset["further_models"] and name not in config["models"]
    raw, filtered, controlled = names
    comparisons = read_comparisons(root)
    for pair in ([filtered, controlled], [filtered, raw], [controlled, raw]):
        assert pair in comparisons


def test_each_input_of_unif_is_a_row_of_a_study_dev_90(root: Path) -> None:
    """DEV-91 too: each row differs in one option, the former one in both."""
    config = read_config(root, "config.yaml") | {"dataset": "sample", "study": "unif_inputs"}
    run = load_run(config, root=root)
    changes = {
        "unif_github_c-code_only": {"code_words": "code_only"},
        "unif_github_c-left_in": {"docstring": "left_in"},
        "unif_github_c-shared": {"query_vocabulary": "shared"},
        "unif_github_c-former": {"code_words": "code_only", "query_vocabulary": "shared"},
        "unif_stackoverflow_c-shared": {"query_vocabulary": "shared"},
    }
    for name, change in changes.items():
        rows = (name.partition("-")[0], name)
        base, changed = (run.models[row].learns.training for row in rows)
        assert base is not None and changed is not None
        assert changed.model_dump() == base.changed(**change).model_dump()
