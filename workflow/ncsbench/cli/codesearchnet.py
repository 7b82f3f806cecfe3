"""Commands for people: scores of the CodeSearchNet challenge."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.base.text.safe_text import show_visibly

app = typer.Typer(help="Score predictions of CodeSearchNet.")

_SOURCE = Path("data/sources/codesearchnet")
AnnotationStore = Annotated[
    Path, typer.Option(help="Annotations of the challenge, annotationStore.csv.")
]
Queries = Annotated[Path, typer.Option(help="Queries of the challenge, queries.csv.")]
Languages = Annotated[
    list[str], typer.Option(help="Only this language, such as go; may be repeated.")
]


def _find(path: Path) -> Path:
    """Return a file of the challenge; where it is absent, say in an error how to get it."""
    from ncsbench.errors import DataError

    if path.parent == _SOURCE and not path.exists():
        raise DataError(
            f"{path}: is not here; `snakemake --cores 1 {path}` gets it, and "
            f"--{'queries' if path.stem == 'queries' else 'annotations'} names another file"
        )
    return path


@app.command()
def evaluate(
    predictions: Annotated[
        Path, typer.Argument(help="CSV file with the columns language, query, url.")
    ],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV file by language to write.")
    ] = None,
    per_query: Annotated[Path | None, typer.Option(help="CSV file by query to write.")] = None,
    duplicates: Annotated[
        Literal["once", "as_released"],
        typer.Option(help="Count a URL that a query has again once, or each time as released."),
    ] = "once",
    language: Languages = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Print NDCG of predictions, among annotated functions (Within) and all functions.

    Prints also how many predictions were not scored.
    """
    from ncsbench.base.files.csv_tables import write_rows
    from ncsbench.code.functions.registry import find_language
    from ncsbench.corpus.function_corpus.annotations import read_annotations, read_queries
    from ncsbench.studies.codesearchnet.challenge_scores import (
        COLUMNS,
        QUERY_COLUMNS,
        evaluate_submission,
    )
    from ncsbench.studies.codesearchnet.submission import read_submission

    names = {find_language(name).name for name in language}
    judged = read_annotations(_find(annotations), read_queries(_find(queries)))
    judged = judged.of_languages(names) if names else judged
    read = read_submission(predictions, judged, duplicates=duplicates, languages=names)
    found = evaluate_submission(read, judged)
    if output:
        write_rows(output, COLUMNS, found.by_language())
    if per_query:
        write_rows(per_query, QUERY_COLUMNS, found.by_query())
    typer.echo(show_visibly(found.describe()))
