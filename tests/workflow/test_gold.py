"""Datasets whose right methods are named by gold: repositories, and a collection of documents."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest
import yaml
from typer.testing import CliRunner

from ncsbench.cli.main import app
from tests.workflow.conftest import copy_project, read_csv, run_snakemake

pytestmark = pytest.mark.workflow

PLACE = "mapleforge/pocketledger,src/com/mapleforge/ledger/ui/EntryListActivity.java"
DOCUMENTS = {
    "d1": "def read_file(path): ...",
    "d 2": "func sendMail(to string) {}",
    "d3": "class A",
}


def write_datasets(folder: Path) -> None:
    sample = yaml.safe_load((folder / "config/datasets/sample.yaml").read_text())
    mine = {name: sample[name] for name in ("repositories", "source")}
    (folder / "gold.csv").write_text(
        "question,repository,path,line,grade\n"
        f"Run something every evening,{PLACE},250,2\nList the entries,{PLACE},,1\n"
    )
    (folder / "mine.yaml").write_text(yaml.safe_dump({**mine, "name": "mine", "gold": "gold.csv"}))
    (folder / "c/qrels").mkdir(parents=True)
    lines = (json.dumps({"_id": id_, "text": text}) + "\n" for id_, text in DOCUMENTS.items())
    (folder / "c/corpus.jsonl").write_text("".join(lines))
    (folder / "c/queries.jsonl").write_text(
        '{"_id": "a", "text": "read a file"}\n{"_id": "b", "text": "send a mail"}\n'
    )
    (folder / "c/qrels/test.tsv").write_text(
        "query-id\tcorpus-id\tscore\na\td1\t1\na\td3\t2\nb\td 2\t1\n"
    )
    tiny = {
        "name": "tiny",
        "source": {"kind": "collection", "path": "c"},
        "questions": "c/queries.jsonl",
        "gold": "c/qrels/test.tsv",
    }
    (folder / "tiny.yaml").write_text(yaml.safe_dump(tiny))


@pytest.mark.parametrize("name", ["mine", "tiny"])
def test_gold_tables_have_the_figures_of_ir_measures(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = copy_project(root, tmp_path / "project")
    write_datasets(folder)
    config = ["--config", f"dataset={name}.yaml", "models=[bm25]"]
    done = run_snakemake(folder, "tables", *config)
    assert done.returncode == 0, done.stderr
    rows = {row["model"]: row for row in read_csv(folder / f"results/{name}/gold.csv")}
    long = read_csv(folder / f"results/{name}/gold_long.csv")
    assert {row["judge"] for row in long} == {"gold"}
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(app, ["export", "trec", "--dataset", f"{name}.yaml", "-o", "out"])
    assert done.exit_code == 0, done.exception
    qrels = list(ir_measures.read_trec_qrels("out/qrels_gold.txt"))
    for path in sorted(Path("out/runs").iterdir()) if name == "tiny" else ():
        run = list(ir_measures.read_trec_run(str(path)))
        measures = [ir_measures.parse_measure(one["measure"]) for one in long]
        for measure, value in ir_measures.calc_aggregate(set(measures), qrels, run).items():
            assert f"{value:.6f}" == rows[path.stem][str(measure)], (path, measure)
    asked = run_snakemake(folder, f"results/{name}/table1.csv", *config)
    assert f"ask for results/{name}/gold.csv" in asked.stderr
