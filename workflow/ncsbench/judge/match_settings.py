"""Which methods count as matches of an answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import Share, StrictModel


class MatchSettings(StrictModel):
    """Settings of the stages ``match`` and ``merge_matches``."""

    limits: tuple[tuple[Similarity, Share], ...]
    """Similarities, each with the threshold that must be exceeded."""
    count: Annotated[int, Field(ge=1)]
    """How many methods of each question and judge are wanted."""
