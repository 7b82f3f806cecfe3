"""A training of UNIF that was interrupted goes on and ends with the same bytes."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from safetensors.numpy import save_file

from ncsbench.base.files.training_checkpoints import read_tensors
from tests.unit.learning.test_unif_training import OPTIONS, pairs, read_bytes, train
from tests.unit.made_up_pairs import kill_after

__all__ = ["pairs"]  # a fixture


def interrupt(monkeypatch: pytest.MonkeyPatch, folder: Path, pairs: Path, epoch: int) -> None:
    """A training that is killed right after the checkpoint of an epoch."""
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        kill_after(patch, epoch)
        train(folder, pairs)
    assert not (folder / "weights").exists()


@pytest.mark.parametrize("epoch", [1, 3, 4])
def test_an_interrupted_training_ends_with_the_same_bytes(
    tmp_path: Path,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
    epoch: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    interrupt(monkeypatch, tmp_path / "a", pairs, epoch)
    resumed = read_bytes(train(tmp_path / "a", pairs))
    assert f" {4 - epoch} epochs in this run " in caplog.messages[-1]
    assert resumed == read_bytes(train(tmp_path / "b", pairs))


@pytest.mark.parametrize("damage", ["other seed", "no tensors", "empty", "other metadata"])
def test_a_checkpoint_of_other_inputs_or_damaged_is_passed_over(
    tmp_path: Path,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    damage: str,
) -> None:
    interrupt(monkeypatch, tmp_path / "a", pairs, 2)
    state = tmp_path / "a" / "checkpoint" / "state.safetensors"
    if damage == "empty":
        state.write_bytes(b"{}")
    elif damage != "other seed":
        tensors, about = read_tensors(state)
        tensors = {} if damage == "no tensors" else tensors
        history = "[3" if damage == "other metadata" else about["history"]
        save_file(tensors, state, metadata={**about, "history": history})
    seed = 2 if damage == "other seed" else 1
    with caplog.at_level(logging.WARNING):
        resumed = read_bytes(train(tmp_path / "a", pairs, seed=seed))
    assert "training starts again" in caplog.text
    assert resumed == read_bytes(train(tmp_path / "b", pairs, seed=seed))


def test_hard_negatives_and_balanced_sets_give_the_same_bytes_after_a_kill(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"loss": "softmax", "hard_negatives": 3, "sampling": "square_root"}
    for name, value in options.items():
        monkeypatch.setitem(OPTIONS, name, value)
    interrupt(monkeypatch, tmp_path / "a", pairs, 2)
    resumed = read_bytes(train(tmp_path / "a", pairs))
    assert resumed == read_bytes(train(tmp_path / "b", pairs))
    without = train(tmp_path / "c", pairs, hard_negatives=0)
    assert resumed["weights.safetensors"] != (without / "weights.safetensors").read_bytes()


def test_a_checkpoint_killed_before_it_has_its_name_leaves_the_one_before(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, done = Path.replace, []

    def die_at_the_third(path: Path, target: Path) -> Path:
        done.append(target)
        if len(done) == 3:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "replace", die_at_the_third)
        train(tmp_path / "a", pairs)
    _, about = read_tensors(tmp_path / "a" / "checkpoint" / "state.safetensors")
    assert [row["epoch"] for row in json.loads(about["history"])] == [0, 1, 2]
    assert read_bytes(train(tmp_path / "a", pairs)) == read_bytes(train(tmp_path / "b", pairs))
