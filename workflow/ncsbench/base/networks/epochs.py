"""A training from its pairs to its record: batches, steps of Adam, epochs, and the end of training.

All random numbers depend only on the seed and the epoch, so that an interrupted training ends with
the same bytes as one that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.base.files.storage import atomic_folder, write_json, write_text
from ncsbench.base.files.training_checkpoints import (
    Epoch,
    Progress,
    Tensors,
    find_best,
    format_history,
    load_checkpoint,
    save_checkpoint,
)
from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.network_files import (
    restore_moments,
    restore_parameters,
    save_moments,
    save_parameters,
)
from ncsbench.base.text.progress_line import report
from ncsbench.errors import ConfigurationError

_FIRST, _SECOND = 0.9, 0.999


class Adam:
    """The optimiser Adam; a step moves all parameters, also those without a gradient (DEV-149).

    A step is computed as in TensorFlow 1 (Kingma and Ba, Adam, 2015, the formula before section
    2.1).

    Args:
        parameters: parameters by name; their gradients are kept as zeros between steps.
        learning_rate: learning rate of every step.
        epsilon: number added to the root of the second moment.
        clip: largest global norm of the gradients of a step; 0 for any norm.
        decay: weight decay of AdamW (Loshchilov and Hutter, 2019); biases have none.
        schedule: function that gives the factor of the learning rate in a step, counted from 1.
    """

    def __init__(
        self,
        parameters: Mapping[str, nn.Parameter],
        *,
        learning_rate: float,
        epsilon: float = 1e-8,
        clip: float = 1.0,
        decay: float = 0.0,
        schedule: Callable[[int], float] | None = None,
    ) -> None:
        self._parameters = dict(parameters)
        self._epsilon, self._clip = epsilon, clip
        self._rate, self._schedule = learning_rate, schedule
        for own in self._parameters.values():
            own.grad = torch.zeros_like(own)
        biases = [own for name, own in self._parameters.items() if "bias" in name]
        others = [own for name, own in self._parameters.items() if "bias" not in name]
        groups: list[dict[str, Any]] = [
            {"params": biases, "weight_decay": 0.0},
            {"params": others},
        ]
        self._adam = torch.optim.Adam(
            [group for group in groups if group["params"]],
            learning_rate,
            (_FIRST, _SECOND),
            epsilon,
            weight_decay=decay,
            decoupled_weight_decay=True,
            fused=True,
        )
        self._steps = 0

    def step(self) -> None:
        """Clip the gradients, move the parameters and set the gradients to zero."""
        self._steps += 1
        if self._clip:
            nn.utils.clip_grad_norm_(self._parameters.values(), self._clip)
        # TensorFlow adds epsilon before it corrects the second moment, PyTorch after.
        corrected = self._epsilon / math.sqrt(1 - _SECOND**self._steps)
        for group in self._adam.param_groups:
            group["eps"] = corrected
            if self._schedule is not None:
                group["lr"] = self._rate * self._schedule(self._steps)
        self._adam.step()
        self._adam.zero_grad(set_to_none=False)

    def save(self) -> Tensors:
        """Return copies of the moments and the number of steps, by name."""
        return save_moments(self._adam, self._parameters, steps=self._steps)

    def restore(self, saved: Tensors) -> None:
        """Take the copies that ``save`` returned; ``KeyError`` where an array is missing."""
        self._steps = restore_moments(self._adam, self._parameters, saved)


def list_trained(network: nn.Module) -> dict[str, nn.Parameter]:
    """Return the parameters that training changes, by name."""
    return {name: own for name, own in network.named_parameters() if own.requires_grad}


_LOG = logging.getLogger(__name__)
Pairs = TypeVar("Pairs", bound=Sized)


class EpochTrainer(ABC, Generic[Pairs]):
    """The base class of a network in training, with its optimiser.

    Attributes:
        network: the network.
        adam: the optimiser of its parameters.
        options: options with ``epochs``, the largest number of passes over the pairs, and
            ``patience``, the number of epochs without a better MRR after which training ends (0 for
            never).
        block: name of these options in error messages.
    """

    network: nn.Module
    adam: Adam
    options: Any
    block = "encoder"

    @abstractmethod
    def train_epoch(self, pairs: Pairs, epoch: int) -> Iterator[tuple[float, int]]:
        """Train an epoch, counted from 1; yield loss and number of pairs of each batch."""

    @abstractmethod
    def validate(self, pairs: Pairs) -> tuple[float, float]:
        """Return mean loss and MRR of pairs."""

    def measure_start(self, pairs: Pairs) -> float:
        """Return the loss of the training pairs before the first epoch; NaN if not measured."""
        return math.nan

    def save(self) -> tuple[Tensors, Tensors]:
        """Return copies of the parameters and of the moments, by name."""
        return save_parameters(self.network), self.adam.save()

    def restore(self, parameters: Tensors, moments: Tensors) -> None:
        """Take the copies that ``save`` returned; ``KeyError`` where an array is missing."""
        restore_parameters(self.network, parameters)
        self.adam.restore(moments)


def cut_batches(
    order: NDArray[np.int64], size: int, *, drop_last: bool
) -> Iterator[NDArray[np.int64]]:
    """Cut an order of pairs into batches, each sorted by number.

    Fewer pairs than the size of a batch are one batch (DEV-146).

    Args:
        order: numbers of all pairs, in the order in which they are taken.
        size: number of pairs of a batch.
        drop_last: True where a smaller batch at the end is left out.
    """
    end = max(len(order) // size * size, min(size, len(order))) if drop_last else len(order)
    for start in range(0, end, size):
        yield np.sort(order[start : min(start + size, end)])


def sum_reciprocal_ranks(similarities: Tensor) -> Tensor:
    """Return the sum over queries of 1 / rank of the right code in the batch; ties count as lost.

    Args:
        similarities: similarities of queries (rows) with code, shape (n, n); the right code is on
            the diagonal.
    """
    right = similarities.diagonal()[:, None]
    return (1 / (similarities >= right).sum(dim=1)).sum()


def train_epochs(
    trainer: EpochTrainer[Pairs],
    training: Pairs,
    valid: Pairs,
    progress: Progress | None,
    checkpoint: Path,
    fingerprint: str,
) -> tuple[Progress, int, float]:
    """Train to the end; return the progress, the epochs trained in this call and their seconds."""
    options = trainer.options
    used = time.process_time()
    if progress is None:
        progress = Progress()
        _close_epoch(progress, trainer.measure_start(training), trainer, valid)
    else:
        trainer.restore(progress.parameters, progress.moments)
    first, started = len(progress.history), time.perf_counter()
    while not progress.is_over(epochs=options.epochs, patience=options.patience):
        epoch = len(progress.history)
        loss, done = 0.0, 0
        for batch_loss, count in trainer.train_epoch(training, epoch):
            loss, done = loss + batch_loss * count, done + count
            report(f"epoch {epoch}, pairs", done, len(training))
        _close_epoch(progress, loss / done, trainer, valid)
        used, before = time.process_time(), used
        progress.processor_seconds += used - before
        save_checkpoint(checkpoint, progress, fingerprint)
    return progress, len(progress.history) - first, time.perf_counter() - started


def _close_epoch(
    progress: Progress, training_loss: float, trainer: EpochTrainer[Pairs], valid: Pairs
) -> None:
    """Measure the pairs for validation and note the state of the training."""
    epoch = len(progress.history)
    valid_loss, mrr = trainer.validate(valid)
    if not math.isfinite(valid_loss) or (epoch and not math.isfinite(training_loss)):
        raise ConfigurationError(
            f"{trainer.block}: the loss is not a finite number after epoch {epoch}; lower "
            "'learning_rate'"
        )
    progress.history.append(Epoch(epoch, training_loss, valid_loss, mrr))
    progress.parameters, progress.moments = trainer.save()
    if find_best(progress.history) == epoch:
        progress.kept = progress.parameters
    _LOG.info(
        "epoch %d: training loss %.4f, held-out loss %.4f, held-out MRR %.4f",
        *(epoch, training_loss, valid_loss, mrr),
    )


def train_and_record(
    trainer: EpochTrainer[Pairs],
    training: Pairs,
    valid: Pairs,
    about: dict[str, Any],
    *,
    fingerprint: str,
    name: str,
    checkpoint: Path,
    record: Path,
    save: Callable[[Tensors], None],
) -> float:
    """Train, keep the epoch with the best MRR on held-out pairs, and write a record for tables.

    Where there are fewer than two training pairs or held-out pairs, a warning says so and the first
    values stay; ``about`` then counts 0 trained pairs (DEV-151).

    Args:
        trainer: the network with its first values, and its optimiser.
        training: pairs to train on.
        valid: held-out pairs, which decide when training ends.
        about: record of data and options, with ``pairs.trained``; results are added to it.
        fingerprint: fingerprint of everything that the training depends on.
        name: name of the training in the warning.
        checkpoint: folder written after every epoch; removed at the end.
        record: folder to write (``write_record``).
        save: writes the kept parameters, when ``about`` is whole.

    Returns:
        Seconds of processor time of all epochs, also of those before an interruption.

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
        kept, _ = trainer.save()
        progress, epochs, seconds = Progress([Epoch(0)], kept=kept), 0, 0.0
    else:
        saved = load_checkpoint(checkpoint, fingerprint)
        progress, epochs, seconds = train_epochs(
            trainer, training, valid, saved, checkpoint, fingerprint
        )
    best = progress.history[find_best(progress.history)]
    measured = not math.isnan(best.held_out_mrr)
    about |= {"kept_epoch": best.epoch, "held_out_mrr": best.held_out_mrr if measured else None}
    pairs = len(training)
    _LOG.info(
        "%s: %d pairs, %d epochs in this run (epoch %d kept), %.0f pairs/s",
        *(trainer.block, pairs, epochs, best.epoch, pairs * epochs / seconds if seconds else 0.0),
    )
    write_record(record, about, progress.history)
    save(progress.kept)
    shutil.rmtree(checkpoint, ignore_errors=True)
    return progress.processor_seconds


def write_record(record: Path, about: Mapping[str, Any], history: Sequence[Epoch]) -> None:
    """Write the record of a training for tables: ``about.json`` and, of epochs, ``history.csv``."""
    with atomic_folder(record) as temporary:
        write_json(temporary / "about.json", dict(about))
        write_text(temporary / "history.csv", format_history(history))


def hash_inputs(about: Any, vocabularies: Iterable[Any], lists: Iterable[IdLists]) -> str:
    """Return a digest of the inputs of a training, including PyTorch's version.

    Args:
        about: options and other inputs, as JSON values.
        vocabularies: vocabularies as JSON values, in a fixed order.
        lists: lists of ids of all pairs.
    """
    digest = hashlib.sha256(json.dumps([about, torch.__version__], sort_keys=True).encode())
    for vocabulary in vocabularies:
        digest.update(json.dumps(vocabulary).encode())
    for own in lists:
        digest.update(own.offsets.tobytes())
        digest.update(own.ids.tobytes())
    return digest.hexdigest()
