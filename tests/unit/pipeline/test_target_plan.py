"""What a target will take, out of the jobs of a dry run."""

import csv
from pathlib import Path

import pytest

from ncsbench.pipeline.freshness.job_resources import TABLE, JobResources, load_resources
from ncsbench.pipeline.freshness.target_plan import describe_jobs, read_jobs
from tests.bench.scale_tables import rule_of
from tests.unit.pipeline.test_job_resources import GONE, LOCAL, write_manifest

DRY_RUN = """\
Job stats:
embedding      1

[Sun Nov 29 08:17:12 2026]
rule embedding:
    input: data/mine/words/words.parquet
    output: data/mine/embeddings/1/vectors.npy
    jobid: 5
    resources: tmpdir=/tmp, runtime=70, expected_ms=5400000, disk_kib=200000, mem_mb=6300, mem=6 GB

localrule published_input:
    output: data/sources/ncsed/questions.json
    resources: tmpdir=<TBD>, network_kb=100000
localrule fetch:
    resources: tmpdir=<TBD>, mem_mb=1000, longest_ms=3600000
rule index:
    wildcards: model=rule embedding
    resources: tmpdir=/tmp, runtime=10, expected_ms=59000, longest_ms=0, disk_kib=100000, mem_mb=900
"""
# Methods, shards and the length of most vectors of what was measured.
MEASURED = {
    "scale_100000": (100_121, 10, 100),
    "scale_1000000": (1_000_030, 100, 100),
    "scale_5000000": (5_000_229, 128, 100),
    "ncsed": (59_379, 16, 100),
    "ncsed_383": (635_484, 64, 100),
}


def test_what_jobs_take_is_added_up() -> None:
    jobs = list(read_jobs(DRY_RUN.splitlines()))
    assert [job.rule for job in jobs] == ["embedding", "published_input", "fetch", "index"]
    assert list(describe_jobs(jobs)) == [
        "jobs        4 of 4 rules (most: embedding 1, published_input 1, fetch 1)",
        "time        about 1 h 30 min of one core; the longest job 1 h 30 min (embedding)",
        "unmeasured  on published sizes at most 1 h 0 min, on samples minutes: fetch",
        "memory      6.3 GB for the largest job (embedding)",
        "disk        about 307 MB more",
        "network     at most 100 MB",
        "            and archives of repositories: ncsbench corpus plan says what they take",
    ]
    assert list(describe_jobs(jobs[:1]))[-1] == "network     nothing to fetch"
    assert "disk        not known" in list(describe_jobs(jobs[2:3]))
    assert list(describe_jobs([])) == ["jobs        0: all is made"]


@pytest.mark.parametrize("dataset", MEASURED)
def test_the_expected_time_is_near_the_measured(dataset: str, root: Path, tmp_path: Path) -> None:
    methods, shards, dimension = MEASURED[dataset]
    manifest = write_manifest(tmp_path / "manifest.json", *[methods // shards] * shards)
    resources = JobResources(load_resources(root / TABLE), manifest, shards)
    path = "scale/stages.csv" if dataset.startswith("scale_") else f"{dataset}/usage.csv"
    expected = measured = 0.0
    with (root / "results" / path).open(newline="") as file:
        for row in csv.DictReader(file):
            rule = rule_of(row["stage"])
            if row.get("run", dataset) != dataset or rule in LOCAL | GONE:
                continue
            jobs = int(row["jobs"])
            expected += jobs * sum(resources.find_milliseconds(rule, dimension=dimension)) / 1000
            measured += float(row["processor_seconds"])
    assert measured / 2 < expected < measured * 2
