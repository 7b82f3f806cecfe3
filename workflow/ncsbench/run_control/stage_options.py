"""Options of ``ncsbench stage``, made from the names of a rule's inputs and outputs."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from typing import Any

WAITED_FOR = "code"
"""The named input that is no option: what the rule's code is."""


def options(**given: Any) -> Callable[..., str]:
    """A params function: the command line options of a rule's stage.

    Each named input and output is an option of that name, and an only output without a name is
    ``--output``. Inputs without a name, and ``code``, are waited for and not passed on. Lists give
    an option each, ``True`` one without a value; what is empty gives none.

    Args:
        given: further options, which also replace those of files: a value, with wildcards in
            braces, or a function of the wildcards.
    """

    def make_options(wildcards: Any, input: Any, output: Any) -> str:  # noqa: A002  (its name)
        named = {**dict(input.items()), **_name_outputs(output)}
        named.pop(WAITED_FOR, None)
        named |= {name: _fill(value, wildcards) for name, value in given.items()}
        return shlex.join(part for item in named.items() for part in _spell(*item))

    return make_options


def _name_outputs(output: Any) -> dict[str, Any]:
    named = dict(output.items())
    return named if named or len(output) != 1 else {"output": output[0]}


def _fill(value: Any, wildcards: Any) -> Any:
    if callable(value):
        return value(wildcards)
    return value.format(**dict(wildcards.items())) if isinstance(value, str) else value


def _spell(name: str, value: Any) -> Iterator[str]:
    option = f"--{name.replace('_', '-')}"
    if value is True:
        yield option
    elif isinstance(value, dict):
        yield from (part for key, one in value.items() for part in (option, f"{key}={one}"))
    elif isinstance(value, str | int | float):
        yield from (option, str(value)) if value not in ("", False) else ()
    else:
        yield from (part for one in value or () for part in (option, str(one)))
