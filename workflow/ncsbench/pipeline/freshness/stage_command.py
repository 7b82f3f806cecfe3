"""The command ``ncsbench stage`` for all stages, with options made from functions' signatures."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module  # noqa: TID251  (of the table of stages)
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from ncsbench.errors import nearest
from ncsbench.stages import STAGES

_LIBRARY = Path(__file__).resolve().parents[2]


def run_stage(arguments: Sequence[str]) -> None:
    """Run a stage, given its name and options as arguments, or print help.

    Raises:
        SystemExit: with status 2 after a wrong call, 0 after help.
    """
    name = next(iter(arguments), "--help")
    if name in ("-h", "--help"):
        print(describe_stages())  # noqa: T201
        return
    if not find_stage(name):
        wrong = f"there is no stage {name!r}; {nearest(name, list(list_stages()))}"
        print(f"ncsbench stage: error: {wrong}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2)
    function = find_function(name)
    parser = make_parser(name, function)
    given = vars(parser.parse_args(arguments[1:]))
    parameters = list_parameters(function)
    values = {}
    for parameter, texts in given.items():
        if texts is not None:
            try:
                values[parameter] = read_option(texts, parameters[parameter].hint)
            except ValueError as error:
                parser.error(f"--{parameter.replace('_', '-')}: {error}")
    _call(function, values)


class Parameter(NamedTuple):
    """An option: its type, True where it must be given, and its help."""

    hint: Any
    needed: bool
    help: str


def list_parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """List the options of a function by name: its parameters, or the fields of a dataclass.

    A parameter whose type is a dataclass of several fields is replaced by these fields; a dataclass
    of one field, such as a path, is an option itself.
    """
    hints, helps = get_type_hints(function), _read_arguments(inspect.getdoc(function) or "")
    found: dict[str, Parameter] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        hint = _strip_none(hints[name])
        if _has_fields(hint):
            found |= list_parameters(hint)
        else:
            needed = parameter.default is parameter.empty
            found[name] = Parameter(hint, needed, helps.get(name, ""))
    return found


def _call(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Call a function with values by name of the option; make its dataclasses of the values."""
    hints = get_type_hints(function)
    made = {name: _call(hint, values) for name, hint in hints.items() if _has_fields(hint)}
    return function(**made, **{name: values[name] for name in hints if name in values})


def _has_fields(hint: Any) -> bool:
    return is_dataclass(hint) and len(fields(hint)) > 1


def list_stages() -> dict[str, str]:
    """Return module and function of every stage, by name."""
    # Imported here, since the environment of some other stages has no YAML.
    from ncsbench.rankers.learnt_kinds import LEARNING_STAGES

    return {**STAGES, **LEARNING_STAGES}


def find_stage(name: str) -> str:
    """Return ``<module>:<function>`` of a stage; empty for a stage that does not exist."""
    return STAGES.get(name) or list_stages().get(name, "")


def find_function(name: str) -> Callable[..., None]:
    """Return the function of a stage; its module is imported."""
    module, function = find_stage(name).split(":")
    found: Callable[..., None] = getattr(import_module(f"ncsbench.{module}"), function)
    return found


def describe_stages() -> str:
    """Describe each stage on a line: name and first line of its docstring; nothing is imported."""
    stages = list_stages()
    width = max(map(len, stages))
    lines = [f"{name:{width}}  {_read_summary(*of.split(':'))}" for name, of in stages.items()]
    return "\n".join(
        [
            "Usage: ncsbench stage NAME [OPTIONS], as rules call it; options: NAME --help",
            "",
            *lines,
        ]
    )


def make_parser(name: str, function: Callable[..., None]) -> argparse.ArgumentParser:
    """Make the options of a stage, one for each parameter, with help from ``Args``."""
    text = inspect.getdoc(function) or ""
    parser = argparse.ArgumentParser(
        prog=f"ncsbench stage {name}",
        description=text.partition("\n")[0],
        allow_abbrev=False,
    )
    for parameter, (hint, needed, said) in list_parameters(function).items():
        option = f"--{parameter.replace('_', '-')}"
        settings: dict[str, Any] = {"help": said.replace("%", "%%")}
        if hint is bool:
            parser.add_argument(option, action="store_const", const=["true"], **settings)
            continue
        if get_origin(hint) is Literal:
            settings["choices"] = get_args(hint)
        parser.add_argument(
            option,
            action="append",  # so that an option given twice is seen
            required=needed and not _holds_many(hint),
            metavar="NAME=PATH" if get_origin(hint) in _MAPPINGS else "VALUE",
            **settings,
        )
    return parser


_MAPPINGS = (dict, Mapping)


def read_option(texts: Sequence[str], hint: Any) -> Any:
    """Read the value of an option as its parameter wants it.

    Args:
        texts: texts given for the option, one for each time that it was given.
        hint: type of the parameter: ``Path``, a plain type, ``Literal``, settings (read from the
            JSON file of this path), another class (made of the path); a sequence or a mapping of
            these; each also with ``None``.

    Raises:
        ValueError: for a text that is not a value of the type, or two values of a single value.
        ConfigurationError: for settings of another stage.
    """
    hint = _strip_none(hint)
    if hint is bool:
        return True
    if get_origin(hint) in _MAPPINGS:
        for text in texts:
            if "" in text.partition("="):
                raise ValueError(f"{text!r} must be NAME=PATH")
        pairs = [text.partition("=")[::2] for text in texts]
        return {name: _read_one(value, get_args(hint)[1]) for name, value in pairs}
    if _holds_many(hint):
        return [_read_one(text, get_args(hint)[0]) for text in texts]
    if len(texts) > 1:
        raise ValueError("is given more than once")
    return _read_one(texts[0], hint)


def _read_one(text: str, hint: Any) -> Any:
    from ncsbench.base.configuration.strict_model import StrictModel, read_settings

    if get_origin(hint) is Literal:
        return text
    if hint in (str, int, float, Path):
        return hint(text)
    return read_settings(Path(text), hint) if issubclass(hint, StrictModel) else hint(Path(text))


def _strip_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        return next(one for one in get_args(hint) if one is not NoneType)
    return hint


def _holds_many(hint: Any) -> bool:
    return get_origin(hint) not in (None, Literal)


def _read_summary(module: str, function: str) -> str:
    path = _LIBRARY.joinpath(*module.split(".")).with_suffix(".py")
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""


def _read_arguments(docstring: str) -> dict[str, str]:
    """Read the text on each parameter in ``Args`` or ``Attributes`` of a docstring."""
    section = re.search(r"^(?:Args|Attributes):\n((?:    .*\n?|\n)+)", docstring, re.MULTILINE)
    entries = re.split(r"^    (\w+): ", section[1] if section else "", flags=re.MULTILINE)
    return {
        name: " ".join(text.split())
        for name, text in zip(entries[1::2], entries[2::2], strict=True)
    }


WAITED_FOR = "code"
"""Name of the input that is no option: it describes the rule's code."""


def options(**given: Any) -> Callable[..., str]:
    """Make a params function that writes the command line options of a rule's stage.

    Each named input and output is an option of that name, and an only output without a name is
    ``--output``. Inputs without a name, and ``code``, are waited for and not passed on. A list
    gives an option for each of its items, ``True`` gives an option without a value; an empty value
    gives no option.

    Args:
        given: further options, which also replace those of files: a value, with wildcards in
            braces, or a function of the wildcards.
    """

    def make_options(wildcards: Any, input: Any, output: Any) -> str:  # noqa: A002  (its name)
        outputs = dict(output.items())
        if not outputs and len(output) == 1:
            outputs["output"] = output[0]
        named = {**dict(input.items()), **outputs}
        named.pop(WAITED_FOR, None)
        named |= {name: _fill(value, wildcards) for name, value in given.items()}
        return shlex.join(part for item in named.items() for part in _spell(*item))

    return make_options


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
