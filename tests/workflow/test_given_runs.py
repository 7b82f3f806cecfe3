"""A run made elsewhere as a row of the table, and what an edited file of it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.base.files.storage import read_json
from tests.workflow.conftest import call_ncsbench, read_csv, run_snakemake

pytestmark = pytest.mark.workflow
TRIAL = ("trial", "--config", "trial=mine", "models=[bm25,mine]", "comparisons=[[mine,bm25]]")


def test_a_run_of_another_tool_is_a_row_of_the_table(sample_copy: Path) -> None:
    assert call_ncsbench(sample_copy, "export", "trec", "-o", "exported").returncode == 0
    lines = (sample_copy / "exported/runs/bm25.trec").read_text().splitlines(keepends=True)
    corpus_hash = read_json(sample_copy / "data/sample/corpus/manifest.json")["corpus_hash"]
    about = ("--name", "mine", "--corpus", corpus_hash[:12], "--trained-on", "poems")
    done = call_ncsbench(sample_copy, "runs", "add", "exported/runs/bm25.trec", *about)
    assert done.returncode == 0, done.stderr
    done = run_snakemake(sample_copy, *TRIAL)
    results = sample_copy / "results/sample/trials/mine"
    assert done.returncode == 0, done.stderr
    assert "mine is a run made elsewhere: it has no intervals over repositories" in done.stderr
    table = {row["model"]: row for row in read_csv(results / "table1.csv")}
    assert table["mine"]["trained_on"] == "poems; a run made elsewhere"
    for figure in ("answered_1", "answered_10", "mrr", "mrr_low", "strict_mrr", "median_lines"):
        assert table["mine"][figure] == table["bm25"][figure] != ""
    long = [row for row in read_csv(results / "table1_long.csv") if row["model"] == "mine"]
    assert {row["statistic"] for row in long} == {"value"}
    assert not {row["measure"] for row in long} & {"seeds", "training_pairs"}
    page = (results / "table1.md").read_text()
    assert "- mine: a run made elsewhere. Nothing is known here" in page
    assert not (sample_copy / "data/sample/repository_intervals/mine.csv").exists()

    # Nothing is left to do; an edited file makes its row anew, and a wrong one ends in one line.
    again = run_snakemake(sample_copy, *TRIAL)
    assert "Nothing to be done" in again.stderr
    copy = sample_copy / "config/runs/mine/run.trec"
    copy.write_text("".join(line for line in lines if not line.startswith("1 ")))
    done = run_snakemake(sample_copy, *TRIAL)
    assert done.returncode == 0, done.stderr
    edited = {row["model"]: row for row in read_csv(results / "table1.csv")}
    assert float(edited["mine"]["mrr"]) < float(table["mine"]["mrr"])
    assert edited["bm25"] == table["bm25"]
    copy.write_text("1 Q0 no/such/File.java:1 1 1 x\n")
    done = run_snakemake(sample_copy, *TRIAL)
    assert done.returncode != 0 and "Traceback" not in done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("ncsbench: error")]
    (line,) = {*errors}  # of the log, and again at the end
    assert "config/runs/mine/run.trec, line 1: document 'no/such/File.java:1' is unknown" in line
