"""Splitting of text and identifiers into the words that all models share.

NCS paper, section 3.1: camelCase and snake_case are split, letters lower-cased, everything that
is neither letter nor digit dropped; no stemming, no stop-word removal. The functions have a module
of their own, since nearly every rule depends on it.
"""

from __future__ import annotations

import re

# XMLParser -> XML Parser; digits stay with the letters before them (md5, base64): DEV-05.
# Letters outside ASCII count as small ones: no identifier is split at them.
_SMALL = r"[^\W\dA-Z_]"
_WORD = re.compile(rf"[A-Z]+(?!{_SMALL})\d*|[A-Z]?{_SMALL}+\d*|\d+")
_TOKEN = re.compile(r"[\w$]+")


def split_words(text: str) -> list[str]:
    """Return lower-case words of a text or identifier, in order, repeated words kept."""
    return [word.lower() for word in _WORD.findall(text)]


def split_tokens(text: str) -> list[str]:
    """Return lower-case tokens of a query; identifiers are not split."""
    return [token.lower() for token in _TOKEN.findall(text)]
