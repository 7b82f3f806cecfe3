"""Models compared on threads of the sample: which jobs there are, and what they write."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from ncsbench.runs.trec_files import read_run
from tests.workflow.conftest import run_snakemake
from tests.workflow.test_fused_run import count_jobs

pytestmark = pytest.mark.workflow
ASKED = (
    "thread_comparison",
    "--config",
    "thread_comparison={variants: [bm25, unif_stackoverflow_c], seeds: [2019, 2020], "
    "judged_against: [ncs_postrank, unif_github_c]}",
)
RUNS = {
    *("bm25", "bm25-seed2020", "unif_stackoverflow_c", "unif_stackoverflow_c-seed2020"),
    *("ncs_postrank", "unif_github_c"),
}


def test_variants_search_for_threads_with_each_seed_and_one_is_chosen(sample_copy: Path) -> None:
    threads = sample_copy / "data" / "sample" / "threads"
    planned = run_snakemake(sample_copy, "--dry-run", *ASKED)
    assert planned.returncode == 0, planned.stdout + planned.stderr
    # All weights are there: one variant is a row with replicates, and what is published is a row.
    assert count_jobs(planned) == {
        **{"index": 1, "retrieve_threads": 6, "judge_threads": 6},
        **{"compare_threads": 1, "thread_comparison": 1},
    }
    for made in (r"threads/runs/(.*)/selection\.trec", r"threads/judgements/(.*)/selection\.parq"):
        assert set(re.findall(rf"output: data/sample/{made}", planned.stdout)) == RUNS
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = {*read_run(threads / "runs" / "bm25" / "selection.trec").query_ids.tolist()}
    assert len(asked) == 15
    with (sample_copy / "results/sample/threads_selection.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["variant"], row["judge"], row["threads"], row["seeds"]) for row in table] == [
        (variant, judge, "15", "2")
        for variant in ("bm25", "unif_stackoverflow_c")
        for judge in ("default", "strict")
    ]
    assert {row["against"] for row in table} <= {"ncs_postrank", "unif_github_c"}
    assert len({row["variant"] for row in table if row["chosen"] == "yes"}) == 1
    # Another part is searched for anew, another choice of variants is not.
    again = run_snakemake(
        sample_copy, "--dry-run", ASKED[0], ASKED[1], ASKED[2].replace("bm25, ", "")
    )
    assert count_jobs(again) == {"compare_threads": 1, "thread_comparison": 1}
    test = ASKED[2].replace("variants", "part: test, variants")
    other = count_jobs(run_snakemake(sample_copy, "--dry-run", ASKED[0], ASKED[1], test))
    assert (other["retrieve_threads"], other["judge_threads"]) == (6, 6)
    assert "trees" not in other and "choose_threads" not in other
