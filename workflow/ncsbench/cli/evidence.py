"""Commands that publish evidence and set a run beside it."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Publish runs and judgements of a dataset.")


@app.command()
def publish(
    dataset: Annotated[str, typer.Argument(help="Name of the dataset.")],
    anew: Annotated[
        bool, typer.Option("--anew", help="Leave out what was published before.")
    ] = False,
) -> None:
    """Copy what tables need of the finished runs of a dataset to results/<dataset>/evidence."""
    from ncsbench.evidence.publishing import FinishedRun, publish_evidence

    record = publish_evidence(dataset, anew=anew)
    files = record.files.values()
    megabytes = sum(file.size for file in files) / 1e6
    path = FinishedRun(dataset).evidence.path
    typer.echo(f"{path}: {len(record.commits)} runs, {len(files)} files, {megabytes:.1f} MB")
    if record.missing:
        typer.echo(f"missing, so that no table is made of it yet: {', '.join(record.missing)}")


def evaluate(
    run: Annotated[Path, typer.Argument(help="A run in the format of TREC, or as .parquet.")],
    dataset: Annotated[
        str, typer.Option(help="Name of a dataset whose evidence is here.")
    ] = "ncsed_383",
    corpus: Annotated[
        str | None,
        typer.Option(
            help="Hash of the corpus that was searched, corpus_hash in results/NAME/evidence.json,"
            " or its first 12 digits; needed for method ids whose file does not name it."
        ),
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="A part of the questions, such as kept_back.")
    ] = None,
    judge: Annotated[
        bool,
        typer.Option("--judge", help="Judge new pairs by data/NAME, made from the repositories."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Set a run of your own beside the rows of Table 1.

    Published evidence is enough for it.
    """
    import json

    from ncsbench.evidence.evaluated_run import evaluate_run, judge_anew
    from ncsbench.evidence.publishing import FinishedRun

    finished = FinishedRun(dataset)
    found = evaluate_run(
        run,
        finished.evidence,
        corpus_hash=corpus,
        part=part,
        judge=judge_anew(finished) if judge else None,
    )
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())
