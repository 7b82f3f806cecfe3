"""Renames the words of Java files so that the vocabulary of many copies grows as a real one does.

Heaps' law: a corpus of n methods has about factor * n ** exponent distinct words. A copy therefore
keeps common words and draws each of its rare ones anew from an endless list of words whose
frequencies fall as Zipf's law with that exponent has them: the base's rare words first, then
invented ones.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ncsbench.languages.java_terms import RESERVED

FACTOR, EXPONENT = 15.4, 0.65
"""Heaps' law of the default words of real corpora, measured on 2,000 to 635,000 methods
(docs/scale.md)."""
_COMMON = 0.05  # of the pieces: words that as many have are common
_RECOMBINED = 0.22  # of the compound names: what makes names grow as measured, too
_SHORTEST = 3
_MANY = 2.0**60
# Escapes and numbers are passed over: a letter in them is no name.
_TOKEN = re.compile(r"\\(?:u+[0-9a-fA-F]{4}|.)|\d[\w.]*|[A-Za-z_$][\w$]*", re.DOTALL)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aiu"]
_UNCHANGED = RESERVED | {"record", "sealed", "permits", "yield", "var"}


@dataclass(frozen=True)
class WordModel:
    """Which words of a base are common, and how often copies draw the others.

    Attributes:
        common: words that copies keep, the most frequent first.
        rare: the others, the most frequent first; the endless list goes on with invented words.
        spread: rank up to which words of that list are about equally frequent.
        names: tokens that copies keep, since many pieces have them.
        exponent: of Heaps' law.
    """

    common: tuple[str, ...]
    rare: tuple[str, ...]
    spread: float
    names: frozenset[str]
    exponent: float

    @cached_property
    def kept(self) -> frozenset[str]:
        """The common words as a set."""
        return frozenset(self.common)


def make_word_model(
    texts: Iterable[Iterable[str]],
    items: Iterable[tuple[int, set[str]]],
    *,
    factor: float = FACTOR,
    exponent: float = EXPONENT,
) -> WordModel:
    """The model of a base.

    Args:
        texts: of each piece of the base, the texts of its files.
        items: of each piece, how many methods it has and the distinct words of their items.
        factor: of Heaps' law.
        exponent: of Heaps' law, above 0 and below 1.
    """
    words: Counter[str] = Counter()
    names: Counter[str] = Counter()
    pieces = 0
    for files in texts:
        found = {token for text in files for token in find_names(text)}
        names.update(found)
        words.update({part.lower() for name in found for part in _PART.findall(name)})
        pieces += 1
    least = max(2, math.ceil(_COMMON * pieces))
    ordered = sorted(words, key=lambda word: (-words[word], word))
    usable = [word for word in ordered if len(word) >= _SHORTEST and word not in _UNCHANGED]
    common = tuple(word for word in usable if words[word] >= least)
    rare = tuple(usable[len(common) :])
    unknown = set(rare)
    counted = [(methods, len(own & unknown)) for methods, own in items]
    draws = sum(one for _, one in counted) / max(1, sum(methods for methods, _ in counted))
    # Distinct ranks of n draws from (1 + rank / s) ** (-1 / exponent) come to s ** (1 - exponent)
    # * (slope * n) ** exponent * gamma(1 - exponent): solved for s, so that they follow the law.
    slope = 1 / exponent - 1
    reached = (slope * max(draws, 1e-9)) ** exponent * math.gamma(1 - exponent)
    return WordModel(
        common=common,
        rare=rare,
        spread=(factor / reached) ** (1 / (1 - exponent)),
        names=frozenset(name for name, count in names.items() if count >= least),
        exponent=exponent,
    )


def find_names(text: str) -> list[str]:
    """Names and words of a text of Java, in code, comments and strings, in order."""
    return [token for token in _TOKEN.findall(text) if token[0] not in "\\0123456789"]


def rename_words(model: WordModel, *, seed: int, copy: int) -> Callable[[str], str]:
    """The function that renames the texts of one copy, each name the same way everywhere.

    What a name becomes depends on the model, the seed, the number of the copy and the name alone.
    """
    key = f"{seed} {copy}".encode()
    known: dict[str, str] = {}

    def draw(kind: str, name: str) -> float:
        """A number above 0 and up to 1."""
        digest = hashlib.blake2b(f"{kind} {name}".encode(), digest_size=8, key=key[:64]).digest()
        return ((int.from_bytes(digest, "big") >> 4) + 1) / _MANY

    def rename_part(match: re.Match[str]) -> str:
        part = match[0]
        word = part.lower()
        if len(word) < _SHORTEST or word in model.kept or word in _UNCHANGED:
            return part
        return _cased_as(part, _word_of_rank(model, draw("word", word)))

    def rename(match: re.Match[str]) -> str:
        token = match[0]
        if token[0] in "\\0123456789" or token in _UNCHANGED or token in model.names:
            return token
        if token not in known:
            made = _PART.sub(rename_part, token)
            if made == token:
                made = _recombine(model, token, draw)
            known[token] = token if made in _UNCHANGED else made
        return known[token]

    return lambda text: _TOKEN.sub(rename, text)


def _word_of_rank(model: WordModel, chance: float) -> str:
    rank = model.spread * (chance ** (-model.exponent / (1 - model.exponent)) - 1)
    place = int(min(rank, _MANY))
    return model.rare[place] if place < len(model.rare) else invent_word(place - len(model.rare))


def _recombine(model: WordModel, name: str, draw: Callable[[str, str], float]) -> str:
    """A compound of common words, one of which is now and then another one."""
    parts = list(_PART.finditer(name))
    if len(parts) < 2 or not model.common or draw("other", name) > _RECOMBINED:
        return name
    part = parts[int(draw("part", name) * len(parts)) % len(parts)]
    if len(part[0]) < _SHORTEST:
        return name
    place = int(draw("place", name) ** 2 * len(model.common)) % len(model.common)
    return name[: part.start()] + _cased_as(part[0], model.common[place]) + name[part.end() :]


def invent_word(number: int) -> str:
    """The word of a number from 0: syllables, another word for every number, no word of Java."""
    syllables, base = [], len(_SYLLABLES)
    number += base
    while number:
        number, place = divmod(number, base)
        syllables.append(_SYLLABLES[place])
    return "".join(reversed(syllables))


def _cased_as(part: str, word: str) -> str:
    if part.isupper() and len(part) > 1:
        return word.upper()
    return word.capitalize() if part[0].isupper() else word
