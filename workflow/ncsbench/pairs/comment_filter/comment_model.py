"""The language model of queries: its training on titles, and its scores of comments.

A score is the reconstruction loss of a comment: the mean, over its words, of the negative logarithm
of each word's probability after the words before it. A low loss means: like a query.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.base.files.storage import atomic_folder, hash_bytes, read_json, write_json
from ncsbench.base.files.training_checkpoints import Tensors, read_tensors, write_tensors
from ncsbench.base.networks.network_files import restore_parameters
from ncsbench.base.networks.reproducible import reproducible
from ncsbench.base.text.bpe_vocabulary import BpeVocabulary
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.filter_options import VaeOptions
from ncsbench.pairs.comment_filter.query_vae import (
    EOS,
    UNK,
    QueryVae,
    VaeVocabulary,
    pad_texts,
    split_text,
    train_network,
)

_LOG = logging.getLogger(__name__)
_FEWEST_TITLES = 20
_CHUNK = 32_768  # Number of comments that are in memory as ids at a time.
_ROWS = 64
"""Rows of every product of matrices. The number is fixed, so that the result of a row has the same
bits whatever the other rows are."""
_VOCABULARY = "vocabulary_sha256"  # Key in the weights' metadata.
_WEIGHTS = "weights_sha256"  # Key in about.json.
Ids = tuple[int, ...]


class CommentModel:
    """A trained language model of queries.

    Attributes:
        about: options, seed, titles and losses of the training.
        options: options of the training, which also control scoring.
    """

    def __init__(
        self, vocabulary: VaeVocabulary, tensors: Tensors, about: Mapping[str, Any]
    ) -> None:
        self._vocabulary, self._tensors, self.about = vocabulary, tensors, about
        self.options = VaeOptions.parse(about["options"], where="about.json", within="options")
        self._seed = int(about["seed"])
        with torch.random.fork_rng():  # first values are drawn, and replaced below
            self._network = QueryVae(len(vocabulary), self.options)
        restore_parameters(self._network, tensors)
        self._network.eval()

    def score(self, comments: Sequence[str]) -> NDArray[np.float64]:
        """Return the reconstruction loss of each comment, shape (n,); all are finite.

        The loss of a comment has the same bits whatever the other comments and their order are.
        """
        losses = np.empty(len(comments))
        encode = self._vocabulary.encode_comment
        for start in range(0, len(comments), _CHUNK):
            chunk = comments[start : start + _CHUNK]
            texts = [tuple(encode(comment, self.options)) for comment in chunk]
            # Equal texts have equal losses. Texts of equal length go together.
            ordered = sorted(set(texts), key=lambda ids: (len(ids), ids))
            with reproducible(1, torch.device("cpu")), torch.inference_mode():
                found = dict(zip(ordered, self._score(ordered), strict=True))
            losses[start : start + len(chunk)] = [found[ids] for ids in texts]
        return losses

    def save(self, folder: str | Path) -> None:
        """Write ``weights.safetensors``, ``vocabulary.json`` and ``about.json``."""
        spelling, rare = self._vocabulary.spelling, self._vocabulary.rare_words
        words = {"words": spelling.words, "pieces": spelling.pieces, "rare_words": rare}
        with atomic_folder(Path(folder)) as temporary:
            path, named = temporary / "weights.safetensors", {_VOCABULARY: _hash(words)}
            write_tensors(path, dict(self._tensors), named)
            write_json(temporary / "vocabulary.json", words)
            # Damaged weights would still load; their hash shows the damage.
            digest = hash_bytes(path.read_bytes())
            write_json(temporary / "about.json", {**self.about, _WEIGHTS: digest})

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read what ``save`` wrote; ``DataError`` where its files do not belong together."""
        place = Path(folder)
        about, words = read_json(place / "about.json"), read_json(place / "vocabulary.json")
        tensors, named = read_tensors(place / "weights.safetensors")
        try:
            weights = (place / "weights.safetensors").read_bytes()
            if about.pop(_WEIGHTS) != hash_bytes(weights):
                raise ValueError("weights.safetensors has other bytes than were written")
            if named[_VOCABULARY] != _hash(words):
                raise ValueError("weights.safetensors is of another vocabulary")
            spelling = BpeVocabulary(list(words["words"]), list(words["pieces"]))
            vocabulary = VaeVocabulary(spelling, int(words["rare_words"]))
            if not all(np.isfinite(array).all() for array in tensors.values()):
                raise ValueError("weights.safetensors has numbers that are not finite")
            return cls(vocabulary, tensors, about)
        except (AttributeError, KeyError, TypeError, ValueError, ConfigurationError) as error:
            raise DataError(
                f"{folder}: its files do not fit each other ({error}); train the model again"
            ) from error

    def _score(self, texts: Sequence[Ids]) -> list[float]:
        """Return the losses of texts that ascend by length."""
        found: list[float] = []
        # Always _ROWS texts go through the network: texts without words fill up the last block.
        for start in range(0, len(texts), _ROWS):
            block = texts[start : start + _ROWS]
            found += self._score_block([*block, *([(EOS,)] * (_ROWS - len(block)))])[: len(block)]
        return found

    def _score_block(self, texts: Sequence[Ids]) -> list[float]:
        padded, sizes = pad_texts(texts, max(len(ids) for ids in texts))
        ids, lengths = torch.from_numpy(padded), torch.from_numpy(sizes)
        counted = np.arange(padded.shape[1]) < sizes[:, None]
        charged = self.options.unknown_words == "charged"
        if not charged:
            counted &= padded != UNK
        states = self._network.unroll(
            self._draw_latent(texts, ids, lengths), ids, [True] * len(padded[0])
        )
        costs = self._measure(states[torch.from_numpy(counted)], padded[counted])
        if charged:
            # An unknown word may be any of the rare words; all are equally probable.
            costs += math.log(max(1, self._vocabulary.rare_words)) * (padded[counted] == UNK)
        rows = np.nonzero(counted)[0]
        sums = np.bincount(rows, costs, len(texts)) / np.bincount(rows, minlength=len(texts))
        return [float(loss) for loss in sums]

    def _draw_latent(
        self, texts: Sequence[Ids], ids: torch.Tensor, lengths: torch.Tensor
    ) -> torch.Tensor:
        """Return the latent vectors that texts are scored with, shape (n, latent)."""
        if self.options.encoder == "as_released":
            # The released code scores texts one by one: each text is the first of its own batch.
            one = self._network.encode(ids[:1], lengths[:1])
            mean, log_variance = (part.expand(len(texts), -1) for part in one)
        else:
            mean, log_variance = self._network.encode(ids, lengths)
        if self.options.z == "mean":
            return mean
        # The text's own words seed its noise, so that its neighbours and its place in the batch do
        # not change its loss (DEV-174).
        noise = [
            np.random.default_rng([self._seed, *own]).standard_normal(mean.shape[1], np.float32)
            for own in texts
        ]
        return mean + torch.from_numpy(np.stack(noise)) * torch.exp(log_variance / 2)

    def _measure(self, states: torch.Tensor, words: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the negative natural logarithm of each word's probability, shape (n,)."""
        costs = np.empty(len(words))
        for start in range(0, len(words), _ROWS):
            part = torch.zeros(_ROWS, states.shape[1])
            own = states[start : start + _ROWS]
            part[: len(own)] = own
            chances = torch.log_softmax(self._network.project(part), dim=1)[: len(own)]
            said = torch.from_numpy(words[start : start + _ROWS])[:, None]
            costs[start : start + _ROWS] = -chances.gather(1, said)[:, 0].numpy()
        return costs


def _hash(words: Any) -> str:
    return hash_bytes(json.dumps(words, sort_keys=True).encode())


def train_comment_model(
    titles: Sequence[str],
    options: VaeOptions,
    *,
    seed: int,
    checkpoint: str | Path | None = None,
) -> CommentModel:
    """Train a language model of queries.

    Args:
        titles: the queries (``query_titles``); their order changes the model.
        options: options of the network, its training and its scores.
        seed: seed of all random numbers, also of sampled scores.
        checkpoint: folder written after every epoch; the caller removes it when the model is saved.

    Raises:
        ConfigurationError: where the loss is no longer finite.
        DataError: where titles are too few.
    """
    split = [split_text(title, options.query_length) for title in titles]
    used = [words for words in split if words]
    if len(used) < _FEWEST_TITLES:
        raise DataError(
            f"model: {len(used)} titles have a word, and training needs {_FEWEST_TITLES}; give more"
        )
    vocabulary = VaeVocabulary.learn(used, options)
    texts = [vocabulary.encode_title(words, options) for words in used]
    unknown = sum(ids.count(UNK) for ids in texts)
    words = sum(len(ids) - 1 for ids in texts)
    if unknown == words:
        raise DataError(
            f"model: no word occurs {options.minimum_count} times in the titles; give more titles "
            "or lower 'minimum_count'"
        )
    _LOG.info(
        "%d titles, %d ids, %.1f %% unknown", len(used), len(vocabulary), 100 * unknown / words
    )
    folder = None if checkpoint is None else Path(checkpoint)
    progress = train_network(texts, vocabulary, options, seed=seed, checkpoint=folder)
    about = {
        "options": options.model_dump(mode="json"),
        "seed": seed,
        "titles": {
            "given": len(titles),
            "trained": len(used),
            "sha256": hash_bytes("\n".join(titles).encode("utf-8", "surrogatepass")),
            "words": words,
            "unknown_words": unknown,
        },
        "losses": [epoch.training_loss for epoch in progress.history[1:]],
    }
    return CommentModel(vocabulary, progress.parameters, about)
