"""What happens when Snakemake has read the Snakefile and before it decides what to do."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ncsbench.artifacts import hashes, storage
from ncsbench.errors import DataError
from ncsbench.run_control.run_lock import RunIsBusyError, announce_run, lock_folder
from ncsbench.run_control.snakemake_private import LOCKS, STATE, Mode


def start_run(
    settings: Mapping[str, Any], *, mode: Mode, data: Path, artifacts: Sequence[Path]
) -> IO[str] | None:
    """Prepare a run: alone in its folder, on whole artifacts, with settings as configured.

    Touching keeps the settings that the artifacts were made with, so that the next run repeats
    what other settings, code or inputs ask for, and nothing else.

    Args:
        settings: content of every settings file, by path below ``data``.
        mode: what is asked for.
        data: folder of the settings.
        artifacts: folders and files that may hold what earlier runs made.

    Returns:
        The lock, to be kept until the end; None where another run has it and nothing is written.

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
    shutil.rmtree(LOCKS, ignore_errors=True)  # of a run that is no more
    announce_run()
    if mode is Mode.RUN:
        storage.remove_leftovers([data, *artifacts])
        _settle_times(artifacts)
    elif mode is Mode.TOUCH:
        hashes.take_over(artifacts)
    for name, value in settings.items():
        path = data / name
        if not path.exists() or (mode is not Mode.TOUCH and not _holds(path, value)):
            storage.write_json(path, value)
    if mode is Mode.RUN:
        _check(artifacts)
    return lock


def _holds(path: Path, value: Any) -> bool:
    try:
        return path.read_bytes() == storage.format_json(value).encode()
    except OSError:
        return False


def _settle_times(artifacts: Sequence[Path]) -> None:
    """Give artifacts from the future the present time: Snakemake refuses to make what follows."""
    present = time.time()
    for top in artifacts:
        for path in [top, *top.rglob("*")]:
            with contextlib.suppress(OSError):  # gone, or without rights: who reads it says so
                if path.lstat().st_mtime > present:
                    os.utime(path, follow_symlinks=False)


def _check(artifacts: Sequence[Path]) -> None:
    damaged = hashes.find_damage(artifacts)
    if damaged:
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise DataError(damaged[0] + more)
