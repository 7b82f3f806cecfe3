"""The tokens of Elasticsearch's documented camel-case tokenizer (reference, pattern analyzer).

Text is cut at all that is neither letter nor digit, between letters and digits, and where a
capital begins a word: ``MooseX::FTPClass2_beta`` gives moose, x, ftp, class, 2, beta. Tokens are
lower-cased.

A name is often typed as one word where it is written as two: ``vcard`` for ``VCard``. So names can
have tokens more: each two neighbouring tokens of a word as one, and the whole word.
"""

from __future__ import annotations

from itertools import pairwise

import regex

from ncsbench.text.possessive_groups import compile_possessive
from ncsbench.text.standard_analyzer import MAXIMUM_LENGTH

# As in Java's patterns, digits are those of ASCII. The first repetition gives back a single capital
# and the others nothing, so that hostile text stays linear.
_TOKEN = regex.compile(r"\p{Lu}+(?!(?!\p{Lu})\p{L})|\p{Lu}?(?:(?!\p{Lu})\p{L})++|[0-9]++")

_WORD = regex.compile(r"[\p{L}0-9]++")

# The same for text of ASCII alone, which most code is: several times as fast.
_OF_ASCII = compile_possessive(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")


def analyze_camel_case(text: str) -> list[str]:
    """Tokens of a text in order, repeated ones kept; one of more than 255 characters is cut."""
    tokens: list[str] = (_OF_ASCII if text.isascii() else _TOKEN).findall(text)
    if max(map(len, tokens), default=0) <= MAXIMUM_LENGTH:
        return list(map(str.lower, tokens))
    return [
        token[start : start + MAXIMUM_LENGTH].lower()
        for token in tokens
        for start in range(0, len(token), MAXIMUM_LENGTH)
    ]


def analyze_joined(text: str) -> list[str]:
    """The same tokens, and after those of each word neighbouring ones joined, and all of them.

    ``VCardParser`` gives v, card, parser, vcard, cardparser, vcardparser.
    """
    return [token for word in _WORD.findall(text) for token in _join(analyze_camel_case(word))]


def _join(parts: list[str]) -> list[str]:
    pairs = [first + second for first, second in pairwise(parts)]
    whole = ["".join(parts)] if len(parts) > 2 else []
    return [*parts, *(token for token in [*pairs, *whole] if len(token) <= MAXIMUM_LENGTH)]
