"""A server on this machine whose answers are scripted, for tests of downloads."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ncsbench.corpus.archives.http_client import Clock


@dataclass(frozen=True)
class Answer:
    """What is sent."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None  # what is announced, where it is not that of the body; -1: nothing
    reset: bool = False
    stall: bool = False  # after the body, until the server ends


@dataclass(frozen=True)
class Request:
    method: str
    host: str  # as it was asked for
    path: str
    headers: Mapping[str, str]


Script = Callable[[Request, int], Answer]  # the request, and how often its path was asked before


class ArchiveServer:
    """Answers as its script says; counts requests, by host and at the same time."""

    def __init__(self, script: Script, *, seconds: float = 0) -> None:
        self.script = script
        self.seconds = seconds
        self.requests: list[Request] = []
        self.most_at_once: Counter[str] = Counter()
        self._at_once: Counter[str] = Counter()
        self._under_way: dict[int, Request] = {}
        self._lock = threading.Lock()
        self._end = threading.Event()

    def __enter__(self) -> ArchiveServer:
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.port = self._server.server_address[1]
        self.first, self.second = (f"{name}:{self.port}" for name in ("127.0.0.1", "localhost"))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def url(self, path: str) -> str:
        return f"http://{self.first}{path}"

    def asked(self, path: str) -> int:
        return sum(request.path == path for request in self.requests)

    def begin(self, request: Request) -> int:
        with self._lock:
            before = self.asked(request.path)
            self.requests.append(request)
            self._under_way[id(request)] = request
            self._at_once[request.host] += 1
            most = max(self.most_at_once[request.host], self._at_once[request.host])
            self.most_at_once[request.host] = most
        return before

    def finish(self, request: Request) -> None:
        with self._lock:
            if self._under_way.pop(id(request), None):
                self._at_once[request.host] -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed, or went on to another server, is no news."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    owner: ArchiveServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        request = Request(self.command, self.headers["Host"], self.path, dict(self.headers))
        before = self.owner.begin(request)
        time.sleep(self.owner.seconds)
        answer = self.owner.script(request, before)
        try:
            with contextlib.suppress(ConnectionError):
                self._send(answer, request)
        finally:
            self.owner.finish(request)

    do_POST = do_CONNECT = do_GET  # noqa: N815

    def _send(self, answer: Answer, request: Request) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        length = len(answer.body) if answer.length is None else answer.length
        if length >= 0:
            self.send_header("Content-Length", str(length))
        # Whoever has all may ask for the next file: this one counts no more.
        if not answer.body:
            self.owner.finish(request)
        self.end_headers()
        self.wfile.write(answer.body[:-1])
        self.owner.finish(request)
        self.wfile.write(answer.body[-1:])
        self.wfile.flush()
        if answer.reset:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        if answer.stall:
            self.owner._end.wait(60)
        if answer.reset or answer.stall or length != len(answer.body):
            self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        pass


class PatientClock(Clock):
    """Waits are written down and over at once; the time moves on by them."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.passed = 0.0
        self._lock = threading.Lock()

    def monotonic(self) -> float:
        return time.monotonic() + self.passed

    def sleep(self, seconds: float, end: threading.Event) -> None:
        with self._lock:
            self.waits.append(seconds)
            self.passed += seconds
