"""Options of a set of training pairs, read from its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, get_args, get_type_hints

from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words

_Options = TypeVar("_Options", "PostOptions", "DocstringOptions")


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
        if not right:
            known = f"one of {', '.join(choices)}" if hint != list[str] and choices else str(hint)
            raise ConfigurationError(
                f"settings of pairs: {field.name} is {value!r} and must be {known}"
            )
        values[field.name] = value
    return kind(**values)
