"""Options of a set of training pairs, read from its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words

_Options = TypeVar("_Options", "PostOptions", "DocstringOptions", "FileOptions")
_SOURCE = re.compile(r"[A-Za-z0-9_.-]+")
_OWN_SOURCES = frozenset({"github", "stackoverflow", "stackoverflow.com"})


@dataclass(frozen=True)
class PostOptions:
    """How questions and answers become pairs; described in ``schemas/pairs.schema.yaml``."""

    site: str
    tags: list[str]
    tags_needed: Literal["all", "any"]
    answers: Literal["upvoted", "accepted", "best", "all"]
    snippets: Literal["each", "first", "longest", "joined"]
    java_only: bool
    xml_tags: Literal["dropped", "kept"]
    calls: Literal["needed", "ignored"]
    excluded_words: list[str]
    minimum_query_words: int
    minimum_code_words: int
    exact_duplicates: Literal["dropped", "kept"]

    def __post_init__(self) -> None:
        """Refuse an excluded word that no title can hold.

        Raises:
            ConfigurationError: where splitting a title into words would split or drop the word.
        """
        for word in self.excluded_words:
            if split_words(word) != [word.casefold()]:
                raise ConfigurationError(
                    f"settings of pairs: excluded_words has {word!r}, which no title can hold as "
                    "one word; give single words of letters or digits"
                )


@dataclass(frozen=True)
class DocstringOptions:
    """How methods with a docstring become pairs; described in ``schemas/pairs.schema.yaml``."""

    licence_notices: Literal["dropped", "kept"]
    generated: Literal["dropped", "kept"]
    other_scripts: Literal["dropped", "kept"]
    minimum_query_words: int
    minimum_code_words: int
    exact_duplicates: Literal["dropped", "kept"]


@dataclass(frozen=True)
class FileOptions:
    """How lines of a file become pairs; described in ``schemas/pairs.schema.yaml``."""

    path: str
    source: str
    code_field: str
    query_field: str
    key_fields: list[str]
    licence: str
    maximum_broken: float
    minimum_query_words: int
    minimum_code_words: int
    exact_duplicates: Literal["dropped", "kept"]

    def __post_init__(self) -> None:
        """Refuse a source whose keys could be taken for those of posts or of methods.

        Raises:
            ConfigurationError: for such a source, or a share that is none.
        """
        if not _SOURCE.fullmatch(self.source) or self.source.casefold() in _OWN_SOURCES:
            raise ConfigurationError(
                f"settings of pairs: source is {self.source!r} and must be a name of its own of "
                "letters, digits, '_', '.' and '-'"
            )
        if not 0 <= self.maximum_broken <= 1:
            raise ConfigurationError(
                f"settings of pairs: maximum_broken is {self.maximum_broken} and must be a share "
                "from 0 to 1"
            )


def read_options(settings: Any, kind: type[_Options]) -> _Options:
    """Take the options of one kind from the settings of a set of pairs.

    Raises:
        ConfigurationError: where an option is missing or has a value that it cannot have.
    """
    if not isinstance(settings, Mapping):
        raise ConfigurationError("settings of pairs must be an object of options")
    hints = get_type_hints(kind)
    values = {}
    for field in fields(kind):
        if field.name not in settings:
            raise ConfigurationError(f"settings of pairs: the option {field.name!r} is missing")
        value, hint = settings[field.name], hints[field.name]
        choices = get_args(hint)
        right = type(value) is hint if not choices else value in choices
        if hint == list[str]:
            right = isinstance(value, list) and all(isinstance(text, str) for text in value)
        if hint is float:
            right = type(value) in (float, int)
        if not right:
            known = f"one of {', '.join(choices)}" if hint != list[str] and choices else str(hint)
            raise ConfigurationError(
                f"settings of pairs: {field.name} is {value!r} and must be {known}"
            )
        values[field.name] = value
    return kind(**values)
