"""What is known of trained trees: the file ``about.json`` beside them."""

from __future__ import annotations

from pydantic import Field

from ncsbench.configuration.strict_model import Share, StrictModel
from ncsbench.learning_to_rank.tree_options import TreeSettings


class FeatureRecord(StrictModel):
    """A feature of the list that trees were trained with."""

    name: str
    """Its name; the records are in the order of the columns."""
    group: str
    """Its group."""
    seen: bool
    """Whether the trees saw it; not where it is left out."""
    splits: int = Field(ge=0)
    """How many splits of the trees ask for it."""
    gain: float = Field(ge=0)
    """What these splits gained in all, as LightGBM counts."""


class JudgeRecord(StrictModel):
    """The candidates of the threads of a part under one judge."""

    right: int = Field(ge=0)
    """Candidates that it accepts."""
    threads: int = Field(ge=0)
    """Threads with such a candidate; no order answers others."""
    mrr: Share
    """MRR over all threads, with the candidates in the order of the trees."""
    compared_mrr: Share
    """MRR with the candidates in the order of the feature ``compared``."""


class PartRecord(StrictModel):
    """The threads of a part that have candidates."""

    threads: int = Field(ge=0)
    """How many there are."""
    candidates: int = Field(ge=0)
    """Their candidates."""
    default: JudgeRecord
    """Under the lenient judge."""
    strict: JudgeRecord
    """Under the strict judge."""


class TrainingRecord(StrictModel):
    """What the trees were trained on: threads of both folds."""

    threads: int = Field(ge=0)
    """Threads with a right candidate."""
    threads_without_right: int = Field(ge=0)
    """Threads with candidates of which none is right; left out."""
    candidates: int = Field(ge=0)
    """Candidates that were kept: right ones, and wrong ones that were drawn."""
    right: int = Field(ge=0)
    """Candidates with a gain above 0."""


class AboutTrees(StrictModel):
    """The content of ``about.json``."""

    lightgbm: str
    """Version of LightGBM that trained them."""
    sha256: str
    """SHA-256 of ``trees.txt``."""
    corpus: str
    """Hash of the corpus that the candidates are of."""
    settings: TreeSettings
    """Settings of the training."""
    features: tuple[FeatureRecord, ...] = Field(min_length=1)
    """The list of features, in order."""
    training: TrainingRecord
    """What they were trained on."""
    parts: dict[str, PartRecord]
    """Figures of each part whose features were given."""
