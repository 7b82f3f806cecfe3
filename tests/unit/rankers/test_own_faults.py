"""What fails in a ranker of the user's own is told in one line that names the place in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ncsbench.corpus.layout.documents import save_documents
from ncsbench.errors import NcsbenchError
from ncsbench.rankers import registry
from ncsbench.rankers.registry import create_ranker, describe_fault
from tests.synthetic_documents import make_documents

RANKER = """\
from ncsbench.rankers.bm25 import BM25


class Mine(BM25):
    def fit(self, *, corpus, **inputs):
        super().fit(corpus=corpus)
        self.look_up({})

    def look_up(self, names):
        return names["class_name"]


RANKER = Mine
"""
PLACE = "mine.py, line 10, in look_up: KeyError: 'class_name'; --debug shows the traceback"


def catch(kind: str) -> Exception:
    ranker = create_ranker({"kind": kind}, seed=1)
    with pytest.raises(KeyError) as caught:
        ranker.fit(corpus=make_documents(["open file"]))
    return caught.value


@pytest.mark.parametrize("debug", [False, True])
def test_a_job_ends_in_the_line_of_the_users_file(debug: bool, root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RANKER)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"ranker": {"kind": "mine.py"}, "seed": 1}))
    save_documents(make_documents(["open file"]), tmp_path / "words")
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", *(["--debug"] if debug else []), "stage", "index",
         "--settings", "settings.json", "--words", "words", "--output", "index"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert ("Traceback" in done.stderr) == debug
    assert debug or done.stderr.splitlines()[-1] == f"ncsbench: error: {PLACE}"
    assert debug or "typer" not in done.stderr


def test_a_ranker_of_a_package_is_named_likewise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(RANKER)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint(name="mine_kind", value="mine:Mine", group="ncsbench.rankers")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    assert describe_fault(catch("mine_kind")) == f"{tmp_path}/{PLACE}"
    sys.modules.pop("mine")


def test_a_failure_of_the_library_is_none_of_the_users() -> None:
    with pytest.raises(NcsbenchError) as caught:
        create_ranker({"kind": "no_such"}, seed=1)
    assert describe_fault(caught.value) is None
