"""Which questions of a file count: ids of Stack Overflow, which are facts and can be committed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from ncsbench.errors import ConfigurationError

_LONGEST = 40


def _write_number(value: Any) -> Any:
    return str(value) if type(value) is int else value


QuestionId = Annotated[
    str,
    BeforeValidator(_write_number, json_schema_input_type=int | str),
    Field(min_length=1, max_length=_LONGEST),
]
"""A ``stackoverflow_id``; a number stands for its digits."""


def _explain_ids(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    try:
        return check(tuple(value) if isinstance(value, list) else value)  # no longer JSON here
    except ValidationError as error:
        raise ValueError(f"want a list of ids, or a file of them, not {value!r}") from error


QuestionIds = Annotated[tuple[QuestionId, ...] | str, WrapValidator(_explain_ids)]
"""Ids, or the path of a text file with one a line."""


def read_ids(path: Path) -> tuple[str, ...]:
    """Ids from a text file with one a line; blank lines and blanks around an id do not count.

    Raises:
        ConfigurationError: where it cannot be read, has no ids, one twice, or a line that is none.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 text ({error.reason})") from error
    ids: dict[str, None] = {}
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line:
            continue
        if len(line.split()) > 1 or len(line) > _LONGEST:
            raise ConfigurationError(f"{path}: line {number}: {line[:60]!r} is no id; write one")
        if line in ids:
            raise ConfigurationError(f"{path}: line {number}: {line} is there twice; keep one")
        ids[line] = None
    if not ids:
        raise ConfigurationError(f"{path}: has no ids; write one a line")
    return tuple(ids)
