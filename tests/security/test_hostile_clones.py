"""Clones whose trees, configuration and attributes try to do harm; read by the command itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

from ncsbench.base.files.storage import read_table
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA

NAMES = [
    b"$(touch mark).java",
    b"-rf.java",
    b"../../../mark.java",
    b"/etc/passwd.java",
    b".git/hooks.java",
    b"\xff\xfe.java",
    b"a\nb\tc\x1b[2J.java",
    b"100644 blob 0.java",
    b"x" * 5000 + b".java",
]
CONFIG = """[core]
    repositoryformatversion = 1
    fsmonitor = touch {mark}
    sshCommand = touch {mark}
    pager = touch {mark}
    hooksPath = {hooks}
    attributesFile = {hooks}/attributes
[alias]
    ls-tree = !touch {mark}
    cat-file = !touch {mark}
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::touch {mark}
    promisor = true
    uploadpack = touch {mark}
[filter "x"]
    smudge = touch {mark}
    process = touch {mark}
[include]
    path = {hooks}/more
"""


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    done = subprocess.run(
        ["git", f"--git-dir={folder}", *arguments], input=data, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def make_clone(folder: Path, mark: Path) -> str:
    """A bare clone with a tree that no git would check out; its commit."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    blob = git(folder, "hash-object", "-w", "--stdin", data=b"class C { void m() { int a = 1; } }")
    entries = [(b"100644", name, blob) for name in NAMES]
    entries += [(b"100644", b"gone.java", "1" * 40), (b"120000", b"link.java", blob)]
    entries += [(b"160000", b"module.java", "2" * 40)]
    tree = b"".join(
        mode + b" " + name + b"\0" + bytes.fromhex(object_id)
        for mode, name, object_id in sorted(entries, key=lambda entry: entry[1])
    )
    made = git(folder, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=tree)
    text = f"tree {made}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n"
    commit = git(folder, "hash-object", "-t", "commit", "-w", "--stdin", data=text.encode())
    hooks = folder / "hooks"
    (hooks / "attributes").write_text("* filter=x diff=x\n")
    (hooks / "more").write_text(f"[core]\n    fsmonitor = touch {mark}\n")
    for name in ("post-checkout", "pre-auto-gc", "fsmonitor-watchman", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / name).chmod(0o755)
    (folder / "config").write_text(CONFIG.format(mark=mark, hooks=hooks))
    return commit


LIST = ("--settings", "list.json", "--memory", "out")


def run(root: Path, folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", "stage", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def test_a_hostile_clone_gives_methods_or_lines_of_the_ledger(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    commit = make_clone(tmp_path / "clones" / "owner" / "name", mark)
    (tmp_path / "list.csv").write_text(f"repo,commit\nowner/name,{commit}\n../clones/name,\n")
    source = {"kind": "git", "path": "clones/{owner}/{repo}"}
    for name, settings in (
        ("list.json", {"repositories": "list.csv", "source": source}),
        ("extract.json", {"source": source, "shards": 1}),
    ):
        (tmp_path / name).write_text(json.dumps(settings))
    run(root, tmp_path, "list_files", *LIST, "--output", "out/inventory")
    arguments = ("--settings", "extract.json", "--inventory", "out/inventory", "--shard", "0000")
    run(root, tmp_path, "extract", *arguments, "--methods", "out/methods", "--ledger", "out/l")
    lines = read_table(tmp_path / "out" / "l", LEDGER_SCHEMA).to_pylist()
    reasons = {line["path"]: line["reason"] for line in lines}
    assert len(reasons) == len(lines) == len(NAMES) + 2  # the missing object and the link
    assert reasons["gone.java"] == "not in the clone"
    assert reasons["link.java"] == "not a regular file"
    assert {line["methods"] for line in lines if line["status"] == "taken"} == {1}
    assert "\\xff\\xfe.java" in reasons and "../../../mark.java" in reasons
    assert {path.name for path in tmp_path.iterdir()} == {
        *("clones", "extract.json", "list.csv", "list.json", "out")
    }
    assert not list(tmp_path.rglob("mark*"))
