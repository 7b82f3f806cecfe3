"""A corpus of any size for measurements: repositories of real Java files under other names.

The vocabulary of many copies must grow as a real one does. Heaps' law: a corpus of n methods has
about factor * n ** exponent distinct words. A copy therefore keeps common words and draws each of
its rare ones anew from an endless list of words whose frequencies fall as Zipf's law with that
exponent has them: the base's rare words first, then invented ones.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.storage import write_text
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java.java_terms import RESERVED
from ncsbench.corpus.layout.corpus_settings import MethodOptions
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.corpus.sources.source_protocol import ListedFile, Source, SourceError, make_listing
from ncsbench.corpus.sources.zip_archives import Archive
from ncsbench.pipeline.files.dataset_file import find_dataset_file, load_dataset

METHODS_PER_REPOSITORY = 192
"""What the published list has on average: 4,716,814 methods of 24,549 repositories."""
FACTOR, EXPONENT = 15.4, 0.65
"""Heaps' law of the default words of real corpora, measured on 2,000 to 635,000 methods
(docs/scale.md)."""
DEFAULT = MethodOptions()
_COMMON = 0.05  # of the pieces: words that as many have are common
_SHORTEST = 3
_MANY = 2.0**60
# Escapes and numbers are passed over: a letter in them is no name.
_TOKEN = re.compile(r"\\(?:u+[0-9a-fA-F]{4}|.)|\d[\w.]*|[A-Za-z_$][\w$]*", re.DOTALL)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aiu"]
_UNCHANGED = RESERVED | {"record", "sealed", "permits", "yield", "var"}


@dataclass(frozen=True)
class Piece:
    """Files of one repository by path, how many methods they have, and the words of these."""

    files: tuple[tuple[str, str], ...]
    methods: int
    words: frozenset[str]


@dataclass(frozen=True)
class Base:
    """Pieces of real repositories in a seeded order; which words are common, and the rare ones.

    Up to the rank ``spread`` the words of the endless list are about equally frequent.
    """

    pieces: tuple[Piece, ...]
    seed: int
    common: frozenset[str]
    rare: tuple[str, ...]
    spread: float

    def list_repositories(self, methods: int) -> list[Repository]:
        """As many repositories as have at least so many methods, in corpus order."""
        listed: list[Repository] = []
        found = 0
        while found < methods:
            number = len(listed)
            found += self.pieces[number % len(self.pieces)].methods
            commit = _digest(self.seed, "commit", number)
            listed.append(Repository("generated", f"r{number:07}", commit))
        return listed

    def make_files(self, number: int) -> list[tuple[str, bytes]]:
        """Path and bytes of the files of one repository; the first are the pieces themselves."""
        copy, place = divmod(number, len(self.pieces))
        rename = self.rename_words(number) if copy else str
        return [(path, rename(text).encode("utf-8")) for path, text in self.pieces[place].files]

    def rename_words(self, copy: int) -> Callable[[str], str]:
        """The function that renames the texts of one copy, each word the same way everywhere."""
        key = f"{self.seed} {copy}".encode()

        def rename_part(match: re.Match[str]) -> str:
            part = match[0]
            word = part.lower()
            if len(word) < _SHORTEST or word in self.common or word in _UNCHANGED:
                return part
            digest = hashlib.blake2b(word.encode(), digest_size=8, key=key[:64]).digest()
            chance = ((int.from_bytes(digest, "big") >> 4) + 1) / _MANY  # above 0 and up to 1
            rank = self.spread * (chance ** (-EXPONENT / (1 - EXPONENT)) - 1)
            place = int(min(rank, _MANY))
            few = len(self.rare)
            new = self.rare[place] if place < few else invent_word(place - few)
            if part.isupper() and len(part) > 1:
                return new.upper()
            return new.capitalize() if part[0].isupper() else new

        def rename(match: re.Match[str]) -> str:
            token = match[0]
            if token[0] in "\\0123456789" or token in _UNCHANGED:
                return token
            made = _PART.sub(rename_part, token)
            return token if made in _UNCHANGED else made

        return lambda text: _TOKEN.sub(rename, text)


def read_dataset(name: str, root: Path, *, seed: int) -> Base:
    """Read the files of the repositories of a dataset, where they are, and cut them into pieces."""
    dataset = load_dataset(find_dataset_file(name, root))
    listed = read_repositories(root / dataset.repositories).repositories
    source = open_source(dataset.source.kind, str(root / dataset.source.path))
    pieces: list[Piece] = []
    for one in listed:
        with suppress(SourceError):
            pieces += _cut(one, source)
    return make_base(pieces, seed=seed)


def _cut(repository: Repository, source: Source) -> Iterator[Piece]:
    taken: list[tuple[str, str]] = []
    words: set[str] = set()
    methods = 0
    listing = source.list_files(repository)
    paths = [file.path for file in listing.files if not file.reason]
    for file in source.read_files(repository, listing.commit, paths):
        text = decode_source(file.data or b"")[0].encode("utf-8", "replace")
        parsed = parse_methods(text).methods
        if found := [one for one in parsed if not DEFAULT.leaves_out(one.place)]:
            taken.append((file.path, text.decode()))
            methods += len(found)
            words.update(word for one in found for item in one.texts for word in split_words(item))
        if methods >= METHODS_PER_REPOSITORY:
            yield Piece(tuple(taken), methods, frozenset(words))
            taken, words, methods = [], set(), 0
    if taken:
        yield Piece(tuple(taken), methods, frozenset(words))


def make_base(pieces: Sequence[Piece], *, seed: int) -> Base:
    """Order pieces by a seed, and find out how their words are drawn for copies."""
    counts: Counter[str] = Counter()
    for piece in pieces:
        names = {name for _, text in piece.files for name in _TOKEN.findall(text)}
        parts = (_PART.findall(name) for name in names if name[0] not in "\\0123456789")
        counts.update({part.lower() for found in parts for part in found})
    least = max(2, math.ceil(_COMMON * len(pieces)))
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    usable = [word for word in ordered if len(word) >= _SHORTEST and word not in _UNCHANGED]
    common = [word for word in usable if counts[word] >= least]
    rare = tuple(usable[len(common) :])
    drawn = sum(len(piece.words.intersection(rare)) for piece in pieces)
    draws = drawn / max(1, sum(piece.methods for piece in pieces))
    # Distinct ranks of n draws from (1 + rank / s) ** (-1 / exponent) come to s ** (1 - exponent)
    # * (slope * n) ** exponent * gamma(1 - exponent): solved for s, so that they follow the law.
    slope = 1 / EXPONENT - 1
    reached = (slope * max(draws, 1e-9)) ** EXPONENT * math.gamma(1 - EXPONENT)
    spread = (FACTOR / reached) ** (1 / (1 - EXPONENT))
    places = sorted(range(len(pieces)), key=lambda place: _digest(seed, "piece", place))
    return Base(tuple(pieces[one] for one in places), seed, frozenset(common), rare, spread)


def write_store(base: Base, *, methods: int, store: Path, listed: Path) -> None:
    """Write the store of generated repositories, as if it had been fetched, and their list.

    What is in the store stays: the same call goes on after a kill.
    """
    repositories = base.list_repositories(methods)
    lines = [f"{one.full_name},{one.commit}\n" for one in repositories]
    write_text(listed, "".join(["repo,commit\n", *lines]))
    filled = ArchiveStore(store, repositories)
    for number, repository in enumerate(repositories):
        if not filled.has(repository):
            data = dict(base.make_files(number))
            files = (ListedFile(path, len(one)) for path, one in data.items())
            listing = make_listing(repository.commit, files)
            filled.add(repository, Archive(listing, data.__getitem__), "archive")
    filled.seal()


def invent_word(number: int) -> str:
    """The word of a number from 0: syllables, another word for every number, no word of Java."""
    syllables, base = [], len(_SYLLABLES)
    number += base
    while number:
        number, place = divmod(number, base)
        syllables.append(_SYLLABLES[place])
    return "".join(reversed(syllables))


def _digest(seed: int, kind: str, number: int) -> str:
    return hashlib.sha1(f"{seed} {kind} {number}".encode(), usedforsecurity=False).hexdigest()
