"""Version of the code and the machine that it runs on, as the provenance names them."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from ncsbench import __version__

_CPU_INFO = Path("/proc/cpuinfo")
_GIBIBYTE = 2**30


def describe_version(checkout: Path | None = None) -> str:
    """Version of ncsbench and commit of its checkout: ``0.1.0, commit 1a2b..., with changes``.

    Args:
        checkout: folder with the Snakefile; default: where this library lies.
    """
    folder = Path(__file__).resolve().parents[3] if checkout is None else checkout.resolve()
    top = _ask_git(folder, "rev-parse", "--show-toplevel")
    commit = _ask_git(folder, "rev-parse", "HEAD")
    # A copy inside the checkout of another project has no commit of its own.
    if not commit or not top or Path(top).resolve() != folder:
        return f"{__version__}, not in a git checkout"
    changed = _ask_git(folder, "status", "--porcelain")
    return f"{__version__}, commit {commit}" + (", with changes" if changed != "" else "")


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
            ["git", "-C", str(folder), *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
