"""Commands that clean comments: a filter is fitted, then applied to a stream."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ncsbench.base.text.progress_line import ProgressLine
from ncsbench.base.text.safe_text import show_line

if TYPE_CHECKING:
    from ncsbench.pairs.comment_filter.filter_options import Phrases

app = typer.Typer(help="Fit a filter of comments, and apply it.")

Comments = Annotated[
    str, typer.Argument(help="JSON Lines with a comment each, plain or gzipped; - reads a pipe.")
]
Field = Annotated[str, typer.Option(help="Name of the field that holds the comment.")]


@app.command()
def fit(
    comments: Comments,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the filter to write.")],
    titles: Annotated[
        str | None,
        typer.Option(help="Titles of questions, a line each, or .jsonl; without: rules only."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(help="as_published (default), as_released, none, or a YAML file of rules."),
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(
            help="Method that finds the highest kept loss: gaussian_mixture (default), k_means, "
            "percentile=SHARE, loss=HIGHEST."
        ),
    ] = None,
    options: Annotated[
        Path | None, typer.Option(help="YAML file with rules, model and cut (docs/options.md).")
    ] = None,
    phrases: Annotated[
        Literal["how_to", "all"] | None,
        typer.Option(help="Take titles that begin with 'how to' (default), or all."),
    ] = None,
    field: Field = "comment",
    title_field: Annotated[
        str | None, typer.Option(help="Field that holds the title, in .jsonl; title by default.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of model and cut.", min=0)] = 2022,
) -> None:
    """Make a filter of comments, and say what it does with the comments given."""
    from ncsbench.errors import ConfigurationError
    from ncsbench.pairs.comment_filter.comment_filter import FIGURE
    from ncsbench.pairs.comment_filter.filter_fitting import (
        describe_model,
        fit_filter,
        read_options,
    )

    chosen = read_options(options, rules=rules, cut=cut)
    queries = None
    if titles is not None:
        queries = _read_queries(titles, title_field or "title", chosen.rules, phrases or "how_to")
    else:
        idle: dict[str, object] = {"--cut": cut, "--phrases": phrases, "--title-field": title_field}
        if options is not None:
            idle |= {f"'model' of {options}": chosen.model, f"'cut' of {options}": chosen.cut}
        if names := [name for name, value in idle.items() if value is not None]:
            raise ConfigurationError(f"{names[0]} counts for nothing without --titles")
    with ProgressLine(sys.stderr):
        found, counts = fit_filter(
            comments,
            output,
            chosen,
            queries=queries,
            titles=str(titles),
            seed=seed,
            field=field,
        )
    typer.echo(counts.describe())
    if warning := counts.describe_most_rejected():
        typer.echo(f"ncsbench: warning: {comments}: {warning}", err=True)
    said = describe_model(queries)
    if found is not None:
        at = "" if found.threshold is None else f" at a loss of {found.threshold:.2f}"
        said += f", cut by {found.method}{at} ({output / FIGURE})"
    typer.echo(f"{output}: keeps {counts.kept / counts.read:.1%}; {said}")


@app.command()
def apply(
    comments: Comments,
    filter_folder: Annotated[
        Path, typer.Option("--with", metavar="FOLDER", help="Filter, made by clean fit.")
    ],
    output: Annotated[
        str,
        typer.Option("--output", "-o", help="File for kept lines; .gz packs it, - prints them."),
    ],
    rejected: Annotated[
        str | None,
        typer.Option(help="File for rejected lines with their reasons; without: only counted."),
    ] = None,
    field: Field = "comment",
    original: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="Keep a changed comment as it was in this field."),
    ] = None,
    python: Annotated[
        Path | None, typer.Option(help="Python file of the filter's own rules; it is executed.")
    ] = None,
    counts: Annotated[
        Path | None, typer.Option(help="CSV of numbers that each rule changed, rejected, retained.")
    ] = None,
) -> None:
    """Divide a stream of comments into those that a filter keeps and all others, with reasons."""
    from ncsbench.pairs.comment_filter.comment_filter import load_filter
    from ncsbench.pairs.comment_filter.filter_stream import filter_stream, write_counts

    comment_filter = load_filter(filter_folder, python=python)
    with ProgressLine(sys.stderr):
        done = filter_stream(
            comment_filter,
            comments,
            kept=output,
            rejected=rejected,
            field=field,
            original=original,
        )
    if counts is not None:
        write_counts(counts, done)
    typer.echo(done.describe(), err="-" in (output, rejected))


_MANY_TITLES = 10_000
"""Queries that a model needs to distinguish queries from comments (docs/cleaning.md)."""
_FEWEST_TITLES = 1_000
"""With fewer queries no reliable order of titles and comments was learnt (docs/cleaning.md)."""


def _read_queries(titles: str, field: str, rules: str, phrases: "Phrases") -> tuple[str, ...]:
    from ncsbench.pairs.comment_filter.comment_lines import read_texts
    from ncsbench.pairs.comment_filter.query_titles import choose_titles
    from ncsbench.pairs.comment_filter.rule_sets import load_rule_set

    texts, faults = read_texts(titles, field)
    if faults:
        typer.echo(f"ncsbench: warning: {show_line(faults)}", err=True)
    chosen = choose_titles(texts, load_rule_set(rules), phrases=phrases)
    counts = ", ".join(f"{what} {count:,}" for what, count in chosen.counts.items() if count)
    typer.echo(f"{len(texts):,} titles{': ' if counts else ''}{counts}", err=True)
    others, count = chosen.counts["other_start"], len(chosen.titles)
    said = f"{count:,} queries are few"
    if count < _FEWEST_TITLES:
        said = (
            f"{count:,} queries are too few: with fewer than {_FEWEST_TITLES:,} no reliable order "
            "of titles and comments was learnt (docs/cleaning.md)"
        )
    if others > count < _MANY_TITLES:
        said += f"; --phrases all takes also the {others:,} titles that do not begin with 'how to'"
    if count < _FEWEST_TITLES or others > count < _MANY_TITLES:
        typer.echo(f"ncsbench: warning: {titles}: {said}", err=True)
    return chosen.titles
