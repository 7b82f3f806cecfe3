"""Training of DeepCS and CARLCS on pairs of methods and descriptions (docs/encoders.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.base.networks.epochs import (
    Adam,
    EpochTrainer,
    cut_batches,
    hash_inputs,
    list_trained,
    sum_reciprocal_ranks,
    train_and_record,
)
from ncsbench.base.networks.network_files import hash_vocabularies, save_network
from ncsbench.base.networks.reproducible import draw_seed, reproducible
from ncsbench.learning.deepcs.field_networks import (
    NETWORKS,
    CarlcsNetwork,
    DeepcsNetwork,
    measure_loss,
)
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions, FieldEncoderSettings
from ncsbench.learning.deepcs.method_fields import FIELDS, FieldPairs, read_pairs

_START, _VALID, _EPOCH, _DROPOUT = 1, 2, 3, 4  # Streams of random numbers.
_EPSILONS = {"adam": 1e-7, "adamw": 1e-8}  # Keras's and PyTorch's.


def train_field_encoder(
    settings: FieldEncoderSettings,
    pairs: Sequence[Path],
    checkpoint: Path,
    record: Path,
    output: Path,
    vocabulary_pairs: Sequence[Path] = (),
    steps: int | None = None,
) -> float:
    """Train DeepCS or CARLCS on pairs of descriptions and methods.

    The epoch with the best MRR on held-out pairs is kept.

    Args:
        settings: options of network and training, and the seed.
        pairs: files of ``PAIR_SCHEMA``.
        checkpoint: folder to go on from after an interruption; removed at the end.
        record: folder to write with the figures about the training that tables read.
        output: folder of a ``FieldEncoder`` to write.
        vocabulary_pairs: files of pairs that give the vocabularies in place of ``pairs``, so that
            trainings on several sets differ in their pairs alone (DEV-194).
        steps: largest number of steps of the optimiser, in place of ``epochs`` (``count_steps``).

    Returns:
        Seconds of processor time, as ``train_and_record`` counts them.

    Raises:
        ConfigurationError: where the loss is no longer finite.
        DataError: where a file is missing or damaged.
    """
    options, seed = settings.field_encoder, settings.seed
    read = read_pairs(pairs, options, vocabulary_paths=vocabulary_pairs)
    about: dict[str, Any] = {
        "options": options.model_dump(mode="json"),
        "seed": seed,
        "pairs_hash": read.digest,
        "pairs": {
            "trained": len(read.training),
            "held_out": len(read.valid),
            "without_words": read.empty,
        },
    }
    if vocabulary_pairs:
        about["vocabulary_hash"] = hash_vocabularies(read.vocabularies)
    if steps is not None:
        about["steps"] = steps
    lists = [
        own
        for part in (read.training, read.valid)
        for own in (*(part.code.of(field) for field in FIELDS), part.descriptions)
    ]
    device = torch.device("cpu")
    with reproducible(options.threads, device):
        torch.manual_seed(draw_seed(seed, _START))
        sizes = {name: len(own) for name, own in read.vocabularies.items()}
        network = NETWORKS[options.network](sizes, options)
        return train_and_record(
            FieldTrainer(network, options, seed, pairs=len(read.training), steps=steps),
            read.training,
            read.valid,
            about,
            fingerprint=hash_inputs(about, [v.words for v in read.vocabularies.values()], lists),
            name="training",
            checkpoint=checkpoint,
            record=record,
            save=lambda kept: save_network(output, kept, read.vocabularies, about),
        )


class FieldTrainer(EpochTrainer[FieldPairs]):
    """A network in training, with its optimiser.

    Args:
        network: the network, which is changed.
        options: options of the training.
        seed: seed of all random numbers.
        pairs: number of pairs to train on, for the schedule of the learning rate.
        steps: number of steps after which training ends, even within an epoch; None for all epochs.
    """

    network: DeepcsNetwork | CarlcsNetwork
    options: FieldEncoderOptions

    def __init__(
        self,
        network: DeepcsNetwork | CarlcsNetwork,
        options: FieldEncoderOptions,
        seed: int,
        *,
        pairs: int,
        steps: int | None = None,
    ) -> None:
        self.network, self.options, self._seed = network, options, seed
        self._batches = _count_batches(pairs, options)
        self._steps = count_steps(pairs, options) if steps is None else steps
        if steps is not None:
            self.options = options.changed(epochs=-(-steps // self._batches))
        decayed = options.optimiser == "adamw"
        self.adam = Adam(
            list_trained(network),
            learning_rate=options.learning_rate,
            epsilon=_EPSILONS[options.optimiser],
            clip=options.clip,
            decay=options.weight_decay if decayed else 0.0,
            schedule=warm_up_and_fall(options.warm_up, self._steps) if decayed else None,
        )

    def train_epoch(self, pairs: FieldPairs, epoch: int) -> Iterator[tuple[float, int]]:
        """Train an epoch, counted from 1; yield loss and number of pairs of each batch."""
        torch.manual_seed(draw_seed(self._seed, _DROPOUT, epoch))
        generator = np.random.default_rng([self._seed, _EPOCH, epoch])
        order = generator.permutation(len(pairs))
        # Any description, as in PyTorch's code; it may be the right one.
        wrong = generator.integers(0, len(pairs), size=len(pairs))
        self.network.train()
        batches = cut_batches(order, self.options.batch_size, drop_last=True)
        for rows in islice(batches, self._steps - (epoch - 1) * self._batches):
            loss = self._measure(pairs, rows, wrong[rows])
            loss.backward()  # type: ignore[no-untyped-call]
            self.adam.step()
            yield float(loss.detach()), len(rows)

    @torch.no_grad()
    def validate(self, pairs: FieldPairs) -> tuple[float, float]:
        """Return mean loss and MRR of pairs, each ranked among the pairs of its pool."""
        order = np.random.default_rng([self._seed, _VALID]).permutation(len(pairs))
        self.network.eval()
        losses = ranks = 0.0
        for rows in cut_batches(order, self.options.validation_pool, drop_last=False):
            losses += float(self._measure(pairs, rows, np.roll(rows, 1))) * len(rows)
            cosines = self.network.compare_all(pairs.code.take(rows), pairs.descriptions.take(rows))
            ranks += float(sum_reciprocal_ranks(cosines))
        return losses / len(pairs), ranks / len(pairs)

    def _measure(
        self, pairs: FieldPairs, rows: NDArray[np.int64], wrong: NDArray[np.int64]
    ) -> torch.Tensor:
        both = self.network.compare(
            pairs.code.take(rows), pairs.descriptions.take(rows), pairs.descriptions.take(wrong)
        )
        return measure_loss(*both, self.options.margin).mean()


def count_steps(pairs: int, options: FieldEncoderOptions) -> int:
    """Return the number of steps of the optimiser in all epochs, with ``pairs`` pairs in each."""
    return options.epochs * _count_batches(pairs, options)


def warm_up_and_fall(warm_up: int, steps: int) -> Callable[[int], float]:
    """Return the share of the learning rate by step, from 1: up in a line, down in a cosine."""

    def find_share(step: int) -> float:
        done = step - 1
        if done < warm_up:
            return done / warm_up
        return max(0.0, (1 + math.cos(math.pi * (done - warm_up) / max(1, steps - warm_up))) / 2)

    return find_share


def _count_batches(pairs: int, options: FieldEncoderOptions) -> int:
    return max(1, pairs // options.batch_size)
