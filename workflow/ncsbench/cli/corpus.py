"""Commands that turn repositories into a corpus and its words."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Corpus, Output, Questions, Settings

app = typer.Typer(help="Repositories, methods, words.")


Released = Annotated[
    list[Path], typer.Option(help="File of a released list of methods; may be repeated.")
]
ArchiveDataset = Annotated[str, typer.Option(help="The name or file of a dataset.")]
Changes = Annotated[
    list[str],
    typer.Option(help="KEY=VALUE of the configuration, as for snakemake; may be repeated."),
]
Inventory = Annotated[Path, typer.Option(help="What the sources hold, of corpus inventory.")]


@app.command()
def inventory(
    settings: Settings,
    output: Output,
    memory: Annotated[Path, typer.Option(help="Folder of what is remembered of commits.")],
    threads: Annotated[int, typer.Option(help="Repositories at a time.", min=1)] = 1,
) -> None:
    """List what every repository holds: its commit, Java files and licence files."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.sources.inventory import write_inventory
    from ncsbench.sources.open_sources import open_source
    from ncsbench.sources.remembered_commits import CommitMemory, read_resolved
    from ncsbench.sources.repositories import read_repositories
    from ncsbench.sources.source_options import ListSettings

    options = read_settings(settings, ListSettings)
    listed = read_repositories(Path(options.repositories))
    source = open_source(options.source.kind, options.source.path, read_resolved(memory))
    if options.source.kind == "archive":
        threads = 1  # a store is read shard by shard
    is_git = options.source.kind == "git"  # a store says itself what a branch stands for
    remembered = CommitMemory(memory, listed.repositories) if is_git else None
    write_inventory(listed, source, output=output, threads=threads, memory=remembered)


@app.command()
def extract(
    settings: Settings,
    inventory: Inventory,
    shard: Annotated[int, typer.Option(help="Which part of the files, from 0.", min=0)],
    output: Output,
    ledger: Annotated[Path, typer.Option(help="Ledger of this part.")],
    spans: Annotated[
        Path | None, typer.Option(help="Methods of a released list, of corpus spans.")
    ] = None,
) -> None:
    """Extract the methods of one shard of the listed files."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.corpus_settings import CorpusSettings
    from ncsbench.corpus.extraction import extract_methods
    from ncsbench.corpus.released_spans import ReleasedSpans
    from ncsbench.sources.inventory import iterate_shard
    from ncsbench.sources.open_sources import open_source

    options = read_settings(settings, CorpusSettings)
    extract_methods(
        iterate_shard(inventory, shard=shard, shards=options.shards),
        open_source(options.source.kind, options.source.path),
        methods=output,
        ledger=ledger,
        options=options,
        spans=None if spans is None else ReleasedSpans(spans),
    )


@app.command()
def build(
    settings: Settings,
    inventory: Inventory,
    extracted: Annotated[Path, typer.Option(help="Folder of the extracted shards.")],
    output: Output,
    released: Annotated[
        Path | None, typer.Option(help="Counts of a released list, of corpus spans.")
    ] = None,
) -> None:
    """Number the methods of all shards and write the corpus."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.assembly import build_corpus
    from ncsbench.corpus.corpus_settings import CorpusSettings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.ledger import warn_of_lost

    options = read_settings(settings, CorpusSettings)
    corpus = CorpusFolder(output)
    names = [f"{shard:04}" for shard in range(options.shards)]
    build_corpus(
        extracted=[extracted / f"{name}.parquet" for name in names],
        ledgers=[extracted / f"{name}.ledger.parquet" for name in names],
        inventory=inventory,
        corpus=corpus,
        duplicates=options.duplicates,
        source_path=options.source.path,
        released=released,
    )
    warn_of_lost(inventory, corpus.ledger_path)


@app.command()
def fetch(
    settings: Annotated[
        Path | None, typer.Option(help="Settings of the stage, as JSON; the workflow writes it.")
    ] = None,
    dataset: Annotated[str, typer.Option(help="In its place: a dataset, by name or file.")] = "",
    config: Changes = [],  # noqa: B006  (typer wants a list)
    retry: Annotated[
        Literal["missing"] | None, typer.Option(help="Ask again for what was missing.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="State of the source, which is written anew.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="What the store holds, as JSON.")
    ] = None,
) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment."""
    from ncsbench.archives.fetch_settings import FetchSettings
    from ncsbench.archives.fetching import fetch_archives
    from ncsbench.archives.sealed_store import describe_store
    from ncsbench.archives.status import summarise_store
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.text.safe_text import show_line

    if settings is not None:
        options = read_settings(settings, FetchSettings)
    else:
        from ncsbench.experiment.archive_settings import load_fetch_settings

        # By hand: what it writes is recorded as a run records it.
        os.environ.setdefault("NCSBENCH_CHECKSUMS", "data/checksums")
        options = load_fetch_settings(dataset, config)
    fetch_archives(options, retry_missing=retry is not None)
    typer.echo(f"ncsbench: {show_line(summarise_store(options))}")
    if output is not None:
        describe_store(options.store, state=state, output=output)


@app.command()
def status(
    dataset: ArchiveDataset,
    names: Annotated[bool, typer.Option("--list", help="Name what is missing.")] = False,
    config: Changes = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Say what is fetched, what is missing and why; also while a run goes on."""
    from ncsbench.archives.status import describe_status
    from ncsbench.experiment.archive_settings import load_fetch_settings

    settings = load_fetch_settings(dataset, config, get_list=False)
    for line in describe_status(settings, names=names):
        typer.echo(line)


@app.command()
def plan(
    dataset: ArchiveDataset,
    config: Changes = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Say what a corpus of archives takes before anything starts: requests, bytes, hours, disk."""
    from ncsbench.experiment.archive_plan import plan_corpus

    for line in plan_corpus(dataset, config):
        typer.echo(line)


@app.command()
def licences(
    settings: Settings,
    inventory: Inventory,
    output: Output,
) -> None:
    """Find the licence of every repository by the files of its root folder, as SPDX ids."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.licences import write_licences
    from ncsbench.sources.open_sources import open_source
    from ncsbench.sources.source_options import ListSettings

    options = read_settings(settings, ListSettings)
    write_licences(inventory, open_source(options.source.kind, options.source.path), output)


@app.command()
def words(settings: Settings, corpus: Corpus, output: Output) -> None:
    """Split the items of every method into words, as the word options say."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.documents import save_documents
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.word_extraction import build_documents
    from ncsbench.corpus.word_options import WordOptions

    options = read_settings(settings, WordOptions)
    save_documents(build_documents(CorpusFolder(corpus), options), output)


@app.command()
def generate(
    base: Annotated[str, typer.Option(help="Name or file of the dataset whose files are renamed.")],
    methods: Annotated[int, typer.Option(help="At least so many methods.", min=1)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of the store of archives to write.")
    ],
    repositories: Annotated[Path, typer.Option(help="CSV to write: the list of repositories.")],
    seed: Annotated[int, typer.Option(help="What names become depends on it.", min=0)] = 2019,
) -> None:
    """Make repositories of any number of methods by renaming real files, for measurements."""
    from ncsbench.corpus.generated_repositories import read_base, write_store
    from ncsbench.experiment.dataset_file import find_dataset_file, load_dataset
    from ncsbench.sources.open_sources import open_source
    from ncsbench.sources.repositories import read_repositories

    dataset = load_dataset(find_dataset_file(base, Path()))
    made_of = read_base(
        read_repositories(Path(dataset.repositories)).repositories,
        open_source(dataset.source.kind, dataset.source.path),
        seed=seed,
    )
    write_store(made_of, methods=methods, store=output, listed=repositories)


@app.command()
def duplicates(
    corpus: Corpus,
    dataset: Annotated[str, typer.Option(help="Name of the dataset, for the table.")],
    firsts: Annotated[
        Path, typer.Option(help="Table to write: which method each one is a duplicate of.")
    ],
    output: Output,
) -> None:
    """Copied files, forks, vendored libraries and duplicate methods of a corpus."""
    from ncsbench.corpus.duplicate_counts import write_duplicates
    from ncsbench.corpus.layout import CorpusFolder

    write_duplicates(CorpusFolder(corpus), dataset=dataset, firsts=firsts, output=output)


@app.command()
def spans(
    settings: Settings,
    output: Output,
    counts: Annotated[Path, typer.Option(help="JSON file: methods, and lines that are none.")],
) -> None:
    """Sort a released list of methods, so that a corpus can be made of its methods."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.corpus_settings import ReleasedSettings
    from ncsbench.corpus.released_spans import write_spans

    write_spans(read_settings(settings, ReleasedSettings).released, output=output, counts=counts)


@app.command()
def release(
    settings: Settings,
    corpus: Corpus,
    questions: Questions,
    matches: Annotated[Path, typer.Option(help="Best matches of the corpus.")],
    score_sheet: Annotated[Path, typer.Option(help="First ranks of the models.")],
    output: Output,
) -> None:
    """Write a dataset as the published one is released: methods, questions, links, score sheet."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.match_settings import MatchSettings
    from ncsbench.tables.release import write_release

    write_release(
        output,
        corpus=CorpusFolder(corpus),
        questions=questions,
        matches=matches,
        judge=read_settings(settings, MatchSettings).limits[0][0],
        score_sheet=score_sheet,
    )


@app.command()
def compare(
    corpus: Corpus,
    released: Released,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file of the counts of every repository."),
    ] = None,
) -> None:
    """Say how a corpus differs from a released list of methods: by path and lines, with reasons."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.released_comparison import (
        COMPARISON_COLUMNS,
        compare_with_released,
        format_comparison,
    )
    from ncsbench.corpus.released_methods import read_released_methods
    from ncsbench.text.safe_text import show_visibly

    built = CorpusFolder(corpus)
    built.check_built()
    listed = read_released_methods(released)
    rows = list(compare_with_released(built, listed.methods))
    if output is not None:
        write_rows(output, COMPARISON_COLUMNS, rows)
    for line in format_comparison(rows, listed.rejected):
        typer.echo(show_visibly(line))
