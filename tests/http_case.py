"""A client of tests, and a file that a server on this machine has for it."""

import hashlib
import io
from collections.abc import Callable
from typing import Any

from ncsbench.corpus.archives.download_options import DownloadOptions
from ncsbench.corpus.archives.http_client import HttpClient
from tests.archive_server import Answer, ArchiveServer, PatientClock, Request

BODY = bytes(range(256)) * 40
OK = Answer(body=BODY)


def make_client(clock: PatientClock | None = None, **options: Any) -> HttpClient:
    chosen = {"requests_per_minute": 1e9, "timeout_seconds": 20, **options}
    return HttpClient(DownloadOptions.model_validate(chosen), clock=clock or PatientClock())


def first(answer: Answer, times: int = 1) -> Callable[[Request, int], Answer]:
    """A script: this answer some times, then the file."""
    return lambda request, before: answer if before < times else OK


def get(server: ArchiveServer, client: HttpClient, path: str = "/file") -> bytes:
    target = io.BytesIO(b"what was there before")
    received = client.receive(server.url(path), target, maximum_bytes=10**6)
    body = target.getvalue()
    assert (received.size, received.sha256) == (len(body), hashlib.sha256(body).hexdigest())
    return body
