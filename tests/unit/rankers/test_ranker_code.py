"""The code of rankers that are not of the library: which edits count."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.freshness import rule_code
from ncsbench.pipeline.freshness.rule_code import describe_code, name_code

EDITABLE = json.dumps({"url": "file:///some/folder", "dir_info": {"editable": True}})
FOLDER = json.dumps({"url": "file:///some/folder", "dir_info": {}})
ARCHIVE = json.dumps({"url": "https://host/mine.whl", "archive_info": {}})


@pytest.fixture(autouse=True)
def _places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.syspath_prepend(str(tmp_path / "source"))


def install(
    folder: Path, name: str, text: str = "", *, origin: str | None, record: bool = True
) -> Path:
    """What pip leaves of a distribution ``mine`` with a package ``mine_code``."""
    about = folder / "site" / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[ncsbench.rankers]\n{name} = {name}_code.ranker:R\n")
    (about / "top_level.txt").write_text(f"{name}_code\n")
    if record:
        (about / "RECORD").write_text(f"{name}_code/ranker.py,,\n")
    if origin is not None:
        (about / "direct_url.json").write_text(origin)
    package = folder / "source" / f"{name}_code"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "ranker.py").write_text(text)
    (package / "deep").mkdir()
    (package / "deep" / "part.py").write_text("size = 1\n")
    importlib.invalidate_caches()
    rule_code._distributions.cache_clear()
    return package


def describe(root: Path, kind: str) -> dict[str, Any]:
    return describe_code({}, [kind, "bm25"], root / "workflow" / "ncsbench")


@pytest.mark.parametrize("origin", [EDITABLE, FOLDER, "no JSON"])
def test_an_edit_of_a_package_that_was_installed_from_a_folder_repeats_its_models_alone(
    root: Path, tmp_path: Path, origin: str
) -> None:
    package = install(tmp_path, "mine", "import ncsbench.rankers.bm25\n", origin=origin)
    before = describe(root, "mine")
    assert before["ranker-mine"]["packages"] == {"mine": "1.0"}
    own = {name for name in before["ranker-mine"]["modules"] if name.startswith("mine_code")}
    assert own == {"mine_code/__init__.py", "mine_code/ranker.py", "mine_code/deep/part.py"}
    # Modules of the library count as they do for its own rankers.
    assert set(before["ranker-bm25"]["modules"]) <= set(before["ranker-mine"]["modules"])
    (package / "deep" / "part.py").write_text("size = 2\n")
    after = describe(root, "mine")
    assert {name for name in before if before[name] != after[name]} == {"ranker-mine"}
    (package / "new.py").write_text("")
    (package / "notes.txt").write_text("what is no code does not count")
    assert set(describe(root, "mine")["ranker-mine"]["modules"]) - own == {
        "mine_code/new.py",
        *(set(before["ranker-mine"]["modules"]) - own),
    }


@pytest.mark.parametrize("origin", [None, ARCHIVE])
def test_a_package_that_was_installed_by_its_version_counts_with_it(
    root: Path, tmp_path: Path, origin: str | None
) -> None:
    install(tmp_path, "mine", "import ncsbench.rankers.bm25\n", origin=origin)
    assert describe(root, "mine")["ranker-mine"] == {"modules": {}, "packages": {"mine": "1.0"}}


def test_a_package_that_no_installer_recorded_is_hashed(root: Path, tmp_path: Path) -> None:
    install(tmp_path, "mine", origin=None, record=False)
    assert "mine_code/ranker.py" in describe(root, "mine")["ranker-mine"]["modules"]


def test_no_code_of_a_package_runs_when_it_is_hashed(root: Path, tmp_path: Path) -> None:
    install(tmp_path, "mine", "raise SystemExit('ran')\n", origin=EDITABLE)
    describe(root, "mine")


def test_a_file_counts_by_its_bytes(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("import numpy\nfrom ncsbench.rankers.bm25 import BM25\n")
    name = name_code("mine.py")
    assert name.startswith("ranker-file-") and name != name_code("other/mine.py")
    before = describe(root, "mine.py")
    assert set(before["ranker-bm25"]["modules"]) <= set(before[name]["modules"])
    assert before[name]["packages"]["numpy"]
    path.write_text(path.read_text() + "# a comment\n")
    after = describe(root, "mine.py")
    assert {name for name in before if before[name] != after[name]} == {name}


def test_packages_that_a_file_imports_count_as_they_were_installed(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text("def f():\n    from one_code import x\n    import two_code\n")
    changing = install(tmp_path, "one", origin=EDITABLE)
    fixed = install(tmp_path, "two", origin=None)
    (tmp_path / "source" / "loose.py").write_text("a = 1\n")
    (tmp_path / "more.py").write_text("import loose, not_installed\n")
    before = describe(root, "mine.py")
    code = before[name_code("mine.py")]
    assert code["packages"] == {"one": "1.0", "two": "1.0"}
    assert {name.partition("/")[0] for name in code["modules"]} == {"mine.py", "one_code"}
    (fixed / "ranker.py").write_text("x = 2\n")
    assert describe(root, "mine.py") == before
    (changing / "ranker.py").write_text("x = 2\n")
    assert describe(root, "mine.py") != before
    # Of no package at all: only its bytes say what it is.
    assert set(describe(root, "more.py")[name_code("more.py")]["modules"]) == {
        "more.py",
        "loose.py",
    }


def test_a_file_that_is_gone_ends_in_one_line(root: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"mine\.py: cannot be read"):
        describe(root, "mine.py")
