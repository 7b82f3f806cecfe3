"""What a system of Tables 3 and 4 is trained with, and searches with."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.training_options import TrainingOptions
from ncsbench.rankers.learnt_kinds import LearntModel
from ncsbench.rankers.ranker_options import RankerSpecification


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


class BorrowedFrom(StrictModel):
    """A system that a dataset of the workflow trained (``pipeline.runs.library_models``)."""

    dataset: str
    """The dataset."""
    model: str
    """Its row."""
    learnt: LearntModel
    """The model, and where what it learnt lies."""
    files: list[list[str]]
    """Names and checksums of these files."""


class SystemSettings(StrictModel):
    """Settings of the stage ``csn_rank``."""

    system: str
    """Its name in the tables."""
    ranker: RankerSpecification
    """The ranker that searches."""
    words: WordOptions = WordOptions()
    """Which items of Java become words."""
    seed: int
    """Only rankers that draw read it."""
    languages: tuple[str, ...]
    """Languages in the order of the tables."""
    depth: int = Field(100, ge=1, le=300)
    """Functions of each ranking of the challenge; the released code returns 100, 300 count."""
    pools: tuple[int, ...] = (1000,)
    """Sizes of the pools in which pairs are ranked; the published one is 1000."""
    pool_count: int = Field(0, ge=0)
    """Pools of each size and language at most; 0 for all."""
    trained_with: dict[str, Any] = Field(default_factory=dict)
    """Settings of its training, which are told with its results."""

    @property
    def trainer(self) -> str:
        """The network that is trained for it on the functions: ``encoder``, ``unif`` or nothing."""
        names = {"encoder": "encoder", "training": "unif"}
        return next((name for key, name in names.items() if key in self.trained_with), "")

    @property
    def borrowed(self) -> BorrowedFrom | None:
        """Where it was trained, if not on the functions."""
        given = self.trained_with.get("borrowed")
        return None if given is None else BorrowedFrom.parse(given, where=self.system)
