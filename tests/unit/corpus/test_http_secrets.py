"""Whom the HTTP client asks through, and what it tells whom of the user."""

import io
from pathlib import Path

import pytest

from ncsbench.corpus.archives.download_options import DownloadOptions
from ncsbench.corpus.archives.http_client import DownloadError
from ncsbench.errors import ConfigurationError
from tests.archive_server import Answer, ArchiveServer, Request
from tests.fetch_case import no_environment
from tests.http_case import BODY, OK, get, make_client

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["no_environment"]


def test_the_token_goes_to_its_host_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_TOKEN", "very-secret")
    caplog.set_level(0)

    def script(request: Request, before: int) -> Answer:
        if request.host == server.first:
            return Answer(302, headers={"Location": f"http://{server.second}/there"})
        return Answer(404)

    with ArchiveServer(script) as server:
        client = make_client(tokens={"MY_TOKEN": (server.first,), "OTHER": (server.second,)})
        with pytest.raises(DownloadError) as caught:
            get(server, client)
        sent = [request.headers.get("Authorization") for request in server.requests]
    assert sent == ["Bearer very-secret", None]
    assert "very-secret" not in f"{caught.value!r} {caplog.text}"
    assert "very-secret" not in repr(vars(caught.value))


def test_the_token_does_not_go_over_plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "very-secret")
    # The test's server is the proxy, and so sees what would reach the host.
    with ArchiveServer(lambda *_: OK) as server:
        monkeypatch.setenv("http_proxy", f"http://{server.first}")
        make_client().receive("http://github.com/x", io.BytesIO(), maximum_bytes=10**6)
        assert server.requests[0].path == "http://github.com/x"
        assert "Authorization" not in server.requests[0].headers


def test_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a proxy would read the token, which stays on this machine."""
    monkeypatch.setenv("MY_TOKEN", "very-secret")
    with ArchiveServer(lambda *_: Answer(404)) as proxy, ArchiveServer(lambda *_: OK) as server:
        for name in ("http_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://{proxy.first}")
        client = make_client(tokens={"MY_TOKEN": (server.first, server.second)})
        assert get(server, client) == BODY
        client.receive(f"http://{server.second}/x", io.BytesIO(), maximum_bytes=10**6)
        sent = [request.headers["Authorization"] for request in server.requests]
        assert sent == ["Bearer very-secret"] * 2
        assert proxy.requests == []


@pytest.mark.parametrize(
    "proxy", ["http:///proxy:3128", "nonsense://x", "http://[::1", "http://me:very-secret@h:port"]
)
@pytest.mark.parametrize("name", ["HTTP_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_proxy_that_is_none_ends_in_one_line(
    name: str, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, proxy)
    with pytest.raises(ConfigurationError, match=f"{name}.*is no proxy that can be used") as caught:
        make_client().receive("http://host.example/x", io.BytesIO(), maximum_bytes=1)
    assert "very-secret" not in str(caught.value)


def test_a_token_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret\nX: y")
    with pytest.raises(ConfigurationError, match="variable GITHUB_TOKEN: holds no token") as caught:
        make_client()
    assert "secret" not in str(caught.value)


def test_passwords_of_netrc_are_not_sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password very-secret\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    with ArchiveServer(lambda *_: OK) as server:
        get(server, make_client())
        assert "Authorization" not in server.requests[0].headers


def test_says_who_asks() -> None:
    with ArchiveServer(lambda *_: OK) as server:
        get(server, make_client(contact="someone@example.org"))
        agent = server.requests[0].headers["User-Agent"]
        assert server.requests[0].headers["Accept-Encoding"] == "identity"
    assert agent.startswith("ncsbench/")
    assert agent.endswith(" (someone@example.org)")
    with pytest.raises(ConfigurationError, match="contact"):
        DownloadOptions.parse({"contact": "me\r\nX: y"}, where="file")
