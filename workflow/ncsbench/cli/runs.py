"""Commands for runs made elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Dataset

app = typer.Typer(help="Add runs made elsewhere as rows of Table 1.")


@app.callback()
def group() -> None:
    """Runs made elsewhere, as rows of the table."""


@app.command()
def add(
    run: Annotated[Path, typer.Argument(help="A run in the format of TREC, or .parquet.")],
    name: Annotated[str, typer.Option(help="Name of the row.")],
    corpus: Annotated[
        str | None,
        typer.Option(
            help="Hash of the corpus that was searched, or its first 12 digits: corpus_hash in"
            " corpus.json of an export or of results/NAME. Not needed where the tag of every"
            " line ends in it, as in NAME@f0c9c0636b0f."
        ),
    ] = None,
    dataset: Dataset = None,
    trained_on: Annotated[
        str | None, typer.Option(help="What the model learnt from, as the table shall say it.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace that of this name.")] = False,
) -> None:
    """Check a run against a built dataset and make it a model, config/models/NAME.yaml."""
    from ncsbench.experiment.added_runs import add_run
    from ncsbench.text.safe_text import show_line

    added = add_run(
        run,
        name=name,
        corpus_hash=None if corpus is None else corpus.strip().lower(),
        dataset=dataset,
        trained_on=trained_on,
        replace=replace,
    )
    for warning in added.warnings:
        typer.echo(f"ncsbench: warning: {show_line(warning)}", err=True)
    typer.echo(added.told)
    typer.echo(
        f"its table: snakemake --cores all trial --config dataset={dataset or added.dataset} "
        f"trial={name} 'models=[bm25,{name}]'"
    )
