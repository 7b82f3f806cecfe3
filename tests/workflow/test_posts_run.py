"""Posts in the workflow: parts, selected questions as a dataset's questions, broken dumps."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.conftest import copy_project, read_csv, run_snakemake

pytestmark = pytest.mark.workflow


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    return copy_project(root, tmp_path / "project")


def write_dataset(project: Path, **changes: object) -> str:
    """A dataset file like the sample's with other keys; None leaves a key out."""
    dataset = yaml.safe_load((project / "config/datasets/sample.yaml").read_text())
    changed = {key: value for key, value in (dataset | changes).items() if value is not None}
    (project / "other.yaml").write_text(yaml.safe_dump(changed | {"name": "other"}))
    return "dataset=./other.yaml"


def test_a_dataset_without_questions_is_evaluated_on_those_of_its_posts(project: Path) -> None:
    posts = project / "resources/sample/posts.xml"
    asked = [post for post in ET.parse(posts).getroot() if post.get("PostTypeId") == "1"]  # noqa: S314
    owner = asked[0].attrib["OwnerUserId"]
    (project / "users.xml").write_text(
        f'<users>\n<row Id="{owner}" DisplayName="Ann" />\n</users>\n'
    )
    dataset = write_dataset(
        project,
        questions=None,
        posts={"path": "resources/sample/posts.xml", "users": "users.xml", "parts": 3},
    )
    done = run_snakemake(
        project, "results/table1.csv", "--config", dataset, "models=[ncs_expanded]"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads((project / "data/other/posts/counts.json").read_text())
    assert counts["rows"] == 320 and counts["ledger"] == {}
    selected = json.loads((project / "results/other/selected/questions.json").read_text())
    kept = {question["stackoverflow_id"] for question in selected}
    assert 20 < len(kept) < len(asked)
    table = {row["model"]: row for row in read_csv(project / "results/table1.csv")}
    assert {row["questions"] for row in table.values()} == {str(len(kept))}
    assert int(table["ceiling"]["answered_1"]) == len(kept)
    # Evaluation questions are no training pairs, and authors have their names.
    pairs = pq.read_table(project / "data/other/pairs/ncs_expansion.parquet")
    assert not {url.rsplit("/", 1)[-1] for url in pairs["query_url"].to_pylist()} & kept
    read = pq.read_table(project / "data/other/posts/questions.parquet")
    assert "Ann" in read["owner_display_name"].to_pylist()


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


@pytest.mark.parametrize(
    ("config", "posts", "message"),
    [
        ("selection={title_rules: [comparisons]}", {}, "did you mean 'comparison'?"),
        ("seed=1", {"tags": ["a b"]}, "posts.tags.0: 'a b' is no tag"),
    ],
)
def test_mistakes_about_posts_end_in_one_line_before_anything_is_written(
    project: Path, config: str, posts: dict[str, object], message: str
) -> None:
    dataset = write_dataset(project, posts={"path": "resources/sample/posts.xml", **posts})
    done = run_snakemake(project, "results/table1.csv", "--config", dataset, config)
    assert done.returncode != 0
    (line,) = [line for line in done.stderr.splitlines() if "ncsbench: error:" in line]
    assert message in line
    assert not (project / "data").exists()


def test_a_dataset_without_posts_has_the_models_that_need_none(project: Path) -> None:
    done = run_snakemake(
        project, "--dry-run", "results/table1.csv", "--config", write_dataset(project, posts=None)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ncs_expanded is left out: it learns from the pairs" in done.stderr
    assert "rule expansion" not in done.stdout + done.stderr
