"""What `ncsbench export beir` writes, read by BEIR's own loader, installed for it alone."""

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.workflow.conftest import copy_project, run_snakemake

PACKAGES = ("beir==2.2.0", "tqdm==4.70.1")
PROGRAM = """
import json, sys
from beir.datasets.data_loader import GenericDataLoader
found = {}
for split in ("lenient", "strict", "charged"):
    corpus, queries, qrels = GenericDataLoader(data_folder=sys.argv[1]).load(split=split)
    found[split] = [len(corpus), len(queries), sum(map(len, qrels.values()))]
print(json.dumps(found))
"""


@pytest.mark.environments
def test_beirs_loader_reads_it(root: Path, tmp_path: Path) -> None:
    project = copy_project(root, tmp_path / "project")
    done = run_snakemake(project, "results/table1.csv", "--config", "models=[bm25]")
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "ncsbench", "export", "beir", "-o", str(tmp_path / "beir")]
    subprocess.run(command, cwd=project, check=True)
    venv.create(tmp_path / "loader", with_pip=True)
    python = str(tmp_path / "loader/bin/python")
    # The loader alone: the package asks for much that it does not need.
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *PACKAGES], check=True)
    done = subprocess.run(
        [python, "-c", PROGRAM, str(tmp_path / "beir")], capture_output=True, text=True, check=True
    )
    lines = {
        judge: len((tmp_path / f"beir/qrels/{judge}.tsv").read_text().splitlines()) - 1
        for judge in ("lenient", "strict", "charged")
    }
    asked = {
        judge: len({line.split()[0] for line in (tmp_path / f"beir/qrels/{judge}.tsv").open()}) - 1
        for judge in lines
    }
    assert json.loads(done.stdout) == {judge: [925, asked[judge], lines[judge]] for judge in lines}
