"""What the choice of candidate questions is configured with."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.records import MEASURES

_CHOICES = {
    "popularity": ("views", "score"),
    "answer": ("accepted", "best"),
    "snippet": ("first", "longest", "all"),
}


@dataclass(frozen=True)
class CandidateOptions:
    """Options of the stage ``questions candidates`` (DEV-46 to DEV-48).

    Attributes:
        site: address of the site without a slash at its end, for links to posts and authors.
        tags: a question must have all of them; with none, every question counts.
        count: how many of the most popular questions are taken.
        popularity: ``views`` (the view count; questions without one come after all others, by
            score) or ``score``.
        answer: ``accepted`` (where it is upvoted and has code, else the best) or ``best`` (the
            upvoted answer with code that has the highest score).
        snippet: ``first``, ``longest`` or ``all`` code blocks of the answer.
        java_only: take only blocks that are Java.
        title_rules: names of rules of ``selection.titles`` that a title must pass.
    """

    site: str
    tags: tuple[str, ...]
    count: int
    popularity: str
    answer: str
    snippet: str
    java_only: bool
    title_rules: tuple[str, ...]


def read_options(settings: Any) -> CandidateOptions:
    """Check the settings of the stage; every field of ``CandidateOptions`` must be there.

    Raises:
        ConfigurationError: with one line that names the key and what it may be.
    """
    names = [field.name for field in dataclasses.fields(CandidateOptions)]
    if not isinstance(settings, dict):
        raise ConfigurationError(f"the settings must be a mapping with the keys {', '.join(names)}")
    for key in sorted(map(str, settings.keys() - set(names))):
        raise ConfigurationError(f"unknown setting {key!r}; {nearest(key, names)}")
    for key in names:
        if key not in settings:
            raise ConfigurationError(f"the setting {key!r} is missing")
    for key, choices in _CHOICES.items():
        if settings[key] not in choices:
            raise ConfigurationError(f"the setting {key!r} must be one of {', '.join(choices)}")
    if type(settings["count"]) is not int or settings["count"] < 1:
        raise ConfigurationError("the setting 'count' must be a whole number of at least 1")
    if type(settings["java_only"]) is not bool:
        raise ConfigurationError("the setting 'java_only' must be true or false")
    if not isinstance(settings["site"], str) or not settings["site"]:
        raise ConfigurationError("the setting 'site' must be an address")
    for key in ("tags", "title_rules"):
        values = settings[key]
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ConfigurationError(f"the setting {key!r} must be a list of names")
    lists = {key: tuple(settings[key]) for key in ("tags", "title_rules")}
    return CandidateOptions(**{**settings, **lists})


def read_selection(settings: Any) -> tuple[Path | None, str]:
    """The curation file, or None, and the measure of the stage ``questions select``.

    Raises:
        ConfigurationError: with one line, where they are not as they must be.
    """
    known = {"curation", "measure"}
    if not isinstance(settings, dict) or settings.keys() != known:
        raise ConfigurationError('the settings must hold "curation", a path or null, and "measure"')
    curation, measure = settings["curation"], settings["measure"]
    if curation is not None and not isinstance(curation, str):
        raise ConfigurationError("the setting 'curation' must be a path or null")
    if measure not in MEASURES:
        raise ConfigurationError(
            f"measure {measure!r} is unknown; {nearest(str(measure), list(MEASURES))}"
        )
    return (None if curation is None else Path(curation)), measure
