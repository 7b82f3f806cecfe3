"""Options of the training of UNIF; the block ``training`` of a model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ncsbench.errors import ConfigurationError
from ncsbench.models.options import require_at_least


@dataclass(frozen=True)
class TrainingOptions:
    """What the UNIF paper leaves open (DEV-63 to DEV-65, docs/unif.md).

    Attributes:
        pairs: names of the sets of pairs; only recorded.
        loss: ``hinge``, or ``softmax`` over the other code of the batch.
        margin: of the hinge.
        negatives: wrong queries drawn for every pair and epoch; of the hinge.
        scale: cosines are multiplied by it before the softmax (1 / temperature).
        directions: whether the softmax ranks code for a query, or queries for code as well.
        batch_size: pairs of one step.
        learning_rate: of Adam.
        epochs: passes over the pairs at most.
        patience: epochs without a better held-out MRR before training ends; 0 for never.
        held_out: share of the distinct queries that is held out.
        minimum_held_out: so many distinct queries are held out at least.
        maximum_held_out: and so many at most.
        share: first share of the distinct training queries in a seeded order, with all their
            pairs; smaller shares lie in larger.
        maximum_query_words: longer queries are cut for training; 0 for never.
        maximum_code_words: the same for code.
        threads: only one thread gives the same bytes on any number of cores.
        device: ``auto`` takes a GPU where there is one.
    """

    pairs: tuple[str, ...] = ()
    loss: Literal["hinge", "softmax"] = "hinge"
    margin: float = 0.05
    negatives: int = 1
    scale: float = 20.0
    directions: Literal["one", "both"] = "both"
    batch_size: int = 32
    learning_rate: float = 0.001
    epochs: int = 20
    patience: int = 5
    held_out: float = 0.1
    minimum_held_out: int = 20
    maximum_held_out: int = 1000
    share: float = 1.0
    maximum_query_words: int = 0
    maximum_code_words: int = 0
    threads: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        not_negative = ("margin", "patience", "maximum_query_words", "maximum_code_words")
        require_at_least(0, **{name: getattr(self, name) for name in not_negative})
        counts = ("negatives", "epochs", "minimum_held_out", "threads")
        require_at_least(1, **{name: getattr(self, name) for name in counts})
        require_at_least(2, batch_size=self.batch_size)
        require_at_least(self.minimum_held_out, maximum_held_out=self.maximum_held_out)
        for name in ("learning_rate", "scale"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ConfigurationError(f"option {name!r} must be above 0")
        if not 0 < self.held_out <= 0.5:
            raise ConfigurationError("option 'held_out' must be above 0 and at most 0.5")
        if self.margin == float("inf"):
            raise ConfigurationError("option 'margin' must be a finite number")
        if not 0 < self.share <= 1:
            raise ConfigurationError("option 'share' must be above 0 and at most 1")
