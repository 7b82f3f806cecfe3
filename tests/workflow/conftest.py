"""A copy of the project to run the Snakefile in, and a run of the sample that tests share."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from tests.patience import LONGEST

PARTS = ("Snakefile", "config", "envs", "profiles", "resources", "workflow")
LEFT_OUT = ("elasticsearch_camel_case", "ncs_100", "ncs_expanded_postrank")
TARGETS = (
    "results/table1.csv",
    "results/published_table1.csv",
    "results/sample/examples.csv",
    "judge_study",
    "selected_questions",
    "pairs",
    "data/sample/pairs/threads_android.parquet",
    "card",
    "explorer",
    "micro_benchmark",
    "data/csn_sample/corpus/go/manifest.json",
    "results/csn_sample/table2.csv",
)
# Of models that are there anyway: no vectors of their own.
MICRO = {
    "queries": 300,
    "rows": [
        {
            "table": "micro-benchmark: choice of query words",
            "row": "random",
            "query_words": "random",
        },
        {
            "table": "micro-benchmark: document vector",
            "row": "sum of all words",
            "options": {"weighting": "sum"},
        },
        {"table": "micro-benchmark: retrieval", "row": "BM25", "model": "bm25"},
    ],
}
Runner = Callable[..., subprocess.CompletedProcess[str]]


def copy_project(root: Path, folder: Path) -> Path:
    """The parts of the project that a run reads, without anything a run made.

    Some models less and one replicate, since more of them take long and show nothing else.
    """
    folder.mkdir(parents=True)
    for part in PARTS:
        source = root / part
        if source.is_dir():
            shutil.copytree(source, folder / part)  # with __pycache__: compiling takes long
        else:
            shutil.copy2(source, folder / part)
    path = folder / "config" / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config["models"] = [name for name in config["models"] if name not in LEFT_OUT]
    config["micro_benchmark"] = MICRO
    path.write_text(yaml.safe_dump(config))
    path = folder / "config" / "datasets" / "sample.yaml"
    dataset = yaml.safe_load(path.read_text())
    dataset["replicates"] = {"seeds": [2020], "models": ["unif_stackoverflow_c"]}
    path.write_text(yaml.safe_dump(dataset))
    return folder


def run_snakemake(
    folder: Path, *arguments: str, cores: int = 2, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Snakemake in a copy of the project."""
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )


def call_ncsbench(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call the program of a copy of the project in its folder."""
    return subprocess.run(
        [str(project / "workflow/bin/ncsbench"), *arguments],
        cwd=project, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )  # fmt: skip


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def read_script(path: Path) -> Any:
    """The value that a file of an explorer's data hands to the page; the file has nothing else."""
    text = path.read_text(encoding="utf-8")
    call = f'ncsbench.receive("{path.stem}",'
    assert text.startswith(call)
    assert text.endswith(");\n")
    return json.loads(text[len(call) : -3])


@pytest.fixture(scope="session")
def sample_run(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which all tables of the sample were made on two cores.

    All workers of pytest-xdist share it, so nothing may write to it: ``sample_copy`` is for that.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    project, made = shared / "sample" / "project", shared / "sample" / "made"
    with FileLock(shared / "sample.lock"):
        if not made.exists():
            shutil.rmtree(project, ignore_errors=True)
            done = run_snakemake(copy_project(root, project), *TARGETS)
            assert done.returncode == 0, done.stdout + done.stderr
            made.touch()
    return project


@pytest.fixture
def sample_copy(sample_run: Path, tmp_path: Path) -> Path:
    """The run of the sample, for a test that goes on with it."""
    return Path(shutil.copytree(sample_run, tmp_path / "project", symlinks=True))
