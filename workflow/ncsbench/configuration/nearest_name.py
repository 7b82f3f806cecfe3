"""What a wrong name may have been meant for."""

from __future__ import annotations

import difflib

_FEW = 8


def nearest(name: str, known: list[str], *, page: str = "") -> str:
    """``did you mean 'x'?`` for the nearest name in any letter case, else what is known.

    Args:
        name: that is wrong.
        known: all names.
        page: of the documentation that has all names, where these are too many for a line.
    """
    folded = {one.casefold(): one for one in reversed(known)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.5)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    if not known:
        return "there are none"
    shown = sorted(known)[: _FEW if page else None]
    more = len(known) - len(shown)
    return f"known: {', '.join(shown)}" + (f" and {more} more, see {page}" if more else "")
