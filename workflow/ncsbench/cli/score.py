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


training = typer.Typer(help="Look at learnt tables.")


@training.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
    stop_words: Annotated[Path | None, typer.Option(help="File with one stop word a line.")] = None,
) -> None:
    """Show the code word for each word of a query: word, code word, value, added or not."""
    from ncsbench.base.files.storage import read_table
    from ncsbench.learning.training.query_expansion import EXPANSION_SCHEMA, Expansion
    from ncsbench.pipeline.files.model_files import read_stop_words

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    known = frozenset(read_stop_words(stop_words) if stop_words else ())
    for line in table.describe_additions(query, minimum_value=minimum_value, stop_words=known):
        typer.echo(line)


labels = typer.Typer(help="Grade results; see how far people agree.")


@labels.command()
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
    seed: Annotated[int, typer.Option(help="Seed of the order and of drawn rows.", min=0)] = 2019,
) -> None:
    """Write results of a dataset, or comments, in random order for people to grade."""
    from ncsbench.apps.exports.built_dataset import open_dataset
    from ncsbench.apps.labels import label_sheet
    from ncsbench.apps.labels.label_sheet import draw_comments, draw_results
    from ncsbench.base.text.safe_text import show_line
    from ncsbench.pairs.comment_filter.comment_lines import read_texts

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


@labels.command()
def agreement(
    first: Annotated[Path, typer.Argument(help="Sheet of one person.")],
    second: Annotated[Path | None, typer.Argument(help="The same sheet of another person.")] = None,
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
    from ncsbench.apps.exports.built_dataset import open_dataset
    from ncsbench.apps.labels.agreement import (
        compare_filter,
        compare_grades,
        compare_judges,
        decide,
        describe_grades,
    )
    from ncsbench.apps.labels.label_sheet import RELEVANCE, read_sheet
    from ncsbench.pairs.comment_filter.comment_filter import load_filter

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
