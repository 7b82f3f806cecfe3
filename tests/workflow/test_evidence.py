"""Evidence: tables that are made of what was published, whatever became of code and sources."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder
from ncsbench.pipeline.evidence.evidence_tables import METHOD_TABLE_SCHEMA
from tests.workflow.conftest import call_ncsbench, copy_project, read_script, run_snakemake

pytestmark = pytest.mark.workflow

JAVA = {
    "Clip.java": "class Clip { void copyText(Manager m) { m.setPrimaryClip(text); } }",
    "Stream.java": "class Stream { void closeReader(Reader r) { r.close(); }\n"
    + "\n".join(f"int n{one}() {{ return {one}; }}" for one in range(80))
    + " }",
}
QUESTIONS = [
    {"stackoverflow_id": "1", "question": "Copy text", "answer": "m.setPrimaryClip(text);"},
    {"stackoverflow_id": "2", "question": "Close a reader", "answer": "r.close();"},
]
DATASET = {
    "name": "tiny",
    "repositories": "list.csv",
    "source": {"kind": "directory", "path": "java"},
    "questions": "questions.json",
    "parts": {"second": ["2"]},
    "shards": 1,
}
RAW = ("--config", "dataset=tiny/tiny.yaml")
TABLES = (
    *("results/tiny/table1.csv", "results/tiny/significance.csv", "results/tiny/ledger.csv"),
    *("results/tiny/parts/second/table1.csv", "results/tiny/per_question.parquet"),
)
EVIDENCE = "results/tiny/evidence"


def call(
    project: Path, *arguments: str, command: str = "evidence"
) -> subprocess.CompletedProcess[str]:
    return call_ncsbench(project, command, *arguments)


def git(project: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@localhost")
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


@pytest.fixture(scope="module")
def published(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the evidence of a dataset, its tables, and all that they were made of."""
    project = copy_project(root, tmp_path_factory.mktemp("evidence") / "project")
    java = project / "tiny/java/owner/name"
    java.mkdir(parents=True)
    for name, code in JAVA.items():
        (java / name).write_text(code)
    (project / "tiny/list.csv").write_text("repo,commit\nowner/name,\n")
    (project / "tiny/questions.json").write_text(json.dumps(QUESTIONS))
    (project / "tiny/tiny.yaml").write_text(yaml.safe_dump(DATASET))
    path = project / "config/config.yaml"
    config = yaml.safe_load(path.read_text()) | {
        "models": ["bm25", "elasticsearch_like"],
        "depth": 10,
    }
    path.write_text(yaml.safe_dump(config))
    (project / ".gitignore").write_text("/data/\n/results/\n/.snakemake/\n__pycache__/\n")
    git(project, "init", "--quiet")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "all")
    for more in ((), ("part=second",)):
        done = run_snakemake(project, "tables", *RAW, *more)
        assert done.returncode == 0, done.stdout + done.stderr
    told = call(project, "publish", "tiny")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{EVIDENCE}: 5 runs, ")
    return project


def read_record(project: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((project / "results/tiny/evidence.json").read_text())
    return record


def copy_published(published: Path, folder: Path) -> Path:
    return Path(shutil.copytree(published, folder / "project", symlinks=True))


def test_tables_come_from_evidence_whatever_is_edited_and_without_sources(
    published: Path, tmp_path: Path
) -> None:
    project = copy_published(published, tmp_path)
    before = {name: (project / name).read_bytes() for name in TABLES}
    for gone in ("data", ".snakemake", "tiny/java"):
        shutil.rmtree(project / gone)
    for name in TABLES:
        (project / name).unlink()
    shutil.rmtree(project / "results/tiny/runs")
    for module in ("evaluation/judge/scores.py", "corpus/methods/extraction.py", "rankers/bm25.py"):
        edited = project / "workflow/ncsbench" / module
        edited.write_text(edited.read_text() + '\nraise RuntimeError("edited")\n')
    done = run_snakemake(project, *TABLES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {name: (project / name).read_bytes() for name in TABLES} == before
    assert "Nothing to be done" in run_snakemake(project, *TABLES, "-n").stdout
    # The way back is the one that was published, past what is here.
    told = call(project, TABLES[0], "bm25", "charged_mrr", command="explain")
    assert told.returncode == 0, told.stderr
    head = read_record(project)["commits"]["bm25"]
    for text in ("charged_mrr of bm25", "evidence_tiny", "runs/bm25.trec.gz", f"commit {head}"):
        assert text in told.stdout
    # Another file beside it is not of the evidence.
    (project / "results/tiny/usage.csv").write_text("a\n1\n")
    other = call(project, "results/tiny/usage.csv", command="explain")
    assert "nothing tells where it comes from" in other.stderr
    assert "runs/random.trec.gz" not in told.stdout and "!" not in told.stdout


def test_evidence_names_the_commit_that_made_it(published: Path) -> None:
    record = read_record(published)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=published, capture_output=True, text=True, check=True
    ).stdout.strip()
    controls = {"random", "random_long", "longest_first"}
    assert record["commits"] == dict.fromkeys({*controls, "bm25", "elasticsearch_like"}, head)
    assert record["parts"] == ["second"]
    # Ids and numbers only: nothing of a question, an answer or a method.
    held = b"".join(
        path.read_bytes() for path in (published / EVIDENCE).rglob("*") if path.is_file()
    )
    for text in (b"Copy text", b"setPrimaryClip", b"r.close"):
        assert text not in held


def test_the_way_from_raw_says_whether_it_gives_the_evidence(
    published: Path, tmp_path: Path
) -> None:
    project = copy_published(published, tmp_path)
    table = (project / TABLES[0]).read_bytes()
    done = run_snakemake(project, "remade", *RAW)
    assert done.returncode == 0, done.stdout + done.stderr
    told = (project / "data/tiny/remade.txt").read_text()
    assert told == "tiny: 5 runs and their judgements as published\n"
    assert (project / "data/tiny/tables/table1.csv").read_bytes() == table
    # From other sources other runs come out; the table of the evidence stays as it is.
    (project / "tiny/java/owner/name/More.java").write_text(
        "class More { void copyText(Manager m) { m.setPrimaryClip(text); } }"
    )
    done = run_snakemake(project, "remade", *RAW)
    assert done.returncode == 1
    assert "belongs to corpus" in done.stderr
    assert (project / TABLES[0]).read_bytes() == table
    (project / "tiny/java/owner/name/More.java").unlink()
    (project / "config/models/elasticsearch_like.yaml").write_text(
        "kind: random_order\ntrained_on: none\noptions: {minimum_lines: 0}\n"
    )
    assert run_snakemake(project, "judgements", *RAW).returncode == 0
    options = ("--dataset", "tiny", "--output", "remade.txt")
    told = call(project, "remade", *options, command="stage").stderr
    assert "of 5 runs differ from the evidence:" in told and "elasticsearch_like" in told


def test_evidence_that_is_absent_or_damaged_is_one_line(published: Path, tmp_path: Path) -> None:
    project = copy_published(published, tmp_path)
    (project / TABLES[0]).unlink()
    run = project / EVIDENCE / "runs/bm25.trec.gz"
    run.write_bytes(run.read_bytes()[:-1] + b"x")
    done = run_snakemake(project, TABLES[0])
    assert done.returncode == 1
    line = f"{EVIDENCE}/runs/bm25.trec.gz: is not the file of results/tiny/evidence.json; bring it"
    assert line in done.stderr
    run.write_bytes((published / EVIDENCE / "runs/bm25.trec.gz").read_bytes())
    stray = project / EVIDENCE / "judgements/0002.parquet"
    stray.write_bytes(b"")
    done = run_snakemake(project, TABLES[0])
    assert f"{stray.relative_to(project)}: is not in results/tiny/evidence.json" in done.stderr
    shutil.rmtree(project / EVIDENCE)
    done = run_snakemake(project, TABLES[0])
    told = f"{TABLES[0]}: is made of evidence that is not here yet; bring it: dvc pull {EVIDENCE}"
    assert told in done.stderr
    # Another table, and the way from raw, need no evidence.
    assert run_snakemake(project, "results/published_table1.csv", "-n").returncode == 0


def test_only_what_a_clean_commit_made_is_published(published: Path, tmp_path: Path) -> None:
    project = copy_published(published, tmp_path)
    edited = project / "workflow/ncsbench/version.py"
    edited.write_text(edited.read_text() + "\n\n")
    told = call(project, "publish", "tiny")
    assert told.returncode == 1
    assert "only what a clean commit made is published, and this is ncsbench" in told.stderr
    git(project, "checkout", "--quiet", "--", "workflow")
    shutil.rmtree(project / ".snakemake/metadata")
    told = call(project, "publish", "tiny")
    assert told.returncode == 1 and "nobody recorded how" in told.stderr


def test_what_is_finished_is_published_bit_by_bit(published: Path, tmp_path: Path) -> None:
    project = copy_published(published, tmp_path)
    whole = json.loads((project / "results/tiny/evidence.json").read_text())
    later = ("results/tiny/runs/bm25.trec.gz", "data/tiny/judgements/random.parquet")
    aside = [project / f"{name}.aside" for name in later]
    for name, kept in zip(later, aside, strict=True):
        (project / name).rename(kept)
    assert call(project, "publish", "tiny", "--anew").returncode == 0
    first = json.loads((project / "results/tiny/evidence.json").read_text())
    assert set(whole["commits"]) - set(first["commits"]) == {"bm25", "random"}
    assert first["missing"] == ["random", "bm25"] and not whole["missing"]
    # Until nothing is missing, tables are made as before: from the sources.
    planned = run_snakemake(project, "tables", *RAW, "-n").stdout
    assert "evidence_tiny" not in planned
    pairs = (project / EVIDENCE / "judgements/0001.parquet").read_bytes()
    # The next sitting has the others, and none of the first.
    for name, kept in zip(later, aside, strict=True):
        kept.rename(project / name)
    for run in ("random_long", "longest_first", "elasticsearch_like"):
        (project / f"results/tiny/runs/{run}.trec.gz").unlink()
    assert call(project, "publish", "tiny").returncode == 0
    then = json.loads((project / "results/tiny/evidence.json").read_text())
    assert then["commits"] == whole["commits"]
    assert (project / EVIDENCE / "judgements/0001.parquet").read_bytes() == pairs
    before = {name: (project / name).read_bytes() for name in TABLES}
    for name in TABLES:
        (project / name).unlink()
    done = run_snakemake(project, *TABLES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {name: (project / name).read_bytes() for name in TABLES} == before


EXPLORER = "results/tiny/explorer"
HOSTILE = "\u202e</script><script>alert(1)</script>\x1b[31m"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def read_explorer(project: Path) -> dict[str, Any]:
    return {
        path.stem: read_script(path) for path in sorted((project / EXPLORER / "data").iterdir())
    }


def test_pages_come_from_evidence_and_texts_from_the_published_file(
    published: Path, tmp_path: Path
) -> None:
    project = copy_published(published, tmp_path)
    raw = "data/tiny/tables/explorer"
    assert run_snakemake(project, "explorer", *RAW).returncode == 0
    built = {path.stem: read_script(path) for path in (project / raw / "data").iterdir()}
    for gone in ("data", ".snakemake", "tiny/java"):
        shutil.rmtree(project / gone)
    done = run_snakemake(project, f"{EXPLORER}/index.html")
    assert done.returncode == 0, done.stdout + done.stderr
    found = read_explorer(project)
    summary = found["summary"]
    assert summary["texts"] is False and built["summary"]["texts"] is True
    assert [one["title"] for one in summary["questions"]] == [
        "Question 1 (Stack Overflow 1)",
        "Question 2 (Stack Overflow 2)",
    ]
    assert found["question-2"]["url"] == "https://stackoverflow.com/q/2"
    held = b"".join(path.read_bytes() for path in (project / EXPLORER / "data").iterdir())
    for text in (b"Copy text", b"setPrimaryClip", b"r.close"):
        assert text not in held
    # All else is as it is with the sources: figures, ranks, results, similarities, names.
    for key in summary.keys() - {"texts", "questions"}:
        assert summary[key] == built["summary"][key]
    for one, other in zip(summary["questions"], built["summary"]["questions"], strict=True):
        assert one == other | {"title": one["title"]}
    assert found["places"] == built["places"]
    for number in (1, 2):
        here, there = (of[f"question-{number}"] for of in (found, built))
        assert here["results"] == there["results"]
        pairs = {id_: [*pair[:2], ""] for id_, pair in there["pairs"].items()}
        assert here["pairs"] == pairs
    assert found["methods-1"].keys() == built["methods-1"].keys()
    for id_, method in found["methods-1"].items():
        other = built["methods-1"][id_]
        assert method["c"] == "" and method["u"] == ""  # a folder has no commit to link to
        assert [method[key] for key in "pnse"] == [other[key] for key in "pnse"]
    # A file of other questions gives no texts; the published one does.
    texts = project / "data/sources/ncsed/questions.json"
    texts.parent.mkdir(parents=True, exist_ok=True)
    for questions, known in ((QUESTIONS[::-1], False), (QUESTIONS, True)):
        texts.write_text(json.dumps(questions))
        done = run_snakemake(project, f"{EXPLORER}/index.html")
        assert done.returncode == 0, done.stdout + done.stderr
        summary = read_explorer(project)["summary"]
        assert summary["texts"] is known
        title = "Copy text" if known else "Question 1 (Stack Overflow 1)"
        assert summary["questions"][0]["title"] == title
    assert "Nothing to be done" in run_snakemake(project, f"{EXPLORER}/index.html", "-n").stdout


def test_names_and_paths_of_evidence_are_shown_safely(published: Path, tmp_path: Path) -> None:
    project = copy_published(published, tmp_path)
    evidence = EvidenceFolder(project / EVIDENCE)
    record = evidence.read_record()
    methods = read_table(evidence.methods, METHOD_TABLE_SCHEMA)
    for name, text in {
        "repository": f"/evil.example/{HOSTILE}?#",
        "commit": COMMIT,
        "path": f"../a b%2e#L1/{HOSTILE}.java",
        "class_name": HOSTILE,
        "method_name": "__proto__",
    }.items():
        place = methods.schema.get_field_index(name)
        column = pa.array([text] * len(methods), pa.string())
        methods = methods.set_column(place, METHOD_TABLE_SCHEMA.field(name), column)
    write_table(
        evidence.methods, methods, METHOD_TABLE_SCHEMA, corpus_hash=record.corpus_hash, compact=True
    )
    changed = record.model_copy(update={"files": evidence.describe_files()})
    evidence.record_path.write_text(json.dumps(changed.as_json()))
    shutil.rmtree(project / "data")  # with the checksums of what was published
    done = run_snakemake(project, f"{EXPLORER}/index.html")
    assert done.returncode == 0, done.stdout + done.stderr
    found = read_explorer(project)
    (repository,) = found["repositories"]
    assert repository["name"].startswith("/evil.example/<U+202E></script>")
    for method in found["methods-1"].values():
        shown = method["n"] + method["p"]
        assert "<U+202E></script><script>alert(1)</script><U+001B>[31m.__proto__" in shown
        assert "\u202e" not in shown and "\x1b" not in shown
        assert method["u"] == (
            "https://github.com//evil.example/%E2%80%AE%3C/script%3E%3Cscript%3Ealert%281%29"
            f"%3C/script%3E%1B%5B31m%3F%23/blob/{COMMIT}/../a%20b%252e%23L1/%E2%80%AE%3C/script"
            "%3E%3Cscript%3Ealert%281%29%3C/script%3E%1B%5B31m.java"
            f"#L{method['s']}-L{method['e']}"
        )
