"""Settings of the training and the search of a system of Tables 3 and 4."""

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
    """Choice of the items of Java code that become words."""
    embedding: EmbeddingOptions
    """The word vectors to start from."""
    training: TrainingOptions
    """Options of the training; its sets of pairs belong to NCSED and are not read here."""
    seed: int
    """Seed of every random draw."""


class BorrowedFrom(StrictModel):
    """A system that a dataset of the workflow trained (``pipeline.runs.library_models``)."""

    dataset: str
    """Name of the dataset."""
    model: str
    """The row of the dataset's tables that the model has."""
    learnt: LearntModel
    """The model, and the places of the files that it learnt."""
    files: list[list[str]]
    """Names and checksums of the files that the model learnt."""


class SystemSettings(StrictModel):
    """Settings of the stage ``csn_rank``."""

    system: str
    """Name of the system in the tables."""
    ranker: RankerSpecification
    """The ranker that searches."""
    words: WordOptions = WordOptions()
    """Choice of the items of Java code that become words."""
    seed: int
    """Seed of the ranker, which only rankers with random draws read."""
    languages: tuple[str, ...]
    """Languages in the order of the tables."""
    depth: int = Field(100, ge=1, le=300)
    """Functions in each ranking of the challenge; the released code returns 100 and scores 300."""
    pools: tuple[int, ...] = (1000,)
    """Sizes of the pools in which pairs are ranked; the published size is 1000."""
    pool_count: int = Field(0, ge=0)
    """Largest number of pools of each size and language; 0 for all pools."""
    trained_with: dict[str, Any] = Field(default_factory=dict)
    """Settings of the training of the system, which are recorded with its results."""

    @property
    def trainer(self) -> str:
        """The network that is trained on the functions: ``encoder``, ``unif`` or empty."""
        names = {"encoder": "encoder", "training": "unif"}
        return next((name for key, name in names.items() if key in self.trained_with), "")

    @property
    def borrowed(self) -> BorrowedFrom | None:
        """The dataset and model that the system is borrowed from; None if trained on functions."""
        given = self.trained_with.get("borrowed")
        return None if given is None else BorrowedFrom.parse(given, where=self.system)
