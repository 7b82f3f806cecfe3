"""Jobs of a real SLURM on this machine: ended at their memory, tried again, without a network."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.slurm_node import SlurmNode, find_missing

SNAKEFILE = """
import sys
sys.path.insert(0, {library!r})
from pathlib import Path
from ncsbench.pipeline.freshness.job_resources import JobResources, ResourceTable

NEEDS = {{"mib": [100], "seconds": [60]}}
TABLE = {{"snakemake_mib": 300, "learnt": NEEDS, "rules": {{"grows": NEEDS}}}}
RESOURCES = JobResources(ResourceTable.parse(TABLE, where="table"), Path("none"), shards=1)

rule all:
    localrule: True
    input: "grown.txt", "network.json"

rule grows:
    output: "grown.txt"
    resources:
        mem_mb=lambda wildcards, attempt: RESOURCES.find_megabytes("grows", attempt=attempt),
        runtime=lambda wildcards, attempt: RESOURCES.find_minutes("grows", attempt=attempt),
    # More than the 504 MB of the first attempt, less than the 1007 MB of the second.
    shell:
        "echo $SLURM_JOB_ID >> attempts.txt;"
        " {python} -c 'import time; x = bytes([1]) * 600_000_000; time.sleep(4); print(len(x))'"
        " > {{output}}"

rule network:
    output: "network.json"
    resources: mem_mb=600
    shell: "{python} {script} {port} > {{output}}"
"""
SCRIPT = """
import json, os, socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
    found = "connected"
except OSError as error:
    found = error.strerror
print(json.dumps({"job": os.environ.get("SLURM_JOB_ID"), "connection": found}))
"""


@pytest.fixture(params=[True, False], ids=["control groups", "accounting"])
def node(request: pytest.FixtureRequest) -> Iterator[SlurmNode]:
    missing = find_missing()
    if missing:
        pytest.skip(f"needs SLURM ({', '.join(missing)} not installed)")
    if request.param and not SlurmNode.can_group():
        pytest.skip("needs SLURM with control groups of memory that this user may make")
    with SlurmNode(by_groups=request.param) as running:
        yield running


def test_a_job_out_of_memory_is_tried_with_more_and_none_has_a_network(
    node: SlurmNode, root: Path, tmp_path: Path
) -> None:
    (tmp_path / "connect.py").write_text(SCRIPT)
    (tmp_path / "Snakefile").write_text(
        SNAKEFILE.format(
            library=str(root / "workflow"),
            python=sys.executable,
            script=tmp_path / "connect.py",
            port=node.port,
        )
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "snakemake", "--profile", root / "profiles" / "slurm"),
            *("--slurm-status-command", "squeue", "--latency-wait", "5"),
            *("--slurm-init-seconds-before-status-checks", "8"),
        ],
        cwd=tmp_path,
        env={**os.environ, **node.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "grown.txt").read_text() == "600000000\n"
    assert len((tmp_path / "attempts.txt").read_text().split()) == 2
    states = node.read_states()
    assert states.count("COMPLETED") == len(states) - 1, states
    found = json.loads((tmp_path / "network.json").read_text())
    assert found["job"] and found["connection"] == "Network is unreachable"
    socket.create_connection(("127.0.0.1", node.port), 5).close()  # here it can be reached
