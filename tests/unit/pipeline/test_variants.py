"""Models again with other seeds, or with a part of what they have."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.haystacks.haystack_options import name_haystacks
from ncsbench.pipeline.files.dataset_file import ReplicateOptions
from ncsbench.pipeline.files.model_configuration import change_block
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.input_files import describe_input
from ncsbench.pipeline.runs.library_models import borrow
from ncsbench.pipeline.runs.run import RunConfiguration, load_run
from ncsbench.pipeline.trials.variants import make_variants, take_part, vary_seed
from tests.refusals import one_line

MODELS = ["bm25", "ncs", "ncs_postrank", "unif_github_c", "unif_stackoverflow_c"]


Load = Callable[..., RunConfiguration]


@pytest.fixture
def load(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """The configuration of a copy of the project with changed keys, of the dataset file too."""
    for part in ("config", "resources/sample", "resources/stopwords"):
        shutil.copytree(root / part, tmp_path / part)
    monkeypatch.chdir(tmp_path)
    path = Path("config/datasets/sample.yaml")
    questions = Path("resources/sample/questions.json")

    def load_changed(*, published: bool, **more: Any) -> RunConfiguration:
        if published:
            known = Path("config/published/score_sheet.csv").read_text().splitlines()[1]
            entries = json.loads(questions.read_text())
            entries[0]["stackoverflow_id"] = known.split(",")[1]
            questions.write_text(json.dumps(entries))
        dataset = yaml.safe_load(path.read_text())
        keys = (
            *("replicates", "ablations", "repositories", "embedding"),
            *("haystacks", "trained_in"),
        )
        path.write_text(yaml.safe_dump(dataset | {k: more.pop(k) for k in keys if k in more}))
        config = {"models": MODELS, "micro_benchmark": {"rows": []}, **more}
        return load_run({"dataset": "sample", **config}, root=tmp_path)

    return load_changed


def test_a_replicate_has_its_own_vectors_weights_and_index_but_the_same_words(load: Load) -> None:
    run = load(published=False, replicates={"seeds": [7], "models": ["unif_github_c"]})
    model, other = run.runs["unif_github_c"], run.runs["unif_github_c-seed7"]
    assert model.keys["words"] == other.keys["words"]
    assert model.keys.get("embedding") != other.keys.get("embedding")
    assert model.keys.get("weights") != other.keys.get("weights")
    assert other.specification == model.specification
    assert run.settings["sample/settings/models/unif_github_c-seed7.json"]["seed"] == 7
    assert run.settings[f"sample/settings/embeddings/{other.keys['embedding']}.json"]["seed"] == 7
    table = run.settings["sample/settings/table.json"]
    replicates = {row["name"]: row["replicates"] for row in table["models"]}
    assert replicates["unif_github_c"] == ["unif_github_c-seed7"] and replicates["ncs"] == []
    assert table["ablations"] == []


def test_only_published_questions_bring_ablations(load: Load) -> None:
    what = ["pairs", "dimension"]
    assert load(published=False, ablations=what).variants.ablations == []
    run = load(published=True, ablations=what)
    assert run.variants.ablations == [
        *(("fewer_pairs", name, [name], [f"{name}-pairs-1-of-2"]) for name in MODELS[3:]),
        *(("other_dimension", name, [name], [f"{name}-dimension-1-of-2"]) for name in MODELS[1:]),
    ]
    smaller = run.runs["ncs_postrank-dimension-1-of-2"]
    assert smaller.indexed.name == "ncs-dimension-1-of-2" in run.indexes
    assert (
        smaller.indexed.learns.embedding is not None
        and smaller.indexed.learns.embedding.dimension == 50
    )
    # Both tables of UNIF start from the vectors of NCS, also those of half the dimension.
    assert run.runs["unif_github_c-dimension-1-of-2"].keys.get(
        "embedding"
    ) == smaller.indexed.keys.get("embedding")
    fewer = run.runs["unif_github_c-pairs-1-of-2"]
    assert fewer.learns.training is not None and fewer.learns.training.share == 0.5
    assert fewer.keys.get("embedding") == run.runs["unif_github_c"].keys.get("embedding")


def test_the_seed_of_the_run_is_no_replicate(load: Load) -> None:
    run = load(
        published=True,
        seed=7,
        ablations=["pairs"],
        replicates={"seeds": [7, 8], "models": ["unif_github_c"]},
    )
    assert run.variants.replicates == {"unif_github_c": ["unif_github_c-seed8"]}
    assert not [name for name in run.runs if name.endswith("-seed7")]


def test_one_repository_and_impossible_options_bring_no_ablation(load: Load) -> None:
    """Half the dimension needs more n-gram vectors than this (DEV-11)."""
    Path("one.csv").write_text("repo,commit\namberkite/tunejar,\n")
    model = Path("config/models/ncs.yaml")
    model.write_text(model.read_text().replace("bucket: 2000000", "bucket: 104858"))
    what = ["pairs", "dimension"]
    run = load(published=True, repositories="one.csv", ablations=what)
    assert {reason for reason, *_ in run.variants.ablations} == {"fewer_pairs"}
    assert not [name for name in run.runs if name.startswith("ncs-")]


def test_models_with_the_published_dimension_are_not_halved(load: Load) -> None:
    """Half of 500 does not show what more of them would do, and nothing published has more."""
    run = load(published=True, ablations=["dimension"], embedding={})
    assert [model for _, model, *_ in run.variants.ablations] == MODELS[3:]
    run = load(published=True, ablations=["dimension"], embedding={"dimension": 499})
    assert [model for _, model, *_ in run.variants.ablations] == MODELS[1:]


def test_both_sides_of_an_ablation_have_the_same_seeds(load: Load) -> None:
    seeds = {"seeds": [7], "models": ["unif_github_c"]}
    run = load(published=True, ablations=["pairs"], replicates=seeds)
    half = "unif_github_c-pairs-1-of-2"
    assert run.variants.ablations[0] == (
        *("fewer_pairs", "unif_github_c", ["unif_github_c", "unif_github_c-seed7"]),
        [half, f"{half}-seed7"],
    )
    assert run.runs[f"{half}-seed7"].seed == 7
    assert {half, f"{half}-seed7"} <= set(run.variants.for_tables)


def test_a_model_has_no_part_of_what_it_has_not(root: Path) -> None:
    stop_words = "resources/stopwords/english.txt"
    bm25 = load_model("bm25", root=root, stop_words=stop_words, seed=1)
    assert take_part(bm25, "pairs", 2) is take_part(bm25, "dimension", 2) is None
    assert vary_seed(bm25, 2).name == "bm25-seed2"


def test_a_share_that_is_written_as_a_whole_number_is_divided(root: Path) -> None:
    stop_words = "resources/stopwords/english.txt"
    unif = load_model("unif_github_c", root=root, stop_words=stop_words, seed=1)
    assert unif.learns.training is not None
    whole = change_block(unif, "training", unif.learns.training.changed(share=1))
    half = take_part(whole, "pairs", 2)
    assert (
        half is not None and half.learns.training is not None and half.learns.training.share == 0.5
    )


def test_the_name_of_a_variant_is_taken_by_no_model(load: Load) -> None:
    run = load(published=False)
    models = {**run.models, "ncs-seed7": run.models["ncs"]}
    with pytest.raises(ConfigurationError, match="a variant has this name; rename it"):
        make_variants(
            models,
            replicates=ReplicateOptions(seeds=(7,), models=("ncs",)),
            ablations=[],
        )


def test_every_model_searches_every_haystack_with_its_own_index(load: Load) -> None:
    Path("base.csv").write_text("repo,commit\namberkite/tunejar,\n")
    run = load(published=False, haystacks={"base": "base.csv", "steps": [300]})
    assert list(run.variants.haystacks["ncs_postrank"]) == name_haystacks((300,))
    variant = run.runs["ncs_postrank-haystack-300"]
    assert variant.haystack == "300" and variant.indexed.name == "ncs"
    assert "ncs_postrank-haystack-300" not in run.variants.for_tables


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["amberkite/tunejars"], "haystacks.base: base.csv names amberkite/tunejars, which is not"),
        (None, "haystacks.base: base.csv names all repositories; the others would be"),
    ],
)
def test_a_base_is_a_part_of_the_repositories(
    load: Load, names: list[str] | None, message: str
) -> None:
    text = Path("resources/sample/repositories.csv").read_text()
    if names:
        text = "repo,commit\n" + "".join(f"{name},\n" for name in names)
    Path("base.csv").write_text(text)
    with one_line(ConfigurationError, message):
        load(published=False, haystacks={"base": "base.csv"})


def test_another_dataset_must_have_trained_what_is_taken_from_it(load: Load) -> None:
    with pytest.raises(ConfigurationError, match="trained_in: no dataset 'sample_full' was run"):
        load(published=False, trained_in="sample_full")
    Path("data/sample_full").mkdir(parents=True)
    with pytest.raises(ConfigurationError) as caught:
        load(published=False)
    message = str(caught.value)
    assert "config/datasets/sample.yaml: trained_in: sample_full has not made data/" in message
    assert "run 'snakemake --cores all trained --config dataset=sample_full' first" in message


def test_a_trial_asks_another_dataset_for_what_its_own_rows_take_alone(load: Load) -> None:
    Path("data/sample_full").mkdir(parents=True)
    trial = {"published": False, "trial": "mine", "trained_in": "sample_full"}
    run = load(**trial, models=["bm25"])
    assert run.trained_in == "sample_full" and "bm25" in run.models
    with pytest.raises(ConfigurationError, match=r"has not made .* for the model ncs;"):
        load(**trial, models=["bm25", "ncs"])


def test_a_model_of_a_trial_is_lent_to_nobody_and_the_line_says_the_way(load: Load) -> None:
    load(published=False, models=["bm25"])
    Path("config/config.yaml").write_text("models: [bm25]\nmicro_benchmark: {rows: []}\n")
    mine = Path("mine.yaml")
    mine.write_text("like: bm25\n")
    for name in ("ncs", "mine.yaml"):
        with pytest.raises(ConfigurationError) as caught:
            borrow(name, "sample", option="--vectors sample")
        message = str(caught.value)
        assert f"--vectors sample: has no row {Path(name).stem}; it has random, " in message
        assert "add it to 'models' of the configuration, then run snakemake --cores all" in message
    # A model that learns nothing of its own finds all that it needs, though it is no row.
    assert borrow("elasticsearch_like", "sample", option="")[0].name == "elasticsearch_like"
    Path("config/config.yaml").write_text("models: [mine.yaml]\nmicro_benchmark: {rows: []}\n")
    assert borrow(str(mine.absolute()), "sample", option="")[0].name == "mine"
    Path("other").mkdir()
    Path("other/mine.yaml").write_text("like: bm25\n")
    with pytest.raises(ConfigurationError, match="has no row mine"):
        borrow("other/mine.yaml", "sample", option="")


def test_a_run_made_elsewhere_has_no_variants_and_no_other_depth(load: Load) -> None:
    Path("config/runs/mine").mkdir(parents=True)
    files = {key: f"config/runs/mine/{key}" for key in ("run", "questions")}
    for path in files.values():
        Path(path).write_text("")
    mine = {
        "kind": "given_run", "trained_on": "elsewhere", "source_text": True,
        "options": {**files, "corpus": "0" * 64},
    }  # fmt: skip
    Path("config/models/mine.yaml").write_text(yaml.safe_dump(mine))
    listed = Path("resources/sample/repositories.csv").read_text().splitlines(keepends=True)
    Path("base.csv").write_text("".join(listed[:5]))
    asked = {
        "models": ["bm25", "mine"],
        "replicates": {"seeds": [7], "models": ["mine", "bm25"]},
        "haystacks": {"base": "base.csv", "steps": [500]},
    }
    run = load(published=False, **asked)
    assert [name for name in run.runs if name.startswith("mine")] == ["mine"]
    assert set(run.variants.replicates) == {"bm25"} and "mine" not in run.variants.haystacks
    missing = "no replicates, no intervals over repositories, no haystacks"
    assert f"mine is a run made elsewhere: it has {missing}" in run.notices
    assert [model["name"] for model in table_models(run) if model["given"]] == ["mine"]
    # Its files are raw inputs, which are known by their content.
    paths = {name: run.inputs[name] for name in run.indexes["mine"].files}
    assert paths == {f"model-mine-{key}": path for key, path in files.items()}
    state = describe_input(files["run"], run.published)
    Path(files["run"]).write_text("other\n")
    assert describe_input(files["run"], run.published) != state
    for key, message in (
        (
            {"micro_benchmark": {"rows": [{"table": "t", "row": "r", "model": "mine"}]}},
            "no other q",
        ),
    ):
        with pytest.raises(ConfigurationError, match=message):
            load(published=False, models=["bm25", "mine"], **key)


def table_models(run: RunConfiguration) -> list[dict[str, Any]]:
    return list(run.settings["sample/settings/table.json"]["models"])
