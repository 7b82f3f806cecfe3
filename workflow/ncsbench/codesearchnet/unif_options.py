"""What UNIF on the functions of a language is made with."""

from __future__ import annotations

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.training.embedding_options import EmbeddingOptions
from ncsbench.training.training_options import TrainingOptions


class UnifSettings(StrictModel):
    """Settings of the stages ``csn_embed`` and ``csn_weights``."""

    words: WordOptions
    """Which items of Java become words."""
    embedding: EmbeddingOptions
    """The word vectors to start from."""
    training: TrainingOptions
    """How to train; its sets of pairs are those of NCSED, not read here."""
    seed: int
    """Of everything that draws."""
