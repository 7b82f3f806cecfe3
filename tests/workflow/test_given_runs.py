"""A run made elsewhere as a row of the table, and what an edited file of it does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ncsbench.artifacts.storage import read_json
from ncsbench.corpus.document_ids import iterate_places, write_document_id
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.runs.rankings import ranks_in_run
from ncsbench.runs.trec_files import read_run
from tests.workflow.conftest import run_snakemake
from tests.workflow.test_sample_run import rows

pytestmark = pytest.mark.workflow
CONFIGURATION = ("--config", "models=[bm25,mine]", "comparisons=[[mine,bm25]]")


@pytest.fixture
def project(sample_run: Path, tmp_path: Path) -> Path:
    """A copy of the project in which the sample was run."""
    return Path(shutil.copytree(sample_run, tmp_path / "project", symlinks=True))


def add(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    corpus_hash = read_json(project / "data/sample/corpus/manifest.json")["corpus_hash"]
    command = ["ncsbench", "runs", "add", "x.trec", "--name", "mine", "--corpus", corpus_hash[:12]]
    return subprocess.run(
        [sys.executable, "-m", *command, *options], cwd=project, capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONPATH": str(project / "workflow")},
    )  # fmt: skip


def test_a_run_of_another_tool_is_a_row_of_the_table(project: Path) -> None:
    results, data = project / "results/sample", project / "data/sample"
    names = [write_document_id(place) for place in iterate_places(CorpusFolder(data / "corpus"))]
    run = read_run(results / "runs/bm25.trec")
    places = (run.query_ids, ranks_in_run(run), run.ids, run.scores)
    lines = [
        f"{query_id} Q0 {names[id_]} {rank} {score} mine\n"
        for query_id, rank, id_, score in zip(*(part.tolist() for part in places), strict=True)
    ]
    (project / "x.trec").write_text("".join(lines))
    done = add(project, "--trained-on", "poems")
    assert done.returncode == 0, done.stderr
    done = run_snakemake(project, "results/table1.csv", *CONFIGURATION)
    assert done.returncode == 0, done.stderr
    assert "mine is a run made elsewhere: it has no intervals over repositories" in done.stderr
    table = {row["model"]: row for row in rows(project / "results/table1.csv")}
    assert table["mine"]["trained_on"] == "poems; a run made elsewhere"
    for figure in ("answered_1", "answered_10", "mrr", "mrr_low", "strict_mrr", "median_lines"):
        assert table["mine"][figure] == table["bm25"][figure] != ""
    long = [row for row in rows(project / "results/table1_long.csv") if row["model"] == "mine"]
    assert {row["statistic"] for row in long} == {"value"}
    assert not {row["measure"] for row in long} & {"seeds", "training_pairs"}
    page = (project / "results/table1.md").read_text()
    assert "- mine: a run made elsewhere. Nothing is known here" in page
    assert not (data / "repository_intervals/mine.csv").exists()

    # Nothing is left to do; an edited file makes its row anew, and a wrong one ends in one line.
    assert (
        "Nothing to be done" in run_snakemake(project, "results/table1.csv", *CONFIGURATION).stderr
    )
    copy = project / "config/runs/mine/run.trec"
    copy.write_text("".join(line for line in lines if not line.startswith("1 ")))
    done = run_snakemake(project, "results/table1.csv", *CONFIGURATION)
    assert done.returncode == 0, done.stderr
    edited = {row["model"]: row for row in rows(project / "results/table1.csv")}
    assert float(edited["mine"]["mrr"]) < float(table["mine"]["mrr"])
    assert edited["bm25"] == table["bm25"]
    copy.write_text("1 Q0 no/such/File.java:1 1 1 x\n")
    done = run_snakemake(project, "results/table1.csv", *CONFIGURATION)
    assert done.returncode != 0 and "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("ncsbench: error")]
    assert "config/runs/mine/run.trec, line 1: document 'no/such/File.java:1' is unknown" in line
