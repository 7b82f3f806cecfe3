"""The commands that people call, in panels."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Annotated

import typer

from ncsbench.cli import (
    clean,
    codesearchnet,
    compare,
    corpus,
    evidence,
    export,
    haystacks,
    labels,
    own_code,
    pairs,
    posts,
    provenance,
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
    """Evaluate neural code search, reproducibly (make table1), and search your own code."""


PANELS: dict[str, tuple[Callable[..., None] | ModuleType, ...]] = {
    "Search your own code": (own_code.index, own_code.search, own_code.similar),
    "Look at results": (tables, provenance.explain, export),
    "Score a model": (evidence.evaluate, compare.compare, runs, training),
    "Add data": (corpus, posts, pairs, haystacks, codesearchnet, clean),
    "Check": (labels, evidence),
}
"""Commands, and modules that are a group of them, by what one wants to do."""

for panel, entries in PANELS.items():
    for entry in entries:
        if isinstance(entry, ModuleType):
            name = entry.__name__.rsplit(".", 1)[-1].replace("_", "-")
            app.add_typer(entry.app, name=name, no_args_is_help=True, rich_help_panel=panel)
        else:
            app.command(rich_help_panel=panel)(entry)


@app.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    rich_help_panel="Check",
)
def stage(
    arguments: Annotated[list[str], typer.Argument(metavar="NAME [OPTIONS]")],
) -> None:
    """Run a stage, as rules do; --help lists them."""
    run_stage(arguments)
