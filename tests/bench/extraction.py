"""Extraction of all methods with words, as a multiple of the time tree-sitter needs to parse.

Reads the clones of the NCSED development repositories where they lie in clones/ (see
docs/datasets.md), else the embedded sample. Reading the files from git counts for neither side.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.java.java import parse_java
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.assembly import build_corpus
from ncsbench.corpus.methods.extraction import extract_methods
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.corpus.sources.inventory import iterate_shard, write_inventory
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, RepositoryList, read_repositories
from ncsbench.corpus.sources.source_protocol import (
    ListedFile,
    Listing,
    Source,
    SourceFile,
    make_listing,
)

ROOT = Path(__file__).resolve().parents[2]


class Loaded:
    """A source whose files are in memory."""

    def __init__(self, files: dict[str, list[SourceFile]]) -> None:
        self._files = files

    def list_files(self, repository: Repository) -> Listing:
        """The files of one repository."""
        files = self._files[repository.full_name]
        listed = (ListedFile(one.path, len(one.data or b""), one.reason) for one in files)
        return make_listing(repository.commit, listed)

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """Files by name."""
        known = {one.path: one for one in self._files[repository.full_name]}
        return (known[path] for path in paths)


def _read_files(source: Source, repository: Repository) -> Iterator[SourceFile]:
    listing = source.list_files(repository)
    wanted = [file.path for file in listing.files if not file.reason]
    return source.read_files(repository, listing.commit, wanted)


def load() -> tuple[list[Repository], dict[str, list[SourceFile]]]:
    """Repositories and their files."""
    if (ROOT / "clones").is_dir() and (ROOT.parent / "shared").is_dir():
        listed = read_repositories(ROOT.parent / "shared/data/ncsed/repos-dev.csv").repositories
        source = open_source("git", str(ROOT / "clones/{owner}/{repo}"))
    else:
        listed = read_repositories(ROOT / "resources/sample/repositories.csv").repositories
        source = open_source("directory", str(ROOT / "resources/sample/repositories"))
    return listed, {one.full_name: list(_read_files(source, one)) for one in listed}


def measure(
    texts: list[bytes], repositories: list[Repository], files: dict[str, list[SourceFile]]
) -> dict[str, float]:
    """Seconds of each step, once."""
    seconds = {}
    started = time.perf_counter()
    for text in texts:
        parse_java(text)
    seconds["parse only"] = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        methods, ledger = folder / "m.parquet", folder / "l.parquet"
        inventory = folder / "i.parquet"
        write_inventory(RepositoryList(repositories, []), Loaded(files), output=inventory)
        started = time.perf_counter()
        parts = iterate_shard(inventory, shard=0, shards=1)
        extract_methods(parts, Loaded(files), methods=methods, ledger=ledger)
        seconds["extract (parse, items, Parquet)"] = time.perf_counter() - started
        corpus = CorpusFolder(folder / "corpus")
        started = time.perf_counter()
        build_corpus(extracted=[methods], ledgers=[ledger], inventory=inventory, corpus=corpus)
        seconds["number and write the corpus"] = time.perf_counter() - started
        started = time.perf_counter()
        build_documents(corpus, WordOptions())
        seconds["words"] = time.perf_counter() - started
    return seconds


def main() -> None:
    """Print the best of three rounds of each step, and its ratio to parsing."""
    repositories, files = load()
    texts = [
        decode_source(file.data)[0].encode()
        for part in files.values()
        for file in part
        if file.data
    ]
    rounds = [measure(texts, repositories, files) for _ in range(3)]
    best = {step: min(seconds[step] for seconds in rounds) for step in rounds[0]}
    best["extract and words"] = best["extract (parse, items, Parquet)"] + best["words"]
    print(f"{len(texts)} files, {sum(map(len, texts)) / 1e6:.1f} MB")  # noqa: T201
    for step, seconds in best.items():
        print(f"{step:34} {seconds:7.2f} s  {seconds / best['parse only']:5.2f} x")  # noqa: T201


if __name__ == "__main__":
    main()
