"""Make the sample here and on a SLURM of this machine, and compare every byte (``make cluster``).

Both runs start from the tracked files alone. The SLURM is started for it and stopped again; its
jobs have no network. Exit status 0 only where all artifacts but those of
``tests/verify/volatile.txt`` have the same bytes.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "workflow")]

from tests.cluster.slurm_node import SlurmNode, find_missing  # noqa: E402  (also run as a script)
from tests.verify.comparing import compare_builds, hash_artifacts, read_patterns  # noqa: E402
from tests.verify.verify import (  # noqa: E402
    VOLATILE,
    Build,
    copy_files,
    list_files,
    run_build,
    say,
    say_all,
)

TARGETS = ("results/table1.csv",)
_OF_A_MODEL = ("index", "retrieve", "retrieve_deep", "judge", "repository_intervals")
_OF_A_SHARD = ("extract", "judge_index", "match")
# Waiting is long on a cluster and short here; there is no accounting to ask for ended jobs. The
# jobs of a model, seconds each, go into one of SLURM beside those of shards (docs/scale.md).
OPTIONS = (
    *("--profile", "profiles/slurm", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "5", "--latency-wait", "10"),
    *("--groups", *(f"{rule}=model" for rule in _OF_A_MODEL)),
    *(f"{rule}={rule}" for rule in _OF_A_SHARD),
    *("--group-components", "model=4", *(f"{rule}=16" for rule in _OF_A_SHARD)),
)


def main() -> None:
    """Build here and on SLURM, compare, exit with 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--untracked", action="store_true", help="copy new files too")
    parser.add_argument("--folder", type=Path, help="empty folder to build in, which is kept")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("cluster: error: asked to end"))
    if missing := find_missing():
        sys.exit(
            f"cluster: error: {', '.join(missing)} not installed; make cluster_packages (as root)"
        )
    limits = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/cluster"], cwd=ROOT, check=False
    )
    if limits.returncode != 0:
        sys.exit("cluster: error: the limits of jobs do not hold, as the tests above say")
    with tempfile.TemporaryDirectory(prefix="cluster-") as temporary:
        place = (options.folder or Path(temporary)).resolve()
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            sys.exit(f"cluster: error: {place} is not empty; name another folder")
        names = list_files(untracked=options.untracked)
        for name in ("here", "slurm"):  # both before the first build: the checkout may change
            copy_files(names, place / name)
        compare(place)


def compare(place: Path) -> None:
    """Make both builds below a folder that holds their files, and compare them."""
    with SlurmNode() as node:
        by = "control groups" if node.by_groups else "SLURM's accounting"
        say(f"SLURM is up; memory is limited by {by}, its jobs have no network")
        cluster = run_build(
            Build("slurm", min(2, os.cpu_count() or 1), node.environment, OPTIONS), place, TARGETS
        )
        say(f"{len(node.read_states())} jobs: {', '.join(sorted(set(node.read_states())))}")
    say("SLURM is stopped")
    here = run_build(Build("here", 2, {}), place, TARGETS)
    left_out = read_patterns(ROOT / VOLATILE)
    one, two = (hash_artifacts(folder, left_out) for folder in (here, cluster))
    differing = compare_builds(one, two)
    say_all(differing)
    if differing or not one:
        sys.exit(f"cluster: FAILED: {len(differing)} artifacts differ (--folder keeps the builds)")
    say(f"OK: {len(one)} artifacts have the same bytes here and on SLURM")


if __name__ == "__main__":
    main()
