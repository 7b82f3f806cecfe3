"""How many queries of training pairs are held out (DEV-160)."""

from __future__ import annotations

from typing import Protocol, TypeVar


class HeldOutOptions(Protocol):
    """How many distinct queries are held out."""

    @property
    def held_out(self) -> float:
        """Share of them."""

    @property
    def minimum_held_out(self) -> int:
        """So many at least."""

    @property
    def maximum_held_out(self) -> int:
        """So many at most."""


_Options = TypeVar("_Options", bound=HeldOutOptions)


def check_held_out(options: _Options) -> _Options:
    """A validator of options; ``ValueError`` where the most is less than the least."""
    if options.maximum_held_out < options.minimum_held_out:
        raise ValueError(
            f"'maximum_held_out' must be at least {options.minimum_held_out} (minimum_held_out), "
            f"not {options.maximum_held_out}"
        )
    return options
