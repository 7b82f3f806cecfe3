"""Commands that make and show tables."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Output, Questions, Settings

app = typer.Typer(help="Published and reproduced tables.")


@app.command()
def build(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    judgements: Annotated[Path, typer.Option(help="Folder of the judgements.")],
    published: Annotated[Path, typer.Option(help="Folder of the published figures.")],
    score_sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    output: Annotated[Path, typer.Option(help="Results folder of the dataset, with its runs.")],
    matches: Annotated[
        Path | None, typer.Option(help="Best matches of the corpus, for the ceiling.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Folder of the folders of trained weights.")
    ] = None,
) -> None:
    """Table 1, its ablations, paired differences, score sheet and qrels of a dataset."""
    import numpy as np

    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.storage import read_json
    from ncsbench.tables.results import write_dataset_tables

    columns = CorpusFolder(corpus).iterate_methods(["lines"])
    write_dataset_tables(
        settings=read_json(settings),
        questions=questions,
        lines=np.concatenate([table["lines"].to_numpy() for table in columns]),
        judgements=judgements,
        matches=matches,
        published=published,
        score_sheet=score_sheet,
        weights=weights,
        output=output,
    )


@app.command()
def publish(
    files: Annotated[list[Path], typer.Argument(help="Tables of the configured dataset.")],
    output: Output,
) -> None:
    """Copy the tables of the configured dataset to where they are looked for first."""
    from ncsbench.storage import copy_file

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
def published(
    printed: Annotated[Path, typer.Option(help="Figures of the paper's Table 1.")],
    sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    output: Output,
) -> None:
    """The paper's Table 1 computed again from its score sheet, each cell marked equal or not."""
    from ncsbench.tables.published import write_published_table1

    write_published_table1(output, printed=printed, sheet=sheet)


@app.command()
def show(table: Annotated[Path, typer.Argument(help="A table1.csv.")]) -> None:
    """Print the figures of a Table 1, and the published ones beside them."""
    from ncsbench.tables.display import format_table1

    typer.echo(format_table1(table))


@app.command()
def usage(
    logs: Annotated[Path, typer.Argument(help="Folder of a dataset's logs, data/<dataset>/logs.")],
) -> None:
    """Print seconds and peak memory of each stage of a run, as CSV."""
    from ncsbench.tables.usage import COLUMNS, summarise_usage

    for row in [dict(zip(COLUMNS, COLUMNS, strict=True)), *summarise_usage(logs)]:
        typer.echo(",".join(row[column] for column in COLUMNS))


@app.command()
def refresh(
    pages: Annotated[list[Path], typer.Argument(help="Markdown pages with tables of results.")],
) -> None:
    """Write the tables of pages anew from the results that they name."""
    from ncsbench.tables.pages import refresh_page

    for page in pages:
        typer.echo(f"{page}: {refresh_page(page)} tables")
