"""Full names of methods in what is asked: ``Keyboard.hide``, ``Keyboard#hide`` and the like."""

from __future__ import annotations

import re
from itertools import pairwise

_CHAIN = re.compile(r"\w+(?:(?:\.|#|::)\w+)+")


def find_full_names(text: str) -> list[str]:
    """Each full name of a text once, as ``join_name`` gives it."""
    pairs = (pair for chain in _CHAIN.findall(text) for pair in pairwise(re.findall(r"\w+", chain)))
    return list(dict.fromkeys(join_name(first, second) for first, second in pairs))


def join_name(class_name: str, method_name: str) -> str:
    """Class and method as one token; no analyzer gives one with a dot in it."""
    return f"{class_name}.{method_name}".lower()
