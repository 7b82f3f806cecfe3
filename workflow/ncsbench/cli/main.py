"""The commands that people call, in panels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ncsbench.cli import add, clean, codesearchnet, look, own_code, score
from ncsbench.pipeline.freshness.stage_command import run_stage

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
    """Evaluate neural code search, reproducibly (make table1), and search your own code."""


PANELS: dict[str, dict[str, Callable[..., None] | typer.Typer]] = {
    "Search your own code": {
        "index": own_code.index,
        "search": own_code.search,
        "similar": own_code.similar,
    },
    "Look at results": {"tables": look.tables, "explain": look.explain, "export": look.export},
    "Score a model": {
        "evaluate": score.evaluate,
        "board": score.board,
        "compare": score.compare,
        "runs": score.runs,
    },
    "Add data": {
        "corpus": add.corpora,
        "posts": add.posts,
        "pairs": add.training_pairs,
        "codesearchnet": codesearchnet.app,
        "clean": clean.app,
    },
    "Check": {"labels": score.labels, "evidence": score.evidence},
}
"""Commands, and groups of commands, by task of a user."""

for panel, entries in PANELS.items():
    for name, entry in entries.items():
        if isinstance(entry, typer.Typer):
            app.add_typer(entry, name=name, no_args_is_help=True, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel)(entry)


app.command(context_settings={"ignore_unknown_options": True}, rich_help_panel="Check")(look.plan)


@app.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    rich_help_panel="Check",
)
def stage(
    arguments: Annotated[list[str], typer.Argument(metavar="NAME [OPTIONS]")],
) -> None:
    """Run a stage, as rules do; --help lists all stages."""
    run_stage(arguments)
