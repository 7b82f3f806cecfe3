"""Posts in the workflow: parts, selected questions as a dataset's questions, broken dumps."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.conftest import copy_project, run_snakemake

pytestmark = pytest.mark.workflow
POSTS = ("questions.parquet", "answers.parquet", "ledger.parquet", "counts.json")


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    return copy_project(root, tmp_path / "project")


def write_dataset(project: Path, **changes: object) -> str:
    """A dataset file like the sample's with other keys; None leaves a key out."""
    dataset = yaml.safe_load((project / "config/datasets/sample.yaml").read_text())
    changed = {key: value for key, value in (dataset | changes).items() if value is not None}
    (project / "other.yaml").write_text(yaml.safe_dump(changed | {"name": "other"}))
    return "dataset=./other.yaml"


def test_a_dataset_without_questions_is_evaluated_on_those_a_reader_kept(
    project: Path, sample_run: Path
) -> None:
    """The posts are read in three parts: they give the same bytes as in one."""
    selected = json.loads((sample_run / "results/sample/selected/questions.json").read_text())
    ids = [question["stackoverflow_id"] for question in selected]
    decisions = "".join(f"{id_},{'no,vague' if n % 2 else 'yes,'}\n" for n, id_ in enumerate(ids))
    (project / "curation.csv").write_text("id,keep,reason\n" + decisions)
    (project / "users.xml").write_text('<users>\n  <row Id="1" DisplayName="Nobody" />\n</users>\n')
    posts = {"path": "resources/sample/posts.xml", "users": "users.xml", "parts": 3}
    dataset = write_dataset(project, questions=None, curation="curation.csv", posts=posts)
    done = run_snakemake(
        project, "results/table1.csv", "--config", dataset, "models=[bm25,ncs_expanded]"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for name in POSTS:
        made = (project / "data/other/posts" / name).read_bytes()
        assert made == (sample_run / "data/sample/posts" / name).read_bytes()
    with (project / "results/table1.csv").open(newline="") as file:
        table = {row["model"]: row for row in csv.DictReader(file)}
    kept = ids[::2]
    assert {row["questions"] for row in table.values()} == {str(len(kept))}
    assert int(table["ceiling"]["answered_1"]) == len(kept)
    # The titles of evaluation questions are no training pairs.
    keys = pq.read_table(project / "data/other/pairs/ncs_expansion.parquet")["query_url"]
    assert not {url.rsplit("/", 1)[-1] for url in keys.to_pylist()} & set(kept)


def test_too_many_broken_rows_end_the_run_and_leave_the_ledger(project: Path) -> None:
    dump = (project / "resources/sample/posts.xml").read_text().splitlines(keepends=True)
    dump[5] = dump[5].rstrip()[:-9] + "\n"
    (project / "broken.xml").write_text("".join(dump))
    dataset = write_dataset(project, posts={"path": "broken.xml", "maximum_broken": 0})
    done = run_snakemake(project, "data/other/posts/questions.parquet", "--config", dataset)
    assert done.returncode != 0
    log = (project / "data/other/logs/merge_posts.log").read_text()
    assert "truncated row" in log and "Traceback" not in log
    (line,) = pq.read_table(project / "data/other/posts/ledger.parquet").to_pylist()
    assert line["reason"] == "truncated row"
    assert line["offset"] == len("".join(dump[:5]).encode()) + dump[5].index("<")


def test_a_dataset_without_posts_has_the_models_that_need_none(project: Path) -> None:
    done = run_snakemake(
        project, "--dry-run", "results/table1.csv", "--config", write_dataset(project, posts=None)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ncs_expanded is left out: it learns from the pairs" in done.stderr
    assert "rule expansion" not in done.stdout + done.stderr
