"""Reasons for a difference that half of something shows the sign of (DEV-80)."""

from __future__ import annotations

from typing import Literal, get_args

Halving = Literal["fewer_pairs", "other_dimension"]
HALVINGS: tuple[Halving, ...] = get_args(Halving)
"""Reasons whose ablation is the model with half of something."""
