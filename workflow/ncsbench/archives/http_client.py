"""The one HTTP client: streams to a file, keeps to the limits of a host, tries again politely."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
import urllib3

from ncsbench.archives import server_answers
from ncsbench.archives.clock import Clock, SystemClock
from ncsbench.archives.download_options import DownloadOptions
from ncsbench.archives.host_gates import HostGates
from ncsbench.archives.sessions import open_session
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.version import __version__

MOST_REDIRECTS = 10
SILENT_ATTEMPTS = 3
"""A host that has not answered once is not asked more often for the first file, and once for the
others."""
_CHUNK = 1 << 16
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT = DownloadOptions()


class DownloadError(DataError):
    """A file that was not got; the message names the address and the reason.

    Attributes:
        reason: without the address; the same whenever the same happens.
        status: of the last answer, None where there was none.
        passing: whether the same request may succeed another day.
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


class HttpClient:
    """Asks hosts for files; one for all threads of a process, so that its limits hold.

    Proxies and certificates are those of the environment, but this machine is asked without a
    proxy; cookies, passwords of ``~/.netrc`` and of addresses are not used.
    """

    def __init__(self, options: DownloadOptions = _DEFAULT, *, clock: Clock | None = None) -> None:
        self.options = options
        self.clock: Clock = clock or SystemClock()
        self._end = threading.Event()
        self._gates = HostGates(
            connections=options.connections,
            requests_per_minute=options.requests_per_minute,
            clock=self.clock,
            end=self._end,
        )
        self._local = threading.local()
        self._answered: set[str] = set()
        self._silent: set[str] = set()
        self._tokens = {
            host: token
            for variable, hosts in options.tokens.items()
            if (token := _read_token(variable))
            for host in hosts
        }

    def receive(
        self, url: str, target: IO[bytes], *, maximum_bytes: int, method: str = "GET"
    ) -> Received:
        """Write the body of an answer with status 200 to ``target``, from its start.

        Args:
            url: http or https, without a user name.
            target: a file open for writing; what it held is lost.
            maximum_bytes: a larger body is an error, and never written beyond this.
            method: ``GET`` or ``POST`` (without a body).

        Raises:
            DownloadError: after the last attempt, or at once where another would not help.
            ConfigurationError: where the environment names a proxy that is none.
        """
        attempts = self.options.attempts
        for attempt in range(1, attempts + 1):
            try:
                return self._follow(url, target, maximum_bytes, method)
            except _AttemptError as failure:
                never = failure.host and failure.host not in self._answered
                if not failure.passing or attempt >= self._most_attempts(failure.host):
                    reason = str(failure)
                    if failure.passing:
                        reason += ", the host never answered" if never else f", {attempts} attempts"
                    if never:
                        self._silent.add(failure.host)
                    raise DownloadError(
                        url, reason, status=failure.status, passing=failure.passing
                    ) from None  # its causes may name what the address hides
                wait = self._wait_seconds(url, attempt, failure.wait)
                if failure.status in server_answers.LIMITS:
                    self._gates.pause(failure.host, wait)
            self.sleep(wait)
        raise AssertionError

    def _most_attempts(self, host: str) -> int:
        """How often a request is made; rarely where its host has never answered."""
        if not host or host in self._answered:
            return self.options.attempts
        return min(self.options.attempts, 1 if host in self._silent else SILENT_ATTEMPTS)

    def sleep(self, seconds: float) -> None:
        """Wait; ``StoppedError`` where the client is stopped meanwhile."""
        self.clock.sleep(seconds, self._end)
        self._check_end()

    def stop(self) -> None:
        """End waits and downloads of all threads soon, with ``StoppedError``."""
        self._end.set()

    def _check_end(self) -> None:
        if self._end.is_set():
            raise StoppedError

    def _wait_seconds(self, url: str, attempt: int, asked: float | None) -> float:
        """What the server asks for, or a wait that doubles; spread, so that threads part."""
        drawn = hashlib.sha256(f"{attempt} {url}".encode()).digest()
        spread = int.from_bytes(drawn[:8], "big") / 2**64
        wait = self.options.first_wait_seconds * 2.0 ** min(attempt - 1, 60)
        wait = wait * (0.75 + spread / 2) if asked is None else asked + spread
        return min(wait, self.options.longest_wait_seconds)

    def _follow(self, url: str, target: IO[bytes], maximum: int, method: str) -> Received:
        address = _split(url, url)
        for _ in range(MOST_REDIRECTS + 1):
            host = _host(address)
            with (
                self._gates.enter(host),
                self._send(method, address, host) as response,
            ):
                status = response.status_code
                self._answered.add(host)
                if status not in server_answers.REDIRECTS:
                    return self._read(response, host, target, maximum)
                location = response.headers.get("Location", "")
            # As RFC 9110, section 15.4: a POST that is redirected by these is a GET.
            method = "GET" if status in {301, 302, 303} else method
            address = _split(_join(address.geturl(), location), url)
        raise _AttemptError(f"more than {MOST_REDIRECTS} redirects")

    @contextlib.contextmanager
    def _send(self, method: str, address: SplitResult, host: str) -> Iterator[requests.Response]:
        headers = {"User-Agent": self._user_agent(), "Accept-Encoding": "identity"}
        local = address.hostname if address.hostname in _LOOPBACK else None
        # Without https, a token only goes to this machine, and so past any proxy.
        if host in self._tokens and (address.scheme == "https" or local):
            headers["Authorization"] = f"Bearer {self._tokens[host]}"
        self._check_end()
        with _explained(host):
            response = self._session().request(
                method,
                address.geturl(),
                headers=headers,
                proxies={"no_proxy": local} if local else None,
                timeout=self.options.timeout_seconds,
                stream=True,
                allow_redirects=False,
            )
        with response:
            yield response

    def _read(
        self, response: requests.Response, host: str, target: IO[bytes], maximum: int
    ) -> Received:
        status, headers = response.status_code, response.headers
        wait = server_answers.find_wait(headers, wall=self.clock.wall())
        if status != server_answers.OK:
            # 206 too: a part that nobody asked for is not the file.
            raise _AttemptError(
                server_answers.name_status(status),
                host=host,
                status=status,
                passing=server_answers.is_passing(status, headers),
                wait=wait,
            )
        if wait is not None:  # this was the last request for now
            self._gates.pause(host, min(wait, self.options.longest_wait_seconds))
        with _explained(host):
            announced = response.raw.length_remaining
            if announced is not None and announced > maximum:
                raise _AttemptError(f"larger than {maximum} bytes")
            return self._copy(response.raw, target, maximum, announced)

    def _copy(
        self, raw: urllib3.BaseHTTPResponse, target: IO[bytes], maximum: int, announced: int | None
    ) -> Received:
        target.seek(0)
        target.truncate()
        digest, size = hashlib.sha256(), 0
        window, in_window = self.clock.monotonic(), 0
        # Bytes as they are sent: what a server packs unasked, as some do with tar.gz, is the file.
        while chunk := raw.read1(_CHUNK, decode_content=False):
            self._check_end()
            size += len(chunk)
            in_window += len(chunk)
            if size > maximum:
                raise _AttemptError(f"larger than {maximum} bytes")
            target.write(chunk)
            digest.update(chunk)
            seconds = self.clock.monotonic() - window
            if seconds >= self.options.timeout_seconds:
                if in_window < seconds * self.options.least_bytes_per_second:
                    raise _AttemptError("too slow", passing=True)
                window, in_window = self.clock.monotonic(), 0
        if announced is not None and size != announced:
            raise _AttemptError("ended early", passing=True)
        target.flush()
        return Received(size, digest.hexdigest())

    def _user_agent(self) -> str:
        contact = self.options.contact
        return f"ncsbench/{__version__}" + (f" ({contact})" if contact else "")

    def _session(self) -> requests.Session:
        """One for each thread: sessions are not made for several."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = open_session()
        return session


def show_url(url: str) -> str:
    """The address without user name, query and fragment, which may hold secrets."""
    try:
        address = urlsplit(url)
    except ValueError:
        return "an address that is none"
    host = address.netloc.rpartition("@")[2]
    return f"{address.scheme}://{host}{address.path}"


class _AttemptError(Exception):
    """One attempt that brought no file."""

    def __init__(
        self,
        reason: str,
        *,
        host: str = "",
        status: int | None = None,
        passing: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.host, self.status, self.passing, self.wait = host, status, passing, wait


def _read_token(variable: str) -> str:
    token = os.environ.get(variable, "").strip()
    if not all("!" <= character <= "~" for character in token):
        raise ConfigurationError(f"environment variable {variable}: holds no token; unset it")
    return token


def _split(url: str, first: str) -> SplitResult:
    """An address that may be asked; ``_AttemptError`` where it may not."""
    try:
        address = urlsplit(url)
        _ = address.port
    except ValueError:
        raise _AttemptError("leads to an address that is none") from None
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise _AttemptError(
            "is no http or https address" if url == first else "leads to no http or https address"
        )
    if address.username is not None or address.password is not None:
        raise _AttemptError("has a user name in its address; remove it")
    return address


def _host(address: SplitResult) -> str:
    default = {"http": 80, "https": 443}[address.scheme]
    host = (address.hostname or "").rstrip(".")
    return host if address.port in {None, default} else f"{host}:{address.port}"


def _join(url: str, location: str) -> str:
    # http.client reads headers as Latin-1, servers send UTF-8.
    with contextlib.suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")
    if not location:
        raise _AttemptError("redirects to nowhere")
    try:
        return urljoin(url, location)
    except ValueError:
        raise _AttemptError("leads to an address that is none") from None


@contextlib.contextmanager
def _explained(host: str) -> Iterator[None]:
    """Name what went wrong on the way in few words, which hold nothing of the address."""
    try:
        yield
    except (requests.exceptions.InvalidURL, UnicodeError):
        raise _AttemptError("leads to an address that is none") from None
    except (requests.Timeout, urllib3.exceptions.TimeoutError):
        raise _AttemptError("no answer in time", host=host, passing=True) from None
    except requests.exceptions.SSLError:
        raise _AttemptError("the certificate cannot be trusted", host=host, passing=True) from None
    except requests.exceptions.ProxyError:
        raise _AttemptError("the proxy cannot be used", host=host, passing=True) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _AttemptError(_name_cause(error), host=host, passing=True) from None


def _name_cause(error: BaseException) -> str:
    """The first cause whose name says something."""
    seen: list[BaseException] = [error]
    for one in seen:  # grows
        if isinstance(one, urllib3.exceptions.NameResolutionError):
            return "host not found"
        if isinstance(one, urllib3.exceptions.IncompleteRead):
            return "ended early"
        if isinstance(one, ConnectionRefusedError):
            return "connection refused"
        if isinstance(one, ConnectionError):
            return "connection reset"
        causes = [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
        seen += [
            cause for cause in causes if isinstance(cause, BaseException) and cause not in seen
        ]
    return "connection failed"
