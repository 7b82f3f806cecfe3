"""The page of the command line, from the commands themselves; ``ncsbench --help`` says the same."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer
from mkdocs.structure.files import File

from ncsbench.cli.main import app

_PAGE = "commands.md"


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the page to those of the site."""
    text = "# Command line\n\n" + "\n\n".join(describe(typer.main.get_command(app), "ncsbench"))
    files.append(File.generated(config, _PAGE, content=text))
    return files


def describe(command: Any, name: str) -> Iterator[str]:
    """Sections of a command and of all below it: what it does, how it is called, its options."""
    level = len(name.split())
    yield f"{'#' * level} `{name}`" if level > 1 else ""
    yield inspect.cleandoc(command.help or "")
    if below := getattr(command, "commands", {}):
        for each, inner in below.items():
            yield from describe(inner, f"{name} {each}")
        return
    context = typer.Context(command, info_name=name)
    yield f"```\n{' '.join(command.get_usage(context).removeprefix('Usage: ').split())}\n```"
    rows = [
        f"| `{_call(each)}` | {_cell(each.help)} | {_cell(_default(each))} |"
        for each in command.get_params(context)
        if "--help" not in each.opts
    ]
    if rows:
        yield "\n".join(["| argument | is | default |", "|---|---|---|", *rows])


def _call(option: Any) -> str:
    if option.param_type_name == "argument":
        return str(option.metavar or option.name).upper()
    return ", ".join([*option.opts, *option.secondary_opts])


def _default(option: Any) -> str:
    if option.required:
        return "needed"
    value = option.default
    return "" if value in (None, False, (), "") or callable(value) else f"`{value}`"


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|").replace("<", "&lt;")
