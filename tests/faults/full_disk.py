"""The disk is full before the run ends: one clear line, and a rerun on a larger disk mends it."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.bench import Bench, PromiseError
from tests.faults.messages import logs_of, refuse_traceback
from tests.faults.project import SOCKETS, Project

# NumPy and safetensors have words of their own for what the system says.
FULL = re.compile(r"(data|results)/\S+: .*(No space left on device|is the disk full).*")
# Where a run stands when it begins on the small disk, and what then fits on the disk: bytes,
# or a part of what is still to be written. Reading the dump needs far more than it leaves behind.
STAGES: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "the pairs": ("data/sample/pairs/stackoverflow_android.parquet",),
}
SIZES = {"nothing": (64 * 1024, 4 * 2**20), "the pairs": (0.05, 0.25, 0.5, 0.75, 0.95)}
LARGE = "size=1g"


def inject(bench: Bench) -> None:
    """The folder data/ on a small disk, of several sizes; and the whole copy."""
    if reason := why_not_mounted(bench.scratch):
        said = [f"left out: {reason}"]
        with bench.case("disk", "no disk can be mounted", said):
            return
    whole = size_of(bench.whole.folder / "data")
    for stage, targets in STAGES.items():
        with bench.project("before", whole=False) as before:
            if targets:
                before.run(*targets)
            used = size_of(before.folder / "data")
            for size in SIZES[stage]:
                room = size if isinstance(size, int) else int(size * (whole - used))
                case = f"data/ has {room // 1024} KiB left after {stage}"
                fill_disk(bench, case, "data", used + room, before)
            if targets:
                used += size_of(before.folder) + size_of(before.folder / "results")
                fill_disk(bench, "everything on one disk", ".", used + 2**20, before)


def fill_disk(bench: Bench, case: str, place: str, size: int, before: Project) -> None:
    """A run on a disk of ``size`` bytes, then one on a large disk."""
    said: list[str] = []
    with bench.case("disk", case, said), disk(bench.scratch / "disk", place, size, before) as here:
        done = here.run()
        if done.status == 0:
            raise PromiseError(f"the run succeeded on {size} bytes")
        output = done.output + logs_of(here)
        # With everything on the full disk Snakemake cannot keep its own records.
        if place != ".":
            refuse_traceback(output, done)
        line = FULL.search(output)
        if line is None:
            raise PromiseError(f"no line says which file could not be written: {done.tail()}")
        said.append(line.group())
        mounted = here.folder / place
        subprocess.run(["mount", "-o", f"remount,{LARGE}", str(mounted)], check=True)
        bench.check(here, here.run())


@contextmanager
def disk(folder: Path, place: str, size: int, source: Project) -> Iterator[Project]:
    """A copy of a project of which a part lies on a disk of its own, in memory."""
    mounted = folder / place
    mounted.mkdir(parents=True)
    options = f"size={max(size, 4096)}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(mounted)], check=True)
    try:
        shutil.copytree(source.folder, folder, symlinks=True, dirs_exist_ok=True, ignore=SOCKETS)
        yield Project(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(mounted)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def why_not_mounted(scratch: Path) -> str:
    """Why no disk can be mounted here; empty where it can."""
    folder = scratch / "mountable"
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        subprocess.run(["umount", str(folder)], check=True)
    return done.stderr.strip().splitlines()[0] if done.returncode else ""


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder, in pages of 4096."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in files)
