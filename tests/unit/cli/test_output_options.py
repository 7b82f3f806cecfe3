"""Commands name what they write in one way."""

from collections.abc import Iterator
from typing import Any

import typer

from ncsbench.cli.main import app


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for part, inner in command.commands.items():
            yield from walk(inner, f"{name} {part}")
    else:
        yield name, command


def test_every_option_output_is_o_too_and_o_is_nothing_else() -> None:
    found = 0
    for name, command in walk(typer.main.get_command(app), "ncsbench"):
        for one in command.params:
            options = set(one.opts)
            if one.param_type_name == "option" and options & {"-o", "--output"}:
                assert options == {"-o", "--output"}, name
                found += 1
    assert found >= 10


def test_no_command_writes_to_an_argument() -> None:
    for name, command in walk(typer.main.get_command(app), "ncsbench"):
        arguments = {one.name for one in command.params if one.param_type_name == "argument"}
        assert "output" not in arguments, name
