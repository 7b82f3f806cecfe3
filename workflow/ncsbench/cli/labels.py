"""Commands on labels by people; ``label`` makes them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Dataset, OptionalOutput, PlainOutput, Trial, choose_output

app = typer.Typer(help="Labels by people: agreement, and the figures that follow from them.")

Labels = Annotated[list[Path], typer.Argument(help="Files of labels; several count together.")]


def label(
    plain: PlainOutput = None,
    output: OptionalOutput = None,
    dataset: Dataset = None,
    trial: Trial = None,
    scale: Annotated[
        Literal["relevance", "query-likeness"],
        typer.Option(help="Judge how well results answer, or how much comments are like queries."),
    ] = "relevance",
    k: Annotated[
        int | None,
        typer.Option("-k", "--top", help="Results of each row to judge, 10 unless given.", min=1),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="Pool this row; may be repeated. Else all.")
    ] = None,
    comments: Annotated[
        int | None,
        typer.Option(help="Comments to draw for query-likeness, 384 unless given.", min=1),
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option(help="Labels of somebody else; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the order.", min=0)] = 2019,
) -> None:
    """Show results, or comments, of a dataset one by one, and write what you think of each.

    The file to write is a new one, or one to go on with.
    """
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.labels.comment_sample import SIZE
    from ncsbench.labels.labelling import label_at_terminal, label_comments

    path, others = choose_output(plain, output), others or []
    if scale == "relevance":
        if comments:
            raise typer.BadParameter("--comments is for --scale query-likeness")
        opened = open_dataset(dataset, trial=trial)
        label_at_terminal(opened, path, rows=model, others=others, depth=k or 10, seed=seed)
    else:
        if k or model or trial:
            raise typer.BadParameter("-k, --model and --trial are for --scale relevance")
        corpus = open_dataset(dataset, corpus_alone=True).corpus
        label_comments(corpus, path, others=others, size=comments or SIZE, seed=seed)


@app.command()
def agreement(
    first: Annotated[Path, typer.Argument(help="Labels of one person.")],
    second: Annotated[
        Path | None,
        typer.Argument(help="Of another; without: the first two labels of each pair of one file."),
    ] = None,
) -> None:
    """Print how far people agree: plain and quadratic kappa, and the counts behind them."""
    from ncsbench.label_files.label_file import read_labels, read_scaled_labels
    from ncsbench.labels.agreement import compare_labels, compare_within

    scale, labels = read_scaled_labels(first)
    if second is None:
        found = compare_within(labels, scale)
    else:
        found = compare_labels(labels, read_labels(second, scale), scale)
    typer.echo("\n".join(found.describe()))


@app.command()
def measure(
    labels: Labels,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="CSV file to write, in the tidy columns.")
    ],
    dataset: Dataset = None,
    trial: Trial = None,
    run: Annotated[
        list[Path] | None, typer.Option(help="A TREC run of another tool; may be repeated.")
    ] = None,
    gain: Annotated[
        Literal["exponential", "linear"], typer.Option(help="What a grade counts in NDCG.")
    ] = "exponential",
) -> None:
    """NDCG@10 and precision@10 of the rows of a dataset, and which judge agrees with people."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.label_files.label_file import read_labels
    from ncsbench.labels.people_figures import check_replaceable, measure_people
    from ncsbench.tables.table1_files import LONG_COLUMNS

    check_replaceable(output)
    read = [label for path in labels for label in read_labels(path)]
    figures = measure_people(open_dataset(dataset, trial=trial), read, given=run or (), gain=gain)
    write_rows(output, LONG_COLUMNS, figures.rows)
    labels_used = len(figures.matched.labels)
    typer.echo(
        f"{output}: {labels_used:,} labels, {figures.questions:,} questions with one above 0"
    )
    if not figures.questions:
        typer.echo("no label is above 0: NDCG and precision are undefined (DEV-109)", err=True)
    for line in figures.matched.describe_left_out():
        typer.echo(line, err=True)


@app.command()
def shown(
    results: Annotated[Path, typer.Argument(help="Graded results in CosoBe's columns.")],
) -> None:
    """Print NDCG@10 and precision@10 of results in the order in which they were shown."""
    from ncsbench.labels.graded_results import measure_shown, read_shown_results

    typer.echo("\n".join(measure_shown(read_shown_results(results))))
