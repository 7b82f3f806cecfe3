"""Commands that add data: corpora, posts, training pairs, distractors."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Output

corpora = typer.Typer(help="Fetch and compare corpora.")


Released = Annotated[
    list[Path], typer.Option(help="File of a released list of methods; may be repeated.")
]
ArchiveDataset = Annotated[str, typer.Option(help="The name or file of a dataset.")]
Changes = Annotated[
    list[str],
    typer.Option(help="KEY=VALUE of the configuration, as for snakemake; may be repeated."),
]


@corpora.command()
def fetch(
    dataset: ArchiveDataset = "",
    config: Changes = [],  # noqa: B006  (typer wants a list)
    retry: Annotated[
        Literal["missing"] | None, typer.Option(help="Ask again for what was missing.")
    ] = None,
) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment."""
    from ncsbench.base.text.safe_text import show_line
    from ncsbench.corpus.archives.fetching import fetch_archives, summarise_store
    from ncsbench.pipeline.runs.archive_settings import load_fetch_settings

    # Checksums of the fetched files are recorded as in a run.
    os.environ.setdefault("NCSBENCH_CHECKSUMS", "data/checksums")
    settings = load_fetch_settings(dataset, config)
    fetch_archives(settings, retry_missing=retry is not None)
    typer.echo(f"ncsbench: {show_line(summarise_store(settings))}")


@corpora.command()
def status(
    dataset: ArchiveDataset,
    names: Annotated[
        bool, typer.Option("--list", help="Name all that is missing or left out.")
    ] = False,
    config: Changes = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Say what is fetched, what is missing and why; also while a run goes on."""
    from ncsbench.corpus.archives.fetching import describe_status
    from ncsbench.pipeline.runs.archive_settings import load_fetch_settings

    settings = load_fetch_settings(dataset, config, get_list=False)
    for line in describe_status(settings, names=names):
        typer.echo(line)


@corpora.command()
def plan(
    dataset: ArchiveDataset,
    config: Changes = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Say what a corpus of archives will take: requests, bytes, hours and disk space."""
    from ncsbench.pipeline.runs.archive_plan import plan_corpus

    for line in plan_corpus(dataset, config):
        typer.echo(line)


@corpora.command()
def compare(
    corpus: Annotated[Path, typer.Option(help="Folder of a built corpus.")],
    released: Released,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file of the counts of every repository."),
    ] = None,
) -> None:
    """Say how a corpus differs from a released list of methods: by path and lines, with reasons."""
    from ncsbench.base.files.csv_tables import write_rows
    from ncsbench.base.text.safe_text import show_visibly
    from ncsbench.corpus.checks.released_comparison import (
        COMPARISON_COLUMNS,
        compare_with_released,
        format_comparison,
    )
    from ncsbench.corpus.layout.layout import CorpusFolder
    from ncsbench.corpus.methods.released_methods import read_released_methods

    built = CorpusFolder(corpus)
    built.check_built()
    listed = read_released_methods(released)
    rows = compare_with_released(built, listed.methods)
    if output is not None:
        write_rows(output, COMPARISON_COLUMNS, rows.astype(str).to_dict("records"))
    for line in format_comparison(rows, listed.rejected):
        typer.echo(show_visibly(line))


@corpora.command()
def convert(
    layout: Annotated[str, typer.Argument(help="coir, ir_datasets, trec, cosqa or functions.")],
    source: Annotated[Path, typer.Argument(help="Folder of the collection.")],
    output: Output,
    split: Annotated[str, typer.Option(help="Part of the queries.")] = "test",
) -> None:
    """Write a collection of another layout as a folder in BEIR's, which a dataset file can name."""
    from ncsbench.corpus.sources.collection_layouts import convert_collection

    written = convert_collection(layout, source, split, output)
    typer.echo(f"{output}: {', '.join(f'{count:,} {name}' for name, count in written.items())}")


posts = typer.Typer(help="Read a dump of Stack Exchange.")


@posts.command()
def read(
    dump: Annotated[Path, typer.Argument(help="Posts.xml, plain, as gzip or in a 7z archive.")],
    tags: Annotated[list[str], typer.Option(help="Tag of the wanted questions; repeat for more.")],
    output: Output,
    maximum_broken: Annotated[
        float, typer.Option(help="Greatest share of errors in rows.", min=0, max=1)
    ] = 0.001,
    users: Annotated[
        Path | None, typer.Option(help="Users.xml of the dump, for the names of authors.")
    ] = None,
) -> None:
    """Read a whole dump in one go."""
    from ncsbench.posts.dump.dump_options import PostSettings
    from ncsbench.posts.dump.merged_dumps import read_dump

    given = {"path": dump, "tags": tags, "maximum_broken": maximum_broken, "users": users}
    read_dump(PostSettings.parse(given, where="posts"), output)


Questions = Annotated[Path, typer.Option(help="Questions as Parquet.")]
ScoreSheet = Annotated[
    Path | None,
    typer.Option(help="Published score sheet; its questions are left out by id as well."),
]
training_pairs = typer.Typer(help="Look for leaks in training pairs.")


@training_pairs.command()
def check(
    pairs: Annotated[list[Path], typer.Argument(help="Files of training pairs.")],
    questions: Questions,
    score_sheet: ScoreSheet = None,
) -> None:
    """Look for evaluation questions in training pairs; print a line for each leak, then exit 1."""
    from ncsbench.pairs.training_pairs.pair_files import check_pairs, describe_leak, open_finder

    finder = open_finder(questions, score_sheet)
    leaking = False
    for path in pairs:
        for key, leak in check_pairs(path, finder):
            leaking = True
            typer.echo(f"{path}: {describe_leak(key, leak)}")
    if leaking:
        raise typer.Exit(1)
