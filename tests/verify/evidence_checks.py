"""What ``make check`` does with evidence: bring it, list its tables, say how old it is."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from ncsbench.pipeline.evidence.evidence_files import (
    EvidenceFolder,
    find_table_evidence,
    list_evidence,
)

LIBRARY = "workflow/ncsbench"
_SUFFIXES = {".csv", ".md"}


def bring_evidence(root: Path) -> list[EvidenceFolder]:
    """The evidence that has all runs; DVC brings what is not in the checkout yet."""
    found = list_evidence(root / "results")
    absent = [one for one in found if not one.path.is_dir()]
    if absent:
        files = [f"resources/evidence/{one.path.parent.name}.dvc" for one in absent]
        command = [sys.executable, "-m", "dvc", "pull", "--quiet", *files]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"check: error: {' '.join(command[1:])}: {done.stderr.strip()}")
    return found


def list_evidence_tables(
    root: Path, names: Iterable[str], found: Iterable[EvidenceFolder]
) -> list[str]:
    """Committed tables that are made of evidence."""
    whole = {one.path for one in found}
    return [
        name
        for name in names
        if Path(name).suffix in _SUFFIXES
        and (evidence := find_table_evidence(root / name)) is not None
        and evidence.path in whole
    ]


def list_evidence_files(root: Path, found: Iterable[EvidenceFolder]) -> list[str]:
    """Files of evidence by their path in the checkout."""
    return [
        (one.path / name).relative_to(root).as_posix()
        for one in found
        for name in one.read_record().files
    ]


def describe_age(root: Path, found: Iterable[EvidenceFolder]) -> list[str]:
    """A line for each dataset: by which commits its evidence was made, and what came after."""
    lines = []
    for one in found:
        record = one.read_record()
        for commit in sorted(set(record.commits.values())):
            runs = sum(by == commit for by in record.commits.values())
            command = ["git", "rev-list", "--count", f"{commit}..HEAD", "--", LIBRARY]
            done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
            later = done.stdout.strip() or "an unknown number of"
            lines.append(
                f"{record.dataset}: {runs} runs are of commit {commit[:8]}; {later} later commits "
                "changed the library, which asks for nothing to be made again"
            )
    return lines


def find_changed(root: Path, names: Iterable[str]) -> dict[str, list[str]]:
    """Jobs of committed provenance that ran on code that is in no commit, by file."""
    found = {}
    for name in names:
        if Path(name).name == "provenance.json" and name.startswith("results/"):
            jobs = json.loads((root / name).read_text(encoding="utf-8")).get("jobs", [])
            if changed := [str(job["rule"]) for job in jobs if job["code"].get("changed")]:
                found[name] = changed
    return found
