"""Commands of the micro-benchmark of the NCS paper."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Settings, Words

app = typer.Typer(help="Methods found again by some of their own words.")

Queries = Annotated[Path, typer.Option(help="Queries of the micro-benchmark as Parquet.")]
Runs = Annotated[Path, typer.Option(help="Folder of the runs, <model>.trec.")]


@app.command()
def queries(settings: Settings, words: Words, output: Output) -> None:
    """Draw methods, and some words of each as queries."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.micro_benchmark.micro_options import QuerySettings
    from ncsbench.micro_benchmark.micro_queries import write_micro_queries

    write_micro_queries(read_settings(settings, QuerySettings), words=words, output=output)


@app.command()
def search(
    settings: Settings,
    retrieval: Annotated[Path, typer.Option(help="How deep to search, as JSON.")],
    words: Words,
    index: Annotated[Path, typer.Option(help="Folder of the model's index.")],
    queries: Queries,
    tag: Annotated[str, typer.Option(help="Name of the run in its file.")],
    output: Output,
) -> None:
    """Rank the methods for every query and write a TREC run file."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.micro_benchmark.micro_queries import read_micro_queries
    from ncsbench.rankers.model_run import write_model_run
    from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings

    write_model_run(
        read_settings(settings, RankerSettings),
        depth=read_settings(retrieval, RetrievalSettings).depth,
        words=words,
        index=index,
        queries=read_micro_queries(queries),
        tag=tag,
        output=output,
    )


@app.command()
def table(
    settings: Settings,
    words: Words,
    queries: Queries,
    runs: Runs,
    published: Annotated[Path, typer.Option(help="Figures of the NCS paper.")],
    output: Output,
) -> None:
    """The paper's Tables 2 to 5, ours beside them."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.micro_benchmark.micro_options import MicroTableSettings
    from ncsbench.micro_benchmark.micro_tables import write_micro_benchmark

    write_micro_benchmark(
        read_settings(settings, MicroTableSettings),
        words=words,
        queries=queries,
        runs=runs,
        published=published,
        output=output,
    )


@app.command()
def choices(settings: Settings, words: Words, queries: Queries, runs: Runs, output: Output) -> None:
    """What models with other options find, and how far that is from the first one."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.micro_benchmark.micro_options import MicroChoiceSettings
    from ncsbench.micro_benchmark.micro_tables import write_micro_choices

    write_micro_choices(
        read_settings(settings, MicroChoiceSettings),
        words=words,
        queries=queries,
        runs=runs,
        output=output,
    )
