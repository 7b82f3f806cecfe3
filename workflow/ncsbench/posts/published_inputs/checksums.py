"""Download of published inputs and their check by sums, configured or from the first download.

Before its first checksum is trusted, a file must be of the kind that its name says: where the
server gives no length, a body that ended early cannot be distinguished from a whole one, and a web
page may come in place of the file.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.base.files.hashes import hash_input
from ncsbench.base.files.storage import atomic_path, write_text
from ncsbench.corpus.sources.packed_streams import (
    ArchiveError,
    ArchiveLimits,
    iterate_members,
    read_over,
    read_over_zip,
)
from ncsbench.errors import DataError
from ncsbench.posts.published_inputs.source_files import PublishedInput
from ncsbench.posts.questions.question_entries import read_entries

if TYPE_CHECKING:
    from ncsbench.corpus.archives.http_client import HttpClient

_md5 = functools.partial(hashlib.md5, usedforsecurity=False)
_MEGABYTE = 10**6
_LINE = re.compile(r"([0-9a-f]{64})  .+\n?")
_DEFAULT = ArchiveLimits()


def lock_of(path: Path) -> Path:
    """Return the file beside a published input that has its SHA-256, in the form of ``sha256sum``.

    No rule names it as an output, so that Snakemake does not delete it with the input.
    """
    return path.with_name(f"{path.name}.sha256")


def find_checksum(path: Path, settings: PublishedInput) -> tuple[str | None, str]:
    """Return the SHA-256 that a published input must have, and the file that says so.

    The SHA-256 is None where it is not configured and the input was never downloaded.

    Raises:
        DataError: where the file beside the input holds no checksum.
    """
    if settings.sha256 is not None:
        return settings.sha256, settings.where
    lock = lock_of(path)
    try:
        found = _LINE.fullmatch(lock.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, str(lock)
    except (OSError, UnicodeDecodeError):
        found = None
    if not found:
        raise DataError(f"{lock}: is no line of a SHA-256 and a name; remove it")
    return found[1], str(lock)


def find_difference(path: Path, settings: PublishedInput, name: str) -> str:
    """Describe how a file differs from the known size and MD5; empty where it does not.

    Where no MD5 is known, the file must be of the kind that ``name`` says (``find_fault``).
    """
    size = path.stat().st_size
    if settings.bytes is not None and size != settings.bytes:
        return f"has {size} bytes, but {settings.where} says {settings.bytes}"
    if settings.md5 is not None:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, _md5).hexdigest()
        if found != settings.md5:
            return f"has the MD5 {found}, but {settings.where} says {settings.md5}"
        return ""
    return find_fault(path, name)


def write_lock(path: Path, sha256: str) -> None:
    """Write the SHA-256 that a published input must have from now on."""
    write_text(lock_of(path), f"{sha256}  {path.name}\n")


def check_published(inputs: Mapping[str, PublishedInput]) -> None:
    """Check that inputs have their checksums; inputs that do not exist yet pass.

    Raises:
        DataError: for any other input, with both sums or its fault, and the remedy.
    """
    for name, settings in inputs.items():
        path = Path(name)
        if not path.exists():
            continue
        wanted, where = find_checksum(path, settings)
        found = hash_input(path)
        if wanted is None:
            if fault := find_difference(path, settings, path.name):
                raise DataError(f"{path}: {fault}; remove it, and the next run gets it again")
            write_lock(path, found)
        elif found != wanted:
            raise DataError(
                f"{path}: has the SHA-256 {found}, but {where} says {wanted}; remove {path}, and "
                "the next run gets it again"
            )


def find_fault(path: Path, name: str, limits: ArchiveLimits = _DEFAULT) -> str:
    """Describe why a file is not of the kind that its name says; empty where it is.

    A ``.json`` file must have questions; a ``.tar.gz``, ``.gz`` or ``.zip`` file is read to its
    end; files of other names are not checked.

    Args:
        path: path of the file.
        name: name that the file is to have.
        limits: numbers of members and bytes that the file may unpack to.
    """
    try:
        if name.endswith(".json"):
            kind = "questions in JSON"
            read_entries([path])
        elif name.endswith((".tar.gz", ".tgz")):
            kind = "whole tar.gz file"
            with path.open("rb") as file:
                for _ in iterate_members(file, limits):
                    pass
        elif name.endswith(".gz"):
            kind = "whole gz file"
            with path.open("rb") as file:
                read_over(file, limits)
        elif name.endswith(".zip"):
            kind = "whole zip file"
            read_over_zip(path, limits)
    except (DataError, ArchiveError) as error:
        reason = str(error).removeprefix(f"{path}: ")
        return (
            f"is no {kind} ({reason}), perhaps cut off, or a page or a pointer of Git LFS in its "
            "place"
        )
    return ""


def provide(settings: PublishedInput, output: Path) -> None:
    """Download a published file, or copy it from a folder, and check it.

    Args:
        settings: addresses or folder of the file, and its known sums and size.
        output: file to write.
    """
    from ncsbench.corpus.archives.http_client import HttpClient  # loads modules that no check needs

    get_published(settings, output, client=HttpClient(settings.download))


def get_published(settings: PublishedInput, path: Path, *, client: HttpClient) -> None:
    """Write a published input, atomically; at its first download, write its checksum, too.

    Args:
        settings: addresses of the file or the folder to copy it from, and its known sums and size.
        path: path to write.
        client: client that asks the hosts.

    Raises:
        DataError: where no address has the file with its checksum and size or, if none is known,
            with content of the kind that its name says; then nothing is written.
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
        f"correct the address in {settings.where}, or name a folder that has it as {path.name}, "
        "inputs.published: "
        f"snakemake --cores 1 {path} --config dataset=sample 'inputs={{published: path/to/folder}}'"
    )
