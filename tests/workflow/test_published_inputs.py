"""Inputs that a rule gets: one call from nothing, and then there is nothing to do."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.conftest import copy_project, run_snakemake

pytestmark = pytest.mark.workflow

LIST = "repo,commit\nowner/name,\n"
QUESTIONS = [
    {"stackoverflow_id": one, "question": f"Question {one}", "answer": f"open({one});"}
    for one in ("9", "8", "7")
]
PART = [QUESTIONS[0], QUESTIONS[2]]
CONFIG = ("--config", "dataset=tiny/tiny.yaml", "models=[bm25]")
TARGETS = ("data/tiny/corpus/manifest.json", "data/tiny/questions.parquet")


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    """A copy of the project with a dataset whose list and questions others publish."""
    folder = copy_project(root, tmp_path / "project")
    others = folder / "others"
    java = folder / "tiny/java/owner/name"
    java.mkdir(parents=True)
    others.mkdir()
    (java / "A.java").write_text("class A { void open(int n) { open(n); } }")
    (others / "list.csv").write_text(LIST)
    (others / "all questions.json").write_text(json.dumps(QUESTIONS))
    (folder / "part.json").write_text(json.dumps(PART))
    dataset = {
        "name": "tiny",
        "repositories": "data/sources/tiny/list.csv",
        "source": {"kind": "directory", "path": "java"},
        "questions": "data/sources/tiny/questions.json",
        "posts": {"path": "inputs/Posts.xml"},
        "shards": 2,
    }
    source = {
        "url": f"{others.as_uri()}/",
        "files": [
            {
                "name": "list.csv",
                "path": "list.csv",
                "sha256": hashlib.sha256(LIST.encode()).hexdigest(),
            },
            {"name": "questions.json", "path": "all%20questions.json"},
            {"name": "methods.tar.gz", "path": "none.tar.gz"},
        ],
    }
    (folder / "tiny/tiny.yaml").write_text(yaml.safe_dump(dataset))
    (folder / "config/sources/tiny.yaml").write_text(yaml.safe_dump(source))
    return folder


def run(
    project: Path, *more: str, config: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return run_snakemake(project, *TARGETS, *more, *CONFIG, *config)


def said(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout + done.stderr


def test_one_call_gets_the_inputs_and_makes_what_needs_them(project: Path) -> None:
    planned = run(project, "-n")
    assert planned.returncode == 0, said(planned)
    assert "posts: what needs it is left out, since there is no inputs/Posts.xml" in said(planned)
    assert not (project / "data/sources/tiny/list.csv").exists()
    done = run(project)
    assert done.returncode == 0, said(done)
    found = {path.name for path in (project / "data/sources/tiny").iterdir()}
    # What the dataset does not name is not got.
    assert found == {"list.csv", "questions.json", "questions.json.sha256", "settings"}
    assert "Nothing to be done" in said(run(project, "-n"))

    # Got again, from a folder and under other times, the list repeats nothing.
    (project / "others/all questions.json").rename(project / "others/questions.json")
    for name in ("list.csv", "questions.json"):
        (project / "data/sources/tiny" / name).unlink()
    options = (*CONFIG, "inputs={published: others}")
    again = run_snakemake(project, "published_inputs", *options)
    assert again.returncode == 0, said(again)
    assert (project / "data/sources/tiny/list.csv").exists()
    assert "Nothing to be done" in said(run(project, "-n"))

    # Another questions file makes another table of questions.
    part = run(project, config=("inputs={questions: part.json}",))
    assert part.returncode == 0, said(part)
    assert "rule questions:" in said(part)
    made = pq.read_table(project / "data/tiny/questions.parquet")
    assert made["stackoverflow_id"].to_pylist() == ["9", "7"]

    # What was changed by hand, or at its source, ends the run in a line.
    (project / "data/sources/tiny/questions.json").write_text(json.dumps(QUESTIONS[::-1]))
    wrong = run(project)
    assert wrong.returncode != 0
    assert "but data/sources/tiny/questions.json.sha256 says" in said(wrong)
    assert "Traceback" not in said(wrong)


def test_a_configuration_file_of_inputs_adds_to_that_of_the_project(project: Path) -> None:
    (project / "inputs.yaml").write_text("inputs: {questions: part.json, published: others}\n")
    done = run(project, "-n", "--configfile", "inputs.yaml")
    assert done.returncode == 0, said(done)
    jobs = [line.split() for line in said(done).splitlines()]
    assert ["published_input", "1"] in jobs  # of the list


def test_clones_are_not_looked_for_by_a_list_that_is_not_there(project: Path) -> None:
    path = project / "tiny/tiny.yaml"
    dataset = yaml.safe_load(path.read_text())
    (project / "tiny/clones").mkdir()
    dataset["source"] = {"kind": "git", "path": "clones/{owner}/{repo}"}
    path.write_text(yaml.safe_dump(dataset))
    done = run(project, "-n")
    assert done.returncode != 0
    [command] = [
        line.split("get it first: ")[1] for line in said(done).splitlines() if "first" in line
    ]
    assert command == "snakemake --cores 1 --config dataset=sample -- data/sources/tiny/list.csv"
    got = run_snakemake(project, "--config", "dataset=sample", "--", "data/sources/tiny/list.csv")
    assert got.returncode == 0, said(got)
    assert run(project, "-n").returncode == 0


def test_the_whole_corpus_is_planned_on_a_bare_clone(root: Path, tmp_path: Path) -> None:
    """Without list, questions, posts or a network; of a few hundred jobs."""
    project = tmp_path / "project"
    project.mkdir()
    for part in ("Snakefile", "config", "envs", "profiles", "resources", "workflow"):
        (project / part).symlink_to(root / part)
    for target, most in (("corpus", 200), ("tables", 600)):
        done = run_snakemake(project, target, "-n", "-q", "rules", "--config", "dataset=ncsed_full")
        assert done.returncode == 0, said(done)
        jobs = dict(line.rsplit(maxsplit=1) for line in said(done).splitlines() if " " in line)
        assert jobs["published_input"] == ("1" if target == "corpus" else "2")
        assert jobs["fetch"] == "1"
        assert int(jobs["total"]) < most
