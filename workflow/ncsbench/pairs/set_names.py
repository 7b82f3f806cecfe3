"""Names of sets of training pairs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

PairSetName = Annotated[str, Field(pattern="^[A-Za-z0-9_-]+$")]
"""Name of a file in config/pairs, without its ending."""
