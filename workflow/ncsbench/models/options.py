"""Options of a model file as a typed dataclass, with one-line errors."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from ncsbench.configuration import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words

OptionsT = TypeVar("OptionsT")


@dataclasses.dataclass(frozen=True)
class StopWordOptions:
    """Options of models that may take the stop words out of a query.

    Attributes:
        query_stop_words: whether stop words of a query are kept (DEV-16).
        stop_words: the stop words, lower-case; only read where they are removed.
    """

    query_stop_words: Literal["kept", "removed"] = "kept"
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.query_stop_words == "removed" and not self.stop_words:
            raise ConfigurationError(
                "option 'query_stop_words: removed' needs stop words; add 'stop_words: true'"
            )

    def split_query(self, text: str) -> list[str]:
        """Words of a query, without its stop words where they are removed."""
        words = split_words(text)
        if self.query_stop_words == "kept":
            return words
        return [word for word in words if word not in self.stop_words]


def parse_options(kind: type[OptionsT], options: Mapping[str, Any], *, where: str) -> OptionsT:
    """Build the dataclass ``kind`` from the options of a model file.

    Args:
        kind: a dataclass with fields of type bool, int, float, str, ``Literal`` or
            ``tuple[str, ...]``; its ``__post_init__`` may raise ``ConfigurationError``.
        options: values by name; missing names take the dataclass's defaults.
        where: what to call the options in an error message.

    Raises:
        ConfigurationError: for an unknown name or a value of the wrong type.
    """
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    values = {}
    for name, value in options.items():
        if name not in names:
            hint = nearest(str(name), names) if names else "there are none"
            raise ConfigurationError(f"{where}: unknown option {name!r}; {hint}")
        values[name] = _convert(value, hints[name], f"{where}: option {name!r}")
    try:
        return kind(**values)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from error


def require_at_least(minimum: float, **values: float) -> None:
    """``ConfigurationError`` where one of the named values is below ``minimum``."""
    for name, value in values.items():
        if not value >= minimum:
            raise ConfigurationError(f"option {name!r} must be at least {minimum}, not {value}")


def _convert(value: Any, hint: Any, where: str) -> Any:
    if get_origin(hint) is Literal:
        if value in get_args(hint) and not isinstance(value, bool):
            return value
        raise ConfigurationError(f"{where} must be one of {', '.join(get_args(hint))}")
    if get_origin(hint) is tuple:
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise ConfigurationError(f"{where} must be a list of words")
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise ConfigurationError(f"{where} must be of type {hint.__name__}, not {value!r}")
    return value
