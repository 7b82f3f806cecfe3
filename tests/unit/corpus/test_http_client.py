"""The HTTP client against a server on this machine: every answer ends in a retry or a reason."""

import hashlib
import io
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from pathlib import Path

import pytest

from ncsbench.corpus.archives.download_options import DownloadOptions
from ncsbench.corpus.archives.http_client import DownloadError, HttpClient, StoppedError
from tests.archive_server import Answer, ArchiveServer, PatientClock, Request
from tests.fetch_case import no_environment
from tests.http_case import BODY, OK, first, get, make_client

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["no_environment"]


def test_a_body_without_a_length_is_capped_too() -> None:
    with ArchiveServer(lambda *_: Answer(body=BODY, length=-1)) as server:
        with pytest.raises(DownloadError, match="larger than 100 bytes"):
            make_client().receive(server.url("/"), io.BytesIO(), maximum_bytes=100)
        assert len(server.requests) == 1


@pytest.mark.parametrize("status", [407, 408, 429, 500, 502, 503, 504, 507, 522, 599])
def test_passing_statuses_are_tried_again(status: int) -> None:
    clock = PatientClock()
    with ArchiveServer(first(Answer(status), times=3)) as server:
        assert get(server, make_client(clock)) == BODY
        assert server.asked("/file") == 4
    own = [wait for wait in clock.waits if wait > 0.5]
    assert own == sorted(own)
    assert len(own) == 2  # the second attempt follows at once


@pytest.mark.parametrize(
    "status", [400, 401, 403, 404, 410, 416, 451, 501, 505, 206, 204, 300, 304]
)
def test_final_statuses_are_not(status: int) -> None:
    with ArchiveServer(lambda *_: Answer(status, length=0)) as server:
        with pytest.raises(DownloadError) as caught:
            get(server, make_client())
        assert server.asked("/file") == 1
    assert caught.value.reason.startswith(f"{status} ")
    assert not caught.value.passing


@pytest.mark.parametrize("header", ["seconds", "date", "reset"])
@pytest.mark.parametrize("status", [403, 429, 503])
def test_waits_as_long_as_asked(status: int, header: str) -> None:
    at = time.time() + 100
    headers = {
        "seconds": {"Retry-After": "100"},
        "date": {"Retry-After": formatdate(at, usegmt=True)},
        "reset": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{at:.0f}"},
    }
    clock = PatientClock()
    with ArchiveServer(first(Answer(status, headers=headers[header]))) as server:
        assert get(server, make_client(clock)) == BODY
        assert server.asked("/file") == 2
    assert 90 <= max(clock.waits) <= 101


def test_no_wait_is_longer_than_the_longest() -> None:
    clock = PatientClock()
    with ArchiveServer(first(Answer(429, headers={"Retry-After": "999999999"}))) as server:
        get(server, make_client(clock, longest_wait_seconds=7))
    assert max(clock.waits) <= 7


@pytest.mark.parametrize("asked", ["-5", "soon", "", "1e9"])
def test_a_wait_that_says_nothing_is_not_obeyed(asked: str) -> None:
    clock = PatientClock()
    with ArchiveServer(first(Answer(429, headers={"Retry-After": asked}))) as server:
        assert get(server, make_client(clock)) == BODY
    assert max(clock.waits, default=0) <= 3


def test_a_host_that_wants_fewer_requests_gets_none_from_any_thread() -> None:
    clock = PatientClock()
    client = make_client(clock, attempts=1)
    with ArchiveServer(first(Answer(429, headers={"Retry-After": "50"}))) as server:
        with pytest.raises(DownloadError, match="429 Too Many Requests"):
            get(server, client)
        assert clock.waits == []
        get(server, client)
    assert max(clock.waits) > 49


@pytest.mark.parametrize(
    "broken",
    [
        Answer(body=BODY[:100], length=len(BODY)),
        Answer(body=BODY[:100], length=len(BODY), reset=True),
    ],
)
def test_a_body_that_ends_early_is_asked_for_again(broken: Answer) -> None:
    with ArchiveServer(first(broken, times=2)) as server:
        assert get(server, make_client()) == BODY
        assert server.asked("/file") == 3


def test_a_server_that_stalls_is_asked_again() -> None:
    stalling = Answer(body=BODY[:100], length=len(BODY), stall=True)
    with ArchiveServer(lambda *_: stalling) as server:
        with pytest.raises(DownloadError, match="no answer in time, 2 attempts") as caught:
            get(server, make_client(attempts=2, timeout_seconds=0.3))
        assert server.asked("/file") == 2
    assert caught.value.passing


def test_a_download_that_crawls_is_stopped() -> None:
    clock = PatientClock()
    seconds = iter(range(0, 10**6, 1000))
    clock.monotonic = lambda: next(seconds)  # type: ignore[method-assign]
    with ArchiveServer(lambda *_: OK) as server:
        with pytest.raises(DownloadError, match="too slow, 2 attempts"):
            get(server, make_client(clock, attempts=2))


def test_no_server_ends_in_one_line() -> None:
    with ArchiveServer(lambda *_: OK) as server:
        url = server.url("/file?secret=1")
    with pytest.raises(DownloadError) as caught:
        make_client(attempts=3).receive(url, io.BytesIO(), maximum_bytes=1)
    assert str(caught.value) == f"{url[:-9]}: Connection refused, the host never answered"
    assert caught.value.passing
    assert caught.value.status is None


def test_a_host_that_never_answered_is_given_up_soon() -> None:
    with ArchiveServer(lambda *_: OK) as server:
        url = server.url("/file")
    clock = PatientClock()
    client = make_client(clock, attempts=7)
    with pytest.raises(DownloadError, match="the host never answered"):
        client.receive(url, io.BytesIO(), maximum_bytes=1)
    assert sum(wait > 1 for wait in clock.waits) == 1
    # One that answered once is asked patiently: it may come back.
    broken = Answer(body=b"x", length=99, reset=True)
    with ArchiveServer(lambda request, _: OK if request.path == "/file" else broken) as server:
        get(server, client)
        with pytest.raises(DownloadError, match=r"(ended early|Connection reset by peer), 7 "):
            get(server, client, "/broken")


def test_follows_redirects_within_and_across_hosts() -> None:
    def script(request: Request, before: int) -> Answer:
        if request.path == "/file":
            return Answer(301, headers={"Location": "/n%C3%A4xt"})
        if request.path == "/n%C3%A4xt":
            return Answer(302, headers={"Location": f"//{server.second}/there"})
        return OK

    with ArchiveServer(script) as server:
        assert get(server, make_client()) == BODY
        hosts = [server.first, server.first, server.second]
        assert [request.host for request in server.requests] == hosts


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("/file", "more than 10 redirects"),
        ("file:///etc/passwd", "leads to an address that cannot be asked"),
        ("ftp://127.0.0.1/x", "leads to an address that cannot be asked"),
        ("http://[x", "leads to an address that cannot be asked"),
        ("http://127.0.0.1:x/", "leads to an address that cannot be asked"),
        ("http://.example/", "leads to an address that cannot be asked"),
        ("", "301 Moved Permanently"),
    ],
)
def test_redirects_that_lead_nowhere(location: str, reason: str) -> None:
    with ArchiveServer(lambda *_: Answer(301, headers={"Location": location})) as server:
        with pytest.raises(DownloadError) as caught:
            get(server, make_client(attempts=1))
    assert caught.value.reason == reason


def test_the_body_of_a_redirect_is_not_read() -> None:
    headers = {"Location": "/there"}
    endless = Answer(302, b"x" * 10, headers=headers, length=10**12, stall=True)
    with ArchiveServer(lambda request, _: endless if request.path == "/file" else OK) as server:
        assert get(server, make_client()) == BODY
        assert server.asked("/file") == 1


def test_no_more_connections_than_allowed_to_one_host() -> None:
    with ArchiveServer(lambda *_: OK, seconds=0.02) as server, ThreadPoolExecutor(8) as pool:
        client = make_client(connections=2)
        bodies = list(pool.map(lambda number: get(server, client, f"/{number}"), range(16)))
        assert bodies == [BODY] * 16
        assert server.most_at_once[server.first] <= 2


def test_requests_to_one_host_are_spaced_those_to_two_are_not() -> None:
    clock = PatientClock()
    clock.monotonic = lambda: clock.passed  # type: ignore[method-assign]
    with ArchiveServer(lambda *_: OK) as server:
        client = make_client(clock, requests_per_minute=30)
        for number in range(3):
            get(server, client, f"/{number}")
            target = f"http://{server.second}/{number}"
            client.receive(target, io.BytesIO(), maximum_bytes=10**6)
    assert clock.waits == [2, 2]


def test_a_client_that_is_stopped_waits_no_more() -> None:
    with ArchiveServer(lambda *_: Answer(503, headers={"Retry-After": "3000"})) as server:
        client = HttpClient(DownloadOptions())
        threading.Timer(0.2, client.stop).start()
        with pytest.raises(StoppedError):
            get(server, client)
        assert server.asked("/file") == 1


def test_files_of_this_machine(tmp_path: Path) -> None:
    source, target = tmp_path / "a b.zip", io.BytesIO()
    source.write_bytes(BODY)
    received = make_client().fetch(source.as_uri(), target, maximum_bytes=10**6)
    assert received.sha256 == hashlib.sha256(target.getvalue()).hexdigest()
    with pytest.raises(DownloadError, match="larger than"):
        make_client().fetch(source.as_uri(), io.BytesIO(), maximum_bytes=10)
    os.mkfifo(tmp_path / "pipe")
    for name in ("none", "a b.zip/x", "pipe", "", "%00"):
        with pytest.raises(DownloadError, match="there is no such file"):
            url = f"{tmp_path.as_uri()}/{name}"
            make_client().fetch(url, io.BytesIO(), maximum_bytes=10**6)
    with pytest.raises(DownloadError, match="cannot be asked"):  # a server may name an address
        make_client().receive(source.as_uri(), io.BytesIO(), maximum_bytes=10**6)


@pytest.mark.parametrize("url", ["ftp://host/x", "nothing", "http://", "http://[x", "http://a:b/"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(DownloadError):
        make_client().receive(url, io.BytesIO(), maximum_bytes=1)
