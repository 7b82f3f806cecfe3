"""Configuration mistakes end in one line that names the file, the key and the nearest known one."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.base.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.pipeline.files.dataset_file import DatasetFile, load_dataset
from ncsbench.pipeline.runs.run import load_run
from tests.refusals import one_line

QUESTIONS = '[{"stackoverflow_id": 1, "question": "x", "answer": "y"}]'
CHANCE_BASELINES = ["random", "random_long", "longest_first"]
MODELS = [*CHANCE_BASELINES, "bm25", "ncs", "ncs_postrank"]
EXPANDED = ["ncs_expanded", "ncs_expanded_postrank"]


@pytest.fixture
def dataset(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "list.csv").write_text("repo,commit\na/b,\n")
    (tmp_path / "q.json").write_text(QUESTIONS)
    (tmp_path / "java").mkdir()
    return {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "directory", "path": "java"},
        "questions": "q.json",
    }


def load(tmp_path: Path, dataset: Any) -> DatasetFile:
    path = tmp_path / "tiny.yaml"
    path.write_text(dataset if isinstance(dataset, str) else yaml.safe_dump(dataset))
    return load_dataset(path)


def test_paths_are_found_beside_the_dataset_file(
    tmp_path: Path, root: Path, dataset: dict[str, Any]
) -> None:
    loaded = load(tmp_path, dataset)
    assert loaded.repositories == str(tmp_path / "list.csv")
    assert loaded.questions == (str(tmp_path / "q.json"),)
    assert loaded.source.path == str(tmp_path / "java")
    assert loaded.shards == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"repositorys": "x"}, "unknown key 'repositorys'; did you mean 'repositories'?"),
        ({"source": {"kind": "directory", "path": "java", "pth": 1}}, "'source.pth'; did you mean"),
        ({"name": None}, "missing key 'name'"),
        ({"name": "../up"}, "name: '../up' does not match"),
        ({"replicates": {"seeds": ["x"]}}, "replicates.seeds.0: 'x' is not of type 'integer'"),
        ({"replicates": {"seed": [7]}}, "unknown key 'replicates.seed'; did you mean"),
        ({"ablations": ["words"]}, "ablations.0: 'words' is not one of"),
        ({"shards": 0}, "shards: 0 is less than the minimum of 1"),
        ({"source": {"kind": "svn", "path": "x"}}, "source.kind: 'svn' is not one of"),
        ({"questions": "absent.json"}, "questions: absent.json exists neither beside"),
        ({"questions": []}, "questions: "),
        ({"questions": None}, "missing key 'questions' (or 'posts' to select them from)"),
        (
            {"questions": None, "posts": {"path": "absent.xml"}},
            "posts.path: absent.xml exists neither",
        ),
        ({"posts": {"path": "q.json", "part": 2}}, "unknown key 'posts.part'; did you mean"),
        ({"parts": {"one": 5}}, "tiny.yaml: parts.one: want a list of ids, or a file of them, "),
        ({"parts": {"one": "no.txt"}}, "parts.one: no.txt exists neither beside"),
        ({"parts": {"../one": ["1"]}}, "parts.../one"),
        ({"released_methods": "java"}, "released_methods: java is a folder; name its files"),
        ({"source": {"kind": "git", "path": "java"}}, "needs {owner} and {repo}"),
        ({"source": {"kind": "git", "path": "no/{owner}/{repo}"}}, "source.path: no exists"),
        ({"source": {"kind": "directory", "path": "jaav"}}, "source.path: jaav exists neither"),
    ],
)
def test_dataset_mistakes(
    tmp_path: Path, root: Path, dataset: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    changed = {key: value for key, value in (dataset | change).items() if value is not None}
    with one_line(ConfigurationError, message, "tiny.yaml"):
        load(tmp_path, changed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "name: x\n\tshards: 4\n",
            "tiny.yaml: is not valid YAML (while scanning a plain scalar in line 1, column 7 found "
            "a tab character that violates indentation in line 2, column 1)",
        ),
        *(
            (text, "is empty; docs/options.md has its")
            for text in ("", "# yet to write\n", "---\n")
        ),
        *((text, "tiny.yaml: ") for text in ("a: [", "- a\n- b", "\x00")),
        (
            "name: x\nsource: {kind: git, kind: x}\n",
            "the key 'kind' is there twice, in line 2",
        ),
    ],
)
def test_malformed_dataset_files(tmp_path: Path, text: str, message: str) -> None:
    with one_line(ConfigurationError, message):
        load(tmp_path, text)


def test_a_key_of_a_merged_block_may_be_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "same.yaml"
    path.write_text("a: &a {x: 1, y: x}\nb: [x, {x: 1}, {<<: *a, x: 2}]\n")
    assert read_yaml(path)["b"][2] == {"x": 2, "y": "x"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"models": ["bm26"]},
            "config/config.yaml or --config: models: 'bm26' is no model; did you mean 'bm25'?",
        ),
        ({"models": []}, "models: "),
        ({"depth": 9}, "depth: 9 is less than the minimum of 10"),
        ({"depth": 10.5}, "depth: 10.5 is not of type 'integer'"),
        ({"bootstrap_samples": 99}, "bootstrap_samples: 99 is less than the minimum of 100"),
        ({"measures": ["MAP"]}, "measures.0: measure 'MAP': is unknown; choose from nDCG, RR"),
        ({"measures": ["R@60"]}, "measures: R@60 looks deeper than 50, the depth of the tables"),
        ({"judge": "cosine"}, "judge: 'cosine' is not one of"),
        ({"dataset": "samples"}, "did you mean 'sample'?"),
        ({"dataset": "no/such.yaml"}, "no/such.yaml: cannot be read"),
        ({"seeds": 1}, "unknown key 'seeds'; did you mean 'seed'?"),
        ({"other_juges": []}, "unknown key 'other_juges'; did you mean 'other_judges'?"),
        ({"SEED": 1}, "unknown key 'SEED'; did you mean 'seed'?"),
        ({"selection": {"Count": 1}}, "unknown key 'selection.Count'; did you mean 'count'?"),
        (
            {"selection": {"title_rules": ["Tool"]}},
            "title_rules.0: 'Tool' is no title rule; did",
        ),
        ({"models": ["BM25"]}, "models: 'BM25' is no model; did you mean 'bm25'?"),
        ({"models": "bm25"}, "models: 'bm25' is not a list; write models=[bm25]"),
        (
            {"dpeth": 50},
            "config/config.yaml or --config: unknown key 'dpeth'; did you mean 'depth'",
        ),
        ({"depth": "fifty"}, "config/config.yaml or --config: depth: 'fifty' is not of type 'int"),
        ({"other_judges": ["dice", "dice"]}, "other_judges: 'dice' is there twice; keep one"),
        ({"threshold": float("nan")}, "threshold: nan: should be a finite number"),
        ({"baseline": "bm52"}, "baseline: 'bm52' is no model; did you mean 'bm25'?"),
        ({"comparisons": [["ncs", "bm"]]}, "comparisons: 'bm' is no model; did you mean 'bm25'?"),
        ({"replicates": {}}, "unknown key 'replicates'"),
    ],
)
def test_run_mistakes(root: Path, change: dict[str, Any], message: str) -> None:
    with one_line(ConfigurationError, message):
        load_run({"dataset": "sample", "models": MODELS, **change}, root=root)


def test_the_shipped_configuration_is_valid_and_shares_artifacts(root: Path) -> None:
    run = load_run(yaml.safe_load((root / "config" / "config.yaml").read_text()), root=root)
    # The chance and length baselines are there without being named.
    assert set(run.models) >= {*MODELS, "ncs_without_stop_words", *EXPANDED, "unif_github_c"}
    assert list(run.models)[:3] == CHANCE_BASELINES
    assert run.left_out == {}
    named = load_run({"dataset": "sample", "models": ["bm25", "random"]}, root=root)
    assert list(named.models) == ["random_long", "longest_first", "bm25", "random"]
    assert len({model.keys["words"] for model in run.models.values()}) == 1
    assert (
        run.models["ncs"].keys.get("embedding")
        == run.models["ncs_postrank"].keys.get("embedding")
        is not None
    )
    assert run.models["bm25"].keys.get("embedding") is None
    assert set(run.indexes) >= {"ncs", "ncs_expanded"}
    assert not [name for name in run.indexes if name.endswith("_postrank")]


def test_a_trial_of_a_model_that_cannot_be_made_is_a_mistake(root: Path) -> None:
    """A named row must be made; of the configured rows, and of a study's, some may be left out."""
    config = {"dataset": "sample", "trial": "mine"}
    message = "trial mine: cannot be made for sample: fused_parts: it learns from"
    for models in (["fused_parts"], ["fused_parts", "bm25"]):
        with pytest.raises(ConfigurationError, match=message):
            load_run(config | {"models": models}, root=root)
    assert (
        "fused_without_posts"
        in load_run(config | {"models": ["fused_without_posts", "bm25"]}, root=root).models
    )


def test_a_trial_shares_all_but_what_tables_are_made_with(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = read_yaml(root / "config" / "config.yaml")
    model = tmp_path / "mine.yaml"
    model.write_text("like: ncs\n")
    rows = {"models": ["ncs_without_stop_words", str(model)], "comparisons": [["mine", "ncs"]]}
    # An empty folder: what the checkout made says nothing here.
    monkeypatch.setattr("ncsbench.pipeline.trials.trials.DATA", tmp_path / "data")
    whole = load_run(config, root=root)
    trial = load_run(config | rows | {"trial": "first"}, root=root)
    names = ["ncs_without_stop_words", "mine"]
    assert [name for name in trial.models if name not in CHANCE_BASELINES] == names
    assert trial.index_of["mine"].name == whole.index_of["ncs"].name == "ncs"
    assert set(whole.runs) | {"mine"} == set(trial.runs) and trial.indexes == whole.indexes
    folder = f"{whole.dataset}/settings"
    apart = {path for path in whole.settings if path not in trial.settings}
    assert {f"{folder}/table.json", f"{folder}/study/tables.json", "configured.json"} <= apart
    assert all(
        whole.settings[path] == trial.settings[path] for path in whole.settings.keys() - apart
    )
    added = trial.settings.keys() - whole.settings.keys()
    of_tables = {path for path in added if path.startswith(f"{folder}/trials/first/")}
    assert added - of_tables == {f"{folder}/models/mine.json"}
    assert len(of_tables) == len(apart) - 1


def test_whole_numbers_and_texts_of_the_command_line_become_numbers(root: Path) -> None:
    more: dict[str, Any] = {
        "depth": 50.0,
        "selection": {"java_only": "false", "count": "9"},
    }
    run = load_run({"dataset": "sample", "models": ["unif_github_a"], **more}, root=root)
    depth = run.settings["sample/settings/retrieval.json"]["depth"]
    assert isinstance(depth, int) and depth == 50
    selection = run.settings["sample/settings/selection/candidates.json"]
    assert selection["java_only"] is False and selection["count"] == 9


def test_the_full_sample_is_the_sample_with_replicates_and_ablations(root: Path) -> None:
    folder = root / "config/datasets"
    small, full, ncsed = (
        yaml.safe_load((folder / f"{name}.yaml").read_text())
        for name in ("sample", "sample_full", "ncsed")
    )
    more = ("replicates", "ablations")
    assert [small[key] for key in more] == [{}, []]
    # The sample has no further rows.
    rows = [name for name in ncsed["replicates"]["models"] if name not in ncsed["further_models"]]
    ncsed["replicates"]["models"] = rows
    assert [full[key] for key in more] == [ncsed[key] for key in more]
    assert full == small | {key: full[key] for key in ("name", *more)}
    needed = {key: small[key] for key in ("name", "repositories", "source")}
    defaults = DatasetFile.parse(needed, where="x")
    assert defaults.replicates.models == defaults.replicates.seeds == defaults.ablations == ()


def test_ncsed_383_unique_is_ncsed_383_without_copies_and_with_one_seed(root: Path) -> None:
    whole, unique = (
        yaml.safe_load((root / f"config/datasets/{name}.yaml").read_text())
        for name in ("ncsed_383", "ncsed_383_unique")
    )
    for key in ("replicates", "ablations"):
        del whole[key]
    assert unique == whole | {"name": "ncsed_383_unique", "duplicates": "equal_words"}
    assert DatasetFile.parse(whole, where="x").duplicates == "kept"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"replicates": {"models": ["nc"]}}, r"replicates\.models"),
        ({"further_models": ["nc"]}, "further_models"),
    ],
)
def test_unknown_models_are_a_mistake_of_the_dataset_file(
    tmp_path: Path, root: Path, dataset: dict[str, Any], change: dict[str, Any], key: str
) -> None:
    load(tmp_path, dataset | change)
    message = rf"tiny\.yaml: {key}: 'nc' is no model; did you mean 'ncs'\?"
    with pytest.raises(ConfigurationError, match=message):
        load_run({"dataset": str(tmp_path / "tiny.yaml"), "models": MODELS}, root=root)


def test_further_models_are_found_beside_the_dataset_file(
    tmp_path: Path, root: Path, dataset: dict[str, Any]
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/mine.yaml").write_text("like: bm25\n")
    load(tmp_path, dataset | {"further_models": ["own/mine.yaml"]})
    run = load_run({"dataset": str(tmp_path / "tiny.yaml"), "models": ["bm25"]}, root=root)
    assert {"bm25", "mine"} <= set(run.models)
    with pytest.raises(ConfigurationError, match=r"further_models: no\.yaml exists neither beside"):
        load(tmp_path, dataset | {"further_models": ["no.yaml"]})


def test_the_default_measure_is_no_other_judge(root: Path) -> None:
    judges = {"judge": "dice", "other_judges": ["dice", "containment"]}
    run = load_run({"dataset": "sample", "models": ["bm25"], **judges}, root=root)
    assert run.settings["sample/settings/table.json"]["other_judges"] == ["containment"]


def test_pairs_of_the_file_of_comparisons_are_reported_unless_others_are_given(
    project: Path,
) -> None:
    config: dict[str, Any] = {"dataset": "sample", "models": ["ncs_100", "bm25", "ncs"]}

    def report(**given: Any) -> Any:
        made = load_run({**config, **given}, root=project).settings
        return made["sample/settings/table.json"]["comparisons"]

    assert report() == [["ncs", "bm25"], ["ncs", "ncs_100"]]
    assert report(comparisons=[["ncs_100", "bm25"]]) == [["ncs_100", "bm25"]]
    assert report(comparisons=[]) == []
    path = Path("config/comparisons.csv")
    path.write_text("model,baseline\nncs,bm52\n")
    with pytest.raises(ConfigurationError, match=r"comparisons\.csv: 'bm52' is no model; did you"):
        report()
    path.write_text("model,base\nncs,bm25\n")
    with pytest.raises(
        NcsbenchError, match=r"comparisons\.csv, line 1: the header must be 'model,"
    ):
        report()


def test_another_baseline_than_the_configured_one_is_told(root: Path) -> None:
    run = load_run({"dataset": "sample", "models": ["ncs"]}, root=root)
    (notice,) = run.notices
    assert notice.startswith("every model is tested against random, since the baseline bm25 is not")
    assert load_run({"dataset": "sample", "models": ["bm25"]}, root=root).notices == []


def test_names_of_pair_sets_must_fit_a_path_and_a_rule(project: Path) -> None:
    (project / "config/pairs/a b.yaml").write_text("kind: docstrings")
    with pytest.raises(ConfigurationError, match=r"a b\.yaml: the name may have letters, digits"):
        load_run({"dataset": "sample", "models": ["bm25"]}, root=project)


def test_models_that_learn_from_posts_are_left_out_of_a_dataset_without_posts(
    tmp_path: Path, root: Path, dataset: dict[str, Any]
) -> None:
    load(tmp_path, dataset)
    run = load_run(
        {"dataset": str(tmp_path / "tiny.yaml"), "models": ["bm25", *EXPANDED]}, root=root
    )
    assert list(run.models) == [*CHANCE_BASELINES, "bm25"]
    assert run.left_out == dict.fromkeys(
        EXPANDED, "it learns from the pairs 'ncs_expansion', and the dataset has no 'posts'"
    )
    assert [notice.split()[0] for notice in run.notices] == EXPANDED
    # Posts that come later leave the settings of the other pairs as they are.
    assert "site" not in run.settings["tiny/settings/pairs/github_android.json"]
    assert "github_android" in run.pairs and "ncs_expansion" not in run.pairs
    assert not [name for name in run.settings if "expansion" in name or "selection" in name]


def test_a_dataset_without_questions_selects_them_from_its_posts(
    tmp_path: Path, root: Path, dataset: dict[str, Any]
) -> None:
    (tmp_path / "Posts.xml").write_text("<posts/>")
    del dataset["questions"]
    load(tmp_path, dataset | {"posts": {"path": "Posts.xml"}})
    run = load_run({"dataset": str(tmp_path / "tiny.yaml"), "models": EXPANDED}, root=root)
    assert run.questions_are_selected
    assert run.file.questions == ("results/tiny/selected/questions.json",)
    assert run.file.posts is not None and run.file.posts.parts == 1
    assert run.settings["tiny/settings/posts.json"]["tags"] == ["android", "java"]
    assert run.settings["tiny/settings/selection/candidates.json"]["count"] == 17000


def test_another_option_changes_the_settings_of_what_depends_on_it(root: Path) -> None:
    config = {"dataset": "sample", "models": MODELS}
    before = load_run(config, root=root).settings
    assert before["configured.json"] == {"dataset": "sample"}
    after = load_run({**config, "depth": 20}, root=root).settings
    changed = {Path(name).name for name in before if before[name] != after[name]}
    assert changed == {
        *("retrieval.json", "table.json", "tables.json", "intervals.json"),
    }
