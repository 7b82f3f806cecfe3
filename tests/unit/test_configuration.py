"""Configuration mistakes end in one line that names the file, the key and the nearest known one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.configuration import load_dataset
from ncsbench.errors import ConfigurationError
from ncsbench.run_configuration import load_run

MODELS = ["random", "random_long", "longest_first", "bm25", "ncs", "ncs_postrank"]


@pytest.fixture
def dataset(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "list.csv").write_text("repo,commit\na/b,\n")
    (tmp_path / "q.json").write_text("[]")
    (tmp_path / "java").mkdir()
    return {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "directory", "path": "java"},
        "questions": "q.json",
    }


def load(tmp_path: Path, root: Path, dataset: Any) -> dict[str, Any]:
    path = tmp_path / "tiny.yaml"
    path.write_text(dataset if isinstance(dataset, str) else yaml.safe_dump(dataset))
    return load_dataset(path, root / "workflow" / "schemas" / "dataset.schema.yaml")


def test_paths_are_found_beside_the_dataset_file(
    tmp_path: Path, root: Path, dataset: dict[str, Any]
) -> None:
    loaded = load(tmp_path, root, dataset)
    assert loaded["repositories"] == str(tmp_path / "list.csv")
    assert loaded["questions"] == [str(tmp_path / "q.json")]
    assert loaded["source"]["path"] == str(tmp_path / "java")
    assert loaded["shards"] == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"repositorys": "x"}, "unknown key 'repositorys'; did you mean 'repositories'?"),
        ({"source": {"kind": "directory", "path": "java", "pth": 1}}, "'source.pth'; did you mean"),
        ({"name": None}, "missing key 'name'"),
        ({"name": "../up"}, "name: '../up' does not match"),
        ({"shards": 0}, "shards: 0 is less than the minimum of 1"),
        ({"source": {"kind": "svn", "path": "x"}}, "source.kind: 'svn' is not one of"),
        ({"questions": "absent.json"}, "questions: absent.json exists neither beside"),
        ({"questions": []}, "questions: "),
        ({"source": {"kind": "git", "path": "java"}}, "needs {owner} and {repo}"),
        ({"source": {"kind": "git", "path": "no/{owner}/{repo}"}}, "source.path: no exists"),
    ],
)
def test_dataset_mistakes(
    tmp_path: Path, root: Path, dataset: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    changed = {key: value for key, value in (dataset | change).items() if value is not None}
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, root, changed)
    assert message in str(caught.value)
    assert "tiny.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["a: [", "- a\n- b", "", "\x00"])
def test_malformed_dataset_files(tmp_path: Path, root: Path, text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, root, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"models": ["bm26"]}, "model 'bm26' is unknown; did you mean 'bm25'?"),
        ({"models": []}, "models: "),
        ({"depth": 0}, "depth: 0 is less than the minimum of 1"),
        ({"measure": "cosine"}, "measure: 'cosine' is not one of"),
        ({"dataset": "samples"}, "did you mean 'sample'?"),
        ({"dataset": "no/such.yaml"}, "no/such.yaml: cannot be read"),
        ({"seeds": 1}, "unknown key 'seeds'; did you mean 'seed'?"),
    ],
)
def test_run_mistakes(
    root: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(root)
    with pytest.raises(ConfigurationError) as caught:
        load_run({"dataset": "sample", "models": MODELS, **change}, root=root)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_shipped_configuration_is_valid_and_shares_artifacts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    run = load_run(yaml.safe_load((root / "config" / "config.yaml").read_text()), root=root)
    assert list(run.models) == MODELS  # the controls are there without being named
    named = load_run({"dataset": "sample", "models": ["bm25", "random"]}, root=root)
    assert list(named.models) == ["random_long", "longest_first", "bm25", "random"]
    assert len({model.words_key for model in run.models.values()}) == 1
    assert run.models["ncs"].embedding_key == run.models["ncs_postrank"].embedding_key is not None
    assert run.models["bm25"].embedding_key is None


def test_settings_files_keep_their_time_while_their_content_stays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    config = {"dataset": "sample", "models": MODELS}
    load_run(config, root=root).write_settings(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert json.loads((tmp_path / "configured.json").read_text()) == {"dataset": "sample"}
    load_run({**config, "depth": 20}, root=root).write_settings(tmp_path)
    changed = {path.name for path, time in times.items() if path.stat().st_mtime_ns != time}
    assert changed == {"retrieval.json", "table.json", "pairs.json", "tables.json"}
