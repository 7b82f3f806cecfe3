"""Training of DeepCS and CARLCS on pairs of methods and descriptions (docs/deepcs.md).

All random numbers depend only on the seed and the epoch, so that an interrupted training ends with
the same bytes as one that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.artifacts.storage import atomic_folder, write_json, write_text
from ncsbench.artifacts.training_checkpoints import (
    Epoch,
    Progress,
    find_best,
    format_history,
    load_checkpoint,
)
from ncsbench.deepcs.field_lists import FIELDS
from ncsbench.deepcs.field_networks import NETWORKS, CarlcsNetwork, DeepcsNetwork, measure_loss
from ncsbench.deepcs.field_options import FieldEncoderOptions, FieldEncoderSettings
from ncsbench.deepcs.field_pairs import FieldPairs, ReadPairs, describe_pairs, read_pairs
from ncsbench.networks.adam import Adam
from ncsbench.networks.epochs import cut_batches, sum_reciprocal_ranks, train_epochs, write_speed
from ncsbench.networks.network_files import hash_vocabularies, save_network
from ncsbench.networks.parameters import save_parameters
from ncsbench.networks.reproducible import draw_seed, reproducible

_LOG = logging.getLogger(__name__)
_START, _VALID, _EPOCH, _DROPOUT = 1, 2, 3, 4  # Streams of random numbers.
_EPSILONS = {"adam": 1e-7, "adamw": 1e-8}  # Keras's and PyTorch's.


def train_field_encoder(
    paths: Sequence[Path],
    *,
    settings: FieldEncoderSettings,
    checkpoint: Path,
    benchmark: Path,
    record: Path,
    output: Path,
    vocabulary_paths: Sequence[Path] = (),
) -> None:
    """Train a network and keep the epoch with the best MRR on held-out pairs.

    Where there are fewer than two pairs to train on or to stop by, a warning says so and the first
    values stay; ``about.json`` then counts 0 trained pairs (DEV-151).

    Args:
        paths: files of ``PAIR_SCHEMA``.
        settings: what to train.
        checkpoint: folder written after every epoch; removed at the end.
        benchmark: TSV of the speed.
        record: folder to write: ``about.json`` and ``history.csv``, what tables read.
        output: folder of a ``FieldEncoder`` to write.
        vocabulary_paths: files of pairs that give the vocabularies in place of ``paths``, so that
            trainings on several sets differ in their pairs alone (DEV-194).

    Raises:
        ConfigurationError: where the loss is no longer finite.
        DataError: where a file is missing or damaged.
    """
    options, seed = settings.field_encoder, settings.seed
    pairs = read_pairs(paths, options, vocabulary_paths=vocabulary_paths)
    training, valid = pairs.training, pairs.valid
    about: dict[str, Any] = {
        "options": options.model_dump(mode="json"),
        "seed": seed,
        "pairs_hash": pairs.digest,
        "pairs": describe_pairs(pairs),
    }
    if vocabulary_paths:
        about["vocabulary_hash"] = hash_vocabularies(pairs.vocabularies)
    device = torch.device("cpu")
    with reproducible(options.threads, device):
        torch.manual_seed(draw_seed(seed, _START))
        sizes = {name: len(own) for name, own in pairs.vocabularies.items()}
        network = NETWORKS[options.network](sizes, options)
        if min(len(training), len(valid)) < 2:
            _LOG.warning(
                "training: has %d pairs to train on and %d to stop by, where two of each are "
                "needed; the encoder keeps its random first values",
                *(len(training), len(valid)),
            )
            about["pairs"]["trained"] = 0
            kept = save_parameters(network)
            progress, epochs, seconds = Progress([Epoch(0)], kept=kept), 0, 0.0
        else:
            trainer = FieldTrainer(network, options, seed, pairs=len(training))
            fingerprint = _fingerprint(about, pairs)
            saved = load_checkpoint(checkpoint, fingerprint)
            progress, epochs, seconds = train_epochs(
                trainer, training, valid, saved, checkpoint, fingerprint
            )
    best = progress.history[find_best(progress.history)]
    about |= {"kept_epoch": best.epoch, "held_out_mrr": None if epochs == 0 else best.held_out_mrr}
    write_speed(benchmark, about["pairs"]["trained"], epochs, seconds, device, progress)
    with atomic_folder(record) as temporary:
        write_json(temporary / "about.json", about)
        write_text(temporary / "history.csv", format_history(progress.history))
    save_network(output, progress.kept, pairs.vocabularies, about)
    shutil.rmtree(checkpoint, ignore_errors=True)


class FieldTrainer:
    """A network and what moves it.

    Args:
        network: it is changed.
        options: how to train.
        seed: of all random numbers.
        pairs: to train on; a schedule of the learning rate depends on them.
    """

    def __init__(
        self,
        network: DeepcsNetwork | CarlcsNetwork,
        options: FieldEncoderOptions,
        seed: int,
        *,
        pairs: int,
    ) -> None:
        self.network, self.options, self._seed = network, options, seed
        steps = options.epochs * max(1, pairs // options.batch_size)
        decayed = options.optimiser == "adamw"
        self.adam = Adam(
            {name: own for name, own in network.named_parameters() if own.requires_grad},
            learning_rate=options.learning_rate,
            epsilon=_EPSILONS[options.optimiser],
            clip=options.clip,
            decay=options.weight_decay if decayed else 0.0,
            schedule=warm_up_and_fall(options.warm_up, steps) if decayed else None,
        )

    def train_epoch(self, pairs: FieldPairs, epoch: int) -> Iterator[tuple[float, int]]:
        """Loss and number of pairs of each batch of an epoch, which is counted from 1."""
        torch.manual_seed(draw_seed(self._seed, _DROPOUT, epoch))
        generator = np.random.default_rng([self._seed, _EPOCH, epoch])
        order = generator.permutation(len(pairs))
        # Any description, as in PyTorch's code; it may be the right one.
        wrong = generator.integers(0, len(pairs), size=len(pairs))
        self.network.train()
        for rows in cut_batches(order, self.options.batch_size, drop_last=True):
            loss = self._measure(pairs, rows, wrong[rows])
            loss.backward()  # type: ignore[no-untyped-call]
            self.adam.step()
            yield float(loss.detach()), len(rows)

    @torch.no_grad()
    def validate(self, pairs: FieldPairs) -> tuple[float, float]:
        """Mean loss and MRR of pairs, each among those of its pool."""
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


def warm_up_and_fall(warm_up: int, steps: int) -> Callable[[int], float]:
    """The share of the learning rate by step, counted from 1: up in a line, down in a cosine."""

    def find_share(step: int) -> float:
        done = step - 1
        if done < warm_up:
            return done / warm_up
        return max(0.0, (1 + math.cos(math.pi * (done - warm_up) / max(1, steps - warm_up))) / 2)

    return find_share


def _fingerprint(about: dict[str, Any], pairs: ReadPairs) -> str:
    digest = hashlib.sha256(json.dumps([about, torch.__version__], sort_keys=True).encode())
    for own in pairs.vocabularies.values():
        digest.update(json.dumps(own.words).encode())
    for part in (pairs.training, pairs.valid):
        for lists in (*(part.code.of(field) for field in FIELDS), part.descriptions):
            digest.update(lists.offsets.tobytes())
            digest.update(lists.ids.tobytes())
    return digest.hexdigest()
