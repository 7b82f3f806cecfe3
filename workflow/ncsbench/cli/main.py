"""The commands that people call, in groups."""

from __future__ import annotations

from typing import Annotated

import typer

from ncsbench.cli import (
    clean,
    codesearchnet,
    compare,
    corpus,
    evidence,
    explorer,
    export,
    haystacks,
    judge,
    judge_study,
    labels,
    learning_curves,
    micro_benchmark,
    own_code,
    pairs,
    posts,
    provenance,
    published,
    questions,
    runs,
    tables,
    training,
)
from ncsbench.run_control.stage_command import run_stage

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from ncsbench.version import __version__

        typer.echo(f"ncsbench {__version__}")
        raise typer.Exit


@app.callback()
def show_version(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Reproducible evaluation of neural code search, one command per stage."""


GROUPS = (
    *(corpus, posts, questions, pairs, training),
    *(judge, judge_study, published, tables, learning_curves, micro_benchmark),
    *(
        codesearchnet,
        haystacks,
        provenance,
        runs,
        export,
        labels,
    ),
    explorer,
    evidence,
    clean,
)
for group in GROUPS:
    app.add_typer(
        group.app, name=group.__name__.rsplit(".", 1)[-1].replace("_", "-"), no_args_is_help=True
    )

for command in (
    *(own_code.index, own_code.search, own_code.similar),
    *(compare.compare, evidence.evaluate, provenance.explain),
):
    app.command()(command)


@app.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
)
def stage(
    arguments: Annotated[list[str], typer.Argument(metavar="NAME [OPTIONS]")],
) -> None:
    """Run a stage of the workflow, as rules do; --help lists them."""
    run_stage(arguments)
