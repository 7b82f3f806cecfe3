"""The exceptions a user sees, with a line on fault, place and remedy; and names to suggest."""

from __future__ import annotations

import difflib


class NcsbenchError(Exception):
    """A mistake the user can mend; the command line prints its message and exits with 1."""


class ConfigurationError(NcsbenchError):
    """A configuration, dataset or model file that cannot be used."""


class DataError(NcsbenchError):
    """An input or artifact that does not have the form its schema asks for."""


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
