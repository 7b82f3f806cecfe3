"""The exceptions a user sees, with a line on fault, place and remedy; and names to suggest."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager


class NcsbenchError(Exception):
    """A mistake the user can mend; the command line prints its message and exits with 1."""


class ConfigurationError(NcsbenchError):
    """A configuration, dataset or model file that cannot be used."""


class DataError(NcsbenchError):
    """An input or artifact that does not have the form its schema asks for."""


@contextmanager
def name_missing() -> Iterator[None]:
    """Name a package that this library imports in the block and a base installation lacks."""
    try:
        yield
    except ModuleNotFoundError as error:
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        ours = str(frame.f_globals.get("__name__")).startswith("ncsbench.")
        if not ours or str(error.name).startswith("ncsbench"):
            raise
        raise ConfigurationError(
            f"this needs the package {error.name!r}, which a base installation lacks: "
            "pip install 'ncsbench[pipeline]', in a checkout '.[pipeline]' (docs/environments.md)"
        ) from error


_FEW = 8


def nearest(name: str, known: list[str], *, page: str = "") -> str:
    """Suggest ``did you mean 'x'?`` for the nearest name in any letter case, else list known names.

    Args:
        name: the wrong name.
        known: all names.
        page: page of the documentation that has all names, where they are too many for a line.
    """
    folded = {one.casefold(): one for one in reversed(known)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.5)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    if not known:
        return "there is nothing to choose from"
    shown = sorted(known)[: _FEW if page else None]
    more = len(known) - len(shown)
    return f"known: {', '.join(shown)}" + (f" and {more} more, see {page}" if more else "")
