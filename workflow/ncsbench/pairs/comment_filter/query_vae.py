"""The network of the NLQF paper: its vocabulary, the network and its training.

One GRU (the encoder) makes a latent vector of a text, another (the decoder) spells the text again.
Source: ``model.py`` and ``main.py`` of v587su/VAE_public at 86ea4ba. Sizes in brackets are those
of the released code.

All random numbers depend only on the seed and the epoch, so that an interrupted training ends with
the same bytes as a training that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.base.files.training_checkpoints import (
    Epoch,
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from ncsbench.base.networks.network_files import (
    restore_moments,
    restore_parameters,
    save_moments,
    save_parameters,
)
from ncsbench.base.networks.reproducible import draw_seed, reproducible
from ncsbench.base.text.bpe_vocabulary import UNKNOWN, BpeVocabulary
from ncsbench.base.text.lemmas import lemmatise
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.comment_filter.filter_options import VaeOptions

PAD, UNK, SOS, EOS = 0, 1, 2, 3
"""Ids of the padding, of unknown words, of the start and of the end of a text."""

_MARKS = 2  # Marks of the vocabulary of pieces: padding and unknown.
_ADDED = 2  # SOS and EOS come before the words; the vocabulary of pieces does not have them.
_MOST_CHARACTERS = 10_000  # Number of characters of a text that are read.
_LONGEST_LEMMA = 64
_TITLE_WORD = re.compile(r"\w+|[^\w\s]")
_COMMENT_WORD = re.compile(r"\S+")


def split_text(text: str, length: int, *, marks_apart: bool = True) -> list[str]:
    """Return the first words of a text in lower case (DEV-171).

    Args:
        text: a title or a comment.
        length: largest number of words.
        marks_apart: True where each punctuation mark is a word, as in the released vocabulary of
            titles; else words are separated by blanks alone.
    """
    text = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode().lower()
    pattern = _TITLE_WORD if marks_apart else _COMMENT_WORD
    return [found[0] for found in islice(pattern.finditer(text), length)]


@dataclass(frozen=True)
class VaeVocabulary:
    """Words that occur often enough in titles; ids 0 to 3 are marks.

    Attributes:
        spelling: the words and, where options ask for pieces, pieces that spell other words.
        rare_words: number of different words of the titles that are not in the vocabulary.
    """

    spelling: BpeVocabulary
    rare_words: int

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self.spelling) + _ADDED

    @classmethod
    def learn(cls, titles: Iterable[Sequence[str]], options: VaeOptions) -> VaeVocabulary:
        """Learn the vocabulary of titles given as words; text decides between equal counts."""
        counts = Counter(word for words in titles for word in words)
        often = sum(count >= options.minimum_count for count in counts.values())
        known = min(options.vocabulary_size - _ADDED, often + _MARKS)
        size = known + (options.pieces + _ADDED if options.pieces else 0)
        spelling = BpeVocabulary.learn(counts, size=size, whole_words=known / size)
        return cls(spelling, len(counts) - (known - _MARKS))

    def encode_title(self, words: Sequence[str], options: VaeOptions) -> list[int]:
        """Return the ids of a title, and ``EOS`` behind them."""
        ids: list[int] = []
        for word in words:
            ids += self._spell(word, options.query_length)
        return [*ids[: options.query_length], EOS]

    def encode_comment(self, comment: str, options: VaeOptions) -> list[int]:
        """Return the ids of a comment and ``EOS``; lemmatise an unknown first word (DEV-176)."""
        words = split_text(
            comment, options.query_length, marks_apart=options.comment_words == "like_titles"
        )
        if words and words[0] not in self._known and len(words[0]) <= _LONGEST_LEMMA:
            words[0] = lemmatise(words[0])
        return self.encode_title(words, options)

    @cached_property
    def _known(self) -> frozenset[str]:
        """Whole words of the vocabulary."""
        return frozenset(self.spelling.words[_MARKS:])

    def _spell(self, word: str, length: int) -> list[int]:
        return [
            number if number == UNKNOWN else number + _ADDED
            for number in self.spelling.spell(word, length)
        ]


class QueryVae(nn.Module):
    """A variational autoencoder of texts, with first values that are drawn.

    Args:
        tokens: number of ids of the vocabulary.
        options: sizes of the network, and its encoder.
    """

    def __init__(self, tokens: int, options: VaeOptions) -> None:
        super().__init__()
        size, latent = options.state_size, options.latent_size
        self.reads = options.encoder == "fixed"
        self.start = UNK if options.start == "unknown" else SOS
        self.read_words = nn.Embedding(tokens, size)
        self.ahead, self.back = nn.GRUCell(size, size), nn.GRUCell(size, size)
        self.to_latent = nn.Linear(size, 2 * latent)
        self.written_words = nn.Embedding(tokens, latent)
        self.writer = nn.GRUCell(latent, latent)
        self.project = nn.Sequential(
            nn.Linear(latent, size), nn.Tanh(), nn.Linear(size, latent), nn.Linear(latent, tokens)
        )

    def encode(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log variance of latent vectors, both of shape (n, latent [128]).

        Args:
            ids: ids of texts, padded with ``PAD``; int64, shape (n, l).
            lengths: lengths of the texts without the padding, shape (n,).
        """
        states = self._read_text(ids, lengths) if self.reads else self._read_padding(len(ids))
        mean, log_variance = self.to_latent(states).chunk(2, dim=1)
        return mean, log_variance

    def _read_text(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return the sum of the last states of both directions, shape (n, state [256])."""
        words = self.read_words(ids)
        ahead = back = words.new_zeros(len(ids), words.shape[2])
        longest = int(lengths.max())
        for place in range(longest):
            inside = (place < lengths)[:, None]
            ahead = torch.where(inside, self.ahead(words[:, place], ahead), ahead)
        for place in reversed(range(longest)):
            inside = (place < lengths)[:, None]
            back = torch.where(inside, self.back(words[:, place], back), back)
        states: Tensor = ahead + back
        return states

    def _read_padding(self, count: int) -> Tensor:
        """Return the released encoder's states of a batch, shape (n, state [256]) (DEV-170).

        That encoder reads no text. Its ``nn.GRU`` takes the first axis for time, but is given texts
        along this axis; of the output the last position along the second axis is taken, in which
        every text has padding. So the encoder reads the padding as many times as there are texts,
        and the state of a text depends only on the text's place in the batch.
        """
        padding = self.read_words.weight[PAD][None]
        ahead, back = [torch.zeros_like(padding)], [torch.zeros_like(padding)]
        for _ in range(count):
            ahead.append(self.ahead(padding, ahead[-1]))
            back.append(self.back(padding, back[-1]))
        return torch.cat(ahead[1:]) + torch.cat(back[:0:-1])

    def unroll(self, latent: Tensor, ids: Tensor, forced: Sequence[bool]) -> Tensor:
        """Return the decoder's states before each word is predicted, shape (n, l, latent [128]).

        ``project`` makes logarithms of probabilities of words, up to a constant, from the states.

        Args:
            latent: the first states, shape (n, latent).
            ids: the texts, shape (n, l).
            forced: for each position, True where the next state sees the true word of the position,
                False where the next state sees the word that is most probable by the network;
                length l.
        """
        state, states = latent, []
        words = torch.full_like(ids[:, 0], self.start)
        for place in range(ids.shape[1]):
            state = self.writer(self.written_words(words), state)
            states.append(state)
            if forced[place]:
                words = ids[:, place]
            else:
                with torch.no_grad():
                    words = self.project(state).argmax(dim=1)
        return torch.stack(states, dim=1)


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
    """Train on texts as ids and keep the parameters of the last epoch.

    The released code writes a file for each epoch instead.

    Args:
        texts: ids of each text with ``EOS``, at most ``options.query_length`` + 1.
        vocabulary: vocabulary of the ids.
        options: options of the network and its training.
        seed: seed of all random numbers.
        checkpoint: folder written after every epoch, and read if it belongs to this training.

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
        # As released, one position more than the longest text with its end needs.
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
        """Train one epoch, counted from 1, and return its mean loss."""
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
        """Return the divergence's weight: it rises with batches after ``kl_start`` (DEV-175)."""
        options = self._options
        done = max(0, epoch - 1 - options.kl_start) * self._batches
        done += batch if epoch > options.kl_start else 0
        highest = max(options.kl_weight, options.kl_maximum)
        return min(highest, options.kl_weight + options.kl_step * done)

    def _measure(self, rows: NDArray[np.int64], forced: list[bool], kl_weight: float) -> Tensor:
        """Return the loss: mean cross-entropy of positions and weighted divergence of latents."""
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
    """Return texts as rows with padding behind, shape (n, width), and lengths, shape (n,)."""
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
