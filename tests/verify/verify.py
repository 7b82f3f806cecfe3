"""Build the sample twice, differently, from the tracked files alone, and compare (``make verify``).

The builds have other numbers of cores, hash seeds, locales, time zones and folders. Every artifact
must have the same bytes in both but those of ``volatile.txt``, and the tables must be those
committed in ``resources/sample/expected/``: by bytes, or by value where another CPU's floating
point gives other last digits. Corpus, words, vectors, runs and judgements must have the committed
sums. Exit status 0 only then.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "workflow")]

from tests.verify.artifact_sums import (  # noqa: E402
    SUMS as ARTIFACT_SUMS,
)
from tests.verify.artifact_sums import (  # noqa: E402
    check_artifact_sums,
    write_artifact_sums,
)
from tests.verify.comparing import (  # noqa: E402  (also run as a script)
    SUMS,
    check_expected,
    compare_builds,
    describe_moved_ranks,
    hash_artifacts,
    read_patterns,
    read_sums,
    update_expected,
)

EXPECTED = Path("resources/sample/expected")
VOLATILE = Path("tests/verify/volatile.txt")
SHEET = "results/sample/score_sheet.csv"
TARGETS = (
    *("results/table1.csv", "results/published_table1.csv", "results/sample/examples.csv"),
    *("selected_questions", "pairs", "judge_study"),
)
COMMITTED = ("results/published_table1.csv", "results/sample/")
"""Whose tables are committed; rankings and figures are compared between the builds only."""

_TABLES = {".csv", ".json", ".md", ".tex"}
_SHOWN = 20
_PROGRAM = Path(sys.argv[0]).stem  # the script of `make cluster` builds and speaks by this one


class Build(NamedTuple):
    """One way to build: the folder below the place of all builds, cores, environment, options."""

    folder: str
    cores: int
    environment: dict[str, str]
    options: tuple[str, ...] = ()


BUILDS = (
    Build("first", 1, {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"}),
    Build(
        "second/a deeper folder/project",
        2,
        {"PYTHONHASHSEED": "4711", "LC_ALL": "C.UTF-8", "TZ": "Pacific/Apia"},
    ),
)


def list_files(*, untracked: bool) -> list[str]:
    """Tracked files of the checkout; with ``untracked`` also new ones that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached"]
    if untracked:
        command += ["--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{_PROGRAM}: error: needs a git checkout, to know which files are tracked")
    names = sorted(set(filter(None, done.stdout.decode().split("\0"))))
    return [name for name in names if (ROOT / name).is_file()]


def copy_files(names: list[str], folder: Path) -> None:
    """Copy files of the checkout, and nothing else."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
        (folder / name).chmod((ROOT / name).stat().st_mode & 0o777)


def run_build(build: Build, place: Path, targets: Sequence[str] = TARGETS) -> Path:
    """Build the targets in the folder of a build; the folder."""
    folder = place / build.folder
    environment = [f"{key}={value}" for key, value in build.environment.items() if key != "PATH"]
    say(" ".join([f"building with {build.cores} core(s)", *environment, *build.options]))
    started = time.monotonic()
    # No PYTHONPATH or other setting of the caller reaches the build by accident.
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    log = place / f"{Path(build.folder).parts[0]}.log"
    with log.open("wb") as file:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "snakemake",
                "--cores",
                str(build.cores),
                *build.options,
                "--",
                *targets,
            ],
            cwd=folder,
            env={**kept, **build.environment},
            stdout=file,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_SHOWN:]
        print("\n".join(tail), file=sys.stderr)  # noqa: T201
        sys.exit(
            f"{_PROGRAM}: error: the build ended with {done.returncode}; {log.name} has all it "
            "said (--folder keeps it)"
        )
    say(f"built in {time.monotonic() - started:.0f} s")
    return folder


def tables_of(artifacts: Iterable[str]) -> list[str]:
    """Those artifacts that are tables of the sample, which are committed."""
    return sorted(
        name for name in artifacts if name.startswith(COMMITTED) and Path(name).suffix in _TABLES
    )


def say(text: str) -> None:
    """Show what happens."""
    print(f"{_PROGRAM}: {text}", flush=True)  # noqa: T201


def say_all(lines: list[str]) -> None:
    """Show some lines, and how many more there are."""
    for line in lines[:_SHOWN]:
        say(line)
    if len(lines) > _SHOWN:
        say(f"... {len(lines) - _SHOWN} more")


def main() -> None:
    """Build twice, compare, exit with 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="commit what the builds made")
    parser.add_argument("--untracked", action="store_true", help="copy new files too")
    parser.add_argument("--folder", type=Path, help="empty folder to build in, which is kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="verify-") as temporary:
        place = (options.folder or Path(temporary)).resolve()
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            sys.exit(f"verify: error: {place} is not empty; name another folder")
        verify(place, list_files(untracked=options.untracked), update=options.update)


def verify(place: Path, names: list[str], *, update: bool) -> None:
    """Compare two builds with each other and with what is committed."""
    say(f"copying {len(names)} files twice")
    for build in BUILDS:  # both before the first build: the checkout may change meanwhile
        copy_files(names, place / build.folder)
    first, second = (run_build(build, place) for build in BUILDS)
    left_out = read_patterns(ROOT / VOLATILE)
    one, two = (hash_artifacts(folder, left_out) for folder in (first, second))
    differing = compare_builds(one, two)
    say_all(differing)
    say(f"{len(one) - len(differing)} of {len(one)} artifacts have the same bytes in both builds")
    if update:
        if differing:
            sys.exit(
                "verify: FAILED: nothing is updated, since the builds differ (--folder keeps them)"
            )
        update_expected(ROOT / EXPECTED, first, tables_of(one))
        write_artifact_sums(ROOT / EXPECTED / ARTIFACT_SUMS, one)
    check = check_expected(ROOT / EXPECTED, first)
    artifacts = check_artifact_sums(ROOT / EXPECTED / ARTIFACT_SUMS, one)
    say_all([*check.problems, *artifacts.problems])
    if artifacts.rounded:
        say(
            f"{len(artifacts.rounded)} artifacts have other bytes than on the processor of the "
            f"committed sums, such as {artifacts.rounded[0]}"
        )
    if moved := describe_moved_ranks(ROOT / EXPECTED / SHEET, first / SHEET):
        say(moved)
    new = sorted(set(tables_of(one)) - read_sums(ROOT / EXPECTED / SUMS).keys())
    say_all([f"{name}: is new, {EXPECTED} has no copy (--update adds it)" for name in new])
    for name in check.equal:
        say(f"{name}: same values, other bytes (another CPU's floating point)")
    summary = (
        f"{len(check.same)} tables as committed, {len(check.equal)} by value; {artifacts.same} "
        "artifacts of the committed bytes"
    )
    if differing or check.problems or artifacts.problems or new:
        sys.exit(
            f"verify: FAILED: {len(differing)} artifacts differ between the builds, "
            f"{len(check.problems)} tables and {len(artifacts.problems)} artifacts from what is "
            f"committed, {len(new)} tables are new; "
            f"{summary} (--folder keeps the builds)"
        )
    say(f"OK: {len(one)} artifacts the same in both builds; {summary}")


if __name__ == "__main__":
    main()
