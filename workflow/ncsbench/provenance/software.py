"""Version of the code and the machine that it runs on, as the provenance names them."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from ncsbench.provenance.lineage import Checkout
from ncsbench.version import __version__

_LIBRARY = "workflow/ncsbench"
_CPU_INFO = Path("/proc/cpuinfo")
_GIBIBYTE = 2**30


def describe_checkout(folder: Path | None = None) -> Checkout:
    """Version of ncsbench, commit of its checkout, and the modules that differ from the commit.

    Changes elsewhere do not count: commands, settings and raw inputs are recorded as they are.

    Args:
        folder: the one with the Snakefile; default: where this library lies.
    """
    folder = Path(__file__).resolve().parents[3] if folder is None else folder.resolve()
    top, commit, changed = (
        _ask_git(folder, *arguments)
        for arguments in (
            ("rev-parse", "--show-toplevel"),
            ("rev-parse", "HEAD"),
            ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", _LIBRARY),
        )
    )
    # A copy inside the checkout of another project has no commit of its own.
    if not commit or not top or changed is None or Path(top).resolve() != folder:
        return Checkout(__version__)
    paths = [entry[3:] for entry in changed.split("\0") if entry.endswith(".py")]
    return Checkout(__version__, commit, tuple(sorted(map(_name_module, paths))))


def describe_machine() -> str:
    """Platform, processor, cores, memory and Python; nothing that names the machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return "; ".join(
        [
            f"{platform.system()} {platform.release()} {platform.machine()}",
            _read_cpu_model(),
            f"{len(os.sched_getaffinity(0))} cores",
            f"{memory / _GIBIBYTE:.0f} GiB",
            f"Python {platform.python_version()}",
        ]
    )


def _name_module(path: str) -> str:
    """``workflow/ncsbench/text/words.py`` as ``ncsbench.text.words``."""
    inner = path.removeprefix("workflow/").removesuffix(".py").removesuffix("/__init__")
    return inner.replace("/", ".")


def _read_cpu_model() -> str:
    try:
        lines = _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else "unknown processor"


def _ask_git(folder: Path, *arguments: str) -> str | None:
    """What git says; None where there is no git or it fails."""
    try:
        done = subprocess.run(  # noqa: S603  (fixed program and arguments)
            ["git", "--no-optional-locks", "-C", str(folder), *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip("\n") if done.returncode == 0 else None
