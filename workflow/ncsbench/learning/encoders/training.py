"""Joint training of the encoders of queries and of code (CodeSearchNet paper, section 4).

The code of all other pairs of a batch is the wrong code for a query. Each loss has a similarity of
its own, by which pairs are also ranked in training.

The pairs of a dataset are written as a corpus of functions first. A query is split like
documentation, code like a function. Pairs are held out by their query, in the same way as for UNIF
(DEV-160): the choice depends neither on a seed nor on the order of the pairs.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ncsbench.base.files.storage import iterate_tables, read_json, write_json, write_tables
from ncsbench.base.networks.epochs import (
    Adam,
    EpochTrainer,
    cut_batches,
    hash_inputs,
    list_trained,
    sum_reciprocal_ranks,
    train_and_record,
)
from ncsbench.base.networks.network_files import save_network
from ncsbench.base.networks.reproducible import choose_device, draw_seed, reproducible
from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.errors import DataError
from ncsbench.learning.encoders.encoder import JointNetwork, name_vocabularies
from ncsbench.learning.encoders.encoder_options import (
    EncoderOptions,
    EncoderSettings,
    Loss,
    PairEncoderOptions,
    PairEncoderSettings,
)
from ncsbench.learning.encoders.training_pairs import EncodedPairs, PairFiles
from ncsbench.pairs.training_pairs.held_out_pairs import PairParts
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

_LEAST = 1e-10


def measure_similarity(queries: Tensor, codes: Tensor, loss: Loss) -> Tensor:
    """Return the similarity that a loss compares: inner product, cosine, or minus the distance.

    Args:
        queries: vectors of queries, shape (n, dimension).
        codes: vectors of code, shape (m, dimension).
        loss: name of the loss.

    Returns:
        Similarities of each query (row) with all code; shape (n, m).
    """
    if loss == "cosine":
        unit = [side / (side.norm(dim=1, keepdim=True) + _LEAST) for side in (queries, codes)]
        cosines: Tensor = unit[0] @ unit[1].T
        return cosines
    if loss == "triplet":
        # By squares, which need no array (n, m, dimension); the root has no slope at 0.
        squares = (queries**2).sum(dim=1)[:, None] + (codes**2).sum(dim=1) - 2 * queries @ codes.T
        return -squares.clamp(min=_LEAST).sqrt()
    return queries @ codes.T


def measure_loss(similarities: Tensor, loss: Loss, *, margin: float) -> Tensor:
    """Return the loss of each pair.

    Args:
        similarities: similarities of queries with the code of the same batch, shape (n, n); the
            right code is on the diagonal.
        loss: name of the loss.
        margin: margin of all losses but ``softmax``.

    Returns:
        Losses, shape (n,).
    """
    if loss == "softmax":
        right = torch.arange(len(similarities), device=similarities.device)
        return functional.cross_entropy(similarities, right, reduction="none")
    own = torch.eye(len(similarities), dtype=torch.bool, device=similarities.device)
    if loss == "triplet":
        wrong = (margin + similarities - similarities.diagonal()[:, None]).clamp(min=0)
        wrong = wrong.masked_fill(own, 0)
        return wrong.sum(dim=1) / ((wrong > 0).sum(dim=1) + _LEAST)
    if loss == "max_margin":
        similarities = similarities.log_softmax(dim=1)
        hardest = similarities.masked_fill(own, -torch.inf).amax(dim=1)
    else:
        # A cosine below 0 is as good as 0.
        hardest = similarities.masked_fill(own, -torch.inf).amax(dim=1).clamp(min=0)
    return (margin - similarities.diagonal() + hardest).clamp(min=0)


_LOG = logging.getLogger(__name__)
# Streams of random numbers; 0 chooses pairs (training_pairs).
_START, _VALID, _EPOCH, _DROPOUT = 1, 2, 3, 4


def train_encoder(
    settings: EncoderSettings,
    corpora: Mapping[str, Path],
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train one encoder of queries and one of each language's code, and keep the best epoch.

    Args:
        settings: options of networks and training, and the seed.
        corpora: folder of each language's corpus (``function_corpus``), by name of the language.
        checkpoint: folder to go on from after an interruption; removed at the end.
        record: folder to write with the figures about the training that tables read.
        output: folder of an encoder to write (``encoder.load_encoder``).

    Raises:
        ConfigurationError: where the loss is no longer finite, or a device is missing.
        DataError: where a corpus is missing or damaged.
    """
    options, seed = settings.encoder, settings.seed
    device = choose_device(options.device, "encoder", instead="cpu")
    pair_files = PairFiles(corpora, settings)
    asked, codes = pair_files.learn_vocabularies()
    training, valid = (pair_files.read(part, asked, codes) for part in ("train", "valid"))
    about = _describe(corpora, settings, training, valid, pair_files.languages)
    vocabularies = [[own.words, own.pieces] for own in (asked, *codes.values())]
    lists = [
        own
        for pairs in (training, valid)
        for own in (pairs.queries, pairs.codes, pairs.names, pairs.masked)
    ]
    with reproducible(options.threads, device):
        torch.manual_seed(draw_seed(seed, _START))
        network = JointNetwork(asked, codes, options).to(device)
        train_and_record(
            Trainer(network, options, seed),
            training,
            valid,
            about,
            fingerprint=hash_inputs(about, vocabularies, lists),
            name=f"training on {', '.join(pair_files.languages)}",
            checkpoint=checkpoint,
            record=record,
            save=lambda kept: save_network(output, kept, name_vocabularies(asked, codes), about),
        )


class Trainer(EpochTrainer[EncodedPairs]):
    """A network in training, with its optimiser.

    Args:
        network: the network, on its device; it is changed.
        options: options of the training.
        seed: seed of all random numbers.
    """

    network: JointNetwork
    options: EncoderOptions

    def __init__(self, network: JointNetwork, options: EncoderOptions, seed: int) -> None:
        self.network, self.options, self._seed = network, options, seed
        self.adam = Adam(list_trained(network), learning_rate=options.learning_rate)

    def train_epoch(self, pairs: EncodedPairs, epoch: int) -> Iterator[tuple[float, int]]:
        """Train an epoch, counted from 1; yield loss and number of pairs of each batch."""
        options, weights = self.options, pairs.weigh()
        torch.manual_seed(draw_seed(self._seed, _DROPOUT, epoch))
        generator = np.random.default_rng([self._seed, _EPOCH, epoch])
        order = generator.permutation(len(pairs))
        named = generator.random(len(pairs)) < options.function_name_probability
        self.network.train()
        for rows in cut_batches(order, options.batch_size, drop_last=True):
            loss, _ = self._measure(pairs, rows, weights, named[rows])
            loss.backward()  # type: ignore[no-untyped-call]
            self.adam.step()
            yield float(loss.detach()), len(rows)

    @torch.no_grad()
    def validate(self, pairs: EncodedPairs) -> tuple[float, float]:
        """Return mean loss and MRR of pairs, each ranked among the pairs of its batch."""
        order = np.random.default_rng([self._seed, _VALID]).permutation(len(pairs))
        weights = pairs.weigh()
        self.network.eval()
        losses = ranks = 0.0
        for rows in cut_batches(order, self.options.batch_size, drop_last=False):
            loss, found = self._measure(pairs, rows, weights)
            losses += float(loss) * len(rows)
            ranks += float(found)
        return losses / len(pairs), ranks / len(pairs)

    def _measure(
        self,
        pairs: EncodedPairs,
        rows: NDArray[np.int64],
        weights: NDArray[np.float32],
        named: NDArray[np.bool_] | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weighted mean loss of a batch, and the sum of its reciprocal ranks."""
        options = self.options
        queries, codes = pairs.take(rows, named)
        asked, found = self.network(queries, codes, pairs.languages[rows])
        similarities = measure_similarity(asked, found, options.loss)
        losses = measure_loss(similarities, options.loss, margin=options.margin)
        own = torch.from_numpy(weights[rows]).to(losses.device)
        return (losses * own).sum() / own.sum(), sum_reciprocal_ranks(similarities.detach())


def _describe(
    corpora: Mapping[str, Path],
    settings: EncoderSettings,
    training: EncodedPairs,
    valid: EncodedPairs,
    languages: list[str],
) -> dict[str, Any]:
    hashes = {}
    for name in languages:
        path = corpora[name] / "manifest.json"
        try:
            hashes[name] = str(read_json(path)["corpus_hash"])
        except (KeyError, TypeError) as error:
            raise DataError(f"{path}: names no corpus_hash; build the corpus again") from error
    counts = np.bincount(training.languages, minlength=len(languages)).tolist()
    for name, count in zip(languages, counts, strict=True):
        if count == 0 and len(training):
            _LOG.warning("training: %s has no pair to train on; its encoder stays random", name)
    return {
        "options": settings.encoder.model_dump(mode="json"),
        "seed": settings.seed,
        "corpus_hashes": hashes,
        "pairs": {
            "trained": len(training),
            "trained_by_language": dict(zip(languages, counts, strict=True)),
            "held_out": len(valid),
            "without_tokens": training.empty + valid.empty,
        },
    }


_LANGUAGE = "java"
_TEXTS = ["query", "code"]
_EMPTY = {
    **{pa.string(): "", pa.int32(): 0, pa.int64(): 0},
    **{pa.bool_(): True, pa.list_(pa.string()): []},
}
_BLANK = {field.name: _EMPTY[field.type] for field in FUNCTION_SCHEMA}


def write_pair_corpus(paths: Sequence[Path], folder: Path, options: PairEncoderOptions) -> None:
    """Write pairs as ``functions.parquet`` and ``manifest.json`` of a corpus of functions.

    Its parts are ``train`` and ``valid``; code is stored as tokens only, and no function has a
    name. Where more than half of the queries would be held out, no query is held out.

    Args:
        paths: Parquet files of ``PAIR_SCHEMA``.
        folder: folder of the corpus.
        options: options that say how many pairs are held out.
    """
    parts = PairParts(paths, options)
    written = dict.fromkeys(("train", "valid"), 0)

    def make_functions(table: pa.Table) -> pa.Table:
        rows = []
        for query, code in zip(*(table[name].to_pylist() for name in _TEXTS), strict=True):
            part = parts.find(query, code)
            if part is None:
                continue
            written[part] += 1
            rows.append(
                {
                    **_BLANK,
                    "function_id": sum(written.values()) - 1,
                    "docstring_tokens": tokenize_docstring(query),
                    "code_tokens": tokenize_java(code),
                    "part": part,
                }
            )
        return pa.Table.from_pylist(rows, schema=FUNCTION_SCHEMA)

    tables = (table for path in paths for table in iterate_tables(path, PAIR_SCHEMA, _TEXTS))
    write_tables(folder / "functions.parquet", map(make_functions, tables), FUNCTION_SCHEMA)
    _LOG.info("%d pairs to train on, %d to stop by", written["train"], written["valid"])
    write_json(
        folder / "manifest.json",
        {
            "language": _LANGUAGE,
            "functions": sum(written.values()),
            "pairs": written,
            "corpus_hash": parts.digest,
        },
    )


def train_on_pairs(
    settings: PairEncoderSettings,
    pairs: Sequence[Path],
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train joint encoders of queries and Java on pairs of both.

    Args:
        settings: options of networks, training and pairs, and the seed.
        pairs: files of ``PAIR_SCHEMA``.
        checkpoint: folder to go on from after an interruption; it holds the pairs as a corpus, too,
            and is removed at the end.
        record: folder to write with the figures about the training that tables read.
        output: folder of an encoder to write.
    """
    corpus = checkpoint / _LANGUAGE
    write_pair_corpus(pairs, corpus, settings.encoder)
    train_encoder(
        EncoderSettings(encoder=settings.encoder.without_pairs(), seed=settings.seed),
        {_LANGUAGE: corpus},
        checkpoint,
        record,
        output,
    )
