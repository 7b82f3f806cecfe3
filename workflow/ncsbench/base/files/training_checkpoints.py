"""Checkpoints of a training after each epoch, so that an interrupted training can continue.

A checkpoint of other inputs is ignored. A training that continues from a checkpoint ends with the
same bytes as one that was never interrupted.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from ncsbench.base.files.hashes import check_file
from ncsbench.base.files.storage import atomic_path, read_json
from ncsbench.errors import DataError

_FILE = "state.safetensors"
_LOG = logging.getLogger(__name__)
Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Epoch:
    """One row of the history; ``training_loss`` of epoch 0 is measured without training.

    A figure is not-a-number where it could not be measured.
    """

    epoch: int
    training_loss: float = math.nan
    held_out_loss: float = math.nan
    held_out_mrr: float = math.nan


@dataclass
class Progress:
    """The epochs done so far, and the values that the next epoch starts from.

    Attributes:
        history: one row for each epoch from 0.
        parameters: of the network after the last epoch, by name.
        moments: of the optimiser after the last epoch, by name.
        kept: parameters of the epoch with the highest held-out MRR, the first of equal ones.
        processor_seconds: time that the epochs took, where a training counts it.
    """

    history: list[Epoch] = field(default_factory=list)
    parameters: Tensors = field(default_factory=dict)
    moments: Tensors = field(default_factory=dict)
    kept: Tensors = field(default_factory=dict)
    processor_seconds: float = 0.0

    def is_over(self, *, epochs: int, patience: int) -> bool:
        """Say whether all epochs are done, or ``patience`` epochs passed without a better one.

        A better epoch has a higher MRR on held-out pairs. While no epoch is better than epoch 0, a
        lower loss on these pairs counts, too: some networks rank no better until the loss has
        fallen for some epochs.
        """
        done = self.history[-1].epoch
        best = find_best(self.history) or _find_lowest_loss(self.history)
        return done >= epochs or (patience > 0 and done - best >= patience)


def _find_lowest_loss(history: Sequence[Epoch]) -> int:
    """Return the first epoch with the lowest held-out loss; epoch 0 where none was measured."""
    measured = [row for row in history if not math.isnan(row.held_out_loss)]
    return min(measured or history, key=lambda row: (row.held_out_loss, row.epoch)).epoch


def find_best(history: Sequence[Epoch]) -> int:
    """Return the first epoch with the highest held-out MRR."""
    return max(history, key=lambda row: (row.held_out_mrr, -row.epoch)).epoch


def format_history(history: Sequence[Epoch]) -> str:
    """Return the history as CSV; a cell is empty where nothing was measured."""
    best = find_best(history)
    lines = ["epoch,training_loss,held_out_loss,held_out_mrr,kept"]
    for row in history:
        measured = (row.training_loss, row.held_out_loss, row.held_out_mrr)
        figures = ["" if math.isnan(figure) else f"{figure:.6f}" for figure in measured]
        lines.append(",".join([str(row.epoch), *figures, "yes" if row.epoch == best else "no"]))
    return "\n".join(lines) + "\n"


def count_trained_pairs(record: Path) -> int:
    """Read how many pairs a model was trained on; ``DataError`` where the record does not say."""
    about = read_json(record / "about.json")
    try:
        return int(about["pairs"]["trained"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{record}: about.json is incomplete; train again") from error


def save_checkpoint(folder: Path, progress: Progress, fingerprint: str) -> None:
    """Replace the checkpoint by ``progress``, atomically."""
    groups = ("parameters", "moments", "kept")
    tensors = {
        f"{group}.{name}": array
        for group in groups
        for name, array in getattr(progress, group).items()
    }
    rows = [asdict(row) for row in progress.history]
    # One file, so that a kill at any moment leaves the older or the newer checkpoint.
    about = {
        "fingerprint": fingerprint,
        "history": json.dumps(rows),
        "processor_seconds": str(progress.processor_seconds),
    }
    write_tensors(folder / _FILE, tensors, about)


def load_checkpoint(folder: Path, fingerprint: str) -> Progress | None:
    """Load the progress of a training with the same inputs; log other checkpoints, return None."""
    path = folder / _FILE
    if not path.exists():
        return None
    try:
        tensors, about = read_tensors(path)
        if about["fingerprint"] != fingerprint:
            _LOG.warning("%s: was made from other inputs; training starts again", folder)
            return None
        progress = Progress(
            [Epoch(**row) for row in json.loads(about["history"])],
            processor_seconds=float(about["processor_seconds"]),
        )
        for name, array in tensors.items():
            group, _, own = name.partition(".")
            getattr(progress, group)[own] = array
        if not (progress.history and progress.parameters and progress.moments and progress.kept):
            raise DataError(f"{folder}: is incomplete")
    except (DataError, KeyError, TypeError, ValueError, AttributeError) as error:
        _LOG.warning("%s: cannot be used (%s); training starts again", folder, error)
        return None
    _LOG.info("%s: training continues after epoch %d", folder, progress.history[-1].epoch)
    return progress


def write_tensors(
    path: Path, tensors: dict[str, np.ndarray[Any, Any]], about: dict[str, str] | None = None
) -> None:
    """Write arrays by name, and metadata, as a safetensors file, atomically."""
    with atomic_path(path) as temporary:
        try:
            save_file(tensors, temporary, metadata=about)
        except SafetensorError as error:
            raise OSError(str(error)) from error


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    """Read arrays of a safetensors file by name, and its metadata.

    Raises:
        DataError: where the file is damaged or cannot be read.
    """
    check_file(path)
    try:
        with safe_open(path, framework="np") as file:
            names = file.keys()
            return {name: file.get_tensor(name) for name in names}, dict(file.metadata() or {})
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise DataError(f"{path}: cannot be read as safetensors ({error})") from error
