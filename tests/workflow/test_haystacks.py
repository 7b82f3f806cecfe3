"""Haystacks of the sample, with the models that the run of the sample trained."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.evaluation.haystacks.haystack_table import HAYSTACK_COLUMNS
from tests.workflow.conftest import run_snakemake

MODELS = "models=[bm25,ncs_postrank,unif_stackoverflow_c]"


@pytest.fixture
def project(sample_copy: Path) -> Path:
    """The copy in which the sample was run, with a dataset of its repositories in two parts."""
    datasets = sample_copy / "config" / "datasets"
    dataset = yaml.safe_load((datasets / "sample.yaml").read_text())
    lines = Path(sample_copy / dataset["repositories"]).read_text().splitlines(keepends=True)
    (datasets / "base.csv").write_text("".join(lines[:5]))
    dataset |= {
        "name": "hay", "replicates": {}, "trained_in": "sample",
        "haystacks": {"base": "base.csv", "steps": [500, 700]},
    }  # fmt: skip
    (datasets / "hay.yaml").write_text(yaml.safe_dump(dataset))
    return sample_copy


def test_figures_by_haystack_with_what_another_dataset_trained(project: Path) -> None:
    arguments = ("haystacks", "--config", "dataset=hay", MODELS, "comparisons=[]")
    done = run_snakemake(project, *arguments)
    assert done.returncode == 0, done.stderr
    data = project / "data" / "hay"
    assert not any((data / made).exists() for made in ("embeddings", "weights", "expansions"))
    rows = read_rows(project / "results" / "hay" / "haystacks.csv", HAYSTACK_COLUMNS)
    chosen = {
        row["haystack"]: row
        for row in rows
        if (row["model"], row["judge"], row["counted"], row["measure"])
        == ("ncs_postrank", "dice", "all", "mrr")
    }
    assert list(chosen) == [
        *("base", "500", "700", "all", "base_without_examples", "all_without_examples"),
        "corpus",
    ]
    methods = {name: int(row["methods"]) for name, row in chosen.items()}
    assert methods["base"] < methods["500"] <= 500 < methods["700"] <= 700 < methods["all"]
    assert methods["all_without_examples"] <= methods["all"] <= methods["corpus"]
    # Nothing is left to do, and a model that the other dataset has not trained is not trained here.
    assert "Nothing to be done" in run_snakemake(project, *arguments).stderr
    shutil.rmtree(project / "data" / "sample" / "weights")
    done = run_snakemake(project, *arguments)
    assert done.returncode != 0 and "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("ncsbench: error")]
    assert "hay.yaml: trained_in: sample has not made data/sample/weights" in line
