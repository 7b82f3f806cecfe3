"""Training of the language model of queries.

Source: ``main.py`` of v587su/VAE_public at 86ea4ba. All random numbers depend only on the seed and
the epoch, so that an interrupted training ends with the same bytes as one that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ncsbench.artifacts.training_checkpoints import (
    Epoch,
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from ncsbench.comment_filter.vae_network import QueryVae
from ncsbench.comment_filter.vae_options import VaeOptions
from ncsbench.comment_filter.vae_vocabulary import PAD, UNK, VaeVocabulary
from ncsbench.errors import ConfigurationError
from ncsbench.networks.parameters import (
    restore_moments,
    restore_parameters,
    save_moments,
    save_parameters,
)
from ncsbench.networks.reproducible import draw_seed, reproducible

_LOG = logging.getLogger(__name__)
_START, _NOISE, _EPOCH = 1, 2, 3  # Streams of random numbers.


def train_network(
    texts: Sequence[Sequence[int]],
    vocabulary: VaeVocabulary,
    options: VaeOptions,
    *,
    seed: int,
    checkpoint: Path | None = None,
) -> Progress:
    """Train on texts as ids and keep the last epoch, as the release has one file of each.

    Args:
        texts: ids with their end, ``options.query_length`` + 1 of each at most.
        vocabulary: of the ids.
        options: how.
        seed: of all random numbers.
        checkpoint: folder written after every epoch, and read where it is of the same training.

    Raises:
        ConfigurationError: where the loss is no longer finite.
    """
    fingerprint = _fingerprint(texts, vocabulary, options, seed)
    with reproducible(1, torch.device("cpu")):
        torch.manual_seed(draw_seed(seed, _START))
        trainer = _Trainer(QueryVae(len(vocabulary), options), texts, options, seed)
        progress = load_checkpoint(checkpoint, fingerprint) if checkpoint else None
        if progress is None:
            progress = Progress([Epoch(0)])
        else:
            trainer.restore(progress)
        for epoch in range(len(progress.history), options.epochs + 1):
            loss = trainer.train_epoch(epoch)
            if not math.isfinite(loss):
                raise ConfigurationError(
                    f"model: the loss is not a finite number in epoch {epoch}; lower "
                    "'learning_rate'"
                )
            progress.history.append(Epoch(epoch, loss))
            _LOG.info("epoch %d of %d: loss %.4f", epoch, options.epochs, loss)
            trainer.save(progress)
            if checkpoint:
                save_checkpoint(checkpoint, progress, fingerprint)
    return progress


class _Trainer:
    def __init__(
        self, network: QueryVae, texts: Sequence[Sequence[int]], options: VaeOptions, seed: int
    ) -> None:
        self._network, self._options, self._seed = network, options, seed
        # As released, one position more than the end of the longest text.
        self._ids, self._lengths = pad_texts(texts, options.query_length + 2)
        self._adam = torch.optim.Adam(network.parameters(), options.learning_rate, fused=True)
        self._batches = math.ceil(len(texts) / options.batch_size)
        self._steps = 0

    def save(self, progress: Progress) -> None:
        progress.parameters = progress.kept = save_parameters(self._network)
        named = dict(self._network.named_parameters())
        progress.moments = save_moments(self._adam, named, steps=self._steps)

    def restore(self, progress: Progress) -> None:
        restore_parameters(self._network, progress.parameters)
        named = dict(self._network.named_parameters())
        self._steps = restore_moments(self._adam, named, progress.moments)

    def train_epoch(self, epoch: int) -> float:
        """The mean loss of an epoch, which is counted from 1."""
        options = self._options
        torch.manual_seed(draw_seed(self._seed, _NOISE, epoch))
        generator = np.random.default_rng([self._seed, _EPOCH, epoch])
        order = generator.permutation(len(self._ids))
        forced = generator.random((self._batches, self._ids.shape[1])) < options.teacher_forcing
        forced[:, 0] = True  # as released
        self._adam.param_groups[0]["lr"] = options.learning_rate * options.decay ** (epoch - 1)
        total = 0.0
        for number in range(self._batches):
            rows = order[number * options.batch_size : (number + 1) * options.batch_size]
            loss = self._measure(rows, forced[number].tolist(), self._kl_weight(epoch, number))
            loss.backward()  # type: ignore[no-untyped-call]
            self._adam.step()
            self._adam.zero_grad(set_to_none=True)
            self._steps += 1
            total += float(loss.detach()) * len(rows)
        return total / len(order)

    def _kl_weight(self, epoch: int, batch: int) -> float:
        """It rises after each batch of the epochs behind ``kl_start`` (DEV-175)."""
        options = self._options
        done = max(0, epoch - 1 - options.kl_start) * self._batches
        done += batch if epoch > options.kl_start else 0
        highest = max(options.kl_weight, options.kl_maximum)
        return min(highest, options.kl_weight + options.kl_step * done)

    def _measure(self, rows: NDArray[np.int64], forced: list[bool], kl_weight: float) -> Tensor:
        """Mean cross-entropy of positions, and the divergence of the latent vectors."""
        ids = torch.from_numpy(self._ids[rows])
        lengths = torch.from_numpy(self._lengths[rows])
        mean, log_variance = self._network.encode(ids, lengths)
        latent = mean + torch.randn_like(mean) * torch.exp(log_variance / 2)
        if self._options.loss_over == "known_words":
            ids = ids[:, : int(lengths.max())]
            counted = (ids != PAD) & (ids != UNK)
        else:
            counted = torch.ones_like(ids, dtype=torch.bool)
        states = self._network.unroll(latent, ids, forced)
        entropy = functional.cross_entropy(self._network.project(states[counted]), ids[counted])
        divergence = (mean**2 + log_variance.exp() - log_variance - 1).sum(dim=1).mean() / 2
        return entropy + kl_weight * divergence


def pad_texts(
    texts: Sequence[Sequence[int]], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Texts as rows with padding behind, shape (n, width), and their lengths, shape (n,)."""
    lengths = np.array([len(ids) for ids in texts], np.int64)
    padded = np.full((len(texts), width), PAD, np.int64)
    inside = np.arange(width) < lengths[:, None]
    padded[inside] = np.concatenate([np.asarray(ids, np.int64) for ids in texts])
    return padded, lengths


def _fingerprint(
    texts: Sequence[Sequence[int]], vocabulary: VaeVocabulary, options: VaeOptions, seed: int
) -> str:
    spelling = vocabulary.spelling
    about = [options.model_dump(mode="json"), seed, torch.__version__]
    digest = hashlib.sha256(json.dumps([*about, spelling.words, spelling.pieces]).encode())
    for ids in texts:
        digest.update(np.array([len(ids), *ids], np.int64).tobytes())
    return digest.hexdigest()
