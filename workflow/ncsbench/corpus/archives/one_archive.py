"""Gets one repository into the store: from its listed address, or from Software Heritage.

In Software Heritage a commit has a directory (``GET /api/1/revision/<sha1>/``), of which the Vault
makes a flat bundle when asked (``POST /api/1/vault/flat/swh:1:dir:<id>/``, then ``GET`` until the
bundle is done): see https://archive.softwareheritage.org/api/ and .../api/1/vault/doc/.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from ncsbench.corpus.archives.download_options import ArchiveOptions
from ncsbench.corpus.archives.http_client import DownloadError, HttpClient
from ncsbench.corpus.sources.archive_store import ArchiveStore, Origin
from ncsbench.corpus.sources.packed_streams import ArchiveError
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.zip_archives import Archive, read_flat_bundle, read_zip
from ncsbench.errors import ConfigurationError, DataError

_UNAUTHORIZED = 401
_ANSWER_BYTES = 2**20
_LONGEST_POLL = 120.0
_ID = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Outcome:
    """The result of fetching one repository.

    Attributes:
        repository: as listed.
        reason: why the repository cannot be had; empty where it is in the store now.
        certain: True where a server said so; else the network may be at fault.
        bytes: size of the last download.
        heritage: True where Software Heritage was asked.
    """

    repository: Repository
    reason: str = ""
    certain: bool = True
    bytes: int = 0
    heritage: bool = False


class Fetcher:
    """Adds repositories to a store; for several threads."""

    def __init__(
        self, options: ArchiveOptions, client: HttpClient, store: ArchiveStore, spool: Path
    ) -> None:
        """Fetch with a client, by way of short-lived files in the folder ``spool``."""
        self._options = options
        self._client = client
        self._store = store
        self._spool = spool
        self._heritage = SoftwareHeritage(options, client)

    def check_host(self, known: Sequence[Repository]) -> bool:
        """Ask again for archives that were answered, and say whether they still are; keep nothing.

        Where none comes, the host works only if all are answered for certain: one host may say what
        is gone while another, which it leads to, is down.
        """
        outcomes = [self.fetch_listed(one, keep=False) for one in known]
        return any(not one.reason for one in outcomes) or all(one.certain for one in outcomes)

    def fetch_listed(self, repository: Repository, *, keep: bool = True) -> Outcome:
        """Fetch the archive from its address; with ``keep``, put it into the store.

        Raises:
            ConfigurationError: where the token is refused.
            DataError: where the disk is full, or the store cannot be written to.
        """
        commit = self._store.commit_to_fetch(repository)
        url = fill_template(self._options.url_template, replace(repository, commit=commit))

        def receive(file: IO[bytes]) -> None:
            self._client.fetch(url, file, maximum_bytes=self._options.maximum_bytes)

        def read(path: Path) -> AbstractContextManager[Archive]:
            return read_zip(path, commit=commit, repository=repository.name)

        # A file of this machine is the same however often it is read.
        again = not url.startswith("file:")
        return self._add(repository, receive, read, "archive", keep=keep, again=again)

    def fetch_heritage(self, repository: Repository) -> Outcome:
        """Fetch the bundle of a commit from Software Heritage; errors as of ``fetch_listed``."""
        commit = repository.commit or ""
        try:
            directory = self._heritage.find_directory(commit)
        except DownloadError as error:
            self._check_token(error)
            return Outcome(repository, error.reason, not error.passing, heritage=True)

        def receive(file: IO[bytes]) -> None:
            self._heritage.fetch_bundle(directory, file)

        def read(path: Path) -> AbstractContextManager[Archive]:
            return read_flat_bundle(path, commit=commit, directory=directory)

        return self._add(repository, receive, read, "software_heritage")

    def _add(
        self,
        repository: Repository,
        receive: Callable[[IO[bytes]], None],
        read: Callable[[Path], AbstractContextManager[Archive]],
        origin: Origin,
        *,
        keep: bool = True,
        again: bool = True,
    ) -> Outcome:
        heritage = origin == "software_heritage"
        for attempt in range(1, self._options.archive_attempts + 1):
            check_disk(self._spool, self._options.least_free_bytes)
            with self._open_spool() as file:
                try:
                    receive(file)
                    with read(Path(file.name)) as archive:
                        if keep:
                            self._store.add(repository, archive, origin)
                    return Outcome(repository, bytes=file.tell(), heritage=heritage)
                except DownloadError as error:
                    self._check_token(error)
                    return Outcome(repository, error.reason, not error.passing, heritage=heritage)
                except ArchiveError as error:
                    certain = not (error.retry and again)
                    if certain or attempt == self._options.archive_attempts:
                        return Outcome(repository, str(error), certain, file.tell(), heritage)
        raise AssertionError

    @contextlib.contextmanager
    def _open_spool(self) -> Iterator[IO[bytes]]:
        """A file for one archive; ``DataError`` where it cannot be written."""
        try:
            # Removed here: where its last bytes cannot be written, it does not do so itself.
            with tempfile.NamedTemporaryFile(
                dir=self._spool, suffix=".spool", delete=False
            ) as file:
                try:
                    yield file
                finally:
                    Path(file.name).unlink(missing_ok=True)
        except OSError as error:
            if error.errno is None:  # not of a file, as where the folder of certificates is absent
                raise
            raise DataError(
                f"{self._spool}: an archive cannot be written there ({error.strerror}); make room "
                "and see that no limit on the size of files is in the way (ulimit -f), then start "
                "again: what was fetched stays"
            ) from error

    def _check_token(self, error: DownloadError) -> None:
        if error.status == _UNAUTHORIZED:
            names = ", ".join(self._options.tokens)
            raise ConfigurationError(
                f"{error}: is a token of the environment variables {names} no longer good? "
                "Renew or unset it"
            ) from error


def fill_template(template: str, repository: Repository) -> str:
    """The address of a repository's archive."""
    return (
        template.replace("{owner}", quote(repository.owner))
        .replace("{repo}", quote(repository.name))
        .replace("{commit}", quote(repository.commit or "HEAD", safe="/"))
    )


def check_disk(folder: Path, needed: int) -> None:
    """Raise ``DataError`` where less than ``needed`` bytes of the disk are free."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise DataError(
            f"{folder}: {free / 2**30:.1f} GiB of the disk are free, {needed / 2**30:.1f} are "
            "needed; make room, or give the store another folder, and start again: what was "
            "fetched stays"
        )


class SoftwareHeritage:
    """The archive at the address in the options: Software Heritage or one with its interface."""

    def __init__(self, options: ArchiveOptions, client: HttpClient) -> None:
        """Ask by a client, within its limits."""
        self._options = options
        self._client = client
        self._api = f"{options.software_heritage.rstrip('/')}/api/1"

    def find_directory(self, commit: str) -> str:
        """The id of the root directory of a commit (40 hexadecimal digits).

        Raises:
            DownloadError: where the commit is not there.
        """
        url = f"{self._api}/revision/{commit}/"
        found = self._ask(url).get("directory")
        if not isinstance(found, str) or not _ID.fullmatch(found):
            raise DownloadError(url, "names no directory")
        return found

    def fetch_bundle(self, directory: str, target: IO[bytes]) -> None:
        """Write the flat bundle (tar.gz) of a directory to an open file.

        Raises:
            DownloadError: where it cannot be had, or not in time.
        """
        url = f"{self._api}/vault/flat/swh:1:dir:{directory}/"
        clock, hours = self._client.clock, self._options.bundle_hours
        end, wait = clock.monotonic() + hours * 3600, self._options.bundle_poll_seconds
        answer = self._ask(url, method="POST")
        while answer.get("status") in ("new", "pending"):  # of any type
            if clock.monotonic() >= end:
                raise DownloadError(url, f"not prepared in {hours:g} hours", passing=True)
            self._client.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_POLL)
            answer = self._ask(url)
        if answer.get("status") == "failed":
            raise DownloadError(url, "cannot be prepared")
        fetch_url = answer.get("fetch_url")
        if answer.get("status") != "done" or not isinstance(fetch_url, str):
            raise DownloadError(url, "is answered in a way that is not documented")
        self._client.receive(fetch_url, target, maximum_bytes=self._options.maximum_bytes)

    def _ask(self, url: str, method: str = "GET") -> dict[str, Any]:
        body = io.BytesIO()
        self._client.receive(url, body, maximum_bytes=_ANSWER_BYTES, method=method)
        try:
            answer = json.loads(_unpack(body.getvalue()))
        except (ValueError, RecursionError, zlib.error):
            answer = None
        if not isinstance(answer, dict):
            raise DownloadError(url, "is no JSON object")
        return answer


def _unpack(body: bytes) -> bytes:
    """Unpack at most ``_ANSWER_BYTES`` of an answer that a proxy packed by gzip unasked."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _ANSWER_BYTES)
