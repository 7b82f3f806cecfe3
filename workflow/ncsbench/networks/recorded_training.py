"""A training from its pairs to its record: what trainings of several networks end with."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ncsbench.artifacts.storage import atomic_folder, write_json, write_text
from ncsbench.artifacts.training_checkpoints import (
    Epoch,
    Progress,
    Tensors,
    find_best,
    format_history,
    load_checkpoint,
)
from ncsbench.networks.epochs import Pairs, Trainer, log_speed, train_epochs
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.parameters import save_parameters

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrainingFiles:
    """Where a training leaves what.

    Attributes:
        checkpoint: folder written after every epoch; removed at the end.
        record: folder to write: ``about.json`` and ``history.csv``, what tables read.
    """

    checkpoint: Path
    record: Path


def train_and_record(
    trainer: Trainer[Pairs],
    training: Pairs,
    valid: Pairs,
    about: dict[str, Any],
    *,
    fingerprint: str,
    name: str,
    files: TrainingFiles,
    save: Callable[[Tensors], None],
) -> float:
    """Train, keep the epoch with the best MRR on held-out pairs, and write what tables read of it.

    Where there are fewer than two pairs to train on or to stop by, a warning says so and the first
    values stay; ``about`` then counts 0 trained pairs (DEV-151).

    Args:
        trainer: the network with its first values, and what moves it.
        training: pairs to train on.
        valid: pairs to stop by.
        about: what is trained on what, with ``pairs.trained``; what came of it is added.
        fingerprint: of everything that it depends on.
        name: what the warning calls it.
        files: where it leaves what.
        save: writes the kept parameters, when ``about`` is whole.

    Returns:
        Seconds of the processor that the epochs took, also those before an interruption.

    Raises:
        ConfigurationError: where the loss is no longer finite.
    """
    if min(len(training), len(valid)) < 2:
        _LOG.warning(
            "%s: has %d pairs to train on and %d to stop by, where two of each are needed; the "
            "encoder keeps its random first values",
            *(name, len(training), len(valid)),
        )
        about["pairs"]["trained"] = 0
        kept = save_parameters(trainer.network)
        progress, epochs, seconds = Progress([Epoch(0)], kept=kept), 0, 0.0
    else:
        saved = load_checkpoint(files.checkpoint, fingerprint)
        progress, epochs, seconds = train_epochs(
            trainer, training, valid, saved, files.checkpoint, fingerprint
        )
    best = progress.history[find_best(progress.history)]
    measured = not math.isnan(best.held_out_mrr)
    about |= {"kept_epoch": best.epoch, "held_out_mrr": best.held_out_mrr if measured else None}
    log_speed("encoder", about["pairs"]["trained"], epochs, seconds, progress)
    with atomic_folder(files.record) as temporary:
        write_json(temporary / "about.json", about)
        write_text(temporary / "history.csv", format_history(progress.history))
    save(progress.kept)
    shutil.rmtree(files.checkpoint, ignore_errors=True)
    return progress.processor_seconds


def hash_inputs(about: Any, vocabularies: Iterable[Any], lists: Iterable[IdLists]) -> str:
    """Digest of what a training depends on, also of PyTorch's version.

    Args:
        about: options and the like, as JSON has them.
        vocabularies: likewise, in a fixed order.
        lists: of all pairs.
    """
    digest = hashlib.sha256(json.dumps([about, torch.__version__], sort_keys=True).encode())
    for vocabulary in vocabularies:
        digest.update(json.dumps(vocabulary).encode())
    for own in lists:
        digest.update(own.offsets.tobytes())
        digest.update(own.ids.tobytes())
    return digest.hexdigest()
