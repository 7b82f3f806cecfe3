"""The command that compares two rows of a dataset's tables."""

from typing import Annotated

import typer

from ncsbench.cli.options import Dataset


def compare(
    model: Annotated[str, typer.Argument(help="A row of Table 1.")],
    baseline: Annotated[str, typer.Argument(help="The row that it is compared with.")],
    dataset: Dataset = None,
    trial: Annotated[
        str | None, typer.Option(help="The trial whose table has the rows, or one of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say how far two rows of Table 1 are apart.

    Prints difference, interval, p, wins, ties and losses.
    """
    import json

    from ncsbench.experiment.compared_rows import compare_named_rows

    found = compare_named_rows(model, baseline, dataset=dataset, trial=trial)
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())
