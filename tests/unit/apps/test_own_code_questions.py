"""The bench of public queries: annotations in both forms, and its figure."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ncsbench.apps.own_code.asking import FoundMethod, OtherMethod
from tests.bench import own_code_questions as bench

JAVA = "class Store {\n  void saveFile(String name) { write(name); }\n  void other() { }\n}\n"


def make(folder: Path) -> tuple[Path, str]:
    """Annotations of a repository in Java and of one in Go, and the template of their clones."""
    rows = []
    for name, language, path in (("store", "java", "src/Store.java"), ("gone", "go", "a.txt")):
        clone = folder / "clones" / "o" / name
        (clone / path).parent.mkdir(parents=True)
        (clone / path).write_text(JAVA)
        git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b.c"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
            subprocess.run([*git, *command], check=True)
        head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True)
        rows.append(
            {
                **{"name": name, "language": language, "url": f"https://example.org/o/{name}.git"},
                **{"revision": head.stdout.decode().strip(), "benchmark_root": None},
            }
        )
        asked = [
            {"query": "save file", "relevant": [{"path": path, "start_line": 2, "end_line": 2}]},
            {"query": "elsewhere", "relevant": ["Missing.java"], "category": "symbol"},
        ]
        (folder / "annotations").mkdir(exist_ok=True)
        (folder / "annotations" / f"{name}.json").write_text(json.dumps(asked))
    (folder / "repos.json").write_text(json.dumps(rows))
    return folder, str(folder / "clones/{owner}/{repo}")


def test_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    monkeypatch.chdir(root)
    folder, clones = make(tmp_path)
    output = tmp_path / "questions.csv"
    command = ["x", str(folder), clones, "--models", "bm25", "--output", str(output)]
    monkeypatch.setattr("sys.argv", command)
    bench.main()
    printed = capsys.readouterr().out
    assert "not read: go: gone (" in printed
    assert "published: java,semble,0.849" in printed
    assert "published: go" not in printed
    assert "published: all" not in printed
    rows = output.read_text().splitlines()
    assert rows[0] == ",".join(bench.COLUMNS)
    expected = "java,store,all,bm25,method,1,2,0.500,0.000,1.000,"
    assert [row for row in rows if row.startswith(expected)]


def test_a_target_counts_at_the_first_result_that_covers_it() -> None:
    def at(rank: int, path: str, start: int, end: int) -> FoundMethod:
        return FoundMethod(rank, 1.0, path, start, end, "C", "m", "")

    found = [at(1, "a/A.java", 1, 3), at(2, "a/A.java", 5, 9), at(3, "a/B.java", 1, 2)]
    question = bench.Question("q", "semantic", (("A.java", 5, 6), ("B.java", None, None)))
    ideal = 1 + 1 / 1.584962500721156
    assert bench.score(found, question, "") == pytest.approx((1 / 1.584962500721156 + 0.5) / ideal)
    whole = bench.Question("q", "semantic", (("A.java", None, None), ("B.java", None, None)))
    files = [replace(found[0], others=(OtherMethod(5, 9, "C", "n"),)), replace(found[2], rank=2)]
    assert bench.score(files, whole, "") == bench.score(files, question, "") == pytest.approx(1)
