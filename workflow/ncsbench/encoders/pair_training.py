"""Joint encoders trained on the pairs of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.encoders.encoder_options import EncoderSettings
from ncsbench.encoders.pair_corpus import LANGUAGE, write_pair_corpus
from ncsbench.encoders.pair_encoder_options import PairEncoderSettings
from ncsbench.encoders.training import train_encoder
from ncsbench.networks.recorded_training import TrainingFiles


def train_on_pairs(
    settings: PairEncoderSettings,
    pairs: Sequence[Path],
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train joint encoders of queries and Java on pairs of both.

    Args:
        settings: what to train.
        pairs: files of ``PAIR_SCHEMA``.
        checkpoint: folder to go on from after an interruption; it holds the pairs as a corpus, too,
            and is removed at the end.
        record: folder to write of what tables read about the training.
        output: folder of an encoder to write.
    """
    corpus = checkpoint / LANGUAGE
    write_pair_corpus(pairs, corpus, settings.encoder)
    train_encoder(
        {LANGUAGE: corpus},
        settings=EncoderSettings(encoder=settings.encoder.without_pairs(), seed=settings.seed),
        files=TrainingFiles(checkpoint, record),
        output=output,
    )
