"""Options for reading a dump of posts; the block ``posts`` of a dataset file."""

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
    """Tags of the wanted questions: a question is read if it has one of them."""
    parts: int = Field(1, ge=1, le=9999)
    """Number of parts in which the dump is read; only an unpacked dump can be divided. About one
    part per gigabyte is right."""
    maximum_broken: Share = 0.001
    """Largest share of rows that cannot be read; the run ends where there are more. With 1, no
    number of broken rows ends the run."""


class PostsOptions(PostSettings):
    """Posts of a Stack Exchange site, for questions and training pairs (docs/posts.md)."""

    site: str = Field("https://stackoverflow.com", pattern="^https?://[^\\s<>\"'`]+[^\\s<>\"'`/]$")
    """Address of the site, for links to posts and authors."""
    links: Path | None = None
    """PostLinks.xml of the same dump, for ``selection.popularity: links`` or ``duplicates``; may be
    the same .7z."""


class LinkSettings(StrictModel):
    """Settings of the stage ``posts links``."""

    path: Path
    """PostLinks.xml of a dump, plain, .gz or .7z."""
