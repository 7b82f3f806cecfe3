"""Making, mending and removing an index of a folder of Java: `ncsbench index`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from ncsbench.apps.own_code.index_folder import find_cache, find_index
from ncsbench.apps.own_code.pieces import group_files
from ncsbench.base.files.temporary_files import temporary_path
from tests.own_code_folder import STREAMS, call, error_of, places, read_tree
from tests.own_code_folder import code as code  # noqa: PLC0414 (a fixture)


def test_an_index_that_was_brought_up_to_date_has_the_bytes_of_a_new_one(
    code: Path, tmp_path: Path
) -> None:
    for number in range(200):
        (code / f"src/A{number}.java").write_text(
            f"class A{number} {{ int m{number}() {{ return 1; }} }}"
        )
    call("index", code, "--index", tmp_path / "one")
    unchanged = call("index", code, "--index", tmp_path / "one")
    groups = int(re.findall(r"; 0 of (\d+) groups of files worked on; ", unchanged.stdout)[0])
    (code / "src/A7.java").write_text("class A7 { void zebra() { stop(); } }")
    (code / "src/A8.java").unlink()
    (code / "src/B.java").write_text("class B { void ostrich() { run(); } }")
    changed = call("index", code, "--index", tmp_path / "one").stdout
    assert 1 <= int(changed.split("; ")[1].split()[0]) <= 3 < groups
    call("index", code, "--index", tmp_path / "two")
    one, two = read_tree(tmp_path / "one"), read_tree(tmp_path / "two")
    former = [name for name in one if name not in two]
    assert former and all(name.startswith("pieces/") for name in former)
    assert {name: data for name, data in one.items() if name in two} == two
    assert places("zebra", "--index", tmp_path / "one") == ["src/A7.java:1"]


def test_a_branch_that_comes_back_is_not_read_again(code: Path) -> None:
    call("index", code)
    before = (code / "src/Keyboard.java").read_text()
    for text, worked_on in ((STREAMS, 1), (before, 0), (STREAMS, 0)):
        (code / "src/Keyboard.java").write_text(text)
        assert f"; {worked_on} of 1 group of files" in call("index", code).stdout
    for number in range(9):
        (code / "src/Keyboard.java").write_text(f"class A{number} {{ void f() {{ g(); }} }}")
        call("index", code)
    assert len(list(find_index(None).pieces.iterdir())) == 2


def test_a_model_with_parts_is_indexed_with_them(code: Path, tmp_path: Path) -> None:
    model = tmp_path / "mine.yaml"
    parts = "{a: bm25, b: elasticsearch_class_names, c: fuse}"
    model.write_text(f"kind: rank_fusion\ntrained_on: x\nparts: {parts}\n")
    assert "parts.c: 'fuse' is no model" in error_of("index", code, "--model", model)
    model.write_text(model.read_text().replace(", c: fuse", ""))
    for name in ("one", "two"):
        assert call("index", code, "--index", tmp_path / name, "--model", model).exit_code == 0
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")
    moved = (tmp_path / "one").rename(tmp_path / "moved")
    found = places("soft keyboard", "--index", moved)
    assert found and all(place.startswith("src/Keyboard.java:") for place in found)


def test_a_group_depends_on_its_neighbours_alone() -> None:
    paths = [f"src/A{number:04}.java" for number in range(1000)]
    groups = {tuple(group) for group in group_files(paths)}
    assert 10 < len(groups) < 100
    fewer = {tuple(group) for group in group_files(paths[:500] + paths[501:])}
    assert len(groups - fewer) <= 2


def test_a_call_that_was_killed_leaves_what_the_next_one_mends(code: Path, tmp_path: Path) -> None:
    call("index", code, "--index", tmp_path / "one")
    call("index", code, "--index", tmp_path / "two")
    (tmp_path / "one/index.json").unlink()
    shutil.rmtree(next(path for path in (tmp_path / "one").iterdir() if len(path.name) == 24))
    temporary_path(tmp_path / "one/pieces/abc").mkdir()
    assert "is damaged" in error_of("search", "x", "--index", tmp_path / "one")
    call("index", code, "--index", tmp_path / "one")
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


def test_what_git_ignores_is_left_out(code: Path) -> None:
    def git(*arguments: str, at: Path = code) -> None:
        subprocess.run(["git", "-C", str(at), *arguments], check=True, capture_output=True)

    git("init", "-q")
    (code / ".gitignore").write_text("build/\n")
    for path in ("build/Made.java", "inner/Inner.java", "inner/out/Out.java"):
        (code / path).parent.mkdir(parents=True, exist_ok=True)
        (code / path).write_text(STREAMS)
    git("init", "-q", at=code / "inner")
    (code / "inner/.gitignore").write_text("out/\n")
    git("add", "src/Keyboard.java")
    assert "7 definitions in 3 files" in call("index", code).stdout
    assert "11 definitions in 5 files" in call("index", code, "--all").stdout
    # It stays so until it is told otherwise.
    assert "11 definitions in 5 files" in call("index", code).stdout
    assert "7 definitions in 3 files" in call("index", code, "--not-ignored").stdout
    (code / "src/Keyboard.java").unlink()  # git still knows it
    assert "4 definitions in 2 files" in call("index", code).stdout


def test_git_runs_nothing_that_the_folder_says(code: Path) -> None:
    subprocess.run(["git", "init", "-q", str(code)], check=True)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external"):
        command = ["git", "-C", str(code), "config", key, f"touch {code}/ran"]
        subprocess.run(command, check=True)
    assert call("index", code).exit_code == 0
    assert not (code / "ran").exists()


def test_links_and_devices_are_not_read(code: Path, tmp_path: Path) -> None:
    (tmp_path / "Secret.java").write_text(STREAMS)
    (tmp_path / "others").mkdir()
    (tmp_path / "others/Other.java").write_text(STREAMS)
    (code / "Link.java").symlink_to(tmp_path / "Secret.java")
    (code / "others").symlink_to(tmp_path / "others")
    os.mkfifo(code / "Pipe.java")
    made = call("index", code)
    assert made.stdout.startswith("5 definitions in 2 files; ")
    assert made.stderr.splitlines() == [
        "left out: Link.java (not a regular file)",
        "left out: Pipe.java (not a regular file)",
    ]


def test_indexes_are_listed_and_removed(code: Path) -> None:
    assert call("index", "--list").stdout.startswith("no index in ")
    call("index", code)
    (line,) = call("index", "--list").stdout.splitlines()
    assert line.split()[0] == "5" and line.endswith(str(code))
    shutil.rmtree(code / "src")
    os.chdir(code.parent)
    shutil.rmtree(code)
    assert "(the folder is gone)" in call("index", "--list").stdout
    assert call("index", code, "--remove").exit_code == 0
    assert list(find_cache().iterdir()) == []
    assert "has no index" in error_of("index", code, "--remove")


def test_a_place_that_cannot_be_is_one_line(code: Path, tmp_path: Path) -> None:
    assert "there is no such folder" in error_of("index", tmp_path / "gone")
    assert "is no folder" in error_of("index", code / "src/Keyboard.java")
    assert "is no folder" in error_of("index", "/dev/null")
    assert "lies in the folder that is indexed" in error_of("index", code, "--index", code / "i")
    assert "holds other things" in error_of("index", code, "--index", tmp_path)
    (tmp_path / "empty").mkdir()
    assert "holds no file in a language that is read; name a folder with" in error_of(
        "index", tmp_path / "empty"
    )
    (tmp_path / "empty/A.java").write_text("package a;")
    assert "its files define nothing (1 of them)" in error_of("index", tmp_path / "empty")
    call("index", code, "--index", tmp_path / "mine")
    assert "is the index of" in error_of("index", tmp_path / "empty", "--index", tmp_path / "mine")
    assert "holds no index" in error_of("search", "x", "--index", tmp_path / "empty")


def test_an_index_that_is_no_use_is_one_line(code: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    call("index", code, "--index", index)
    about = json.loads((index / "index.json").read_text())
    for change, expected in (
        ({"version": "0.0.1"}, "was made by version 0.0.1"),
        ({"content": "../../../etc"}, "index.json"),
        ({"content": "0" * 24}, "is gone"),
        ({"ranker": {"kind": "nothing"}}, "nothing"),
    ):
        (index / "index.json").write_text(json.dumps(about | change))
        assert expected in error_of("search", "x", "--index", index)
    (index / "index.json").write_text("[]")
    assert "is damaged; make one: ncsbench index" in error_of("search", "x", "--index", index)
    (index / "index.json").write_text("{")
    assert "is damaged; make one: ncsbench index" in error_of("search", "x", "--index", index)
    assert call("index", code, "--index", index).exit_code == 0
    assert places("hide keyboard", "-k", 1, "--index", index) == ["src/Keyboard.java:3"]


def test_what_is_no_index_is_never_removed(code: Path, tmp_path: Path) -> None:
    app_folder = tmp_path / "web"
    (app_folder / "src").mkdir(parents=True)
    (app_folder / "index.json").write_text('{"name": "my web app"}')
    (app_folder / "src/app.js").write_text("x")
    before = read_tree(app_folder)
    assert "has no index" in error_of("index", "--index", app_folder, "--remove")
    assert "holds other things" in error_of("index", code, "--index", app_folder)
    call("index", code, "--index", tmp_path / "index")
    (tmp_path / "index/mine.txt").write_text("x")
    assert "holds other things" in error_of("index", "--index", tmp_path / "index", "--remove")
    (tmp_path / "index/mine.txt").unlink()
    (tmp_path / "other").mkdir()
    wrong = error_of("index", tmp_path / "other", "--index", tmp_path / "index", "--remove")
    assert f"is the index of {code}" in wrong
    (tmp_path / "link").symlink_to(tmp_path / "index")
    assert call("index", "--index", tmp_path / "link", "--remove").exit_code == 0
    assert not (tmp_path / "index").exists() and read_tree(app_folder) == before


def test_a_bad_index_does_not_hide_the_others(code: Path) -> None:
    call("index", code)
    (find_cache() / "bad").mkdir()
    (find_cache() / "bad/index.json").write_text("{")
    lines = call("index", "--list").stdout.splitlines()
    assert len(lines) == 2 and "damaged" in lines[0] and lines[1].endswith(str(code))


def test_an_index_that_another_call_works_on_is_left_alone(code: Path, tmp_path: Path) -> None:
    import fcntl

    call("index", code, "--index", tmp_path / "index")
    with (tmp_path / "index/lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "another run works in" in error_of("index", code, "--index", tmp_path / "index")
