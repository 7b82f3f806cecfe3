"""Other datasets: switching, local clones, troubles in the data, mistakes in the configuration."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.conftest import copy_project, read_csv, run_snakemake

pytestmark = pytest.mark.workflow

JAVA = """package p;
class Clip {
    /** Puts a text where other programs can get it. */
    void offer(Context owner, String text) {
        ClipboardManager board =
            (ClipboardManager) owner.getSystemService(Context.CLIPBOARD_SERVICE);
        board.setPrimaryClip(ClipData.newPlainText("label", text));
    }
    void other(Context owner) { owner.startActivity(owner.getIntent()); }
}
"""
QUESTIONS = [
    {
        "stackoverflow_id": "1",
        "question": "Copy text to the clipboard",
        "answer": "ClipboardManager c = (ClipboardManager) getSystemService(CLIPBOARD_SERVICE);\n"
        'c.setPrimaryClip(ClipData.newPlainText("label", text));',
    },
    {"stackoverflow_id": "2", "question": "What is a $(touch x)?", "answer": "no ( Java } here"},
]


def git(*arguments: str, cwd: Path) -> str:
    identity = {
        f"GIT_{role}_{key}": "a@example.invalid"
        for role in ("AUTHOR", "COMMITTER")
        for key in ("NAME", "EMAIL")
    }
    environment = {**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *arguments], cwd=cwd, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    """A copy of the project with few models and a dataset ``tiny`` of local clones."""
    folder = copy_project(root, tmp_path / "project")
    clone = folder / "tiny" / "clones" / "owner" / "name"
    clone.mkdir(parents=True)
    (clone / "Clip.java").write_text(JAVA)
    (clone / "Broken.java").write_bytes(b"class \xff { void m( { \0")
    git("init", "-q", cwd=clone)
    git("add", ".", cwd=clone)
    git("commit", "-qm", "x", cwd=clone)
    commit = git("rev-parse", "HEAD", cwd=clone)
    (folder / "tiny" / "list.csv").write_text(
        f"repo,commit\nowner/name,{commit}\nowner/gone,{commit}\nno-name,\n"
    )
    (folder / "tiny" / "questions.json").write_text(json.dumps(QUESTIONS))
    dataset = {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "git", "path": "clones/{owner}/{repo}"},
        "questions": "questions.json",
        "shards": 3,
    }
    (folder / "tiny" / "tiny.yaml").write_text(yaml.safe_dump(dataset))
    return folder


TINY = ("results/table1.csv", "--config", "dataset=tiny/tiny.yaml", "models=[bm25]")


def table(folder: Path) -> list[dict[str, str]]:
    return read_csv(folder / "results" / "table1.csv")


def test_local_clones_by_a_dataset_file_with_troubles_in_the_data(project: Path) -> None:
    done = run_snakemake(project, *TINY)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("answers: warning: ")]
    assert len(said) == 1 and "1 of 2 answers cannot be read as Java" in said[0]
    ledger_file = "; data/tiny/corpus/ledger.parquet has them all"
    for lost in (
        "1 line of the list left out: no-name, (is not owner/name)",
        "1 of 2 listed repositories could not be read: owner/gone (clone not found)",
        "in 1 of 2 files methods may be lost: owner/name/Broken.java (read as Latin-1, "
        "NUL bytes read as blanks, syntax errors)",
    ):
        assert f"corpus: warning: {lost}{ledger_file}" in done.stderr
    rows = {row["model"]: row for row in table(project)}
    assert {row["dataset"] for row in rows.values()} == {"tiny"}
    assert rows["bm25"]["questions"] == "2"
    assert rows["bm25"]["answered_1"] == rows["ceiling"]["answered_1"] == "1"
    ledger = pq.read_table(project / "data/tiny/corpus/ledger.parquet").to_pylist()
    reasons = {line["repository"]: line["reason"] for line in ledger if line["path"] is None}
    assert reasons["owner/gone"] == "clone not found"
    assert reasons["no-name,"] == "is not owner/name"
    wrappings = [row["wrapping"] for row in read_csv(project / "results/tiny/answers.csv")]
    assert wrappings == ["statements", "none"]
    assert "Only 1 of 2 answers can be read" in (project / "results/table1.md").read_text()
    assert {path.stem for path in (project / "results/tiny/metrics").glob("*.json")} == set(rows)
    assert not list(project.rglob("x"))


def test_the_table_is_rebuilt_for_another_dataset_without_metadata(project: Path) -> None:
    """Also where Snakemake's own records are gone and the old table is newer than all data."""
    second = project / "tiny" / "second.yaml"
    second.write_text((project / "tiny" / "tiny.yaml").read_text().replace("tiny", "second"))
    for name in ("tiny", "second", "tiny"):
        arguments = [argument.replace("tiny.yaml", f"{name}.yaml") for argument in TINY]
        done = run_snakemake(project, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert {row["dataset"] for row in table(project)} == {name}
        for file in ("table1.csv", "table1_long.csv", "table1.md", "table1.tex"):
            whole = project / "results" / name / file
            assert (project / "results" / file).read_bytes() == whole.read_bytes()
        shutil.rmtree(project / ".snakemake")
        (project / "results" / "table1.csv").touch()


def test_a_branch_is_resolved_once_and_what_comes_later_is_noticed(project: Path) -> None:
    clone = project / "tiny" / "clones" / "owner" / "name"
    first = git("rev-parse", "HEAD", cwd=clone)
    other = project / "other"
    git("clone", "-q", str(clone), str(other), cwd=project)
    (other / "Late.java").write_text("class Late { void late() { } }")
    git("add", ".", cwd=other)
    git("commit", "-qm", "later", cwd=other)
    late = git("rev-parse", "HEAD", cwd=other)
    shutil.copytree(clone, clone.with_name("second"))
    lines = f"repo,commit\nowner/name,HEAD\nowner/second,{late}\nowner/third,{first}\n"
    (project / "tiny" / "list.csv").write_text(lines)
    corpus = ("corpus", "--config", "dataset=tiny/tiny.yaml", "models=[bm25]")

    def run() -> tuple[dict[str, object], int]:
        done = run_snakemake(project, *corpus)
        assert done.returncode == 0, done.stdout + done.stderr
        ledger = pq.read_table(project / "data/tiny/corpus/ledger.parquet").to_pylist()
        reasons = {line["repository"]: line["reason"] for line in ledger if line["path"] is None}
        made = (project / "data/tiny/corpus/manifest.json").stat().st_mtime_ns
        return reasons, made

    reasons, made = run()
    assert reasons == {
        "owner/name": None,
        "owner/second": "commit not in the clone",
        "owner/third": "clone not found",
    }
    git("commit", "-q", "--allow-empty", "-m", "moves the branch", cwd=clone)
    git("fetch", "-q", str(other), "HEAD", cwd=clone.with_name("second"))
    shutil.copytree(clone, clone.with_name("third"))
    found, later = run()
    assert found == dict.fromkeys(reasons) and later > made
    assert run() == (found, later)
    rows = pq.read_table(project / "data/tiny/corpus/methods").to_pylist()
    assert {row["commit"] for row in rows if row["repository"] == "owner/name"} == {first}
    assert all(row["commit"] in str(row["url"]) for row in rows)


def test_other_duplicates_build_the_corpus_again(project: Path) -> None:
    clone = project / "tiny" / "clones" / "owner" / "name"
    shutil.copytree(clone, project / "tiny" / "copies" / "owner" / "name")
    shutil.copytree(clone, project / "tiny" / "copies" / "owner" / "copy")
    (project / "tiny" / "list.csv").write_text("repo,commit\nowner/name,\nowner/copy,\n")
    file = project / "tiny" / "tiny.yaml"
    dataset = yaml.safe_load(file.read_text())
    dataset["source"] = {"kind": "directory", "path": "copies"}
    said = {"kept": "Table 1 of tiny: 4 methods of 2 repositories", "near": (
        # One method has too few identifiers.
        "Table 1 of tiny: 3 methods without copies (1 left out) of 2 repositories"
    )}  # fmt: skip
    for duplicates, title in said.items():
        file.write_text(yaml.safe_dump(dataset | {"duplicates": duplicates}))
        done = run_snakemake(project, "duplicates", *TINY)
        assert done.returncode == 0, done.stdout + done.stderr
        counted = read_csv(project / "results/tiny/duplicates.csv")
        shares = {row["name"]: row["share"] for row in counted}
        assert shares["equal_bytes"] == "0.5000"
        assert shares["near"] == ("0.2500" if duplicates == "kept" else "0.0000")
        assert read_csv(project / "results/tiny/table1_without_copies.csv")
        assert title in (project / "results/table1.md").read_text()
        assert {row["answered_1"] for row in table(project) if row["model"] == "bm25"} == {"1"}


MISTAKES = [
    ("dataset=tiny/none.yaml", "tiny/none.yaml: cannot be read"),
    ("models=[bm26]", "models: 'bm26' is no model; did you mean 'bm25'?"),
    ("dept=3", "unknown key 'dept'; did you mean 'depth'?"),
]


@pytest.mark.parametrize(("option", "message"), MISTAKES)
def test_mistakes_end_in_one_line_before_anything_is_written(
    project: Path, option: str, message: str
) -> None:
    done = run_snakemake(project, "results/table1.csv", "--config", option)
    assert done.returncode != 0
    said = (done.stdout + done.stderr).splitlines()
    # Snakemake names the files it read before it reads the Snakefile.
    lines = [line for line in said if not line.startswith(("Using workflow", "Config file"))]
    assert len(lines) == 1
    assert lines[0].startswith("ncsbench: error: ")
    assert message in lines[0]
    assert not (project / "data").exists()
    assert not (project / "results").exists()


def test_unknown_keys_are_no_targets(project: Path) -> None:
    target = "data/sample/weights/deadbeef"
    done = run_snakemake(project, target, "--dry-run", "--config", "models=[bm25]")
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "Traceback" not in said and "Error in" not in said
    assert f"No rule to produce {target}" in said


BROKEN = [
    ("questions.json", "[", "is not valid JSON"),
    ("list.csv", f"repo,commit\nowner/gone,{'a' * 40}\n", "none of its 1 repositories is there"),
    ("list.csv", f"repo,commit\nowner/name,{'a' * 40}\n", "the corpus is empty"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN)
def test_unusable_inputs_say_so_and_leave_no_table(
    project: Path, name: str, text: str, message: str
) -> None:
    (project / "tiny" / name).write_text(text)
    done = run_snakemake(project, *TINY)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not (project / "results" / "table1.csv").exists()
