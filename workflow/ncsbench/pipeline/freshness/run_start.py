"""Start of a run: steps between Snakemake's reading of the Snakefile and its choice of jobs."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ncsbench.base.files import hashes, storage
from ncsbench.base.files.run_lock import RunIsBusyError, announce_run, lock_folder
from ncsbench.errors import DataError
from ncsbench.pipeline.freshness.snakemake_private import LOCKS, STATE, Mode


def start_run(
    settings: Mapping[str, Any], *, mode: Mode, data: Path, artifacts: Sequence[Path]
) -> IO[str] | None:
    """Prepare a run: alone in its folder, on whole artifacts, with settings as configured.

    Touching keeps the settings that the artifacts were made with, so that the next run repeats only
    jobs whose settings, code or inputs changed. When Snakemake only looks, its process restores the
    settings files at its end: ``explain`` compares settings with those of tables.

    Args:
        settings: content of every settings file, by path below ``data``.
        mode: the kind of call of Snakemake.
        data: folder of the settings.
        artifacts: folders and files that may hold artifacts of earlier runs.

    Returns:
        The lock, to be kept until the end; None where another run has the lock, and Snakemake only
        looks: then nothing is written.

    Raises:
        RunIsBusyError: where another run works in the folder.
        DataError: where an artifact is damaged.
    """
    try:
        lock = lock_folder(STATE)
    except RunIsBusyError:
        if mode is Mode.LOOK:
            return None
        raise
    shutil.rmtree(LOCKS, ignore_errors=True)  # of a run that has ended
    announce_run()
    if mode is Mode.RUN:
        storage.remove_leftovers([data, *artifacts])
        _settle_times(artifacts)
    elif mode is Mode.TOUCH:
        hashes.take_over(artifacts)
    for name, value in settings.items():
        path = data / name
        if not path.exists() or (mode is not Mode.TOUCH and not _holds(path, value)):
            if mode is Mode.LOOK:
                atexit.register(_put_back, path.absolute(), *_remember(path))
            storage.write_json(path, value)
    if mode is Mode.RUN and (damaged := hashes.find_damage(artifacts)):
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise DataError(damaged[0] + more)
    return lock


def _holds(path: Path, value: Any) -> bool:
    try:
        return path.read_bytes() == storage.format_json(value).encode()
    except OSError:
        return False


def _remember(path: Path) -> tuple[bytes | None, tuple[int, int], list[Path]]:
    """Return bytes (None if it is absent) and times of a file, and absent folders above it."""
    absent = [folder.absolute() for folder in path.parents if not folder.exists()]
    if not path.exists():
        return None, (0, 0), absent
    state = path.stat()
    return path.read_bytes(), (state.st_atime_ns, state.st_mtime_ns), absent


def _put_back(
    path: Path, content: bytes | None, times: tuple[int, int], absent: Sequence[Path]
) -> None:
    with contextlib.suppress(OSError, DataError):  # the next run writes what it needs
        if content is not None:
            with storage.atomic_path(path) as temporary:
                temporary.write_bytes(content)
                os.utime(temporary, ns=times)
            return
        hashes.forget_file(path)
        path.unlink()
        for folder in absent:
            folder.rmdir()


def _settle_times(artifacts: Sequence[Path]) -> None:
    """Give artifacts with times in the future the present time, which Snakemake would refuse."""
    present = time.time()
    for top in artifacts:
        for path in [top, *top.rglob("*")]:
            with contextlib.suppress(OSError):  # gone, or without rights: its reader reports
                if path.lstat().st_mtime > present:
                    os.utime(path, follow_symlinks=False)
