"""Options of a filter of comments."""

from __future__ import annotations

from ncsbench.configuration.strict_model import StrictModel


class FilterOptions(StrictModel):
    """How a filter of comments is made (docs/cleaning.md)."""

    rules: str = "as_published"
    """Name of a set of rules, ``as_published``, ``as_released`` or ``none``, or path of a file of
    rules."""
