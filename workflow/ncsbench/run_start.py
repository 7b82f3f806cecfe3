"""What happens when Snakemake has read the Snakefile and before it decides what to do."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import IO, Any

from ncsbench import checksums, storage
from ncsbench.errors import DataError
from ncsbench.run_lock import RunIsBusyError, announce_run, lock_folder


class Mode(Enum):
    """What Snakemake was called for."""

    RUN = "make what is asked for"
    LOOK = "say what would be done, or something about the workflow"
    TOUCH = "take the artifacts for made as they lie there"


_LOOKS = (
    *("dryrun", "lint", "report", "summary", "detailed_summary", "dag", "rulegraph", "filegraph"),
    *("d3dag", "unlock", "list_rules", "list_target_rules", "containerize", "cleanup_metadata"),
    *("list_changes", "list_input_changes", "list_params_changes", "list_untracked"),
    *("list_conda_envs", "archive", "export_cwl", "generate_unit_tests"),
)


def find_mode(arguments: Sequence[str]) -> Mode:
    """What Snakemake's arguments ask for: the workflow is read before Snakemake knows itself."""
    given = _parse(arguments)
    looks = any(getattr(given, name, None) not in (None, False) for name in _LOOKS)
    if looks or given.executor == "dryrun":  # a dry run that touches touches nothing
        return Mode.LOOK
    return Mode.TOUCH if given.touch or given.executor == "touch" else Mode.RUN


def announce_rebuilding(arguments: Sequence[str]) -> None:
    """Tell the jobs which command makes an artifact of this run again, its name put behind it."""
    given = _parse(arguments)
    command = ["snakemake", "--cores", "all"]
    for option, values in (("--configfile", given.configfile), ("--config", given.config)):
        if values:
            command += [option, *map(str, values)]
    os.environ["NCSBENCH_REBUILD"] = f"{shlex.join(command)} --"


def _parse(arguments: Sequence[str]) -> Namespace:
    from snakemake.cli import get_argument_parser

    given: Namespace = get_argument_parser().parse_known_args(list(arguments))[0]
    return given


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
        lock = lock_folder(Path(".snakemake"))
    except RunIsBusyError:
        if mode is Mode.LOOK:
            return None
        raise
    announce_run()
    if mode is Mode.RUN:
        storage.remove_leftovers([data, *artifacts])
        _settle_times(artifacts)
    elif mode is Mode.TOUCH:
        checksums.take_over(artifacts)
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
    damaged = checksums.find_damage(artifacts)
    if damaged:
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise DataError(damaged[0] + more)
