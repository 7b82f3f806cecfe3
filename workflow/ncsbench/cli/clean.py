"""Commands that clean comments: a filter is fitted, then applied to a stream."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Which comments are like queries: fit a filter, apply it to a stream.")

Comments = Annotated[
    str, typer.Argument(help="JSON Lines with a comment each, plain or gzipped; - reads a pipe.")
]
Field = Annotated[str, typer.Option(help="Name of the field that holds the comment.")]


@app.command()
def fit(
    comments: Comments,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the filter to write.")],
    rules: Annotated[
        str, typer.Option(help="as_published, as_released, none, or a YAML file of rules.")
    ] = "as_published",
    field: Field = "comment",
) -> None:
    """Make a filter of comments, and say what it does with these."""
    from ncsbench.comment_filter.filter_fitting import RULES_ONLY, fit_filter
    from ncsbench.comment_filter.filter_options import FilterOptions

    options = FilterOptions.parse({"rules": rules}, where="--rules")
    with _progress() as report:
        counts = fit_filter(comments, output, options, field=field, report=report)
    typer.echo(counts.describe())
    typer.echo(f"{output}: keeps {counts.kept / counts.read:.1%}; {RULES_ONLY}")


@app.command()
def apply(
    comments: Comments,
    filter_folder: Annotated[
        Path, typer.Option("--with", metavar="FOLDER", help="Filter, made by clean fit.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Kept lines; .gz packs them, - prints them.")
    ],
    rejected: Annotated[str, typer.Option(help="Rejected lines with their reasons, likewise.")],
    field: Field = "comment",
    original: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="Keep a changed comment as it was in this field."),
    ] = None,
    python: Annotated[
        Path | None, typer.Option(help="Python file of the filter's own rules; it is executed.")
    ] = None,
    counts: Annotated[
        Path | None, typer.Option(help="CSV of what each rule changed, rejected and retained.")
    ] = None,
) -> None:
    """Divide a stream of comments into those that a filter keeps and all others, with reasons."""
    from ncsbench.comment_filter.filter_folder import load_filter
    from ncsbench.comment_filter.filter_stream import filter_stream, write_counts

    comment_filter = load_filter(filter_folder, python=python)
    with _progress() as report:
        done = filter_stream(
            comment_filter,
            comments,
            kept=output,
            rejected=rejected,
            field=field,
            original=original,
            report=report,
        )
    if counts is not None:
        write_counts(counts, done)
    typer.echo(done.describe(), err="-" in (output, rejected))


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    from ncsbench.own_code.progress_line import ProgressLine

    with ProgressLine(sys.stderr) as progress:
        yield lambda lines: progress(f"{lines:,} comments read", 0, 0)
