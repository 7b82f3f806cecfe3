"""Commands on sheets that people fill in with grades."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Dataset, Output, Trial

app = typer.Typer(help="Grade results; see how far people agree.")


@app.command()
def sheet(
    output: Output,
    dataset: Dataset = None,
    trial: Trial = None,
    k: Annotated[
        int | None,
        typer.Option("-k", "--top", help="Results of each row to grade, 10 unless given.", min=1),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="Take this row; may be repeated. Else all.")
    ] = None,
    comments: Annotated[
        str | None,
        typer.Option(help="Take these comments instead of results: a line each, or .jsonl."),
    ] = None,
    field: Annotated[
        str | None, typer.Option(help="Field of .jsonl with the comment; comment by default.")
    ] = None,
    count: Annotated[
        int | None, typer.Option(help="Draw as many rows; all unless given.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the order and of what is drawn.", min=0)] = 2019,
) -> None:
    """Write results of a dataset, or comments, in random order for people to grade."""
    from ncsbench.comment_filter.comment_lines import read_texts
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.labels import label_sheet
    from ncsbench.labels.drawn_rows import draw_comments, draw_results
    from ncsbench.text.safe_text import show_line

    if comments is not None:
        if dataset or trial or k or model:
            raise typer.BadParameter("--comments takes no --dataset, --trial, -k and --model")
        texts, faults = read_texts(comments, field or "comment")
        if faults:
            typer.echo(f"ncsbench: warning: {show_line(faults)}", err=True)
        rows = draw_comments(texts, count=count, seed=seed)
        instructions = label_sheet.YES_NO_INSTRUCTIONS
    else:
        if field:
            raise typer.BadParameter("--field is for --comments")
        opened = open_dataset(dataset, trial=trial)
        rows = draw_results(opened, models=model, depth=k or 10, count=count, seed=seed)
        instructions = label_sheet.RELEVANCE_INSTRUCTIONS
    beside = label_sheet.write_sheet(output, rows, instructions)
    typer.echo(f"{output}: {len(rows):,} rows to grade; {beside} says how")


@app.command()
def agreement(
    first: Annotated[Path, typer.Argument(help="Sheet of one person.")],
    second: Annotated[Path | None, typer.Argument(help="The same sheet of another.")] = None,
    dataset: Annotated[
        str | None, typer.Option(help="Compare people with the judges of this dataset, too.")
    ] = None,
    trial: Trial = None,
    comment_filter: Annotated[
        Path | None,
        typer.Option("--filter", metavar="FOLDER", help="Compare people with this filter, too."),
    ] = None,
    python: Annotated[
        Path | None, typer.Option(help="Python file of the filter's own rules; it is executed.")
    ] = None,
) -> None:
    """Print grades, how far two people agree, and how far a judge or a filter agrees with them."""
    from ncsbench.comment_filter.comment_filter import load_filter
    from ncsbench.exports.built_dataset import open_dataset
    from ncsbench.labels.agreement import compare_grades, describe_grades
    from ncsbench.labels.judge_agreement import compare_filter, compare_judges, decide
    from ncsbench.labels.label_sheet import RELEVANCE, read_sheet

    paths = [first] if second is None else [first, second]
    sheets = [read_sheet(path) for path in paths]
    scale = sheets[0].scale
    if sheets[-1].scale != scale:
        raise typer.BadParameter("one sheet is of methods and one of comments")
    judged = dataset is not None or trial is not None
    if judged and scale != RELEVANCE:
        raise typer.BadParameter("--dataset and --trial are for sheets of results")
    if comment_filter is not None and scale == RELEVANCE:
        raise typer.BadParameter("--filter is for sheets of comments")
    lines = [describe_grades(one, str(path)) for one, path in zip(sheets, paths, strict=True)]
    if second is not None:
        compared = compare_grades(sheets[0].grades, sheets[1].grades, scale)
        lines += compared.describe(str(first), str(second))
    people = decide(sheets)
    if judged:
        opened = open_dataset(dataset, trial=trial)
        for judge, found in compare_judges(opened, people).items():
            lines += found.describe("people", f"the {judge} judge")
    if comment_filter is not None:
        texts = {**sheets[0].texts, **sheets[-1].texts}
        loaded = load_filter(comment_filter, python=python)
        lines += compare_filter(loaded, people, texts).describe("people", str(comment_filter))
    typer.echo("\n".join(lines))
