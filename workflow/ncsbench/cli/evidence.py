"""Commands that publish evidence and make tables of it."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions

app = typer.Typer(help="Runs and judgements that are published, and tables of them.")

Dataset = Annotated[str, typer.Argument(help="Name of the dataset.")]


@app.command()
def publish(
    dataset: Dataset,
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


@app.command()
def tables(
    evidence: Annotated[Path, typer.Argument(help="A folder results/<dataset>/evidence.")],
    questions: Questions,
    published: Annotated[Path, typer.Option(help="Folder of the published figures.")],
    score_sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    output: Output,
) -> None:
    """Table 1 and what belongs to it, from evidence alone."""
    from ncsbench.evidence.evidence_files import EvidenceFolder
    from ncsbench.evidence.evidence_tables import write_evidence_tables

    write_evidence_tables(
        EvidenceFolder(evidence),
        questions=questions,
        published=published,
        score_sheet=score_sheet,
        output=output,
    )


@app.command()
def compare(dataset: Dataset) -> None:
    """Say that runs made again are those of the evidence; end with an error where some differ."""
    from ncsbench.errors import DataError
    from ncsbench.evidence.remade_runs import compare_with_evidence

    found = compare_with_evidence(dataset)
    if found.different or not found.compared:
        raise DataError(found.describe(dataset))  # the log of the rule has it, too
    typer.echo(found.describe(dataset))


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
    """Set a run of your own beside the rows of Table 1, by published evidence alone."""
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
