"""Getting a published input, from its addresses or from a folder, and checking the file."""

from __future__ import annotations

from pathlib import Path

from ncsbench.archives.http_client import HttpClient
from ncsbench.artifacts.storage import atomic_path
from ncsbench.errors import DataError
from ncsbench.published_inputs.checksums import (
    find_checksum,
    find_difference,
    lock_of,
    write_lock,
)
from ncsbench.published_inputs.source_files import PublishedInput

_MEGABYTE = 10**6


def provide(settings: PublishedInput, output: Path) -> None:
    """Download a published file, or copy it from a folder, and check it.

    Args:
        settings: addresses of the file, and its known checksums and size.
        output: file to write.
    """
    get_published(settings, output, client=HttpClient(settings.download))


def get_published(settings: PublishedInput, path: Path, *, client: HttpClient) -> None:
    """Write a published input, atomically; at its first download its checksum, too.

    Args:
        settings: addresses of the file, or the folder that it is copied from, and its known
            checksums and size.
        path: file to write.
        client: asks the hosts.

    Raises:
        DataError: where no address has the file, or has it only with another checksum or size, or,
            where no checksum is known, with content of another kind than its name says: then
            nothing is written.
    """
    wanted, where = find_checksum(path, settings)
    urls = (settings.url, *settings.mirrors)
    if settings.folder is not None:
        urls = ((settings.folder / path.name).absolute().as_uri(),)
    faults = []
    with atomic_path(path) as temporary:
        for url in urls:
            try:
                sha256 = _receive(url, temporary, path, settings, client)
                break
            except DataError as error:
                faults.append(str(error))
        else:
            remedy = _remedy(settings, path)
            if wanted is not None and Path(where) == lock_of(path):
                remedy += f"; if it was changed on purpose, remove {where}"
            raise DataError(
                f"{path}: {'; '.join(faults)}; nothing was written; start again, or {remedy}"
            )
    if wanted is None:
        write_lock(path, sha256)


def _receive(
    url: str, temporary: Path, path: Path, settings: PublishedInput, client: HttpClient
) -> str:
    """Write the file at one address and return its SHA-256; ``DataError`` for a wrong file."""
    with temporary.open("wb") as file:
        maximum = settings.maximum_mb * _MEGABYTE
        received = client.fetch(url, file, maximum_bytes=maximum)
    wanted, where = find_checksum(path, settings)
    if wanted is not None and received.sha256 != wanted:
        raise DataError(f"{url} has the SHA-256 {received.sha256}, but {where} says {wanted}")
    if wanted is None:
        if fault := find_difference(temporary, settings, path.name):
            raise DataError(f"{url} {fault}")
    return received.sha256


def _remedy(settings: PublishedInput, path: Path) -> str:
    if settings.folder is not None:
        return "correct the folder inputs.published, or leave it out to download the file"
    return (
        f"correct the address in {settings.where}, or name a folder that has the file under this "
        "name, inputs.published: "
        f"snakemake --cores 1 {path} --config dataset=sample 'inputs={{published: path/to/folder}}'"
    )
