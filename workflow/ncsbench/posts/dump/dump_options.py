"""What is read of which dump; the block ``posts`` of a dataset file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import Share, StrictModel

_TAG = '^[^\\s<>|&"]+$'


def _check_tag(tag: str) -> str:
    if not re.fullmatch(_TAG, tag):
        raise ValueError(f"{tag!r} is no tag; write it as the site does: 'android-layout'")
    return tag


Tag = Annotated[str, AfterValidator(_check_tag), Field(json_schema_extra={"pattern": _TAG})]


class PostSettings(StrictModel):
    """Settings of the stages that read a dump."""

    path: Path
    """Posts.xml of a dump, plain, .gz or .7z."""
    users: Path | None = None
    """Users.xml of the same dump, for the names of authors; may be the same .7z."""
    tags: Annotated[tuple[Tag, ...], Field(min_length=1)] = ("android", "java")
    """A question is read when it has one of these tags."""
    parts: int = Field(1, ge=1, le=9999)
    """The dump is read in this many parts; only an unpacked one can be divided. About one per
    gigabyte is right."""
    maximum_broken: Share = 0.001
    """The run ends where a larger share of the rows cannot be read; 1 lets everything pass."""


class PostsOptions(PostSettings):
    """Posts of a Stack Exchange site, for questions and training pairs (docs/posts.md)."""

    site: str = Field("https://stackoverflow.com", pattern="^https?://[^\\s<>\"'`]+[^\\s<>\"'`/]$")
    """Where links to posts and authors point."""
    links: Path | None = None
    """PostLinks.xml of the same dump, for ``selection.popularity: links`` or ``duplicates``; may be
    the same .7z."""


class LinkSettings(StrictModel):
    """Settings of the stage ``posts links``."""

    path: Path
    """PostLinks.xml of a dump, plain, .gz or .7z."""
