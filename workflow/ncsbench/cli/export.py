"""Commands that write a dataset for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Dataset, Trial

app = typer.Typer(help="A dataset that was run, for other tools.")

Folder = Annotated[Path, typer.Argument(help="Folder to write, new or empty.")]


@app.command()
def beir(folder: Folder, dataset: Dataset = None) -> None:
    """Corpus, queries and qrels as BEIR has them; the qrels are complete over the corpus."""
    from ncsbench.exports.beir import export_beir
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.judge.compiled_code import compile_once

    opened = open_dataset(dataset)
    compile_once()
    _say(folder, export_beir(opened, folder))


@app.command()
def trec(folder: Folder, dataset: Dataset = None, trial: Trial = None) -> None:
    """Runs and qrels with document ids that resolve to path and lines."""
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.exports.trec import export_trec
    from ncsbench.judge.compiled_code import compile_once

    opened = open_dataset(dataset, trial=trial)
    compile_once()
    _say(folder, export_trec(opened, folder))


def _say(folder: Path, written: dict[str, int]) -> None:
    counts = ", ".join(f"{name} {count:,}" for name, count in written.items())
    typer.echo(f"{folder}: {counts}")
