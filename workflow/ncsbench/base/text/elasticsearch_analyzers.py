"""Tokens as Elasticsearch makes them, and full names of methods in questions.

Tokens of the analyzer ``standard`` are those of Lucene's ``StandardTokenizer``: words by the
word boundaries of Unicode Standard Annex 29 that hold a letter or digit, single Han and Hiragana
characters, runs of South-East Asian letters, and emoji; lower-cased, without stemming or stop
words. Examples that may surprise: ``view.show``, ``it's``, ``a:b``, ``foo_bar`` and ``3.14`` are
one token each, ``a,b`` and ``a.1`` are two, ``___`` gives no token.

The documented camel-case tokenizer (reference, pattern analyzer) cuts text at all that is neither
letter nor digit, between letters and digits, and where a capital begins a word:
``MooseX::FTPClass2_beta`` gives moose, x, ftp, class, 2, beta. Tokens are lower-cased.

People often type a name as one word that the code writes as two: ``vcard`` for ``VCard``. So names
can have additional tokens: each two neighbouring tokens of a word joined, and the whole word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import regex

from ncsbench.base.text.possessive_groups import compile_possessive

MAXIMUM_LENGTH = 255
"""A longer token is cut after this many characters and goes on as the next token."""

# Every character is replaced by its class, one letter; the first line that fits decides. Properties
# are those of the package regex, which knows newer characters than a given Lucene (DEV-73).
_CLASSES = tuple(
    (name, regex.compile(characters))
    for name, characters in (
        ("M", r"[:\p{WB=MidLetter}]"),  # Unicode may drop the colon, Lucene has it
        ("D", r"\p{WB=MidNum}"),
        ("B", r"\p{WB=MidNumLet}"),
        ("Q", r"\p{WB=Single_Quote}"),
        ("W", r"\p{WB=Double_Quote}"),
        ("U", r"\p{WB=ExtendNumLet}"),
        ("H", r"\p{WB=Hebrew_Letter}"),
        ("A", r"\p{WB=ALetter}"),
        ("N", r"\p{WB=Numeric}"),
        ("K", r"\p{WB=Katakana}"),
        ("R", r"\p{WB=Regional_Indicator}"),
        ("c", r"\u20E3"),
        ("f", r"\p{Emoji_Modifier}"),
        ("z", r"\p{WB=ZWJ}"),
        ("s", r"(?=\p{LB=SA})[\p{WB=Extend}\p{WB=Format}]"),
        ("S", r"\p{LB=SA}"),
        ("x", r"[\p{WB=Extend}\p{WB=Format}]"),
        ("I", r"[\p{Script=Han}\p{Script=Hiragana}]"),
        ("p", r"\p{Emoji_Modifier_Base}"),
        ("P", r"\p{Extended_Pictographic}"),
        ("#", r"[#*]"),
        (" ", r"[\s\S]"),
    )
)
# Marks belong to the character before them (rule WB4). All repetitions are possessive, so that
# hostile text stays linear.
_MARKS = "[xzcs]*+"
_RUN = (
    rf"(?:(?:K{_MARKS})++|(?:"
    rf"A++{_MARKS}(?:[MBQ]{_MARKS}(?=[AH]))?+"  # WB5 to WB7
    rf"|N++{_MARKS}(?:[DBQ]{_MARKS}(?=N))?+"  # WB8, WB11 and WB12
    rf"|H{_MARKS}(?:Q{_MARKS}|W{_MARKS}H{_MARKS}|[MB]{_MARKS}(?=[AH]))?+"  # WB7a to WB7c
    r")++)"  # WB9 and WB10
)
_CONNECTORS = rf"(?:U{_MARKS})++"
_EMOJI = rf"(?:p{_MARKS}f|[Ppf]){_MARKS}"
_TOKEN = compile_possessive(
    rf"(?:{_RUN}|{_CONNECTORS}{_RUN}?+)(?:{_CONNECTORS}{_RUN}?+)*+"  # WB13
    rf"|I{_MARKS}|(?:[Ss]{_MARKS})++"
    rf"|{_EMOJI}(?:(?<=z){_EMOJI})*+|#x?+c{_MARKS}|R{_MARKS}R{_MARKS}"
)


class _ClassNames(dict[int, str]):
    """Classes of the characters that have been asked for."""

    def __missing__(self, character: int) -> str:
        text = chr(character)
        name = next(name for name, characters in _CLASSES if characters.match(text))
        self[character] = name
        return name


class _SmallLetters(dict[int, str]):
    """Small letters, one for one as in Java: no final sigma, no dot behind the i of a dotted I."""

    def __missing__(self, character: int) -> str:
        self[character] = chr(character).lower()[0]
        return self[character]


_CLASS_NAMES = _ClassNames()
_SMALL_LETTERS = _SmallLetters()


def analyze_text(text: str) -> list[str]:
    """Return the tokens of a text in order, repeated ones kept.

    Args:
        text: any text; lone surrogates separate tokens.
    """
    small = text.lower() if text.isascii() else text.translate(_SMALL_LETTERS)
    return [small[start:end] for start, end in _find_tokens(text.translate(_CLASS_NAMES))]


def _find_tokens(classes: str) -> Iterator[tuple[int, int]]:
    """Yield starts and ends of the tokens of a text, given the classes of its characters."""
    for match in _TOKEN.finditer(classes):
        start, end = match.span()
        if classes[start] == "U" and not classes[start:end].strip("Uxzcs"):
            continue
        if end - start <= MAXIMUM_LENGTH:
            yield start, end
        else:
            yield from _cut_token(classes, start, end)


def _cut_token(classes: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a long token, each of at most ``MAXIMUM_LENGTH`` characters."""
    while start < end:
        match = _TOKEN.match(classes, start, min(start + MAXIMUM_LENGTH, end))
        if match is None:
            start += 1
            continue
        if classes[start : match.end()].strip("Uxzcs"):
            yield start, match.end()
        start = match.end()


# As in Java's patterns, digits are those of ASCII. The first repetition gives back one capital at
# most, the others give back nothing, so that the time on hostile text stays linear.
_CAMEL_TOKEN = regex.compile(r"\p{Lu}+(?!(?!\p{Lu})\p{L})|\p{Lu}?(?:(?!\p{Lu})\p{L})++|[0-9]++")

_WORD = regex.compile(r"[\p{L}0-9]++")

# The same pattern for text of ASCII alone, as most code is: several times as fast.
_OF_ASCII = compile_possessive(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")


def analyze_camel_case(text: str) -> list[str]:
    """Return camel-case tokens in order, repeated ones kept; those above 255 characters are cut."""
    tokens: list[str] = (_OF_ASCII if text.isascii() else _CAMEL_TOKEN).findall(text)
    if max(map(len, tokens), default=0) <= MAXIMUM_LENGTH:
        return list(map(str.lower, tokens))
    return [
        token[start : start + MAXIMUM_LENGTH].lower()
        for token in tokens
        for start in range(0, len(token), MAXIMUM_LENGTH)
    ]


def analyze_joined(text: str) -> list[str]:
    """Return camel-case tokens; behind those of each word its neighbours joined, and all joined.

    ``VCardParser`` gives v, card, parser, vcard, cardparser, vcardparser.
    """
    return [token for word in _WORD.findall(text) for token in _join(analyze_camel_case(word))]


def _join(parts: list[str]) -> list[str]:
    pairs = [first + second for first, second in pairwise(parts)]
    whole = ["".join(parts)] if len(parts) > 2 else []
    return [*parts, *(token for token in [*pairs, *whole] if len(token) <= MAXIMUM_LENGTH)]


_CHAIN = re.compile(r"\w+(?:(?:\.|#|::)\w+)+")


def find_full_names(text: str) -> list[str]:
    """Find the full names in a text, each once, as ``join_name`` gives them."""
    pairs = (pair for chain in _CHAIN.findall(text) for pair in pairwise(re.findall(r"\w+", chain)))
    return list(dict.fromkeys(join_name(first, second) for first, second in pairs))


def join_name(class_name: str, method_name: str) -> str:
    """Join class and method to one token with a dot between them, in lower case.

    No analyzer gives an equal token.
    """
    return f"{class_name}.{method_name}".lower()
