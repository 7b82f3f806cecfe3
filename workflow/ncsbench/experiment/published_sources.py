"""Published inputs: the files in ``config/sources/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.archives.download_options import ArchiveOptions
from ncsbench.configuration.files import list_names, read_yaml
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.published_inputs.source_files import (
    FOLDER,
    PublishedInput,
    PublishedSource,
    is_published_input,
)

_DEFAULT = ArchiveOptions()


def load_published_inputs(
    root: Path, folder: Path | None = None, download: ArchiveOptions = _DEFAULT
) -> dict[str, PublishedInput]:
    """All files of all sources in ``config/sources/``, by the path that they shall have.

    Args:
        root: folder of the Snakefile.
        folder: where they are copied from instead of being downloaded.
        download: how servers are asked.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    inputs: dict[str, PublishedInput] = {}
    for name in list_names(root / "config" / "sources"):
        where = f"config/sources/{name}.yaml"
        source = PublishedSource.parse(read_yaml(root / where), where=where)
        for file in source.files:
            inputs[f"{FOLDER}/{name}/{file.name}"] = PublishedInput(
                where=where,
                url=source.url + file.path,
                mirrors=tuple(mirror + file.path for mirror in source.mirrors),
                sha256=file.sha256,
                md5=file.md5,
                bytes=file.bytes,
                maximum_mb=file.maximum_mb,
                folder=folder,
                download=download,
            )
    return inputs


def check_known(path: str, where: str, inputs: Mapping[str, PublishedInput]) -> None:
    """Let pass what is no path of a published input, or one of a file that is known.

    Raises:
        ConfigurationError: for any other.
    """
    if is_published_input(path) and path not in inputs:
        raise ConfigurationError(
            f"{where}: {path} is no file of a source in config/sources/; "
            f"{nearest(path, sorted(inputs))}"
        )
