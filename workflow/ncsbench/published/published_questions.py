"""Which questions are published ones, with ranks in the published score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet


def are_published(questions: Sequence[Mapping[str, Any]], score_sheet: Path) -> bool:
    """Whether any of the questions, as ``read_entries`` gives them, is in the score sheet."""
    keys = [(question["stackoverflow_id"], question["occurrence"]) for question in questions]
    return bool((join_score_sheet(read_score_sheet(score_sheet), keys) >= 0).any())
