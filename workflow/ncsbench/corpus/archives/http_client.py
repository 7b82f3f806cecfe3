"""The one HTTP client: streams to a file, keeps to the limits of a host, tries again politely."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies

import requests
import urllib3
from requests.adapters import HTTPAdapter

from ncsbench.corpus.archives.download_options import DownloadOptions
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.version import __version__

MOST_REDIRECTS = 10
SILENT_ATTEMPTS = 3
"""A host that has not answered once in this run is not asked more often for a file."""
_PASSING = frozenset({407, 408, 429, *range(500, 600)} - {501, 505})
"""Statuses after which a later request may succeed; 403 counts only if the answer names a limit."""
_CHUNK = 1 << 16
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT = DownloadOptions()


class DownloadError(DataError):
    """A file that could not be fetched; the message names the address and the reason.

    Attributes:
        reason: the message without the address; equal causes have equal reasons.
        status: status of the last answer, None where there was no answer.
        passing: True where the same request may succeed another day.
    """

    def __init__(self, url: str, reason: str, *, status: int | None = None, passing: bool = False):
        super().__init__(f"{show_url(url)}: {reason}")
        self.reason, self.status, self.passing = reason, status, passing


class StoppedError(Exception):
    """The client was stopped."""


@dataclass(frozen=True)
class Received:
    """A body that is whole: its size in bytes and its SHA-256."""

    size: int
    sha256: str


class Clock:
    """Time as the client sees it; tests put another clock in its place."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; the count never jumps."""
        return time.monotonic()

    def sleep(self, seconds: float, end: threading.Event) -> None:
        """Return after so many seconds, or when ``end`` is set."""
        end.wait(seconds)


class HttpClient:
    """Asks hosts for files; one for all threads of a process, so that its limits hold.

    Proxies and certificates are those of the environment, but this machine is asked without a
    proxy; cookies, passwords of ``~/.netrc`` and of addresses are not used.
    """

    def __init__(self, options: DownloadOptions = _DEFAULT, *, clock: Clock | None = None) -> None:
        """Open a session; ``ConfigurationError`` for a bad proxy or token of the environment."""
        _check_proxies()
        self.options = options
        self.clock = clock or Clock()
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._answered: set[str] = set()
        self._tokens = {
            host: token
            for variable, hosts in options.tokens.items()
            if (token := _read_token(variable))
            for host in hosts
        }
        contact = f" ({options.contact})" if options.contact else ""
        self._session = _Session()
        self._session.headers["User-Agent"] = f"ncsbench/{__version__}{contact}"
        self._session.headers["Accept-Encoding"] = "identity"
        self._session.max_redirects = MOST_REDIRECTS
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, _PoliteAdapter(self))
        self._patience = _Patience(
            total=None,  # attempts are counted below
            backoff_factor=options.first_wait_seconds,
            backoff_jitter=options.first_wait_seconds / 2,
            backoff_max=options.longest_wait_seconds,
            retry_after_max=int(options.longest_wait_seconds),
        )

    def fetch(self, url: str, target: IO[bytes], *, maximum_bytes: int) -> Received:
        """Write the file of an address from the user's own settings, which may be a local one."""
        if url.lower().startswith("file:"):
            return _copy_file(url, target, maximum_bytes)
        return self.receive(url, target, maximum_bytes=maximum_bytes)

    def receive(
        self, url: str, target: IO[bytes], *, maximum_bytes: int, method: str = "GET"
    ) -> Received:
        """Write the body of an answer with status 200 to ``target``, from its start.

        Args:
            url: http or https.
            target: a file open for writing; what it held is lost.
            maximum_bytes: a larger body is an error, and never written beyond this.
            method: ``GET`` or ``POST`` (without a body).

        Raises:
            DownloadError: after the last attempt, or at once where another would not help.
        """
        patience = self._patience
        while True:
            try:
                return self._ask(url, target, maximum_bytes, method)
            except _AttemptError as failure:
                attempts = len(patience.history) + 1
                silent = bool(failure.host) and failure.host not in self._answered
                most = SILENT_ATTEMPTS if silent else self.options.attempts
                if not failure.passing or attempts >= min(most, self.options.attempts):
                    told = ", the host never answered" if silent else f", {attempts} attempts"
                    reason = f"{failure}{told if failure.passing else ''}"
                    raise DownloadError(
                        url, reason, status=failure.status, passing=failure.passing
                    ) from None  # its causes may name what the address hides
                patience = patience.increment(method, url)
            self.sleep(patience.get_backoff_time())

    def sleep(self, seconds: float) -> None:
        """Wait; ``StoppedError`` where the client is stopped meanwhile."""
        if seconds > 0:
            self.clock.sleep(seconds, self._end)
        self._check_end()

    def stop(self) -> None:
        """End waits and downloads of all threads soon, with ``StoppedError``."""
        self._end.set()

    def _check_end(self) -> None:
        if self._end.is_set():
            raise StoppedError

    def begin_request(self, request: requests.PreparedRequest) -> bool:
        """Wait for the turn of a request to its host, and give it the token that is for this host.

        Returns:
            True for a request to this machine, which is sent without a proxy.
        """
        address = urlsplit(request.url or "")
        host, local = _name_host(str(request.url)), address.hostname in _LOOPBACK
        # Whatever an address or ~/.netrc says; without https, a token stays on this machine.
        request.headers.pop("Authorization", None)
        if host in self._tokens and (address.scheme == "https" or local):
            request.headers["Authorization"] = f"Bearer {self._tokens[host]}"
        while True:
            with self._lock:
                now = self.clock.monotonic()
                wait = self._next.get(host, now) - now
                if wait <= 0:
                    self._next[host] = now + 60 / self.options.requests_per_minute
                    break
            self.sleep(wait)  # a pause may begin meanwhile: looked at again
        self._check_end()
        return local

    def _ask(self, url: str, target: IO[bytes], maximum: int, method: str) -> Received:
        timeout = self.options.timeout_seconds
        with _explained(url):
            response = self._session.request(method, url, timeout=timeout, stream=True)
        with response:
            host, status = _name_host(response.url), response.status_code
            self._answered |= {_name_host(one.url) for one in (*response.history, response)}
            wait = self._patience.get_retry_after(response.raw)
            if wait is not None:  # all threads leave it alone so long
                with self._lock:
                    pause = self.clock.monotonic() + wait
                    self._next[host] = max(pause, self._next.get(host, pause))
            if status != HTTPStatus.OK:
                # 206 too: a part that nobody asked for is not the file.
                limited = status == HTTPStatus.FORBIDDEN and wait is not None
                passing = status in _PASSING or limited
                raise _AttemptError(_name_status(status), host=host, status=status, passing=passing)
            with _explained(response.url):
                announced = response.raw.length_remaining
                if announced is not None and announced > maximum:
                    raise _AttemptError(f"larger than {maximum} bytes")
                received = _copy(self._read_steadily(response.raw), target, maximum)
            if announced is not None and received.size != announced:
                raise _AttemptError("ended early", host=host, passing=True)
            return received

    def _read_steadily(self, raw: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
        start, size = self.clock.monotonic(), 0
        # Bytes as they are sent: what a server packs unasked, as some do with tar.gz, is the file.
        while chunk := raw.read1(_CHUNK, decode_content=False):
            self._check_end()
            yield chunk
            size += len(chunk)
            seconds = self.clock.monotonic() - start
            if seconds >= self.options.timeout_seconds:
                if size < seconds * self.options.least_bytes_per_second:
                    raise _AttemptError("too slow", passing=True)
                start, size = self.clock.monotonic(), 0


class _Session(requests.Session):
    """Reads no body of a redirect, however long."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target:
            resp.close()
        return target


class _PoliteAdapter(HTTPAdapter):
    """Sends each request, also one that a redirect leads to, when its turn has come."""

    def __init__(self, client: HttpClient) -> None:
        super().__init__(pool_maxsize=client.options.connections, pool_block=True)
        self._client = client

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> Any:
        if self._client.begin_request(request):
            options["proxies"] = {}
        return super().send(request, *args, **options)


class _Patience(urllib3.Retry):
    """Waits between attempts, and knows GitHub's way to ask for a wait."""

    def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
        """Seconds until the server wants to be asked again; None where it does not say."""
        headers = response.headers
        try:
            if "Retry-After" in headers or headers.get("X-RateLimit-Remaining") != "0":
                return super().get_retry_after(response)
            seconds = float(headers["X-RateLimit-Reset"]) - time.time()
            return min(max(seconds, 0), self.retry_after_max)
        except (urllib3.exceptions.InvalidHeader, KeyError, ValueError, OverflowError):
            return None


class _AttemptError(Exception):
    """One attempt that brought no file."""

    def __init__(
        self, reason: str, *, host: str = "", status: int | None = None, passing: bool = False
    ) -> None:
        super().__init__(reason)
        self.host, self.status, self.passing = host, status, passing


def show_url(url: str) -> str:
    """The address without user name, query and fragment, which may hold secrets."""
    try:
        address = urlsplit(url)
    except ValueError:
        return "an address that cannot be read"
    return f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path}"


def _copy(chunks: Iterable[bytes], target: IO[bytes], maximum: int) -> Received:
    """Write chunks to a file from its start, as many as are allowed."""
    digest, size = hashlib.sha256(), 0
    target.seek(0)
    target.truncate()
    for chunk in chunks:
        size += len(chunk)
        if size > maximum:
            raise _AttemptError(f"larger than {maximum} bytes")
        target.write(chunk)
        digest.update(chunk)
    target.flush()
    return Received(size, digest.hexdigest())


def _copy_file(url: str, target: IO[bytes], maximum: int) -> Received:
    path = Path(unquote(urlsplit(url).path))
    if not path.is_file():  # a pipe cannot be read twice
        raise DownloadError(url, "there is no such file", status=HTTPStatus.NOT_FOUND)
    try:
        source = path.open("rb")
    except OSError as error:
        raise DownloadError(url, f"cannot be read ({error.strerror})") from error
    with source:
        try:
            return _copy(iter(lambda: source.read(_CHUNK), b""), target, maximum)
        except _AttemptError as error:
            raise DownloadError(url, str(error)) from None


def _read_token(variable: str) -> str:
    token = os.environ.get(variable, "").strip()
    if not all("!" <= character <= "~" for character in token):
        raise ConfigurationError(f"environment variable {variable}: holds no token; unset it")
    return token


def _check_proxies() -> None:
    """Refuse proxies that requests would blame on the address that is asked for."""
    anything = requests.Request("GET", "https://host.example").prepare()
    for scheme, proxy in getproxies().items():
        if scheme not in {"http", "https", "all"}:
            continue
        try:
            HTTPAdapter().get_connection_with_tls_context(anything, True, {"all": proxy})
        except ValueError:  # not shown: it may hold a password
            raise ConfigurationError(
                f"environment variable {scheme}_proxy or {scheme.upper()}_PROXY: is no proxy that "
                "can be used; write http://host:port, or unset it"
            ) from None


def _name_host(url: str) -> str:
    """``host``, with ``:port`` where it is another than that of the scheme."""
    address = urlsplit(url)
    default = {"http": 80, "https": 443}.get(address.scheme)
    host = (address.hostname or "").rstrip(".")
    return host if address.port in {None, default} else f"{host}:{address.port}"


def _name_status(status: int) -> str:
    """``404 Not Found``; the server's own words are not shown."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


@contextmanager
def _explained(url: str) -> Iterator[None]:
    """Name an error of the connection in few words, which hold nothing of the address."""
    try:
        yield
    except requests.TooManyRedirects:
        raise _AttemptError(f"more than {MOST_REDIRECTS} redirects") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError) as error:
        if isinstance(error, ValueError):
            raise _AttemptError("leads to an address that cannot be asked") from None
        asked = getattr(error, "request", None)
        host = _name_host(asked.url if asked else url)
        raise _AttemptError(_name_cause(error), host=host, passing=True) from None


def _name_cause(error: BaseException) -> str:
    """Name the cause of an error as the system does, the same each time."""
    if isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "the certificate cannot be trusted"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy cannot be used"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    early = isinstance(error, urllib3.exceptions.ProtocolError)
    return "ended early" if early else "connection failed"
