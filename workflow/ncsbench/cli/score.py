"""Commands that score a model: beside evidence, against a row, as a new row; sheets for people."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Dataset, Output, Trial

evidence = typer.Typer(help="Publish runs and judgements of a dataset.")


@evidence.command()
def publish(
    dataset: Annotated[str, typer.Argument(help="Name of the dataset.")],
    anew: Annotated[
        bool, typer.Option("--anew", help="Leave out what was published before.")
    ] = False,
) -> None:
    """Copy the files that tables need from a dataset's finished runs to results/NAME/evidence."""
    from ncsbench.pipeline.evidence.publishing import FinishedRun, publish_evidence

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
    measure: Annotated[
        list[str] | None,
        typer.Option(help="A measure of ir_measures, such as nDCG@20; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Set a run of your own beside the rows of Table 1.

    The published evidence of the dataset is enough for this.
    """
    import json

    from ncsbench.pipeline.evidence.evaluated_run import evaluate_run, judge_anew
    from ncsbench.pipeline.evidence.publishing import FinishedRun

    finished = FinishedRun(dataset)
    found = evaluate_run(
        run,
        finished.evidence,
        corpus_hash=corpus,
        part=part,
        judge=judge_anew(finished) if judge else None,
        measures=measure or (),
    )
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())


def board() -> None:
    """Compute the figures of every submission in results/board; write table, figure and page."""
    from ncsbench.apps.shown_tables.result_pages import refresh_page
    from ncsbench.pipeline.evidence.board import write_board
    from ncsbench.pipeline.evidence.board_figure import draw_board
    from ncsbench.pipeline.evidence.publishing import FinishedRun

    for line in write_board(Path("results/board"), FinishedRun("ncsed_383").evidence):
        typer.echo(line)
    draw_board(Path("results/board/board.csv"), Path("docs/figures/board.svg"))
    refresh_page(Path("docs/board.md"))


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

    from ncsbench.pipeline.trials.compared_rows import compare_named_rows

    found = compare_named_rows(model, baseline, dataset=dataset, trial=trial)
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())


runs = typer.Typer(help="Add runs made elsewhere as rows of Table 1.")


@runs.command()
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
        str | None, typer.Option(help="Source that the model learnt from, as text for the table.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the run that has this name.")
    ] = False,
) -> None:
    """Check a run against a built dataset and make it a model, config/models/NAME.yaml."""
    from ncsbench.base.text.safe_text import show_line
    from ncsbench.pipeline.trials.added_runs import add_run

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


labels = typer.Typer(help="Grade results.")


@labels.command()
def sheet(
    output: Output,
    dataset: Dataset = None,
    trial: Trial = None,
    k: Annotated[
        int, typer.Option("-k", "--top", help="Results of each row to grade.", min=1)
    ] = 10,
    model: Annotated[
        list[str] | None, typer.Option(help="Take this row; may be repeated. Else all.")
    ] = None,
    count: Annotated[
        int | None, typer.Option(help="Draw as many rows; all unless given.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the order and of drawn rows.", min=0)] = 2019,
) -> None:
    """Write results of a dataset in random order for people to grade; the sheet becomes gold."""
    from ncsbench.apps.exports.built_dataset import open_dataset
    from ncsbench.apps.exports.grade_sheet import draw_results, write_sheet

    opened = open_dataset(dataset, trial=trial)
    rows = draw_results(opened, models=model, depth=k, count=count, seed=seed)
    beside = write_sheet(output, rows)
    typer.echo(f"{output}: {len(rows):,} rows to grade; {beside} says how")
