"""Take over the sample's artifacts of the last release: ``make restore`` (docs/reproducibility.md).

Files that DVC pulls are touched, so that Snakemake counts them as made, and the last line says what
the next run repeats. Settings files have no owner: Snakemake writes them whenever it reads the
Snakefile. So settings files that are there give way to the release's, and come back where the pull
is refused.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = Path("resources/artifacts/release.json")
TABLE = "results/table1.csv"
TARGETS = ("all", "tables", "pairs", "selected_questions")
"""Targets of the workflow that make the files that dvc.yaml versions."""
WRITTEN_ALWAYS = ("data/sample/settings", "data/configured.json", "results/sample/provenance.json")
"""Files that every start or every run writes; they may differ where all results are the same."""
_JOB = re.compile(r"^(\w+) +(\d+)$", re.MULTILINE)
_ASKS = "without confirmation"  # DVC says this above the files that it would overwrite


def main() -> None:
    """Pull and touch, or end with status 1 and a last line with the reason."""
    version = json.loads((ROOT / RELEASE).read_text(encoding="utf-8"))["version"]
    pull()
    run("snakemake", "--cores", "1", "--touch", "--forceall", "--quiet", "all", "--", *TARGETS)
    planned = run("snakemake", "--cores", "1", "--dry-run", "--quiet", "rules", "--", TABLE).stdout
    jobs = [f"{name} ({count})" for name, count in _JOB.findall(planned) if name != "total"]
    todo = f"the next run repeats {', '.join(jobs)}" if jobs else "nothing is left to do"
    say(f"the sample of version {version} is here; for {TABLE} {todo}")


def pull() -> None:
    """Let DVC bring the files of ``dvc.lock``; outputs that the release lacks stay absent."""
    aside = [(ROOT / name, ROOT / f"{name}.aside") for name in WRITTEN_ALWAYS]
    for path, kept in aside:
        remove(kept)  # left by a restore that was killed
        if path.exists():
            path.rename(kept)
    done = run("dvc", "pull", "--allow-missing", "dvc.yaml", check=False)
    for path, kept in aside:
        if done.returncode != 0 and kept.exists():
            remove(path)
            kept.rename(path)
        remove(kept)
    if done.returncode != 0:
        sys.exit(f"restore: error: {explain_refusal(done.stderr)}")
    print(done.stdout, end="")  # noqa: T201


def explain_refusal(stderr: str) -> str:
    """Say in one line why DVC did not pull."""
    lines = stderr.strip().splitlines() or ["DVC said nothing"]
    if _ASKS not in stderr:
        return f"dvc pull: {lines[-1]}"
    files = [line for line in lines if line.startswith(str(ROOT))]
    first = Path(files[0]).relative_to(ROOT) if files else "some"
    return (
        f"artifacts of your own are here ({first}, {len(files)} in all): keep them, or discard "
        "them by 'dvc pull --force' and restore again"
    )


def remove(path: Path) -> None:
    """Remove a file or a folder, if there is one."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a Python program of the environment in the checkout; if ``check``, end where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=programs(),
        capture_output=True,
        text=True,
        check=False,
    )
    if check and done.returncode != 0:
        print(done.stdout + done.stderr, end="", file=sys.stderr)  # noqa: T201
        sys.exit(f"restore: error: {command[0]} ended with {done.returncode}")
    return done


def programs() -> dict[str, str]:
    """The variables of this process, with the programs of the environment before all others."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, "PATH": path}


def say(text: str) -> None:
    """Show a line."""
    print(f"restore: {text}")  # noqa: T201


if __name__ == "__main__":
    main()
