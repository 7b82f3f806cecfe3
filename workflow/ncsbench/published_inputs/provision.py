"""Gets a published input, from its address or from a folder, and checks what came."""

from __future__ import annotations

from pathlib import Path

from ncsbench.archives.downloads import fetch
from ncsbench.archives.http_client import HttpClient
from ncsbench.artifacts.storage import atomic_path
from ncsbench.errors import DataError
from ncsbench.published_inputs.checksums import find_checksum, lock_of, write_lock
from ncsbench.published_inputs.first_look import find_fault
from ncsbench.published_inputs.source_files import PublishedInput

_MEGABYTE = 10**6


def get_published(settings: PublishedInput, path: Path, *, client: HttpClient) -> None:
    """Write a published input, atomically; at its first download its checksum too.

    Args:
        settings: its address or the folder that it is copied from, and its checksum if known.
        path: where it shall be.
        client: asks the host.

    Raises:
        DataError: where it cannot be got, has another checksum, or where none is known is not what
            it is named: then nothing is written.
    """
    wanted, where = find_checksum(path, settings)
    url = settings.url
    if settings.folder is not None:
        url = (settings.folder / path.name).absolute().as_uri()
    with atomic_path(path) as temporary:
        with temporary.open("wb") as file:
            try:
                received = fetch(
                    url, file, client=client, maximum_bytes=settings.maximum_mb * _MEGABYTE
                )
            except DataError as error:
                raise DataError(f"{path}: {error}; {_remedy(settings, path)}") from error
        if wanted is not None and received.sha256 != wanted:
            more = f"; if it was changed on purpose, remove {where}" * (
                Path(where) == lock_of(path)
            )
            raise DataError(
                f"{path}: {url} has the SHA-256 {received.sha256}, but {where} says {wanted}; "
                f"nothing was written; {_remedy(settings, path)}{more}"
            )
        fault = find_fault(temporary, path.name) if wanted is None else ""
        if fault:
            raise DataError(
                f"{path}: {url} {fault}; nothing was written; start again, or "
                f"{_remedy(settings, path)}"
            )
    if wanted is None:
        write_lock(path, received.sha256)


def _remedy(settings: PublishedInput, path: Path) -> str:
    if settings.folder is not None:
        return "correct the folder inputs.published, or leave it out to download the file"
    return (
        f"correct the address in {settings.where}, or name a folder that has the file under "
        "this name, inputs.published: "
        f"snakemake --cores 1 {path} --config dataset=sample 'inputs={{published: path/to/folder}}'"
    )
