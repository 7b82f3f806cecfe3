"""Joint training of the encoders of queries and of code (CodeSearchNet paper, section 4).

All random numbers depend only on the seed and the epoch, so that an interrupted training ends with
the same bytes as one that was not interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.artifacts.storage import atomic_folder, read_json, write_json, write_text
from ncsbench.artifacts.training_checkpoints import (
    Epoch,
    Progress,
    find_best,
    format_history,
    load_checkpoint,
)
from ncsbench.encoders.encoder import EncoderParts, save_encoder
from ncsbench.encoders.encoder_options import EncoderOptions, EncoderSettings
from ncsbench.encoders.joint_network import JointNetwork
from ncsbench.encoders.losses import measure_loss, measure_similarity
from ncsbench.encoders.training_pairs import EncodedPairs, PairFiles
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.networks.adam import Adam
from ncsbench.networks.epochs import cut_batches, sum_reciprocal_ranks, train_epochs, write_speed
from ncsbench.networks.reproducible import draw_seed, reproducible
from ncsbench.text.bpe_vocabulary import BpeVocabulary

_LOG = logging.getLogger(__name__)
# Streams of random numbers; 0 chooses pairs (training_pairs).
_START, _VALID, _EPOCH, _DROPOUT = 1, 2, 3, 4


def train_encoder(
    corpora: Mapping[str, Path],
    *,
    settings: EncoderSettings,
    checkpoint: Path,
    benchmark: Path,
    record: Path,
    output: Path,
) -> None:
    """Train one encoder of queries and one of each language's code, and keep the best epoch.

    Where there are fewer than two pairs to train on or to stop by, a warning says so and the first
    values stay; ``about.json`` then counts 0 trained pairs (DEV-151).

    Args:
        corpora: folder of each language's corpus (``function_corpus``), by name of the language.
        settings: what to train.
        checkpoint: folder written after every epoch; removed at the end.
        benchmark: TSV of the speed.
        record: folder to write: ``about.json`` and ``history.csv``, what tables read.
        output: folder of ``save_encoder`` to write.

    Raises:
        ConfigurationError: where the loss is no longer finite, or a device is not there.
        DataError: where a corpus is missing or damaged.
    """
    options, seed = settings.encoder, settings.seed
    device = _choose_device(options)
    files = PairFiles(corpora, settings)
    asked, codes = files.learn_vocabularies()
    training, valid = (files.read(part, asked, codes) for part in ("train", "valid"))
    about = _describe(corpora, settings, training, valid, files.languages)
    with reproducible(options.threads, device):
        torch.manual_seed(draw_seed(seed, _START))
        network = JointNetwork(asked, codes, options).to(device)
        trainer = Trainer(network, options, seed)
        if min(len(training), len(valid)) < 2:
            _LOG.warning(
                "training on %s: has %d pairs to train on and %d to stop by, where two of each are "
                "needed; the encoder keeps its random first values",
                *(", ".join(files.languages), len(training), len(valid)),
            )
            about["pairs"]["trained"] = 0
            progress, epochs, seconds = Progress([Epoch(0)], kept=network.save()), 0, 0.0
        else:
            fingerprint = _fingerprint(about, asked, codes, training, valid)
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
    save_encoder(EncoderParts(asked, codes, progress.kept, about), output)
    shutil.rmtree(checkpoint, ignore_errors=True)


class Trainer:
    """A network and what moves it.

    Args:
        network: on its device; it is changed.
        options: how to train.
        seed: of all random numbers.
    """

    def __init__(self, network: JointNetwork, options: EncoderOptions, seed: int) -> None:
        self.network, self.options, self._seed = network, options, seed
        self.adam = Adam(network.trained(), learning_rate=options.learning_rate)

    def train_epoch(self, pairs: EncodedPairs, epoch: int) -> Iterator[tuple[float, int]]:
        """Loss and number of pairs of each batch of an epoch, which is counted from 1."""
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
        """Mean loss and MRR of pairs, each among those of its batch."""
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
        """The weighted mean loss of a batch, and the sum of its reciprocal ranks."""
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


def _fingerprint(
    about: Mapping[str, Any],
    asked: BpeVocabulary,
    codes: Mapping[str, BpeVocabulary],
    *parts: EncodedPairs,
) -> str:
    digest = hashlib.sha256(json.dumps([about, torch.__version__], sort_keys=True).encode())
    for vocabulary in (asked, *codes.values()):
        text = json.dumps([vocabulary.words, vocabulary.pieces])
        digest.update(text.encode())
    for pairs in parts:
        for lists in (pairs.queries, pairs.codes, pairs.names, pairs.masked):
            digest.update(lists.offsets.tobytes())
            digest.update(lists.ids.tobytes())
    return digest.hexdigest()


def _choose_device(options: EncoderOptions) -> torch.device:
    if options.device == "cuda" and not torch.cuda.is_available():
        raise ConfigurationError("encoder: option 'device: cuda' finds no GPU; take 'cpu'")
    return torch.device(options.device)
