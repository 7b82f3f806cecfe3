"""A corpus from repositories, built without Snakemake."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ncsbench.corpus.layout.corpus_settings import Duplicates, MethodOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.assembly import build_corpus
from ncsbench.corpus.methods.extraction import extract_methods
from ncsbench.corpus.methods.released_methods import ReleasedSpans
from ncsbench.corpus.sources.inventory import iterate_shard, write_inventory
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_protocol import Source, SourceFile

DEFAULT = MethodOptions()


def build_from(
    folder: Path,
    repositories: Sequence[Repository],
    source: Source,
    *,
    shards: int = 1,
    rejected: Sequence[tuple[str, str]] = (),
    options: MethodOptions = DEFAULT,
    duplicates: Duplicates = "kept",
    source_path: str = "",
    spans: ReleasedSpans | None = None,
    released: Path | None = None,
) -> CorpusFolder:
    """The corpus in ``folder/corpus``; its shards stay as ``<number>.parquet`` in ``folder``."""
    listed = RepositoryList(sorted(repositories, key=lambda one: one.full_name), list(rejected))
    inventory = folder / "inventory.parquet"
    write_inventory(listed, source, output=inventory)
    methods = [folder / f"{shard}.parquet" for shard in range(shards)]
    ledgers = [folder / f"{shard}.ledger.parquet" for shard in range(shards)]
    for shard in range(shards):
        extract_methods(
            iterate_shard(inventory, shard=shard, shards=shards),
            source,
            methods=methods[shard],
            ledger=ledgers[shard],
            options=options,
            spans=spans,
        )
    corpus = CorpusFolder(folder / "corpus")
    build_corpus(
        extracted=methods,
        ledgers=ledgers,
        inventory=inventory,
        corpus=corpus,
        duplicates=duplicates,
        source_path=source_path,
        released=released,
    )
    inventory.rename(corpus.inventory_path)
    return corpus


def read_repository(source: Source, repository: Repository) -> Iterator[SourceFile]:
    """All ``.java`` files of a repository by ascending path, also those that are left out.

    Raises:
        SourceError: where there is no repository.
    """
    listing = source.list_files(repository)
    wanted = [file.path for file in listing.files if not file.reason]
    found = source.read_files(repository, listing.commit, wanted)
    for file in listing.files:
        yield SourceFile(file.path, None, file.reason) if file.reason else next(found)
