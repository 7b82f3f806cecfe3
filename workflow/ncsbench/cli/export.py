"""Commands that write a dataset for other tools."""

from pathlib import Path

import typer

from ncsbench.cli.options import Dataset, OptionalOutput, PlainOutput, Trial, choose_output

app = typer.Typer(help="Write a dataset and its runs for other tools.")


@app.command()
def beir(plain: PlainOutput = None, output: OptionalOutput = None, dataset: Dataset = None) -> None:
    """Write corpus, queries and complete qrels as BEIR has them, to a new or empty folder."""
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.exports.formats import export_beir
    from ncsbench.judge.compiled_code import compile_once

    folder = choose_output(plain, output)
    opened = open_dataset(dataset)
    compile_once()
    _say(folder, export_beir(opened, folder))


@app.command()
def trec(
    plain: PlainOutput = None,
    output: OptionalOutput = None,
    dataset: Dataset = None,
    trial: Trial = None,
) -> None:
    """Write runs and qrels, with ids that resolve to path and lines, to a new or empty folder."""
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.exports.formats import export_trec
    from ncsbench.judge.compiled_code import compile_once

    folder = choose_output(plain, output)
    opened = open_dataset(dataset, trial=trial)
    compile_once()
    _say(folder, export_trec(opened, folder))


def _say(folder: Path, written: dict[str, int]) -> None:
    counts = ", ".join(f"{name} {count:,}" for name, count in written.items())
    typer.echo(f"{folder}: {counts}")
