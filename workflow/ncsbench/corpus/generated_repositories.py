"""A corpus of any size for measurements: repositories of real Java files under other names.

The vocabulary of many copies must grow as a real one does. Heaps' law: a corpus of n methods has
about factor * n ** exponent distinct words. A copy therefore keeps common words and draws each of
its rare ones anew from an endless list of words whose frequencies fall as Zipf's law with that
exponent has them: the base's rare words first, then invented ones.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ncsbench.artifacts.storage import write_text
from ncsbench.corpus.corpus_settings import MethodOptions
from ncsbench.errors import ConfigurationError
from ncsbench.languages.java_methods import parse_methods
from ncsbench.languages.java_terms import RESERVED
from ncsbench.sources.archive_store import ArchiveStore
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_protocol import ListedFile, Source, SourceError, make_listing
from ncsbench.sources.zip_archives import Archive
from ncsbench.text.file_decoding import decode_source
from ncsbench.text.words import split_words

METHODS_PER_REPOSITORY = 192
"""What the published list has on average: 4,716,814 methods of 24,549 repositories."""
_DEFAULT = MethodOptions()
_LOG = logging.getLogger("generate")
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
class Piece:
    """Files of one repository, in the order of their paths.

    Attributes:
        files: path and text of each.
        methods: how many methods they have.
        words: the distinct words of their items.
    """

    files: tuple[tuple[str, str], ...]
    methods: int
    words: frozenset[str]


@dataclass(frozen=True)
class Base:
    """What repositories are generated from: pieces of real ones in a seeded order."""

    pieces: tuple[Piece, ...]
    model: WordModel
    seed: int

    def list_repositories(self, methods: int) -> list[Repository]:
        """As many repositories as have at least so many methods, in corpus order."""
        listed: list[Repository] = []
        found = 0
        while found < methods:
            found += self.pieces[len(listed) % len(self.pieces)].methods
            listed.append(name_repository(self.seed, len(listed)))
        return listed

    def make_files(self, number: int) -> list[tuple[str, bytes]]:
        """Path and bytes of the files of one repository, which depend on base, seed and number.

        The first as many as there are pieces are the pieces themselves; all others have other
        names.
        """
        copy, place = divmod(number, len(self.pieces))
        piece = self.pieces[place]
        rename = rename_words(self.model, seed=self.seed, copy=number) if copy else str
        return [(path, rename(text).encode("utf-8")) for path, text in piece.files]


def read_base(repositories: Sequence[Repository], source: Source, *, seed: int) -> Base:
    """Read the files of repositories and cut them into pieces.

    A repository that cannot be read is passed over with a line in the log, as is a file without
    methods.

    Raises:
        ConfigurationError: where there is no method at all.
    """
    pieces: list[Piece] = []
    for repository in repositories:
        try:
            pieces += _cut(_read_files(repository, source))
        except SourceError as error:
            _LOG.warning("%s: %s", repository.full_name, error)
    if not pieces:
        raise ConfigurationError("the base has no methods: name a source with Java files")
    order = sorted(range(len(pieces)), key=lambda place: _digest(seed, "piece", place))
    shuffled = tuple(pieces[place] for place in order)
    return Base(shuffled, make_word_model(shuffled), seed)


def write_store(base: Base, *, methods: int, store: Path, listed: Path) -> int:
    """Write the store of generated repositories, as if it had been fetched, and their list.

    What is in the store stays: the same call goes on after a kill.

    Args:
        base: what they are made from.
        methods: at least so many methods come out.
        store: folder of the store (``ArchiveStore``).
        listed: CSV with the list of repositories.

    Returns:
        How many repositories there are.
    """
    repositories = base.list_repositories(methods)
    lines = [f"{one.full_name},{one.commit}\n" for one in repositories]
    write_text(listed, "".join(["repo,commit\n", *lines]))
    filled = ArchiveStore(store, repositories)
    added = 0
    for number, repository in enumerate(repositories):
        if not filled.has(repository):
            filled.add(repository, _as_archive(repository, base.make_files(number)), "archive")
            added += 1
    if added:
        filled.seal()
    _LOG.info("%s: %d repositories, %d of them new", store, len(repositories), added)
    return len(repositories)


def name_repository(seed: int, number: int) -> Repository:
    """The name and made-up commit of a generated repository; names ascend with the number."""
    return Repository("generated", f"r{number:07}", _digest(seed, "commit", number))


def _digest(seed: int, kind: str, number: int) -> str:
    return hashlib.sha1(f"{seed} {kind} {number}".encode(), usedforsecurity=False).hexdigest()


def _as_archive(repository: Repository, files: Sequence[tuple[str, bytes]]) -> Archive:
    data = dict(files)
    listing = make_listing(
        repository.commit, (ListedFile(path, len(one)) for path, one in data.items())
    )
    return Archive(listing, data.__getitem__)


def _read_files(repository: Repository, source: Source) -> Iterator[tuple[str, str]]:
    listing = source.list_files(repository)
    paths = [file.path for file in listing.files if not file.reason]
    for file in source.read_files(repository, listing.commit, paths):
        if file.data is not None:
            text, _ = decode_source(file.data)
            yield file.path, text.encode("utf-8", "replace").decode("utf-8")


def _cut(files: Iterator[tuple[str, str]]) -> Iterator[Piece]:
    taken: list[tuple[str, str]] = []
    words: set[str] = set()
    methods = 0
    for path, text in files:
        parsed = parse_methods(text.encode("utf-8")).methods
        found = [method for method in parsed if not _DEFAULT.leaves_out(method.place)]
        if not found:
            continue
        taken.append((path, text))
        methods += len(found)
        for method in found:
            words.update(word for item in method.texts for word in split_words(item))
        if methods >= METHODS_PER_REPOSITORY:
            yield Piece(tuple(taken), methods, frozenset(words))
            taken, words, methods = [], set(), 0
    if taken:
        yield Piece(tuple(taken), methods, frozenset(words))


@dataclass(frozen=True)
class WordModel:
    """Which words of a base are common, and how often copies draw the others.

    Attributes:
        common: words that copies keep, the most frequent first.
        rare: the others, the most frequent first; the endless list goes on with invented words.
        spread: rank up to which words of that list are about equally frequent.
        names: tokens that copies keep, since many pieces have them.
    """

    common: tuple[str, ...]
    rare: tuple[str, ...]
    spread: float
    names: frozenset[str]

    @cached_property
    def kept(self) -> frozenset[str]:
        """The common words as a set."""
        return frozenset(self.common)


def make_word_model(pieces: Sequence[Piece]) -> WordModel:
    """The model of the pieces of a base."""
    words: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for piece in pieces:
        found = {token for _, text in piece.files for token in find_names(text)}
        names.update(found)
        words.update({part.lower() for name in found for part in _PART.findall(name)})
    least = max(2, math.ceil(_COMMON * len(pieces)))
    ordered = sorted(words, key=lambda word: (-words[word], word))
    usable = [word for word in ordered if len(word) >= _SHORTEST and word not in _UNCHANGED]
    common = tuple(word for word in usable if words[word] >= least)
    rare = tuple(usable[len(common) :])
    drawn = sum(len(piece.words.intersection(rare)) for piece in pieces)
    draws = drawn / max(1, sum(piece.methods for piece in pieces))
    # Distinct ranks of n draws from (1 + rank / s) ** (-1 / exponent) come to s ** (1 - exponent)
    # * (slope * n) ** exponent * gamma(1 - exponent): solved for s, so that they follow the law.
    slope = 1 / EXPONENT - 1
    reached = (slope * max(draws, 1e-9)) ** EXPONENT * math.gamma(1 - EXPONENT)
    return WordModel(
        common=common,
        rare=rare,
        spread=(FACTOR / reached) ** (1 / (1 - EXPONENT)),
        names=frozenset(name for name, count in names.items() if count >= least),
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
    rank = model.spread * (chance ** (-EXPONENT / (1 - EXPONENT)) - 1)
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
