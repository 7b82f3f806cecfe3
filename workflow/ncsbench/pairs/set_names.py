"""Names of sets of training pairs, and of the parts of threads that a set may lack."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

PairSetName = Annotated[str, Field(pattern="^[A-Za-z0-9_-]+$")]
"""Name of a file in config/pairs, without its ending."""

ThreadPart = Literal["training", "selection", "test"]
"""One part that training pairs may hold, one to choose by, and one that is looked at once."""
