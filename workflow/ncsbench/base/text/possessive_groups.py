"""Regular expressions with possessive groups that match alike in every Python.

They are in one module, which can be removed with the last Python that needs it.
"""

from __future__ import annotations

import re
import sys

# Before 3.11.5 and 3.12 a possessive group whose body can backtrack matches wrongly
# (https://github.com/python/cpython/issues/106052). Debian 12 has 3.11.2.
_BROKEN = sys.version_info < (3, 11, 5)
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)(\)[*+?])\+")


def compile_possessive(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern that matches as it should, also in a Python with the fault above.

    In such a Python its possessive groups become greedy, at the price of memory and time on long or
    hostile text. So nothing behind such a group may match because the group gives characters back.
    Possessive repetitions of one character or class are right everywhere, and stay.
    """
    return re.compile(make_greedy(pattern) if _BROKEN else pattern, flags)


def make_greedy(pattern: str) -> str:
    """Return the pattern with greedy groups for possessive ones; no group ends in a backslash."""
    return _POSSESSIVE_GROUP.sub(r"\1", pattern)
