"""The cache of compiled functions follows the sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.judge import compilation


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with two modules and compiled code of one of them."""
    folder = tmp_path / "judge"
    cache = folder / "__pycache__"
    cache.mkdir(parents=True)
    (tmp_path / "records.py").write_text("MEASURES = ()")
    (folder / "inner.py").write_text("def inner(): ...")
    (folder / "outer.py").write_text("from inner import inner")
    monkeypatch.setattr(compilation, "_JUDGE", folder)
    monkeypatch.setattr(compilation, "_CACHE", cache)
    compilation.drop_stale_code()
    for name in ("outer.run-1.py311.nbi", "outer.run-1.py311.1.nbc", "outer.cpython-311.pyc"):
        (cache / name).touch()
    return folder


def compiled(judge: Path) -> list[str]:
    return sorted(path.name for path in (judge / "__pycache__").glob("*.nb?"))


def test_code_stays_while_no_source_changes(judge: Path) -> None:
    compilation.drop_stale_code()
    assert len(compiled(judge)) == 2


@pytest.mark.parametrize("changed", ["inner.py", "../records.py", "new.py"])
def test_code_of_all_files_goes_when_one_source_changes(judge: Path, changed: str) -> None:
    (judge / changed).write_text("def inner(): return 1")
    compilation.drop_stale_code()
    assert compiled(judge) == []
    assert (judge / "__pycache__" / "outer.cpython-311.pyc").exists()
    assert len(list((judge / "__pycache__").glob("compiled-*"))) == 1
