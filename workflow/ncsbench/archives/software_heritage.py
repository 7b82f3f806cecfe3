"""Asks Software Heritage for commits that are gone where they were listed.

A commit has a directory (``GET /api/1/revision/<sha1>/``), which the Vault makes a flat bundle of
when asked (``POST /api/1/vault/flat/swh:1:dir:<id>/``, then ``GET`` until it is done): see
https://archive.softwareheritage.org/api/ and .../api/1/vault/doc/.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from typing import IO, Any

from ncsbench.archives.download_options import ArchiveOptions
from ncsbench.archives.http_client import DownloadError, HttpClient

_ANSWER_BYTES = 2**20
_LONGEST_POLL = 120.0
_ID = re.compile(r"[0-9a-f]{40}")


class SoftwareHeritage:
    """The archive that the options name, or another with its interface."""

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
    """An answer that is packed by gzip, as some proxies do unasked; not more of it than allowed."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _ANSWER_BYTES)
