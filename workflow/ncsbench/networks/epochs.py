"""A training from its pairs to its record: batches, epochs, checkpoints, when it ends.

All random numbers depend only on the seed and the epoch, so that an interrupted training ends with
the same bytes as one that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.artifacts.storage import atomic_folder, write_json, write_text
from ncsbench.artifacts.training_checkpoints import (
    Epoch,
    Progress,
    Tensors,
    find_best,
    format_history,
    load_checkpoint,
    save_checkpoint,
)
from ncsbench.errors import ConfigurationError
from ncsbench.networks.adam import Adam
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.network_files import restore_parameters, save_parameters

_LOG = logging.getLogger(__name__)
Pairs = TypeVar("Pairs", bound=Sized)
Pairs_contra = TypeVar("Pairs_contra", bound=Sized, contravariant=True)


class EpochOptions(Protocol):
    """When a training ends."""

    @property
    def epochs(self) -> int:
        """Passes over the pairs at most."""

    @property
    def patience(self) -> int:
        """Epochs without a better MRR before it ends; 0 for never."""


class Trainer(Protocol[Pairs_contra]):
    """A network and what moves it."""

    @property
    def network(self) -> nn.Module:
        """What is trained."""

    @property
    def adam(self) -> Adam:
        """What moves it."""

    @property
    def options(self) -> EpochOptions:
        """When its training ends."""

    def train_epoch(self, pairs: Pairs_contra, epoch: int) -> Iterator[tuple[float, int]]:
        """Loss and number of pairs of each batch of an epoch, which is counted from 1."""

    def validate(self, pairs: Pairs_contra) -> tuple[float, float]:
        """Mean loss and MRR of pairs."""


def cut_batches(
    order: NDArray[np.int64], size: int, *, drop_last: bool
) -> Iterator[NDArray[np.int64]]:
    """Pairs in batches, each sorted by number.

    Fewer pairs than a batch has are one batch (DEV-146).

    Args:
        order: of all pairs.
        size: of a batch.
        drop_last: whether a smaller batch at the end is left out.
    """
    end = max(len(order) // size * size, min(size, len(order))) if drop_last else len(order)
    for start in range(0, end, size):
        yield np.sort(order[start : min(start + size, end)])


def sum_reciprocal_ranks(similarities: Tensor) -> Tensor:
    """Sum over the queries of 1 / rank of the right code among the batch; ties count as lost.

    Args:
        similarities: shape (n, n).
    """
    right = similarities.diagonal()[:, None]
    return (1 / (similarities >= right).sum(dim=1)).sum()


def train_epochs(
    trainer: Trainer[Pairs],
    training: Pairs,
    valid: Pairs,
    progress: Progress | None,
    checkpoint: Path,
    fingerprint: str,
) -> tuple[Progress, int, float]:
    """Train to the end; returns also the epochs done here and the seconds they took."""
    options = trainer.options
    used = time.process_time()
    if progress is None:
        progress = Progress()
        _close_epoch(progress, math.nan, trainer, valid)
    else:
        restore_parameters(trainer.network, progress.parameters)
        trainer.adam.restore(progress.moments)
    first, started = len(progress.history), time.perf_counter()
    while not progress.is_over(epochs=options.epochs, patience=options.patience):
        epoch = len(progress.history)
        loss = mean_loss(trainer.train_epoch(training, epoch), epoch, len(training))
        _close_epoch(progress, loss, trainer, valid)
        used, before = time.process_time(), used
        progress.processor_seconds += used - before
        save_checkpoint(checkpoint, progress, fingerprint)
    return progress, len(progress.history) - first, time.perf_counter() - started


def _close_epoch(
    progress: Progress, training_loss: float, trainer: Trainer[Pairs], valid: Pairs
) -> None:
    """Measure the pairs for validation and note where the training stands."""
    epoch = len(progress.history)
    valid_loss, mrr = trainer.validate(valid)
    if not math.isfinite(valid_loss) or (epoch and not math.isfinite(training_loss)):
        raise ConfigurationError(
            f"encoder: the loss is not a finite number after epoch {epoch}; lower 'learning_rate'"
        )
    progress.history.append(Epoch(epoch, training_loss, valid_loss, mrr))
    progress.parameters, progress.moments = save_parameters(trainer.network), trainer.adam.save()
    if find_best(progress.history) == epoch:
        progress.kept = progress.parameters
    _LOG.info(
        "epoch %d: training loss %.4f, validation loss %.4f, validation MRR %.4f",
        *(epoch, training_loss, valid_loss, mrr),
    )


def mean_loss(batches: Iterable[tuple[float, int]], epoch: int, pairs: int) -> float:
    """The mean loss of an epoch, of losses and numbers of pairs of its batches; shows progress."""
    total, done = 0.0, 0
    for loss, count in batches:
        total, done = total + loss * count, done + count
        if sys.stderr.isatty():
            sys.stderr.write(f"\repoch {epoch}: {done} of {pairs} pairs")
            sys.stderr.flush()
    return total / done


def log_speed(name: str, pairs: int, epochs: int, seconds: float, progress: Progress) -> None:
    """One line: pairs, epochs done here, the kept epoch, and pairs per second."""
    _LOG.info(
        "%s: %d pairs, %d epochs in this run (epoch %d kept), %.0f pairs/s",
        *(name, pairs, epochs, find_best(progress.history)),
        pairs * epochs / seconds if seconds else 0.0,
    )


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
