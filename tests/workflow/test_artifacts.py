"""Artifacts from the DVC remote: pulled, taken over, and then there is nothing left to do."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow
PARTS = (
    *(".dvc/config", ".dvcignore", "Snakefile", "dvc.yaml", "dvc.lock", "config", "envs"),
    *("profiles", "resources", "workflow"),
)
VERSIONED = ("all", "tables", "pairs", "selected_questions")


def call(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, capture_output=True, text=True, check=False, timeout=600,
        env={**os.environ, "DVC_NO_ANALYTICS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def plan(folder: Path, *arguments: str) -> str:
    return call(folder, "snakemake", "--cores", "1", "--dry-run", *arguments, "--", *VERSIONED)


def make_clone(root: Path, folder: Path) -> Path:
    """What a clone of the repository holds."""
    for part in PARTS:
        source, target = root / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    (folder / ".gitignore").write_bytes((root / ".gitignore").read_bytes())
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def restored(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone after the steps of ``make restore``."""
    folder = make_clone(root, tmp_path_factory.mktemp("restored") / "project")
    call(folder, "dvc", "pull")
    touch = ("--touch", "--forceall", "--quiet", "all", "--")
    call(folder, "snakemake", "--cores", "1", *touch, *VERSIONED)
    return folder


def test_the_remote_in_the_repository_stays_small(root: Path) -> None:
    files = [path for path in (root / "resources/artifacts").rglob("*") if path.is_file()]
    assert 0 < sum(path.stat().st_size for path in files) < 25_000_000


def test_after_restoring_there_is_nothing_to_do(restored: Path) -> None:
    assert "Nothing to be done" in plan(restored)
    assert (restored / "results/table1.csv").read_bytes() == (
        restored / "results/sample/table1.csv"
    ).read_bytes()


def test_restored_artifacts_are_those_that_this_code_makes(restored: Path, root: Path) -> None:
    """Where this fails, artifacts in the remote are of other code: `make publish`."""
    settings = restored / "data/sample/settings"
    before = {path: path.read_bytes() for path in settings.rglob("*.json")}
    plan(restored)
    assert [path.name for path, text in before.items() if path.read_bytes() != text] == []


def test_in_a_restored_checkout_another_option_reruns_what_depends_on_it(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    planned = plan(folder, "--config", "bootstrap_samples=500")
    assert "rule dataset_tables" in planned
    for rule in ("extract", "embedding", "weights", "retrieve", "judge", "pair_posts"):
        assert f"rule {rule}:" not in planned


def test_in_a_restored_checkout_edited_code_reruns_what_imports_it(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    module = folder / "workflow/ncsbench/judge/scoring.py"
    text = module.read_text()
    module.write_text(f"# A comment changes nothing.\n{text}")
    assert "Nothing to be done" in plan(folder)
    module.write_text(f"{text}\nEDITED = True\n")
    planned = plan(folder)
    assert "rule judge:" in planned and "rule dataset_tables:" in planned
    for rule in ("extract", "words", "embedding", "weights", "retrieve", "pair_posts"):
        assert f"rule {rule}:" not in planned


def test_in_a_restored_checkout_an_edited_input_counts_whatever_its_time(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    questions = folder / "resources/sample/questions.json"
    os.utime(questions)
    assert "Nothing to be done" in plan(folder)
    questions.write_text(questions.read_text().replace("How", "how", 1))
    os.utime(questions, (0, 0))
    planned = plan(folder)
    assert "rule questions:" in planned and "rule retrieve:" in planned
    for rule in ("extract", "build_corpus", "words", "embedding"):
        assert f"rule {rule}:" not in planned


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web_remote(root: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(root / "resources/artifacts"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_artifacts_come_from_a_folder_elsewhere_and_over_http(
    root: Path, tmp_path: Path, web_remote: str, restored: Path
) -> None:
    folder = make_clone(root, tmp_path / "project")
    moved = Path(shutil.move(folder / "resources/artifacts", tmp_path / "remote"))
    table = "results/sample/table1.csv"
    for name, url in (("elsewhere", str(moved)), ("web", web_remote)):
        call(folder, "dvc", "remote", "add", "--local", name, url)
        call(folder, "dvc", "pull", "--remote", name, table, "results/sample/runs")
        assert (folder / table).read_bytes() == (restored / table).read_bytes()
        for part in (".dvc/cache", "results"):
            shutil.rmtree(folder / part)


def test_training_pairs_from_files_of_others_are_not_passed_on(root: Path) -> None:
    ignored = (root / ".dvcignore").read_text().splitlines()
    for path in sorted((root / "config/pairs").glob("*.yaml")):
        if yaml.safe_load(path.read_text())["kind"] == "file":
            assert f"/data/*/pairs/{path.stem}.parquet" in ignored
            assert f"/results/*/pairs/{path.stem}_*" in ignored
