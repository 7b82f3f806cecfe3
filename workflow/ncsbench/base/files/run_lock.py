"""Lock that lets one run at a time work in a folder, and the end of jobs together with their run.

The kernel holds the lock for a process and releases it when the process dies, however it dies;
Snakemake's own lock is a file that a killed run leaves behind.
"""

from __future__ import annotations

import fcntl
import os
import platform
import select
import signal
import threading
from pathlib import Path
from typing import IO

from ncsbench.errors import DataError, NcsbenchError

LOCK = "ncsbench.lock"
_RUN = "NCSBENCH_RUN"


class RunIsBusyError(NcsbenchError):
    """Another run works in the same folder."""


def lock_folder(state: Path, name: str = LOCK) -> IO[str]:
    """Take the lock of a folder for as long as this process keeps the returned file.

    Args:
        state: Snakemake's own folder, ``.snakemake``, or another folder that a run works in.
        name: of the file that is locked.

    Raises:
        RunIsBusyError: with one line that says which process has the lock.
        DataError: where the folder cannot be written to, or its file system has no locks.
    """
    path = state / name
    try:
        state.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"{path}: cannot be written ({error.strerror}); it must be in a folder to write in"
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = " ".join(file.read(200).split()) or "unknown"
        file.close()
        raise RunIsBusyError(
            f"another run works in {state} (process {holder}); wait for its end"
        ) from None
    except OSError as error:
        file.close()
        raise DataError(
            f"{path}: cannot be locked ({error.strerror}); use a folder on a local disk"
        ) from error
    file.truncate(0)
    file.write(f"{os.getpid()} on {platform.node()}\n")
    file.flush()
    return file


def announce_run() -> None:
    """Name this process in the environment as the run that its jobs belong to."""
    os.environ[_RUN] = f"{platform.node()} {os.getpid()} {_start_time(os.getpid())}"


def end_with_run() -> None:
    """Let this process be killed when the run that it belongs to (``announce_run``) ends first.

    Nothing happens where no run announced itself, on another machine, or where the system cannot
    watch a process.
    """
    host, _, process = os.environ.get(_RUN, "").partition(" ")
    if host != platform.node() or not hasattr(os, "pidfd_open"):
        return
    pid, _, started = process.partition(" ")
    try:
        run = os.pidfd_open(int(pid))
    except (OSError, ValueError):
        _die()
    if _start_time(int(pid)) != started:  # the number was given to another process
        _die()
    threading.Thread(target=_wait_and_die, args=(run,), daemon=True).start()


def _wait_and_die(run: int) -> None:
    select.select([run], [], [])
    _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _start_time(pid: int) -> str:
    """Return the start time of a process, in clock ticks of the system; empty where it is gone."""
    try:
        # The name of the program may hold spaces and brackets.
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
