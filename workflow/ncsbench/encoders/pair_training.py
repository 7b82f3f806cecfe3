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
    pairs: Sequence[Path],
    *,
    settings: PairEncoderSettings,
    files: TrainingFiles,
    output: Path,
) -> None:
    """``training.train_encoder`` on files of ``PAIR_SCHEMA``.

    The pairs as a corpus lie in the folder of the checkpoint, which goes at the end.
    """
    corpus = files.checkpoint / LANGUAGE
    write_pair_corpus(pairs, corpus, settings.encoder)
    train_encoder(
        {LANGUAGE: corpus},
        settings=EncoderSettings(encoder=settings.encoder.without_pairs(), seed=settings.seed),
        files=files,
        output=output,
    )
