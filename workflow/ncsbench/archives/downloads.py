"""Downloads one file to a path: whole and checked, or not at all."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from ncsbench.archives.http_client import DownloadError, HttpClient, Received
from ncsbench.artifacts.storage import atomic_path

_CHUNK = 1 << 20


def download(
    url: str, target: Path, *, client: HttpClient, maximum_bytes: int, sha256: str | None = None
) -> Received:
    """Write the file at an http, https or file address to ``target``, atomically.

    Args:
        url: where the file is.
        target: where it shall be; what is there is replaced.
        client: asks the host, within its limits.
        maximum_bytes: a larger file is an error.
        sha256: what the file must have, in hexadecimal digits.

    Returns:
        Its size and SHA-256.

    Raises:
        DownloadError: where it cannot be got, is too large or another than expected.
        DataError: where ``target`` cannot be written.
    """
    with atomic_path(target) as temporary:
        with temporary.open("wb") as file:
            received = fetch(url, file, client=client, maximum_bytes=maximum_bytes)
        if sha256 is not None and received.sha256 != sha256:
            raise DownloadError(
                url, f"is another file than expected (SHA-256 {received.sha256}, not {sha256})"
            )
    return received


def fetch(url: str, target: IO[bytes], *, client: HttpClient, maximum_bytes: int) -> Received:
    """Write the file at an http, https or file address to an open file, from its start.

    Raises:
        DownloadError: as ``download``.
    """
    if url.lower().startswith("file:"):
        return _copy_file(url, target, maximum_bytes)
    return client.receive(url, target, maximum_bytes=maximum_bytes)


def _copy_file(url: str, target: IO[bytes], maximum: int) -> Received:
    digest, size = hashlib.sha256(), 0
    target.seek(0)
    target.truncate()
    for chunk in _read_chunks(url):
        size += len(chunk)
        if size > maximum:
            raise DownloadError(url, f"larger than {maximum} bytes")
        target.write(chunk)
        digest.update(chunk)
    target.flush()
    return Received(size, digest.hexdigest())


def _read_chunks(url: str) -> Iterator[bytes]:
    address = urlsplit(url)
    if address.netloc not in {"", "localhost"}:
        raise DownloadError(url, "is of another machine; write file:///folder/file")
    try:
        # Without waiting for who writes into a pipe.
        descriptor = os.open(unquote(address.path), os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as source:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise DownloadError(url, "is no file")
            while chunk := source.read(_CHUNK):
                yield chunk
    except (FileNotFoundError, NotADirectoryError):
        raise DownloadError(url, "there is no such file", status=404) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no path"
        raise DownloadError(url, f"cannot be read ({reason})") from error
