"""Artifacts of the last release: pulled, taken over, and then only later changes are repeated."""

from __future__ import annotations

import functools
import hashlib
import http.server
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests.patience import LONGEST

pytestmark = pytest.mark.workflow
PARTS = (
    *(".dvc/config", ".dvcignore", "Snakefile", "dvc.yaml", "dvc.lock", "config", "envs"),
    *("profiles", "resources", "stages", "workflow", "results/published_table1.csv"),
)
VERSIONED = ("all", "tables", "pairs", "selected_questions")


def call(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST,
        env={**os.environ, "DVC_NO_ANALYTICS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def restore(folder: Path, *, status: int = 0) -> str:
    """Do as ``make restore`` does; its last line."""
    done = subprocess.run(
        [sys.executable, "workflow/restore.py"],
        cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return (done.stdout + done.stderr).splitlines()[-1]


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
    """A clone after ``make restore``; outputs added since the release are absent."""
    folder = make_clone(root, tmp_path_factory.mktemp("restored") / "project")
    restore(folder)
    return folder


@pytest.fixture(scope="module")
def maker(root: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(
        "make_release", root / "workflow" / "make_release.py"
    )
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def rules_of(planned: str) -> set[str]:
    lines = [line for line in planned.splitlines() if line.startswith(("rule ", "localrule "))]
    return {line.split()[1].strip(":") for line in lines}


def test_remote_lock_and_release_belong_together_and_stay_small(
    root: Path, maker: ModuleType
) -> None:
    maker.check_artifacts(root)
    version = json.loads((root / maker.RELEASE).read_text())["version"]
    assert f"\n## {version} - " in (root / "CHANGELOG.md").read_text()


def test_an_artifact_that_is_not_of_the_release_is_told(
    root: Path, tmp_path: Path, maker: ModuleType
) -> None:
    for part in ("dvc.lock", "resources/artifacts"):
        copy = shutil.copytree if (root / part).is_dir() else shutil.copy2
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy(root / part, tmp_path / part)
    remote = tmp_path / maker.REMOTE / "files/md5"
    (remote / "00").mkdir(exist_ok=True)
    (remote / "00/stray").write_bytes(b"")
    with pytest.raises(SystemExit, match="has not exactly the objects"):
        maker.check_artifacts(tmp_path)
    (remote / "00/stray").unlink()
    path = maker.object_path(tmp_path, maker.read_outputs(tmp_path)["results/table1.csv"])
    path.chmod(0o600)
    path.write_bytes(b"another")
    with pytest.raises(SystemExit, match="is damaged"):
        maker.check_artifacts(tmp_path)
    with (tmp_path / "dvc.lock").open("a") as file:
        file.write("# edited\n")
    with pytest.raises(SystemExit, match=r"is of another dvc\.lock"):
        maker.check_artifacts(tmp_path)


def test_a_version_is_refused_in_one_line(
    root: Path, tmp_path: Path, maker: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "clone", "--quiet", str(root), str(tmp_path / "clone")], check=True)
    monkeypatch.setattr(maker, "ROOT", tmp_path / "clone")
    for version in ("", "2", "v9.0.0"):
        with pytest.raises(SystemExit, match=r"make release VERSION=x\.y\.z"):
            maker.check_request(version)
    with pytest.raises(SystemExit, match=r"0\.0\.1 must lie above"):
        maker.check_request("0.0.1")
    (tmp_path / "clone" / "new").write_text("")
    with pytest.raises(SystemExit, match="the tree has changes"):
        maker.check_request("999.0.0")


def test_a_release_is_refused_where_verify_fails(tmp_path: Path, maker: ModuleType) -> None:
    script = tmp_path / "tests/verify/verify.py"
    script.parent.mkdir(parents=True)
    script.write_text("")
    maker.check_verified(tmp_path)
    script.write_text("import sys; sys.exit('verify: FAILED')")
    with pytest.raises(SystemExit, match="make verify fails"):
        maker.check_verified(tmp_path)


def test_after_restoring_there_is_nothing_to_do_but_what_changed_since_the_release(
    restored: Path, maker: ModuleType, tmp_path: Path
) -> None:
    planned = plan(restored)
    settings = json.loads((restored / maker.RELEASE).read_text())["settings"]
    # A run writes what is configured now, and a look puts back what was there.
    copy = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    call(copy, "snakemake", "--cores", "1", "--quiet", "all", "--", "results/published_table1.csv")
    folder = copy / maker.SETTINGS
    now = {
        str(path.relative_to(folder)): hashlib.md5(
            path.read_bytes(), usedforsecurity=False
        ).hexdigest()
        for path in folder.rglob("*.json")
    }
    if all(now.get(name) == md5 for name, md5 in settings.items()):
        assert "Nothing to be done" in planned
    assert (restored / "results/table1.csv").read_bytes() == (
        restored / "results/sample/table1.csv"
    ).read_bytes()


def test_restoring_again_gives_the_same_and_spares_artifacts_of_ones_own(
    restored: Path, tmp_path: Path, maker: ModuleType
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    version = json.loads((folder / maker.RELEASE).read_text())["version"]
    said = f"restore: the sample of version {version} is here; for results/table1.csv "
    assert restore(folder).startswith(said)
    # A look, an option and a new settings file belong to nobody.
    plan(folder, "--config", "bootstrap_samples=500")
    (folder / maker.SETTINGS / "new.json").write_text("{}")
    assert restore(folder).startswith(said)
    assert not (folder / maker.SETTINGS / "new.json").exists()
    settings = folder / maker.SETTINGS / "retrieval.json"
    settings.write_text("{}")
    before = settings.stat().st_mtime_ns
    (folder / "results/sample/table1.csv").write_text("mine\n")
    assert "artifacts of your own are here" in restore(folder, status=1)
    assert (folder / "results/sample/table1.csv").read_text() == "mine\n"
    assert settings.read_text() == "{}" and settings.stat().st_mtime_ns == before
    assert not list(folder.rglob("*.aside"))


def test_plain_dvc_commands_speak_of_the_sample_alone(root: Path, tmp_path: Path) -> None:
    folder = make_clone(root, tmp_path / "project")
    call(folder, "dvc", "pull")
    assert (folder / "results/sample/table1.csv").is_file()
    assert "ncsed_full" not in call(folder, "dvc", "status")


def test_in_a_restored_checkout_another_option_reruns_what_depends_on_it(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    before = rules_of(plan(folder))
    after = rules_of(plan(folder, "--config", "bootstrap_samples=500"))
    assert "dataset_tables" in after
    kept = {"extract", "embedding", "weights", "retrieve", "judge", "pair_posts"}
    assert not kept & (after - before)


def test_in_a_restored_checkout_edited_code_reruns_what_imports_it(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    module = folder / "workflow/ncsbench/evaluation/statistics/significance.py"
    text = module.read_text()
    before = rules_of(plan(folder))
    module.write_text(f"# A comment changes nothing.\n{text}")
    assert rules_of(plan(folder)) == before
    module.write_text(f"{text}\nEDITED = True\n")
    after = rules_of(plan(folder))
    assert "dataset_tables" in after
    kept = {"extract", "words", "embedding", "weights", "retrieve", "judge", "pair_posts"}
    assert not kept & (after - before)
    module.write_text(text)
    assert rules_of(plan(folder)) == before
    # The judge reads deep rankings, which are not versioned: with them comes what they are made of.
    judge = folder / "workflow/ncsbench/evaluation/judge/scores.py"
    judge.write_text(f"{judge.read_text()}\nEDITED = True\n")
    assert {"judge", "repository_intervals", "dataset_tables"} <= rules_of(plan(folder))


def test_in_a_restored_checkout_an_edited_input_counts_whatever_its_time(
    restored: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(restored, tmp_path / "project", symlinks=True))
    questions = folder / "resources/sample/questions.json"
    before = rules_of(plan(folder))
    os.utime(questions)
    assert rules_of(plan(folder)) == before
    questions.write_text(questions.read_text().replace("How", "how", 1))
    os.utime(questions, (0, 0))
    after = rules_of(plan(folder))
    assert {"questions", "retrieve"} <= after
    # A new question is searched for: words and indexes, which are not versioned, are made again.
    assert not {"extract", "build_corpus"} & (after - before)


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
        keys = yaml.safe_load(path.read_text())
        if keys["kind"] == "file":
            for name, ending in ((path.stem, ""), (keys["threadless"], "*")):
                assert f"/data/*/pairs/{name}{ending}.parquet" in ignored
                assert f"/results/*/pairs/{name}_*" in ignored
