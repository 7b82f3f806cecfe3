"""The stages of the whole corpus are those of every dataset, and lie apart."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.pipeline.runs.run import load_run
from ncsbench.rankers.learnt_kinds import LEARNT

SHARED = ("corpus", "pairs", "models", "runs", "judgements", "tables")
FILE = "stages/ncsed_full/stages.yaml"


def read_stages(path: Path, key: str) -> dict[str, Any]:
    """Command, dependencies and outputs of every stage."""
    text = path.read_text(encoding="utf-8").replace("${key}", key)
    stages = {name: one.get("do", one) for name, one in yaml.safe_load(text)["stages"].items()}
    return {
        name: {
            "cmd": one["cmd"],
            "deps": {path for path in one["deps"] if "item" not in path},
            "params": one.get("params"),
            "outs": [next(iter(out)) for out in [*one["outs"], *one.get("metrics", [])]],
        }
        for name, one in stages.items()
    }


def test_the_whole_corpus_has_the_stages_of_every_dataset(root: Path) -> None:
    usual = read_stages(root / "dvc.yaml", "ncsed_full")
    whole = read_stages(root / FILE, "ncsed_full")
    assert list(whole) == ["sources", "store", *SHARED]
    for name in SHARED:
        inputs = whole[name]["deps"] - usual[name]["deps"]
        assert usual[name]["deps"] <= whole[name]["deps"]
        assert all(path.startswith(("data/s", "inputs/", "data/ncsed_full/st")) for path in inputs)
        assert whole[name] | {"deps": set()} == usual[name] | {"deps": set()}


def test_every_stage_runs_in_the_checkout_and_keeps_what_is_there(root: Path) -> None:
    for stage in yaml.safe_load((root / FILE).read_text())["stages"].values():
        assert (root / FILE).parent.joinpath(stage["wdir"]).resolve() == root
        assert all(list(out.values()) == [{"persist": True}] for out in stage["outs"])
    datasets = yaml.safe_load((root / "dvc.yaml").read_text())["vars"][0]["datasets"]
    assert "ncsed_full" not in datasets


def test_what_rows_of_the_sample_learn_is_versioned_and_nothing_that_none_makes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # DVC refuses an output that a stage does not make.
    monkeypatch.chdir(root)
    config = yaml.safe_load((root / "config/config.yaml").read_text())
    run = load_run(config | {"dataset": "sample"}, root=root)
    outputs = read_stages(root / "dvc.yaml", "sample")["models"]["outs"]
    folders = {"training": "trainings"} | {
        name: str(Path(kind.place).parent)
        for name, kind in LEARNT.items()
        if kind.inputs and not (kind.of_words or kind.recorded)
    }
    assert folders.keys() >= {"expansion", "translation"}
    for kind, folder in folders.items():
        made = any(kind in index.keys for index in run.indexes.values())
        assert (f"data/sample/{folder}" in outputs) == made, folder
