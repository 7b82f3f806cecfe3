"""What an index says of files that it does not read, may read wrongly, or does not know yet."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tests.own_code_folder import call, code, error_of, places  # noqa: F401  (a fixture)


def index_lines(*arguments: object) -> list[str]:
    done = call("index", *arguments)
    assert done.exit_code == 0, done.output
    # Without what a slow machine says of its progress.
    return [line for line in done.stderr.splitlines() if not line.startswith("ncsbench: ")]


def test_files_of_other_languages_are_counted(code: Path, tmp_path: Path) -> None:  # noqa: F811
    for name in ("a.rs", "src/b.rs", "c.swift", "d.txt", "README"):
        (code / name).write_text("x")
    assert index_lines(code) == ["not read: 2 Rust files and 1 Swift file"]
    (tmp_path / "rust").mkdir()
    (tmp_path / "rust/a.rs").write_text("x")
    message = error_of("index", tmp_path / "rust")
    assert "holds no file in a language that is read, but 1 Rust file; name a folder" in message


def test_what_may_be_read_wrongly_is_said_and_listed(code: Path) -> None:  # noqa: F811
    (code / "Broken.java").write_text("class Broken { int f() { return 1; } int g( }")
    (code / "Latin.java").write_bytes(b"class Latin { int f() { return 1; } /* caf\xe9 */ }")
    (code / "Wide.java").write_text("class Wide { int f() { return 1; } }", encoding="utf-16")
    (line,) = index_lines(code)
    assert line == (
        "2 files may be read wrongly (syntax errors: 1, read as Latin-1: 1): Broken.java, "
        f"Latin.java; all: ncsbench index {code} --ledger"
    )
    listed = call("index", code, "--ledger").stdout.splitlines()
    assert listed == ["Broken.java\tsyntax errors", "Latin.java\tread as Latin-1"]
    assert index_lines(code) == [line]


def test_a_folder_without_a_method_says_what_may_be_read_wrongly(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code/A.java").write_text("} ( {{")
    message = error_of("index", tmp_path / "code", "--index", tmp_path / "index")
    assert "(1 of them; 1 file may be read wrongly (syntax errors: 1): A.java)" in message
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("change", ["came", "went", "changed"])
def test_a_search_says_that_files_changed(
    code: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    change: str,
) -> None:
    assert call("index", code).exit_code == 0
    monkeypatch.setattr("ncsbench.apps.own_code.refreshing.QUICK_FILES", 0)
    told = f"files changed since the index was made; make it again: ncsbench index {code}"
    assert told not in call("search", "soft keyboard").stderr
    if change == "went":
        (code / "src/Streams.java").unlink()
    elif change == "came":
        (code / "New.java").write_text("class New { int f() { return 1; } }")
    else:
        later = (code / "src/Streams.java").stat().st_mtime_ns + 10**10
        os.utime(code / "src/Streams.java", ns=(later, later))
    done = call("search", "soft keyboard")
    assert done.exit_code == 0 and told in done.stderr
    assert told in call("search", "zzz").stderr
    assert told in call("similar", code / "src/Keyboard.java:3").stderr


def test_an_index_that_is_being_made_is_not_called_damaged(
    code: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    index = tmp_path / "cache/ncsbench/indexes/code-0123456789ab"
    (index / "pieces").mkdir(parents=True)
    with (index / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert call("index", "--list").stdout.rstrip().endswith("(is being made)")
        assert "is being made; make one" not in error_of("search", "x", "--index", index)
        assert "is being made" in error_of("search", "x", "--index", index)
    assert "damaged; remove it" in call("index", "--list").stdout


def test_names_that_are_no_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / os.fsdecode(b"fold\xff")
    folder.mkdir()
    file = folder / os.fsdecode(b"Br\xe4n.java")
    file.write_text("class Bran { int sift() { return 2; } }")
    assert call("index", folder).exit_code == 0
    assert call("index", "--list").stdout.rstrip().endswith("fold\\xff")
    monkeypatch.chdir(folder)
    done = call("search", "sift", "--plain")
    assert done.stdout.startswith("Br\\xe4n.java:1\t") and done.stderr == ""
    assert places("sift") == ["Br\\xe4n.java:1"]
    assert "no longer there" not in call("search", "sift").stdout
    bad = tmp_path / os.fsdecode(b"ix\xff")
    assert "ix\\xff: is no UTF-8; name another folder" in error_of("index", folder, "--index", bad)
    monkeypatch.setenv("XDG_CACHE_HOME", str(bad))
    assert "--index FOLDER keeps the index elsewhere" in error_of("index", folder)
    assert not bad.exists()
    assert call("index", "--remove", folder, "--index", tmp_path / "none").exit_code == 1
