"""Repositories that are gone: what the fetching job asks of Software Heritage."""

import gzip
import logging
import time
from pathlib import Path

import pytest

from tests.archive_server import Answer, ArchiveServer, Request
from tests.fetch_case import NAMES, Case, case, no_environment, sizes
from tests.hub import VAULT, ZIP, count_asked, name_commit

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["case", "no_environment", "sizes"]


def test_what_is_gone_comes_from_software_heritage(tmp_path: Path, sizes: Path) -> None:
    gone, lost = "gone/a", "gone/b"
    special = dict.fromkeys([gone, lost], lambda *_: Answer(404))
    case = Case(tmp_path, sizes, NAMES[:2], special=special, heritage=[gone])
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server)
        posts = [request for request in server.requests if request.method == "POST"]
        assert [bool(VAULT.fullmatch(request.path)) for request in posts] == [True]
        assert {request.host for request in posts} == {server.second}
    assert manifest["repositories"][gone]["origin"] == "software_heritage"
    assert manifest["repositories"][gone]["commit"] == name_commit(gone)
    assert case.read(gone).keys() == {"src/A.java"}
    assert manifest["missing"] == {lost: "404 Not Found, Software Heritage: 404 Not Found"}
    assert [wait for wait in case.clock.waits if wait > 1] == [5.0, 7.5, 11.25]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"status": "failed"}', "cannot be prepared"),
        ('{"status": "done"}', "is answered in a way that is not documented"),
        ('{"status": 5, "fetch_url": []}', "is answered in a way that is not documented"),
        ('{"status": ["done"]}', "is answered in a way that is not documented"),
        (
            '{"status": "done", "fetch_url": "file:///etc/passwd"}',
            "leads to an address that cannot be asked",
        ),
        ('["status"]', "is no JSON object"),
        ("[" * 100000, "is no JSON object"),
    ],
)
def test_software_heritage_that_cannot_help(
    answer: str, reason: str, tmp_path: Path, sizes: Path
) -> None:
    gone = "gone/a"
    case = Case(tmp_path, sizes, NAMES[:1], special={gone: lambda *_: Answer(404)}, heritage=[gone])
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        if VAULT.fullmatch(request.path):
            return Answer(body=answer.encode())
        return hub(request, before)

    with ArchiveServer(script) as server:
        manifest = case.fetch(server, bundle_hours=0.05)
    assert manifest["missing"] == {gone: f"404 Not Found, Software Heritage: {reason}"}


def test_answers_that_are_packed_unasked_are_read(tmp_path: Path, sizes: Path) -> None:
    gone, bomb = "gone/a", "gone/b"
    special = dict.fromkeys([gone, bomb], lambda *_: Answer(404))
    case = Case(tmp_path, sizes, NAMES[:1], special=special, heritage=[gone])
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        if f"/revision/{name_commit(bomb)}" in request.path:
            return Answer(body=gzip.compress(b'{"directory":' + b" " * 10**7 + b'"a"}'))
        answer = hub(request, before)
        if request.path.startswith("/api/") and answer.body.startswith(b"{"):
            headers = {"Content-Encoding": "gzip"}
            return Answer(answer.status, gzip.compress(answer.body), headers)
        return answer

    with ArchiveServer(script) as server:
        manifest = case.fetch(server)
    assert gone in manifest["repositories"]
    assert manifest["missing"] == {bomb: "404 Not Found, Software Heritage: is no JSON object"}


@pytest.mark.parametrize("answer", [Answer(body=b'{"status": "pending"}'), Answer(503)])
def test_software_heritage_is_asked_again_where_it_said_nothing(
    answer: Answer, tmp_path: Path, sizes: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    gone = "gone/a"
    case = Case(tmp_path, sizes, NAMES[:1], special={gone: lambda *_: Answer(404)}, heritage=[gone])
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        return answer if VAULT.fullmatch(request.path) else hub(request, before)

    with ArchiveServer(script) as server:
        manifest = case.fetch(server, bundle_hours=0.05)
        assert manifest["missing"] == {gone: "404 Not Found, Software Heritage still to be asked"}
        assert "Software Heritage: " in caplog.text
    with ArchiveServer(hub) as server:
        assert case.fetch(server)["missing"] == {}
        assert list(count_asked(server, ZIP)) == []


def test_asked_again_is_the_archive_first(tmp_path: Path, sizes: Path) -> None:
    late = NAMES[1]
    case = Case(tmp_path, sizes, NAMES[:1], special={late: lambda *_: Answer(404)}, heritage=[late])
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        return Answer(503) if VAULT.fullmatch(request.path) else hub(request, before)

    with ArchiveServer(script) as server:
        assert case.fetch(server, bundle_hours=0.05)["missing"].keys() == {late}
    hub.special, hub.zips[late] = {}, hub.zip_of(late)
    with ArchiveServer(script) as server:
        assert case.fetch(server, retry_missing=True)["missing"] == {}
        assert count_asked(server, ZIP) == {late: 1}


def test_software_heritage_that_is_down_is_not_asked_for_ever(tmp_path: Path, sizes: Path) -> None:
    gone = [f"gone/a{number}" for number in range(60)]
    case = Case(tmp_path, sizes, ["a/first"], special=dict.fromkeys(gone, lambda *_: Answer(404)))
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        return Answer(503) if request.path.startswith("/api/") else hub(request, before)

    with ArchiveServer(script) as server:
        case.fetch(server, software_heritage="")
        manifest = case.fetch(server, retry_missing=True, attempts=1)
        asked = sum(request.path.startswith("/api/") for request in server.requests)
    assert 20 <= asked < 60
    assert set(manifest["missing"].values()) == {
        "404 Not Found, Software Heritage still to be asked"
    }


def test_limits_of_software_heritage_are_kept(tmp_path: Path, sizes: Path) -> None:
    gone = "gone/a"
    case = Case(tmp_path, sizes, NAMES[:1], special={gone: lambda *_: Answer(404)}, heritage=[gone])
    hub = case.hub
    limited = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{time.time() + 950:.0f}"}

    def script(request: Request, before: int) -> Answer:
        if request.path.startswith("/api/") and before == 0:
            return Answer(429, headers=limited)
        return hub(request, before)

    with ArchiveServer(script) as server:
        manifest = case.fetch(server)
    assert gone in manifest["repositories"]
    assert max(case.clock.waits) >= 900
