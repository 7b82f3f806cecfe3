"""Files that others published: their names, their addresses, their checksums."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.archives.download_options import ArchiveOptions

FOLDER = "data/sources"
"""Folder of published inputs: ``<name of the source>/<name of the file>``."""
_NAME = "^[A-Za-z0-9][A-Za-z0-9._-]*$"


class PublishedFile(StrictModel):
    """One file of a source."""

    name: str = Field(pattern=_NAME, max_length=100)
    """Name of the file in ``data/sources/<source>/`` and in the folder ``inputs.published``; not
    ``settings``."""
    path: str = Field(min_length=1)
    """Part of the file's address that follows ``url``."""
    sha256: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    """SHA-256 of the file. Without this key, the file must keep the SHA-256 of its first download.
    """
    md5: str | None = Field(None, pattern="^[0-9a-f]{32}$")
    """MD5 of the file, where its publisher gives no other sum; compared at the download."""
    bytes: int | None = Field(None, ge=1)
    """Size of the file, where it is known; compared at the download."""
    maximum_mb: int = Field(100, ge=1)
    """Largest size in megabytes; a larger file is refused."""


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
    """Beginning of the addresses of all files: with ``https://``, ``http://`` or ``file://``, and a
    slash at the end."""
    mirrors: tuple[Folder, ...] = ()
    """Beginnings of addresses at other places that have all files. A mirror is asked for a file
    where neither ``url`` nor an earlier mirror gives the file with its checksum."""
    files: Annotated[tuple[PublishedFile, ...], Field(min_length=1), AfterValidator(_check_names)]
    """The published files."""
    licence: str = ""
    """Terms under which the files may be used."""
    citation: str = ""
    """Publication to cite for the files."""


class PublishedInput(StrictModel):
    """Settings of the stage ``published_input``: one file of a source."""

    where: str
    """The configuration file that names the input."""
    url: str
    """Address of the file."""
    mirrors: tuple[str, ...] = ()
    """Other addresses, asked in this order where the file cannot be had at ``url``."""
    sha256: str | None = None
    """SHA-256 of the file, where it is known."""
    md5: str | None = None
    """MD5 of the file, where it is known."""
    bytes: int | None = None
    """Size of the file, where it is known."""
    maximum_mb: int
    """Largest size in megabytes; a larger file is refused."""
    folder: Path | None = None
    """Folder that the file is copied from instead of being downloaded."""
    download: ArchiveOptions = ArchiveOptions()
    """Settings for asking the file's server."""

    @property
    def largest_kb(self) -> int:
        """Kilobytes to fetch: the known size, else the largest that is taken; 0 of a folder."""
        known = self.bytes or self.maximum_mb * 1_000_000
        return 0 if self.folder else -(-known // 1000)


def is_published_input(path: str) -> bool:
    """Say whether a path, as a configuration file writes it, is that of a published input."""
    return path.startswith(f"{FOLDER}/")


def settings_of(path: str) -> str:
    """Return the settings file of a published input, by its path, from the folder ``data``.

    The file is the same for all datasets, as the input is.
    """
    folder, name = Path(path).parent, Path(path).name
    return str(folder.relative_to("data") / "settings" / f"{name}.json")
