"""What is read of which dump."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.errors import ConfigurationError

_TAG = re.compile(r"[^\s<>|&\"]+")


@dataclass(frozen=True)
class PostSettings:
    """Settings of the stage.

    Attributes:
        path: the dump.
        tags: a question with any of them is taken.
        parts: into how many ranges of bytes the dump is divided.
        maximum_broken: the greatest share of ledger lines in rows; 1 lets everything pass.
        users: the users of the dump, for the names of authors; None leaves them out.
    """

    path: Path
    tags: tuple[str, ...]
    parts: int = 1
    maximum_broken: float = 0.001
    users: Path | None = None

    def __post_init__(self) -> None:
        wrong = [tag for tag in self.tags if not _TAG.fullmatch(tag)]
        if wrong or not self.tags:
            raise ConfigurationError(
                f"posts: {wrong[0]!r} is no tag" if wrong else "posts: no tags"
            )
        if not 1 <= self.parts <= 9999:
            raise ConfigurationError(f"posts: {self.parts} parts; there must be 1 to 9999")
        if not 0 <= self.maximum_broken <= 1:
            raise ConfigurationError(
                f"posts: maximum_broken is {self.maximum_broken}; it must be from 0 to 1"
            )


def check_settings(options: Mapping[str, Any]) -> PostSettings:
    """The settings of a settings file; ``ConfigurationError`` where one is of no use."""
    try:
        return PostSettings(
            path=Path(options["path"]),
            tags=tuple(options["tags"]),
            parts=int(options["parts"]),
            maximum_broken=float(options["maximum_broken"]),
            users=None if options.get("users") is None else Path(options["users"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"posts: settings cannot be used ({error!r})") from error
