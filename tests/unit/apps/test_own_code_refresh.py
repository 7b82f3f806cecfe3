"""An index that a search brings up to date itself, and a search that leaves it as it is."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from ncsbench.apps.own_code import asking, indexing, refreshing
from ncsbench.apps.own_code.index_folder import IndexFolder, find_index
from ncsbench.rankers.vectors import encoder_options
from tests.own_code_folder import STREAMS, call, error_of, places, read_tree
from tests.own_code_folder import code as code  # noqa: PLC0414 (a fixture)

ZEBRA = "class Zebra { void zebra() { run(); } }"


def add_zebra(code: Path) -> str:
    """Index, then change the folder; return what a search says that leaves the index behind."""
    call("index", code)
    (code / "Zebra.java").write_text(ZEBRA)
    return f"files changed since the index was made; make it again: ncsbench index {code}\n"


@pytest.mark.parametrize("change", ["came", "went", "changed"])
def test_a_search_brings_a_small_index_up_to_date(code: Path, tmp_path: Path, change: str) -> None:
    (code / "src/Zebra.java").write_text(ZEBRA)
    call("index", code)
    if change == "went":
        (code / "src/Zebra.java").unlink()
    elif change == "came":
        (code / "New.java").write_text("class New { void ostrich() { run(); } }")
    else:
        (code / "src/Zebra.java").write_text("class Zebra { void ostrich() { run(); } }")
    before = read_tree(code)
    done = call("search", "ostrich", "--json")
    assert [one["method_name"] for one in json.loads(done.stdout)["methods"]] == (
        [] if change == "went" else ["ostrich"]
    )
    assert "files changed" not in done.stderr and read_tree(code) == before
    call("index", code, "--index", tmp_path / "new")
    found, new = read_tree(find_index(None).path), read_tree(tmp_path / "new")
    assert {name: data for name, data in found.items() if name in new} == new
    about = (find_index(None).path / "index.json").stat().st_mtime_ns
    assert call("search", "keyboard").stderr == ""
    assert (find_index(None).path / "index.json").stat().st_mtime_ns == about


@pytest.mark.parametrize(("limit", "most"), [("QUICK_BYTES", 100), ("QUICK_FILES", 0)])
def test_a_search_leaves_a_large_index_and_says_so(
    code: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    behind = add_zebra(code)
    monkeypatch.setattr(refreshing, limit, most)
    done = call("search", "hide keyboard", "-k", 1, "--plain")
    assert (done.exit_code, done.stderr) == (0, behind)
    assert done.stdout.startswith("src/Keyboard.java:3\t")


def test_only_models_that_count_words_are_quick(code: Path, tmp_path: Path) -> None:
    model = tmp_path / "mine.yaml"
    parts = "{a: bm25, b: elasticsearch_class_names}"
    model.write_text(f"kind: rank_fusion\ntrained_on: x\nparts: {parts}\n")
    call("index", code, "--model", model)
    assert call("search", "zebra").exit_code == 3
    assert add_zebra(code) in call("search", "zebra").stderr
    call("index", code, "--model", "bm25")
    (code / "Zebra.java").write_text(ZEBRA.replace("zebra", "ostrich"))
    assert places("ostrich") == ["Zebra.java:1"]


def test_an_index_outside_the_cache_stays_as_it_is(code: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    call("index", code, "--index", index)
    before = read_tree(index)
    (code / "src/Keyboard.java").write_text(ZEBRA)
    done = call("search", "hide keyboard", "-k", 1, "--index", index)
    assert "(changed since it was indexed)" in done.stdout
    assert done.stderr.endswith(f"make it again: ncsbench index {code} --index {index}\n")
    assert read_tree(index) == before


def test_a_search_beside_a_call_that_indexes_asks_the_former_index(code: Path) -> None:
    add_zebra(code)
    with (find_index(None).path / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = call("search", "hide keyboard", "-k", 1, "--plain")
    busy = "another call brings the index up to date; this is what it had before\n"
    assert (done.exit_code, done.stderr) == (0, busy)
    assert done.stdout.startswith("src/Keyboard.java:3\t")
    assert places("zebra") == ["Zebra.java:1"]


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES])
@pytest.mark.parametrize("step", ["make_piece", "build_corpus", "seal"])
def test_where_nothing_can_be_written_the_former_index_answers(
    code: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    behind = add_zebra(code)
    about = find_index(None).read()

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(indexing, step, fail)
    done = call("search", "hide keyboard", "-k", 1, "--plain")
    assert (done.exit_code, done.stderr) == (0, behind)
    assert find_index(None).read() == about


@pytest.mark.parametrize("step", ["make_piece", "build_corpus", "index_learnt", "write", "clean"])
def test_a_search_that_is_killed_leaves_an_index(code: Path, step: str) -> None:
    add_zebra(code)

    class KilledError(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IndexFolder if step in ("write", "clean") else indexing, step, die)
        with pytest.raises(KilledError):
            call("search", "hide keyboard")
        patch.setattr(refreshing, "QUICK_FILES", 0)
        assert places("hide keyboard", "-k", 1) == ["src/Keyboard.java:3"]
    assert places("zebra") == ["Zebra.java:1"]


def test_an_index_that_another_call_makes_anew_is_opened_again(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("index", code)
    load = asking.load_search

    def load_late(searched: asking.Searched) -> object:
        monkeypatch.setattr(asking, "load_search", load)
        add_zebra(code)
        call("index", code)  # which removes what was opened
        return load(searched)

    monkeypatch.setattr(asking, "load_search", load_late)
    assert places("zebra") == ["Zebra.java:1"]


def test_questions_one_after_another_find_what_changed(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("index", code)
    lines = iter(["hide keyboard\n", "zebra\n", ""])

    def read() -> str:
        line = next(lines)
        if "zebra" in line:
            (code / "Zebra.java").write_text(ZEBRA)
        return line

    monkeypatch.setattr("ncsbench.cli.own_code._read_question", lambda: read() or None)
    done = call("search", "--interactive", "--plain", "-k", 1)
    found = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert found == ["src/Keyboard.java:3", "Zebra.java:1"] and done.exit_code == 0


def test_trees_are_made_by_the_first_search_for_similar_code(code: Path) -> None:
    call("index", code)
    structure = find_index(None).path / "structure"
    assert not structure.exists()
    first = call("similar", "src/Keyboard.java:3", "--plain")
    assert first.stdout.startswith("src/Keyboard.java:7\t")
    whole = read_tree(structure)
    assert whole
    for name in whole:
        (structure / name).write_bytes(b"garbage")
    assert call("similar", "src/Keyboard.java:3", "--plain").stdout == first.stdout
    assert read_tree(structure) == whole
    (code / "src/Copy.java").write_text(STREAMS)
    assert call("similar", "src/Keyboard.java:3").stderr.startswith("files changed since")
    call("index", code)
    assert call("similar", "src/Streams.java:2", "--plain").stdout.startswith("src/Copy.java:2\t")
    call("index", "--remove")
    assert not structure.parent.exists()


def test_the_index_of_a_folder_that_is_gone_can_be_removed(code: Path, tmp_path: Path) -> None:
    call("index", code)
    index = find_index(None).path
    os.chdir(tmp_path)
    shutil.rmtree(code)
    done = call("search", "hide keyboard", "--index", index)
    remedy = f"{code} is gone; remove its index: ncsbench index --remove --index {index}"
    assert "(no longer there)" in done.stdout and done.stderr.rstrip().endswith(remedy)
    about = json.loads((index / "index.json").read_text())
    (index / "index.json").write_text(json.dumps(about | {"version": "0.0.1"}))
    assert error_of("search", "x", "--index", index).endswith(remedy)
    assert call("index", "--remove", "--index", index).exit_code == 0 and not index.exists()


def test_the_current_folder_is_the_one_whose_index_is_removed(code: Path) -> None:
    call("index")
    place = find_index(None).path
    assert call("index", "--remove").stdout == f"removed {place}\n"
    assert f"{code}: has no index" in error_of("index", "--remove")


@pytest.mark.parametrize("command", [("search", "hide"), ("similar", "src/Keyboard.java:3")])
def test_a_damaged_table_says_the_remedy(code: Path, command: tuple[str, str]) -> None:
    call("index", code)
    call("similar", "src/Keyboard.java:3")
    for path in find_index(None).path.rglob("*.parquet"):
        path.write_bytes(b"garbage")
    assert error_of(*command).endswith(f"make it again: ncsbench index {code}")
    call("index", code)
    assert call(*command).exit_code == 0


def test_trees_that_cannot_be_written_are_no_damage(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("index", code)

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("ncsbench.apps.own_code.similar.build_shard", fail)
    message = error_of("similar", "src/Keyboard.java:3")
    assert message.endswith("cannot be written (No space left on device)")


@pytest.mark.parametrize("older", [False, True])
def test_a_renamed_file_and_one_replaced_by_an_older_are_seen(code: Path, older: bool) -> None:
    call("index", code)
    if older:
        (code / "src/Old.java").write_text("class Keyboard { void quagga() { run(); } }")
        os.utime(code / "src/Old.java", (1, 1))
        (code / "src/Old.java").rename(code / "src/Keyboard.java")
        assert "Keyboard.java" in call("search", "quagga").stdout
    else:
        (code / "src/Keyboard.java").rename(code / "src/Moved.java")
        found = call("search", "keyboard").stdout
        assert "Moved.java" in found and "no longer there" not in found


def test_a_name_that_no_definition_has_is_said(code: Path) -> None:
    call("index", code)
    done = call("search", "InputStreamReader", "--plain")
    assert done.stderr == "no definition is named InputStreamReader\n"
    assert done.stdout.startswith("src/Streams.java:1\t")
    for question in ("readLine", "readline", "Streams", "Streams.readLine", "close the keyboard"):
        assert "is named" not in call("search", question).stderr
    assert "is named" not in call("search", "zebra").stderr


def test_a_model_whose_packages_are_missing_is_refused_before_any_work(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(encoder_options, "distribution", find)
    message = error_of("index", code, "--model", "code_bm25_minilm")
    assert "needs the package 'torch', which is not installed" in message
    assert "-r envs/requirements.txt -r envs/requirements-encoder.txt" in message
    assert not (code.parent / "cache").exists() or not list((code.parent / "cache").rglob("*.*"))
