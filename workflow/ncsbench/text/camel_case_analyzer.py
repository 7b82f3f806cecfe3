"""The tokens of Elasticsearch's documented camel-case tokenizer (reference, pattern analyzer).

Text is cut at all that is neither letter nor digit, between letters and digits, and where a
capital begins a word: ``MooseX::FTPClass2_beta`` gives moose, x, ftp, class, 2, beta. Tokens are
lower-cased.
"""

from __future__ import annotations

import re

import regex

from ncsbench.text.standard_analyzer import MAXIMUM_LENGTH

# As in Java's patterns, digits are those of ASCII. The first repetition gives back a single capital
# and the others nothing, so that hostile text stays linear.
_TOKEN = regex.compile(r"\p{Lu}+(?!(?!\p{Lu})\p{L})|\p{Lu}?(?:(?!\p{Lu})\p{L})++|[0-9]++")

# The same for text of ASCII alone, which most code is: several times as fast.
_OF_ASCII = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")


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
