"""Content counts, times do not."""

import os
from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.fingerprints import Fingerprints

PAST = (0, 946684800_000000000)


def fingerprints(tmp_path: Path) -> Fingerprints:
    return Fingerprints(tmp_path / "memory.json")


def test_other_content_is_seen_whatever_the_times_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("one")
    os.utime(path, ns=PAST)
    first = fingerprints(tmp_path)
    one = first.of_file(path)
    first.save()
    os.utime(path, ns=(1, 1))
    assert fingerprints(tmp_path).of_file(path) == one
    path.write_text("two")
    os.utime(path, ns=PAST)
    assert fingerprints(tmp_path).of_file(path) != one


def test_a_folder_counts_with_names_and_contents_of_its_java_files(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/X.java").write_text("class X {}")
    (folder / "a/notes.txt").write_text("x")
    states = [fingerprints(tmp_path).of_folder(folder, ".java")]
    (folder / "a/notes.txt").write_text("y")
    assert fingerprints(tmp_path).of_folder(folder, ".java") == states[0]
    (folder / "a/b/X.java").write_text("class Y {}")
    states.append(fingerprints(tmp_path).of_folder(folder, ".java"))
    (folder / "a/b/X.java").rename(folder / "a/b/Y.java")
    states.append(fingerprints(tmp_path).of_folder(folder, ".java"))
    (folder / "a/b/Z.java").symlink_to("Y.java")
    states.append(fingerprints(tmp_path).of_folder(folder, ".java"))
    assert len(set(states)) == 4
    moved = folder.rename(tmp_path / "elsewhere")
    assert fingerprints(tmp_path).of_folder(moved, ".java") == states[-1]


def test_what_was_hashed_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dump.xml"
    path.write_text("rows")
    monkeypatch.setattr("ncsbench.fingerprints._RACY_NANOSECONDS", -(10**12))
    first = fingerprints(tmp_path)
    known = first.of_file(path)
    first.save()
    monkeypatch.setattr("hashlib.file_digest", lambda *_: pytest.fail("hashed again"))
    assert fingerprints(tmp_path).of_file(path) == known


@pytest.mark.parametrize("memory", ["", "[]", "{", '{"x": 3}', '{"x": [1]}'])
def test_a_broken_memory_is_no_memory(tmp_path: Path, memory: str) -> None:
    (tmp_path / "memory.json").write_text(memory)
    path = tmp_path / "x"
    path.write_text("content")
    assert len(fingerprints(tmp_path).of_file(path)) == 64


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="absent: cannot be read"):
        fingerprints(tmp_path).of_file(tmp_path / "absent")
