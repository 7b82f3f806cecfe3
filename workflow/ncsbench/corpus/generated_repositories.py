"""A corpus of any size for measurements: repositories of real Java files under other names."""

from __future__ import annotations

import hashlib
import logging
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.storage import write_text
from ncsbench.corpus.corpus_settings import MethodOptions
from ncsbench.corpus.file_texts import decode_source
from ncsbench.corpus.renamed_words import WordModel, make_word_model, rename_words
from ncsbench.errors import ConfigurationError
from ncsbench.languages.java_methods import parse_methods
from ncsbench.sources.archive_members import Archive
from ncsbench.sources.archive_store import ArchiveStore
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_protocol import ListedFile, Source, SourceError, make_listing
from ncsbench.text.words import split_words

METHODS_PER_REPOSITORY = 192
"""What the published list has on average: 4,716,814 methods of 24,549 repositories."""
_DEFAULT = MethodOptions()
_LOG = logging.getLogger("generate")


@dataclass(frozen=True)
class Piece:
    """Files of one repository, in the order of their paths.

    Attributes:
        files: path and packed text of each.
        methods: how many methods they have.
        words: the distinct words of their items.
    """

    files: tuple[tuple[str, bytes], ...]
    methods: int
    words: frozenset[str]

    def texts(self) -> Iterator[str]:
        """The text of each file."""
        for _, packed in self.files:
            yield zlib.decompress(packed).decode("utf-8")


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
        texts = zip(piece.files, piece.texts(), strict=True)
        return [(path, rename(text).encode("utf-8")) for (path, _), text in texts]


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
    model = make_word_model(
        (piece.texts() for piece in shuffled),
        ((piece.methods, set(piece.words)) for piece in shuffled),
    )
    return Base(shuffled, model, seed)


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
    return Archive(listing, data.__getitem__, lambda: None)


def _read_files(repository: Repository, source: Source) -> Iterator[tuple[str, str]]:
    listing = source.list_files(repository)
    paths = [file.path for file in listing.files if not file.reason]
    for file in source.read_files(repository, listing.commit, paths):
        if file.data is not None:
            text, _ = decode_source(file.data)
            yield file.path, text.encode("utf-8", "replace").decode("utf-8")


def _cut(files: Iterator[tuple[str, str]]) -> Iterator[Piece]:
    taken: list[tuple[str, bytes]] = []
    words: set[str] = set()
    methods = 0
    for path, text in files:
        parsed = parse_methods(text.encode("utf-8")).methods
        found = [method for method in parsed if not _DEFAULT.leaves_out(method.place)]
        if not found:
            continue
        taken.append((path, zlib.compress(text.encode("utf-8"), 1)))
        methods += len(found)
        for method in found:
            words.update(word for item in method.texts for word in split_words(item))
        if methods >= METHODS_PER_REPOSITORY:
            yield Piece(tuple(taken), methods, frozenset(words))
            taken, words, methods = [], set(), 0
    if taken:
        yield Piece(tuple(taken), methods, frozenset(words))
