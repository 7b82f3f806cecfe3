"""Rules in a Python file of the user's own, which a file of rules names (``docs/cleaning.md``)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ncsbench.comment_filter.rules import is_unicode
from ncsbench.configuration.python_files import PythonFileKind, describe_failure, execute_file
from ncsbench.errors import ConfigurationError

DETACH = "detach"
"""How the name of a rule begins that changes comments."""
RESERVED = ("empty", "model")
"""Reasons for which a comment is rejected that are no rules."""
_PAGE = "docs/cleaning.md"
_KIND = PythonFileKind(
    module="ncsbench_rules_",
    named="a file of rules names it by its key 'python'",
    single="rules are one file",
    page=_PAGE,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHOWN = 60


def load_user_rules(path: Path) -> dict[str, Callable[[str], Any]]:
    """The functions that a file names as ``RULES``, by the names of their rules.

    Each takes a comment. Where its name begins with ``detach`` it gives back the comment as it
    shall be; else True where the comment is rejected and False where it is not. What it does
    otherwise ends in a ``ConfigurationError`` that names file and line.

    Raises:
        ConfigurationError: where the file cannot be read or executed, or names no functions.
    """
    rules = getattr(execute_file(path, _KIND), "RULES", None)
    if not isinstance(rules, Mapping) or not rules:
        raise ConfigurationError(
            f"{path}: names no rules as RULES; add a last line "
            f"'RULES = {{\"name\": function}}' ({_PAGE})"
        )
    for name, function in rules.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in RESERVED:
            raise ConfigurationError(
                f"{path}: RULES: {name!r} is no name of a rule; use letters, digits and '_', and "
                f"none of {', '.join(RESERVED)}"
            )
        if not callable(function):
            raise ConfigurationError(f"{path}: RULES: {name!r} is no function")
    return {name: _check_calls(path, name, function) for name, function in rules.items()}


def hash_rules(path: Path) -> str:
    """SHA-256 of such a file; ``ConfigurationError`` where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error


def _check_calls(path: Path, name: str, function: Callable[[str], Any]) -> Callable[[str], Any]:
    """The function, whose faults end in one line."""
    detaches = name.startswith(DETACH)

    def apply(comment: str) -> Any:
        try:
            answer = function(comment)
        except (Exception, SystemExit) as error:
            raise ConfigurationError(
                f"{describe_failure(path, error)}; in the rule {name!r} for the comment "
                f"{_show(comment)}"
            ) from error
        if isinstance(answer, str) and is_unicode(answer) if detaches else isinstance(answer, bool):
            return answer
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
        place = f"{path}, line {line}" if line else f"{path}"
        wanted = (
            "Unicode text, since its name begins with 'detach'" if detaches else "True or False"
        )
        raise ConfigurationError(
            f"{place}: the rule {name!r} must give {wanted}, not {_show(answer)}, for the comment "
            f"{_show(comment)}"
        )

    return apply


def _show(value: Any) -> str:
    try:
        text = ascii(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
