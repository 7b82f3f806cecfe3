"""The sessions of the HTTP client: proxies that can be used, and headers that end."""

from __future__ import annotations

import functools
import io
import math
import time
from http.client import HTTPResponse
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

import requests
import urllib3
from requests.adapters import HTTPAdapter

from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


def open_session() -> requests.Session:
    """A session without cookies and passwords of its own; for one thread.

    Raises:
        ConfigurationError: where the environment names a proxy that is none.
    """
    _check_proxies()
    session = _Session()
    # Else requests sends what ~/.netrc or an address says, in place of the token.
    session.auth = _leave_as_is
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
    for scheme in ("https://", "http://"):
        session.mount(scheme, _TimedAdapter())
    return session


def _check_proxies() -> None:
    """Refuse what requests would take for an address that is none, of whatever is asked for."""
    for scheme, proxy in getproxies().items():
        if scheme not in {"http", "https", "all"}:
            continue
        try:
            whole = proxy if "://" in proxy else f"http://{proxy}"
            HTTPAdapter().proxy_manager_for(whole)
            usable = bool(urllib3.util.parse_url(whole).host)
        except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError):
            usable = False
        if not usable:  # not shown: it may hold a password
            raise ConfigurationError(
                f"environment variable {scheme}_proxy or {scheme.upper()}_PROXY: is no proxy that "
                "can be used; write http://host:port, or unset it"
            )


class _Session(requests.Session):
    """Leaves redirects to us: requests would read their bodies, however long."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        return None


def _leave_as_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


class _TimedAdapter(HTTPAdapter):
    """A server that sends byte by byte, each within the time-out, has no end with requests."""

    def get_connection_with_tls_context(self, *args: Any, **options: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **options)
        pool.ConnectionCls = _timed(pool.ConnectionCls)
        return pool


@functools.cache
def _timed(kind: type[Any]) -> type[Any]:
    """A kind of connection, of whatever scheme and proxy, with answers that end."""
    if getattr(kind, "response_class", None) is _TimedResponse:
        return kind
    return type(kind.__name__, (kind,), {"response_class": _TimedResponse})


class _TimedResponse(HTTPResponse):
    """The header comes within the time-out of the connection, and each further step, too.

    A step is one ``read1``, which may read lines between chunks; the answer of a proxy to
    ``CONNECT`` is a header.
    """

    def __init__(self, sock: Any, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self._timed = _TimedReader(self.fp.detach(), sock.gettimeout())
        self.fp = io.BufferedReader(self._timed)

    def read1(self, n: int = -1) -> bytes:
        self._timed.begin_step()
        return super().read1(n)


class _TimedReader(io.RawIOBase):
    def __init__(self, source: io.RawIOBase, seconds: float | None) -> None:
        self._source = source
        self._seconds = math.inf if seconds is None else seconds
        self.begin_step()

    def begin_step(self) -> None:
        self._end = time.monotonic() + self._seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        if time.monotonic() > self._end:
            raise TimeoutError("timed out")
        return self._source.readinto(buffer)

    def close(self) -> None:
        self._source.close()
        super().close()
