"""The HTTP client against a server on this machine: every answer ends in a retry or a reason."""

import hashlib
import io
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ncsbench.archives import server_answers
from ncsbench.archives.download_options import DownloadOptions
from ncsbench.archives.downloads import download
from ncsbench.archives.http_client import DownloadError, HttpClient, StoppedError
from ncsbench.errors import DataError
from tests.archive_server import Answer, ArchiveServer, PatientClock, Request
from tests.fetch_case import no_environment
from tests.http_case import BODY, OK, first, get, make_client

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["no_environment"]


def test_downloads_a_file_with_its_checksum(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "file"
    with ArchiveServer(first(OK)) as server:
        received = download(
            server.url("/file"), target, client=make_client(), maximum_bytes=len(BODY)
        )
        sha256 = hashlib.sha256(BODY).hexdigest()
        assert target.read_bytes() == BODY
        assert received.sha256 == sha256
        again = server.url("/file")
        download(again, target, client=make_client(), maximum_bytes=10**6, sha256=sha256)
        with pytest.raises(DownloadError, match="is another file than expected"):
            download(again, target, client=make_client(), maximum_bytes=10**6, sha256="00")
        with pytest.raises(DownloadError, match=f"larger than {len(BODY) - 1} bytes"):
            download(again, target, client=make_client(), maximum_bytes=len(BODY) - 1)
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_a_body_without_a_length_is_capped_too(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    "status", [400, 401, 403, 404, 410, 416, 451, 501, 505, 206, 204, 300, 304]
)
def test_final_statuses_are_not(status: int) -> None:
    with ArchiveServer(lambda *_: Answer(status, length=0)) as server:
        with pytest.raises(DownloadError) as caught:
            get(server, make_client())
        assert server.asked("/file") == 1
    assert caught.value.reason == server_answers.name_status(status)
    assert not caught.value.passing


def test_a_part_that_nobody_asked_for_is_not_the_file() -> None:
    part = Answer(206, BODY[:10], {"Content-Range": f"bytes 0-9/{len(BODY)}"})
    with ArchiveServer(lambda *_: part) as server:
        with pytest.raises(DownloadError, match="206 Partial Content"):
            get(server, make_client())


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "120"}, 120),
        ({"Retry-After": "Tue, 14 Nov 2023 22:15:00 GMT"}, 100),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000050"}, 50),
    ],
)
@pytest.mark.parametrize("status", [403, 429, 503])
def test_waits_as_long_as_asked(status: int, headers: dict[str, str], wait: float) -> None:
    clock = PatientClock()
    clock.wall = lambda: 5.0  # type: ignore[method-assign]
    with ArchiveServer(first(Answer(status, headers=headers))) as server:
        # Dates count from that of the answer: the clock of this machine may be wrong by years.
        server.date = "Tue, 14 Nov 2023 22:13:20 GMT"
        assert get(server, make_client(clock)) == BODY
        assert server.asked("/file") == 2
    assert wait <= max(clock.waits) <= wait + 1


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_dates_are_of_utc_wherever_the_machine_is(
    zone: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(time.tzset)  # called after the environment is as before
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    for date in (
        "Tue, 14 Nov 2023 22:15:00 GMT",
        "Tuesday, 14-Nov-23 22:15:00 GMT",
        "Tue Nov 14 22:15:00 2023",
    ):
        assert server_answers.find_wait({"Retry-After": date}, wall=1_700_000_000) == 100


def test_no_wait_is_longer_than_the_longest() -> None:
    clock = PatientClock()
    with ArchiveServer(first(Answer(429, headers={"Retry-After": "999999999"}))) as server:
        get(server, make_client(clock, longest_wait_seconds=7))
    assert max(clock.waits) <= 7


@pytest.mark.parametrize("asked", ["-5", "soon", "", "1e9", "Tue, 99 Nov 2023 22:15:00 GMT"])
def test_a_wait_that_says_nothing_is_not_obeyed(asked: str) -> None:
    clock = PatientClock()
    with ArchiveServer(first(Answer(429, headers={"Retry-After": asked}))) as server:
        assert get(server, make_client(clock)) == BODY
    assert max(clock.waits) <= 3


def test_a_host_that_wants_fewer_requests_gets_none_from_any_thread() -> None:
    clock = PatientClock()
    client = make_client(clock)
    with ArchiveServer(first(Answer(429, headers={"Retry-After": "50"}))) as server:
        with pytest.raises(DownloadError, match="429 Too Many Requests"):
            one = make_client(clock, attempts=1)
            get(server, one)
        client._gates.pause(server.first, 50)
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


@pytest.mark.parametrize(
    "beginning",
    [
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX: ",
    ],
)
def test_a_header_that_crawls_is_stopped(beginning: bytes) -> None:
    with ArchiveServer(lambda *_: Answer(crawl=beginning)) as server:
        with pytest.raises(DownloadError, match="no answer in time") as caught:
            get(server, make_client(attempts=1, timeout_seconds=0.3))
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
    assert str(caught.value) == f"{url[:-9]}: connection refused, the host never answered"
    assert caught.value.passing
    assert caught.value.status is None


def test_a_host_that_never_answered_is_given_up_soon() -> None:
    with ArchiveServer(lambda *_: OK) as server:
        url = server.url("/file")
    clock = PatientClock()
    client = make_client(clock, attempts=7)
    waits = []
    for _ in range(2):
        with pytest.raises(DownloadError, match="the host never answered"):
            client.receive(url, io.BytesIO(), maximum_bytes=1)
        waits.append(sum(wait > 1 for wait in clock.waits))
    assert waits == [2, 2]
    # One that answered once is asked patiently: it may come back.
    broken = Answer(body=b"x", length=99, reset=True)
    with ArchiveServer(lambda request, _: OK if request.path == "/file" else broken) as server:
        get(server, client)
        with pytest.raises(DownloadError, match=r"(ended early|connection reset), 7 attempts"):
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
        ("file:///etc/passwd", "leads to no http or https address"),
        ("ftp://127.0.0.1/x", "leads to no http or https address"),
        ("http://[x", "leads to an address that is none"),
        ("http://127.0.0.1:x/", "leads to an address that is none"),
        ("http://me:word@127.0.0.1/", "has a user name in its address; remove it"),
        ("http://.example/", "leads to an address that is none"),
        ("", "redirects to nowhere"),
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


def test_a_clock_that_jumps_changes_nothing() -> None:
    clock = PatientClock()
    jumps = iter([1e9, -1e9, 0.0] * 100)
    clock.wall = lambda: next(jumps)  # type: ignore[method-assign]
    with ArchiveServer(first(Answer(503, headers={"Retry-After": "3"}), times=3)) as server:
        assert get(server, make_client(clock)) == BODY
    assert all(3 <= wait <= 4 for wait in clock.waits if wait > 0.1)


def test_the_same_waits_each_time() -> None:
    waits = []
    for _ in range(2):
        clock = PatientClock()
        client = make_client(clock)
        for attempt in range(1, 30):
            wait = client._wait_seconds("http://host/file", attempt, None)
            clock.sleep(wait, threading.Event())
        waits.append(clock.waits)
    assert waits[0] == waits[1]
    assert max(waits[0]) == 3600


def test_a_client_that_is_stopped_waits_no_more() -> None:
    with ArchiveServer(lambda *_: Answer(503, headers={"Retry-After": "3000"})) as server:
        client = HttpClient(DownloadOptions())
        threading.Timer(0.2, client.stop).start()
        with pytest.raises(StoppedError):
            get(server, client)
        assert server.asked("/file") == 1


def test_files_of_this_machine(tmp_path: Path) -> None:
    source, target = tmp_path / "a b.zip", tmp_path / "target"
    source.write_bytes(BODY)
    received = download(source.as_uri(), target, client=make_client(), maximum_bytes=10**6)
    assert received.sha256 == hashlib.sha256(target.read_bytes()).hexdigest()
    with pytest.raises(DownloadError, match="larger than"):
        download(source.as_uri(), target, client=make_client(), maximum_bytes=10)
    assert target.read_bytes() == BODY
    os.mkfifo(tmp_path / "pipe")
    for name, reason in [
        ("none", "there is no such file"),
        ("a b.zip/x", "there is no such file"),
        ("pipe", "is no file"),
        ("", "cannot be read"),
        ("%00", "cannot be read"),
    ]:
        with pytest.raises(DownloadError, match=reason):
            url = f"{tmp_path.as_uri()}/{name}"
            download(url, target, client=make_client(), maximum_bytes=10**6)
    with pytest.raises(DownloadError, match="is of another machine"):
        download("file://host/x", target, client=make_client(), maximum_bytes=1)
    with pytest.raises(DataError, match="cannot be written"):
        download(source.as_uri(), Path("/proc/x"), client=make_client(), maximum_bytes=10**6)


@pytest.mark.parametrize("url", ["ftp://host/x", "nothing", "http://", "http://[x", "http://a:b/"])
def test_addresses_that_are_none(url: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadError):
        download(url, tmp_path / "target", client=make_client(), maximum_bytes=1)
