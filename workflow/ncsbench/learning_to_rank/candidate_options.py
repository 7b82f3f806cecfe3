"""Who judges the candidates of a ranker (docs/learning-to-rank.md)."""

from __future__ import annotations

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import Share
from ncsbench.evaluation.evaluation_options import JudgeOptions


class CandidateStudySettings(JudgeOptions):
    """Settings of the stage ``learning-to-rank candidates``."""

    own_judge: Similarity = "charged_overlap"
    """The judge that charges for what an answer lacks, as ``own_judge`` of the configuration."""
    own_threshold: Share = 0.28
    """Its threshold."""
