"""Commands that make and show tables."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import (
    Answers,
    Corpus,
    Judgements,
    OptionalOutput,
    Output,
    PlainOutput,
    Questions,
    Settings,
    choose_output,
    read_assignments,
)
from ncsbench.text.safe_text import show_visibly

app = typer.Typer(help="Published and reproduced tables.")


@app.command()
def build(
    settings: Settings,
    questions: Questions,
    answers: Answers,
    corpus: Corpus,
    judgements: Judgements,
    published: Annotated[Path, typer.Option(help="Folder of the published figures.")],
    score_sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the tables to write.")],
    results: Annotated[
        Path | None,
        typer.Option(help="Results folder of the dataset, with the runs; else --output."),
    ] = None,
    matches: Annotated[
        Path | None, typer.Option(help="Best matches of the corpus, for the ceiling.")
    ] = None,
    trainings: Annotated[
        Path | None, typer.Option(help="Folder of the records of trainings.")
    ] = None,
    repository_intervals: Annotated[
        Path | None, typer.Option(help="Folder of the intervals over repositories.")
    ] = None,
) -> None:
    """Table 1, its ablations, paired differences, score sheet and qrels of a dataset."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.corpus_record import describe_corpus
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.repository_ledger import write_repository_ledger
    from ncsbench.tables.dataset_tables import write_dataset_tables
    from ncsbench.tables.table_settings import TableSettings

    options = read_settings(settings, TableSettings)
    folder = CorpusFolder(corpus)
    folder.check_duplicates(options.duplicates)
    write_dataset_tables(
        settings=options,
        questions=questions,
        answers=answers,
        lines=folder.read_lines(),
        corpus=describe_corpus(folder.manifest()),
        judgements=judgements,
        matches=matches,
        published=published,
        score_sheet=score_sheet,
        trainings=trainings,
        repository_intervals=repository_intervals,
        results=results or output,
        output=output,
    )
    write_repository_ledger(output, folder)


@app.command()
def publish(
    files: Annotated[list[Path], typer.Argument(help="Tables of the configured dataset.")],
    output: Output,
) -> None:
    """Copy the tables of the configured dataset to where they are looked for first."""
    from ncsbench.artifacts.storage import copy_file

    for file in files:
        copy_file(file, output / file.name)


@app.command()
def examples(
    matches: Annotated[Path, typer.Option(help="Best matches of the corpus.")],
    questions: Questions,
    corpus: Corpus,
    output: Output,
) -> None:
    """The methods of the corpus that resemble each answer most, with their places."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.tables.examples import METHOD_COLUMNS, write_examples

    write_examples(
        output,
        matches=matches,
        questions=questions,
        methods=CorpusFolder(corpus).iterate_methods(METHOD_COLUMNS),
    )


@app.command()
def show(
    table: Annotated[Path, typer.Argument(help="A table1.csv, or another table.")],
    brief: Annotated[
        bool, typer.Option("--brief", help="Of a Table 1 the best rows and the published ones.")
    ] = False,
) -> None:
    """Print a Table 1 with intervals and published figures, or another table as it stands."""
    from ncsbench.tables.shown_table import format_any_table

    typer.echo(format_any_table(table, brief=brief))


@app.command()
def verify(
    old: Annotated[Path, typer.Argument(help="Results folder of a run, or a table of it.")],
    new: Annotated[Path, typer.Argument(help="The same of another run.")],
) -> None:
    """Say in one line whether two runs have the same values; exit status 1 where not."""
    from ncsbench.tables.value_comparison import compare_runs

    found = compare_runs(old, new)
    typer.echo(show_visibly(found.describe()))
    if found.differing:
        raise typer.Exit(1)


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(help="Results folder of a run.")],
    new: Annotated[Path, typer.Argument(help="That of another run on the same questions.")],
    renamed: Annotated[
        list[str], typer.Option(help="<new name>=<old name> of a model; may be repeated.")
    ] = [],  # noqa: B006  (typer reads it as a list of its own)
    seed: Annotated[int, typer.Option(help="Seed of the resampled questions.", min=0)] = 2019,
    resamples: Annotated[int, typer.Option(help="Resamples behind an interval.", min=100)] = 10000,
    depth: Annotated[int, typer.Option(help="The last rank the MRR counts.", min=10)] = 50,
) -> None:
    """Print how far each model's figures moved between two runs, as CSV with paired intervals."""
    from ncsbench.artifacts.csv_tables import format_rows
    from ncsbench.evaluation.run_differences import (
        RUN_DIFFERENCE_COLUMNS,
        compare_runs_by_question,
    )

    rows = compare_runs_by_question(
        old,
        new,
        renamed=read_assignments(renamed, "--renamed", "<new name>=<old name>"),
        seed=seed,
        resamples=resamples,
        depth=depth,
    )
    typer.echo(format_rows(RUN_DIFFERENCE_COLUMNS, rows), nl=False)


@app.command()
def figure(
    table: Annotated[Path, typer.Argument(help="A table1.csv.")],
    plain: PlainOutput = None,
    output: OptionalOutput = None,
) -> None:
    """Draw the MRR of every row of a Table 1, with the published one beside it, as SVG."""
    from ncsbench.tables.table1_figure import draw_table1

    draw_table1(table, choose_output(plain, output))


@app.command()
def usage(
    logs: Annotated[Path, typer.Argument(help="Folder of a dataset's logs, data/<dataset>/logs.")],
) -> None:
    """Print seconds and peak memory of each stage of a run, as CSV."""
    from ncsbench.tables.stage_usage import COLUMNS, summarise_usage

    for row in [dict(zip(COLUMNS, COLUMNS, strict=True)), *summarise_usage(logs)]:
        typer.echo(",".join(row[column] for column in COLUMNS))


@app.command()
def refresh(
    pages: Annotated[list[Path], typer.Argument(help="Markdown pages with tables of results.")],
) -> None:
    """Write the tables of pages anew from the results that they name."""
    from ncsbench.tables.result_pages import refresh_page

    for page in pages:
        typer.echo(f"{page}: {refresh_page(page)} tables")
