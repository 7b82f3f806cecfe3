"""Make a release: ``make release VERSION=1.2.3`` (docs/reproducibility.md).

Everything happens in a clone below a temporary folder. ``make verify`` must pass there. Then the
version is set and committed. The sample is made anew from that commit, so that its lineage names a
commit without changes, and pushed into an emptied remote. A second clone pulls from that remote and
is checked. Only then does the checkout get both commits and the tag; before, nothing in it changes.
Nothing is sent to another machine.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from restore import RELEASE, TABLE, TARGETS, programs

ROOT = Path(__file__).resolve().parent.parent
REMOTE = Path("resources/artifacts")
SETTINGS = "data/sample/settings"
LARGEST = 5_000_000
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_UNRELEASED = "## Unreleased\n"


def main() -> None:
    """Make the release, or end with status 1 and one line before anything is changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", nargs="?", default="", help="x.y.z, above the present one")
    version = parser.parse_args().version
    check_request(version)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        clone = make_clone(ROOT, Path(folder) / "made")
        say("1/5 make verify, in a clone; some minutes")
        check_verified(clone)
        say(f"2/5 version {version}")
        set_version(clone, version, datetime.datetime.now(datetime.UTC).date().isoformat())
        git(clone, "commit", "--quiet", "--all", "--message", f"Version {version}")
        say("3/5 the sample, made anew from that commit; some minutes")
        shutil.rmtree(clone / REMOTE)
        call(clone, "dvc", "repro")
        call(clone, "dvc", "push", "dvc.yaml")
        write_release(clone, version)
        git(clone, "add", "--all", str(REMOTE), "dvc.lock")
        git(clone, "commit", "--quiet", "--all", "--message", f"Artifacts of version {version}")
        say("4/5 what another clone gets from the remote")
        check_artifacts(clone)
        check_restored(make_clone(clone, Path(folder) / "restored"), clone)
        say("5/5 both commits and the tag, in this checkout")
        git(ROOT, "pull", "--quiet", "--ff-only", str(clone), "HEAD")
    git(ROOT, "tag", "--annotate", f"v{version}", "--message", f"Version {version}")
    say(f"v{version} is tagged, after {time.monotonic() - started:.0f} s; nothing was sent away")


def check_request(version: str) -> None:
    """End with one line if the release cannot be made."""
    present = re.search(r'__version__ = "(.*)"', (ROOT / VERSION_FILE).read_text())
    if present is None or not _VERSION.fullmatch(version):
        refuse("say which: make release VERSION=x.y.z")
    if parse_version(version) <= parse_version(present[1]):
        refuse(f"VERSION={version} must lie above {present[1]}")
    if git(ROOT, "status", "--porcelain"):
        refuse("the tree has changes (git status); commit or remove them")
    if git(ROOT, "tag", "--list", f"v{version}"):
        refuse(f"there is a tag v{version}; choose a higher VERSION")
    if _UNRELEASED not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        refuse('CHANGELOG.md has no "## Unreleased"; write what changed')


def parse_version(text: str) -> tuple[int, ...]:
    """Read the numbers of a version."""
    return tuple(int(part) for part in text.split("."))


VERSION_FILE = "workflow/ncsbench/version.py"
VERSIONS = (
    (VERSION_FILE, r'__version__ = ".*"', '__version__ = "{version}"'),
    ("CITATION.cff", r"(?m)^version: .*$", "version: {version}"),
    ("CITATION.cff", r"(?m)^date-released: .*$", "date-released: {date}"),
    ("CHANGELOG.md", re.escape(_UNRELEASED), "## {version} - {date}\n"),
)
"""Files that name the version, each with the pattern to replace and its replacement."""


def set_version(folder: Path, version: str, date: str) -> None:
    """Write the version into the files that name it."""
    for name, pattern, template in VERSIONS:
        path = folder / name
        text, count = re.subn(
            pattern,
            template.format(version=version, date=date),
            path.read_text(encoding="utf-8"),
            count=1,
        )
        if not count:
            refuse(f"{name} names no version")
        path.write_text(text, encoding="utf-8")


def make_clone(source: Path, folder: Path) -> Path:
    """Clone a repository, with the environment of this checkout."""
    git(source, "clone", "--quiet", "--no-hardlinks", str(source), str(folder))
    for key in ("user.name", "user.email"):
        git(folder, "config", key, git(ROOT, "config", key) or "ncsbench")
    return folder


def write_release(folder: Path, version: str) -> None:
    """Write the version of the remote, and the hashes of the settings that its making read.

    The commit that it is made from goes into CITATION.cff, too.
    """
    listed = read_listing(folder, SETTINGS)
    release = {
        "version": version,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": git(folder, "rev-parse", "HEAD"),
        "dvc_lock": hash_lock(folder),
        "settings": {entry["relpath"]: entry["md5"] for entry in listed},
    }
    (folder / RELEASE).write_text(f"{json.dumps(release, indent=2)}\n", encoding="utf-8")
    citation = folder / "CITATION.cff"
    text = re.sub(r"(?m)^commit: .*$", f"commit: {release['commit']}", citation.read_text())
    citation.write_text(text, encoding="utf-8")


def hash_lock(folder: Path) -> str:
    """Compute the SHA-256 of ``dvc.lock``."""
    return hashlib.sha256((folder / "dvc.lock").read_bytes()).hexdigest()


def read_outputs(folder: Path) -> dict[str, str]:
    """Read every output that ``dvc.lock`` names, and its hash."""
    lock = yaml.safe_load((folder / "dvc.lock").read_text(encoding="utf-8"))
    stages = lock["stages"].values()
    return {each["path"]: each["md5"] for stage in stages for each in stage.get("outs", [])}


def object_path(folder: Path, md5: str) -> Path:
    """Return the path of an object in the remote of a checkout."""
    return folder / REMOTE / "files" / "md5" / md5[:2] / md5[2:]


def read_listing(folder: Path, output: str) -> list[dict[str, str]]:
    """Read the files of an output that is a folder: ``relpath`` and ``md5``."""
    path = object_path(folder, read_outputs(folder)[output])
    listing: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return listing


def list_objects(folder: Path) -> Iterator[str]:
    """List the hashes of all objects that ``dvc.lock`` needs in the remote."""
    for output, md5 in read_outputs(folder).items():
        yield md5
        if md5.endswith(".dir"):
            yield from (entry["md5"] for entry in read_listing(folder, output))


def check_artifacts(folder: Path) -> None:
    """End if remote, ``dvc.lock`` and the release file of a checkout do not belong together."""
    release: dict[str, Any] = json.loads((folder / RELEASE).read_text(encoding="utf-8"))
    if release["dvc_lock"] != hash_lock(folder):
        refuse(f"{RELEASE} is of another dvc.lock")
    if release["settings"] != {e["relpath"]: e["md5"] for e in read_listing(folder, SETTINGS)}:
        refuse(f"{RELEASE} has other hashes than the remote")
    files = [path for path in (folder / REMOTE / "files").rglob("*") if path.is_file()]
    needed = {object_path(folder, md5) for md5 in list_objects(folder)}
    if needed != set(files):
        refuse(f"{REMOTE} has not exactly the objects of dvc.lock: {len(files)}, {len(needed)}")
    for path in files:
        found = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
        if found != (path.parent.name + path.name).removesuffix(".dir"):
            refuse(f"{path.relative_to(folder)} is damaged")
    size = sum(path.stat().st_size for path in files) + (folder / RELEASE).stat().st_size
    if size >= LARGEST:
        refuse(f"{REMOTE} has {size} bytes; the limit is {LARGEST}")


def check_verified(folder: Path) -> None:
    """End if ``make verify`` fails: an old table must not get into a release."""
    done = subprocess.run(
        [sys.executable, "tests/verify/verify.py"], cwd=folder, env=programs(), check=False
    )
    if done.returncode != 0:
        refuse("make verify fails; mend what it names, or commit what it writes with --update")


def check_restored(folder: Path, made: Path) -> None:
    """End if a fresh clone has something left to do, or another table."""
    call(folder, "dvc", "pull")
    call(folder, "dvc", "status", "--quiet")
    for _ in range(2):
        call(folder, str(folder / "workflow" / "restore.py"))
    planned = call(folder, "snakemake", "--cores", "1", "--dry-run", TABLE, *TARGETS)
    if "Nothing to be done" not in planned:
        refuse(f"a restored clone has something to do:\n{planned}")
    if (folder / TABLE).read_bytes() != (made / TABLE).read_bytes():
        refuse(f"{TABLE} is another in a restored clone")
    lineage = (folder / "results/sample/provenance.json").read_text(encoding="utf-8")
    if '"changed"' in lineage:
        refuse("the lineage names uncommitted changes")


def call(folder: Path, *command: str) -> str:
    """Run a script, or a Python program of the environment, in a clone; return its output."""
    module = [] if command[0].endswith(".py") else ["-m"]
    done = subprocess.run(
        [sys.executable, *module, *command],
        cwd=folder,
        env=programs(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        refuse(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return its output, which is empty for a key that is not configured."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0 and arguments[0] != "config":
        refuse(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def refuse(reason: str) -> Any:
    """End; the checkout is left as it was."""
    sys.exit(f"release: error: {reason}")


def say(text: str) -> None:
    """Show the present step."""
    print(f"release: {text}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
