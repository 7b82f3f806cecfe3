"""The pipeline's tests begin in the repository, or in a copy of what configures its runs."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def in_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repository as the working directory."""
    monkeypatch.chdir(root)


@pytest.fixture
def project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of config/ and resources/, as the working directory."""
    for part in ("config", "resources"):
        shutil.copytree(root / part, tmp_path / part)
    monkeypatch.chdir(tmp_path)
    return tmp_path
