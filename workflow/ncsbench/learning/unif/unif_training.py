"""Training of UNIF on pairs of queries and code (UNIF paper; open points: DEV-61 to DEV-65)."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ncsbench.base.files.training_checkpoints import Epoch, Tensors
from ncsbench.base.networks.epochs import EpochTrainer, train_and_record, write_record
from ncsbench.base.networks.reproducible import choose_device, reproducible
from ncsbench.errors import ConfigurationError
from ncsbench.learning.training.pair_sampling import balance_sets
from ncsbench.learning.training.pair_words import (
    JavaPairs,
    PairWords,
    WordPairs,
    collect_words,
    read_pair_words,
)
from ncsbench.learning.training.query_vectors import keep_trained_words, start_query_words
from ncsbench.learning.training.training_options import TrainingOptions, WeightsSettings
from ncsbench.learning.training.word_vectors import Embedding, load_embedding
from ncsbench.learning.unif.unif_pairs import PairBatches, Split, TooFewPairsError, split_pairs
from ncsbench.learning.unif.unif_tables import TrainedNetwork, UsedRows
from ncsbench.learning.unif.unif_weights import UnifWeights, save_weights

_LOG = logging.getLogger(__name__)
# Streams of random numbers; 0 orders the pairs of a share, 1 draws the attention (unif_tables).
_HELD_OUT, _EPOCH = 2, 3
_FORMAT = "rows"  # Format of checkpoints; checkpoints of whole tables had another.


def make_weights(
    settings: WeightsSettings,
    embedding: Path,
    pairs: Sequence[Path],
    checkpoint: Path,
    record: Path,
    output: Path,
    query_vectors: Path | None = None,
) -> None:
    """Train the weights of UNIF on pairs of queries and Java (``train_weights``).

    Args:
        settings: options of the training, and the seed.
        embedding: folder of the word vectors to start from.
        pairs: files of ``PAIR_SCHEMA``.
        checkpoint: folder to go on from after an interruption; removed at the end.
        record: folder to write with the figures about the training that tables read.
        output: folder of the weights to write.
        query_vectors: folder of the vectors of words that the corpus lacks.
    """
    train_weights(
        JavaPairs(pairs, settings.words, settings.training),
        load_embedding(embedding),
        new_words=None if query_vectors is None else load_embedding(query_vectors),
        settings=settings,
        checkpoint=checkpoint,
        record=record,
        output=output,
    )


def train_weights(
    pairs: WordPairs,
    embedding: Embedding,
    *,
    new_words: Embedding | None = None,
    settings: WeightsSettings,
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train weights, and write those of the epoch with the best held-out MRR.

    Where there are too few pairs to train on, a warning says so and the weights are the vectors as
    they are, without attention; ``about.json`` then counts 0 trained pairs (DEV-66).

    Args:
        pairs: pairs to learn from.
        embedding: word vectors that both tables start from.
        new_words: first vectors of query words that ``embedding`` lacks; for
            ``query_vocabulary: own``.
        settings: options of the training, and the seed.
        checkpoint: folder written after every epoch; removed at the end.
        record: folder of ``write_record`` to write, with the figures that tables read.
        output: folder of ``unif_weights`` to write.

    Raises:
        ConfigurationError: where the loss is no longer finite, or ``new_words`` or a device is
            missing.
        DataError: where a file of pairs is damaged, or ``new_words`` belongs to other pairs.
    """
    options, seed = settings.training, settings.seed
    device = choose_device(options.device, "training", instead="auto")
    asked = embedding
    if options.query_vocabulary == "own":
        if new_words is None:
            raise ConfigurationError(
                "training: 'query_vocabulary: own' needs vectors of the words that the corpus "
                "lacks; give --query-vectors, or take 'shared'"
            )
        asked = start_query_words(
            collect_words(pairs.iterate_queries()), embedding, new_words, seed=seed
        )
    found = read_pair_words(pairs, asked.vocabulary, embedding.vocabulary, options=options)
    about = {
        "options": options.as_record(),
        "words": settings.words.model_dump(mode="json"),
        "seed": seed,
        "corpus_hash": embedding.corpus_hash,
        "device": device.type,
    }
    try:
        split = split_pairs(found, options, seed=seed)
    except TooFewPairsError as error:
        _LOG.warning("%s; the vectors stay as they are", error)
        _write_untrained(output, record, embedding, about, found)
        shutil.rmtree(checkpoint, ignore_errors=True)
        return
    if options.query_vocabulary == "own":
        asked, found = keep_trained_words(asked, found, split.training, embedding)
    about["pairs"] = _count_pairs(found, split, options)
    fingerprint = _fingerprint(about, asked, embedding, found)
    tables, compact = UsedRows.compact(found)
    with reproducible(options.threads, device):
        choose = partial(PairBatches.choose, compact, split, options=options, device=device)
        training = choose(split.training, training=True)
        held_out = choose(split.held_out, training=False)
        start = tables.create_network(asked, embedding, seed=seed)
        trained = TrainedNetwork(start, device, learning_rate=options.learning_rate)
        train_and_record(
            _UnifTrainer(trained, options, seed),
            training,
            held_out,
            about,
            fingerprint=fingerprint,
            name="UNIF",
            checkpoint=checkpoint,
            record=record,
            save=lambda kept: save_weights(tables.spread(asked, embedding, kept, about), output),
        )


def _write_untrained(
    output: Path,
    record: Path,
    embedding: Embedding,
    about: dict[str, Any],
    pairs: PairWords,
) -> None:
    vectors = embedding.vectors
    about["pairs"] = {**_count_read(pairs), "held_out": 0, "trained": 0}
    attention = np.zeros(vectors.shape[1], np.float32)
    words = embedding.vocabulary
    weights = UnifWeights(words, words, vectors, vectors, attention, about)
    write_record(record, about, [Epoch(0)])
    save_weights(weights, output)


class _UnifTrainer(EpochTrainer[PairBatches]):
    """UNIF in training; ``adam`` is within the tables."""

    options: TrainingOptions
    block = "training"

    def __init__(self, trained: TrainedNetwork, options: TrainingOptions, seed: int) -> None:
        self._trained, self.options, self._seed = trained, options, seed

    def train_epoch(self, pairs: PairBatches, epoch: int) -> Iterator[tuple[float, int]]:
        generator = np.random.default_rng([self._seed, _EPOCH, epoch])
        return self._trained.train_epoch(pairs, generator, epochs=epoch - 1)

    def validate(self, pairs: PairBatches) -> tuple[float, float]:
        network = self._trained.network
        loss = pairs.mean_loss(network, np.random.default_rng([self._seed, _HELD_OUT]))
        return loss, pairs.mean_reciprocal_rank(network)

    def measure_start(self, pairs: PairBatches) -> float:
        generator = np.random.default_rng([self._seed, _EPOCH, 1])
        return pairs.mean_loss(self._trained.network, generator)

    def save(self) -> tuple[Tensors, Tensors]:
        return self._trained.save()

    def restore(self, parameters: Tensors, moments: Tensors) -> None:
        self._trained.restore(parameters, moments)


def _count_pairs(pairs: PairWords, split: Split, options: TrainingOptions) -> dict[str, Any]:
    lengths = np.diff(pairs.queries.offsets)
    sets = pairs.sets[split.training]
    balanced = {
        "trained_by_set": np.bincount(sets).tolist(),
        "of_an_epoch_by_set": balance_sets(sets).tolist(),
    }
    return {
        **_count_read(pairs),
        "held_out": len(split.held_out),
        "held_out_queries": len(np.unique(split.query_groups[split.held_out])),
        "dropped_as_shared": split.dropped,
        "held_out_without_known_words": int((lengths[split.held_out] == 0).sum()),
        "trained": len(split.training),
        "trained_queries": len(np.unique(split.query_groups[split.training])),
        **(balanced if options.sampling == "square_root" else {}),
    }


def _count_read(pairs: PairWords) -> dict[str, int]:
    return {
        "read": pairs.read,
        "without_query_words": pairs.without_query_words,
        "without_code_words": pairs.without_code_words,
    }


def _fingerprint(
    about: Mapping[str, Any], asked: Embedding, embedding: Embedding, pairs: PairWords
) -> str:
    digest = hashlib.sha256(
        json.dumps([_FORMAT, about, torch.__version__], sort_keys=True).encode()
    )
    for start in (asked, embedding):
        digest.update("\n".join(start.vocabulary).encode())
        digest.update(start.vectors.tobytes())
    for lists in (pairs.queries, pairs.codes):
        digest.update(lists.offsets.tobytes())
        digest.update(lists.tokens.tobytes())
    return digest.hexdigest()
