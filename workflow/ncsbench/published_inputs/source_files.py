"""Files that were published by others: what they are called, where they are, their checksums."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ncsbench.archives.download_options import ArchiveOptions
from ncsbench.configuration.strict_model import StrictModel

FOLDER = "data/sources"
"""Where published inputs lie: ``<name of the source>/<name of the file>``."""
_NAME = "^[A-Za-z0-9][A-Za-z0-9._-]*$"


class PublishedFile(StrictModel):
    """One file of a source."""

    name: str = Field(pattern=_NAME, max_length=100)
    """What the file is called in ``data/sources/<source>/`` and in the folder ``inputs.published``;
    not ``settings``."""
    path: str = Field(min_length=1)
    """What follows ``url`` in its address."""
    sha256: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    """Its SHA-256. Where it is not known, that of the first download counts from then on."""
    md5: str | None = Field(None, pattern="^[0-9a-f]{32}$")
    """Its MD5, where its publisher says no other sum; compared when it is got."""
    bytes: int | None = Field(None, ge=1)
    """Its size, where that is known; compared when it is got."""
    maximum_mb: int = Field(100, ge=1)
    """A file of more megabytes is not taken."""


def _check_names(files: tuple[PublishedFile, ...]) -> tuple[PublishedFile, ...]:
    names = [file.name for file in files]
    for name in names:
        if names.count(name) > 1 or name == "settings":
            raise ValueError(f"the name {name!r} is taken; give each file its own")
    return files


Folder = Annotated[str, Field(pattern="^(https?|file)://[^\\s]+/$")]


class PublishedSource(StrictModel):
    """Files that others published together (docs/datasets.md)."""

    url: Folder
    """What the addresses of all files begin with: ``https://``, ``http://`` or ``file://``, with a
    slash at the end."""
    mirrors: tuple[Folder, ...] = ()
    """The same of other places that have all files; each is asked where none before it has a file
    as it should be."""
    files: Annotated[tuple[PublishedFile, ...], Field(min_length=1), AfterValidator(_check_names)]
    """The files."""
    licence: str = ""
    """Under which terms they may be used."""
    citation: str = ""
    """What to cite."""


class PublishedInput(StrictModel):
    """Settings of the stage ``published_input``: one file of a source."""

    where: str
    """The configuration file that names it."""
    url: str
    """Its address."""
    mirrors: tuple[str, ...] = ()
    """Other addresses, asked in this order where the file cannot be had at ``url``."""
    sha256: str | None = None
    """Its SHA-256, where it is known."""
    md5: str | None = None
    """Its MD5, where it is known."""
    bytes: int | None = None
    """Its size, where it is known."""
    maximum_mb: int
    """A file of more megabytes is not taken."""
    folder: Path | None = None
    """Folder that it is copied from instead of being downloaded."""
    download: ArchiveOptions = ArchiveOptions()
    """How its server is asked."""


def is_published_input(path: str) -> bool:
    """Whether a path, as a configuration file writes it, is that of a published input."""
    return path.startswith(f"{FOLDER}/")


def settings_of(path: str) -> str:
    """The settings file of a published input, by its path, from the folder ``data``.

    One for all datasets, as the input is.
    """
    folder, name = Path(path).parent, Path(path).name
    return str(folder.relative_to("data") / "settings" / f"{name}.json")
