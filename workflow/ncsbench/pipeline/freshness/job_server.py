"""The jobs of a run as forks of one server process, which imports the modules they need once.

Most jobs of a small dataset take less time than starting Python and importing the library. So a run
on this machine starts a server, and ``workflow/bin/ncsbench`` asks it for a job (``job_client``).
Where no server runs, the client starts Python: on a cluster, in an environment of another Python,
for a job of several threads, by hand.

The server only imports and starts no threads, so that its forks are like new processes. The server
ends with the run, its jobs end with it, and a job ends with the client that asked for it. The
memory that a job logs includes memory that it shares with the server. Snakemake sees the client
alone, so no rule has a `benchmark:`.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import ctypes
import gc
import os
import selectors
import shutil
import signal
import socket  # noqa: TID251  (of this machine, for its owner)
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

SOCKET, PYTHON = "NCSBENCH_JOBS", "NCSBENCH_JOBS_PYTHON"
"""Environment variables for jobs: the socket of the server, and the Python that runs it."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_PYTHON = {"PYTHONPATH": str(Path(__file__).resolve().parents[3]), "PYTHONHASHSEED": "0"}
_NAME = "ncsbench.jobs"
_SECONDS = 10  # for a client to send its request
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_LENGTH = 8


def start_server(folder: Path, module: str) -> subprocess.Popen[bytes] | None:
    """Start the server and announce it to the jobs; the server ends with this process.

    Args:
        folder: folder of the server's socket, relative to the folder of the run, since the name of
            a socket must be short.
        module: the module to run, which calls ``serve``.

    Returns:
        The process, to be kept until the end; None where the system cannot run a server.
    """
    forget_server()
    python = shutil.which("python")
    if python is None or not hasattr(os, "pidfd_open"):
        return None
    path = folder / f"{_NAME}.{os.getpid()}"
    try:
        for left in folder.glob(f"{_NAME}.*"):  # by a server that was killed
            left.unlink()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.fspath(path))
            path.chmod(0o600)
            listener.listen(1024)  # jobs may ask from now on
            server = subprocess.Popen(  # noqa: S603
                [python, "-m", module, str(listener.fileno())],
                env={**os.environ, **dict.fromkeys(_THREADS, "1"), **_PYTHON},
                stdin=subprocess.PIPE,  # closed by the system when this process ends
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[listener.fileno()],
                start_new_session=True,  # an interrupt of the terminal is not for it
            )
    except OSError:  # a file system without sockets: jobs start Python
        return None
    os.environ.update({SOCKET: os.fspath(path), PYTHON: python})
    atexit.register(server.communicate)  # waited for, its processor time is the run's
    return server


def forget_server() -> None:
    """Remove the server from the environment, so that jobs of this process ask no server."""
    for name in (SOCKET, PYTHON):
        os.environ.pop(name, None)


def serve(
    listener: socket.socket, *, prepare: Callable[[list[str]], None], run: Callable[[], None]
) -> None:
    """Run a job for each client until standard input ends.

    Args:
        listener: socket that clients connect to.
        prepare: function that imports the modules for a job with given arguments; called in the
            server.
        run: function that runs the job of ``sys.argv``; called in the fork of the job.
    """
    gc.disable()
    with selectors.DefaultSelector() as selector:
        jobs = _Jobs(selector)
        selector.register(listener, selectors.EVENT_READ)
        selector.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj == 0:
                    Path(listener.getsockname()).unlink(missing_ok=True)
                    return
                if key.fileobj is listener:
                    connection = listener.accept()[0]
                    with contextlib.suppress(OSError, ValueError):  # the client was killed
                        jobs.start(connection, prepare, run)
                elif key.fileobj in selector.get_map():  # else closed by the event before
                    key.data(key.fileobj)


class _Jobs:
    """The jobs that run: for each a connection to its client and a descriptor of its process."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self._running: dict[int, tuple[int, socket.socket]] = {}

    def start(
        self,
        connection: socket.socket,
        prepare: Callable[[list[str]], None],
        run: Callable[[], None],
    ) -> None:
        request, streams = _receive(connection)
        try:
            with contextlib.suppress(Exception):  # the job fails with the same, and says so
                prepare(request["arguments"])
            gc.freeze()  # a collection in a fork would copy all memory
            process = os.fork()  # noqa: TID251
            if not process:
                self._leave(connection)
                _become_job(request, streams, run)
        finally:
            for stream in streams:
                os.close(stream)
        ended = os.pidfd_open(process)
        self._running[ended] = (process, connection)
        self._selector.register(ended, selectors.EVENT_READ, lambda _: self._finish(ended))
        self._selector.register(connection, selectors.EVENT_READ, lambda _: self._end(ended))

    def _leave(self, connection: socket.socket) -> None:
        """Close, in a fork, the sockets and files of the server."""
        for key in list(self._selector.get_map().values()):
            if key.fd:
                os.close(key.fd)
        self._selector.close()
        connection.close()

    def _end(self, ended: int) -> None:
        """Kill the job of a client that is gone."""
        signal.pidfd_send_signal(ended, signal.SIGKILL)
        self._selector.unregister(self._running[ended][1])

    def _finish(self, ended: int) -> None:
        process, connection = self._running.pop(ended)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        self._selector.unregister(ended)
        os.close(ended)
        with contextlib.suppress(KeyError):
            self._selector.unregister(connection)
        with connection, contextlib.suppress(OSError):
            connection.sendall(f"{code}\n".encode())


def _receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    connection.settimeout(_SECONDS)
    length, streams, _, _ = socket.recv_fds(connection, _LENGTH, 3)
    with connection.makefile("rb") as file:
        return ast.literal_eval(file.read(int.from_bytes(length, "big")).decode()), streams


def _become_job(request: dict[str, Any], streams: list[int], run: Callable[[], None]) -> NoReturn:
    """Run the client's call in this fork as a new Python would run it, and exit."""
    code = 1
    try:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        # The server's file remembers that its stream can seek; the stream of a job may not.
        sys.stdout = open(1, "w", closefd=False)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = ["ncsbench", *request["arguments"]]
        gc.enable()
        run()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # as Python does at its top level
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
