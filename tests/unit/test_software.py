"""What is told of the checkout."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ncsbench.provenance.lineage import Checkout, describe_checkout
from ncsbench.version import __version__
from tests.unit.made_up_run import write_file


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def git(*arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *name, *arguments], check=True, capture_output=True)


def test_the_checkout_names_its_commit_and_the_modules_that_differ_from_it() -> None:
    folder = Path()
    assert describe_checkout(folder) == Checkout(__version__)
    assert str(describe_checkout(folder)) == f"ncsbench {__version__}, not in a git checkout"
    write_file("workflow/ncsbench/__init__.py", "")
    write_file("workflow/ncsbench/text/words.py", "")
    git("init", "--quiet")
    git("add", "workflow")
    git("commit", "--quiet", "--message", "first")
    clean = describe_checkout(folder)
    assert clean.commit is not None and clean.changed == ()  # results and data do not count
    assert str(clean) == f"ncsbench {__version__}, commit {clean.commit}"
    write_file("workflow/ncsbench/__init__.py", "x = 1")
    write_file("workflow/ncsbench/text/words.py", "x = 1")
    write_file("workflow/ncsbench/text/new.py", "x = 1")
    dirty = describe_checkout(folder)
    assert dirty.changed == ("ncsbench", "ncsbench.text.new", "ncsbench.text.words")
    assert str(dirty).endswith(", with changes in ncsbench, ncsbench.text.new, ncsbench.text.words")
    assert describe_checkout(folder / "workflow") == Checkout(__version__)
