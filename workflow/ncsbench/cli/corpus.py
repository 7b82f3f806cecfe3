"""Commands that turn repositories into a corpus and its words."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Corpus

app = typer.Typer(help="Fetch, make up and compare corpora.")


Released = Annotated[
    list[Path], typer.Option(help="File of a released list of methods; may be repeated.")
]
ArchiveDataset = Annotated[str, typer.Option(help="The name or file of a dataset.")]
Changes = Annotated[
    list[str],
    typer.Option(help="KEY=VALUE of the configuration, as for snakemake; may be repeated."),
]


@app.command()
def fetch(
    dataset: ArchiveDataset = "",
    config: Changes = [],  # noqa: B006  (typer wants a list)
    retry: Annotated[
        Literal["missing"] | None, typer.Option(help="Ask again for what was missing.")
    ] = None,
) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment."""
    from ncsbench.archives.fetching import fetch_archives
    from ncsbench.archives.status import summarise_store
    from ncsbench.experiment.archive_settings import load_fetch_settings
    from ncsbench.text.safe_text import show_line

    # What it writes is recorded as a run records it.
    os.environ.setdefault("NCSBENCH_CHECKSUMS", "data/checksums")
    settings = load_fetch_settings(dataset, config)
    fetch_archives(settings, retry_missing=retry is not None)
    typer.echo(f"ncsbench: {show_line(summarise_store(settings))}")


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
    from ncsbench.sources.listing import open_source
    from ncsbench.sources.repositories import read_repositories

    dataset = load_dataset(find_dataset_file(base, Path()))
    made_of = read_base(
        read_repositories(Path(dataset.repositories)).repositories,
        open_source(dataset.source.kind, dataset.source.path),
        seed=seed,
    )
    write_store(made_of, methods=methods, store=output, listed=repositories)


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
