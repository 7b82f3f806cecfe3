"""Records of hashes: when they are made, believed, renewed and removed; hashes of raw inputs."""

import json
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ncsbench.base.files import hashes, storage
from ncsbench.errors import DataError

RECORDS = Path("data/checksums")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", str(RECORDS))
    monkeypatch.delenv("NCSBENCH_REBUILD", raising=False)


def flip_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def settle(path: Path) -> Path:
    """Make the record look as old as one that was written long after its file."""
    place = RECORDS / f"{path}.json"
    os.utime(place, ns=(time.time_ns() + 10**11,) * 2)
    return place


def forbid_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> str:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(hashes, "_hash_file", fail)


def test_for_a_file_of_a_folder_the_folder_is_rebuilt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCSBENCH_REBUILD", "snakemake --cores all --config dataset=x --")
    with storage.atomic_folder(Path("data/words")) as temporary:
        storage.write_json(temporary / "deep" / "a.json", 1)
        (temporary / "b").write_text("b")
    flip_byte(Path("data/words/b"))
    flip_byte(Path("data/words/deep/a.json"))
    (command,) = {line.partition("rebuild it: ")[2] for line in hashes.find_damage(["data"])}
    assert command.startswith(
        "rm -r data/words && snakemake --cores all --config dataset=x -- data/words (if"
    )
    assert [str(path) for path in sorted(RECORDS.rglob("*.json"))] == [
        "data/checksums/data/words/b.json",
        "data/checksums/data/words/deep/a.json.json",
    ]


def test_restored_times_do_not_hide_a_change() -> None:
    path = Path("a")
    storage.write_text(path, "before")
    hashes.find_damage(["a"])
    settle(path)
    before = path.stat()
    time.sleep(0.02)  # the clock of a file system ticks
    flip_byte(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert len(hashes.find_damage(["a"])) == 1


def test_a_change_in_the_same_tick_as_the_writing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("a")
    storage.write_text(path, "before")
    state = hashes._read_state(path)
    path.write_text("behind")
    monkeypatch.setattr(hashes, "_read_state", lambda _: state)
    assert len(hashes.find_damage(["a"])) == 1


def test_what_did_not_change_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("a")
    storage.write_text(path, "text")
    settle(path)
    forbid_hashing(monkeypatch)
    hashes.check_file(path)
    assert hashes.find_damage(["."]) == []
    assert hashes.known_hash(path) == storage.hash_bytes(b"text")


def test_new_times_of_the_same_bytes_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("a")
    storage.write_text(path, "text")
    os.utime(path, ns=(1, 1))
    hashes.check_file(path)
    settle(path)
    forbid_hashing(monkeypatch)
    hashes.check_file(path)


def test_where_records_cannot_be_written_whole_files_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    storage.write_text(Path("a"), "text")
    os.utime("a", ns=(1, 1))

    def fail(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(hashes, "_write_record", fail)
    hashes.check_file(Path("a"))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sha256": 1}', "[" * 9**5, '"x"', "\x00"])
def test_a_broken_record_is_none(content: str) -> None:
    storage.write_text(Path("a"), "text")
    (RECORDS / "a.json").write_text(content)
    hashes.check_file(Path("a"))
    assert hashes.find_damage(["."]) == []
    assert hashes.known_hash(Path("a")) == storage.hash_bytes(b"text")


def test_without_the_variable_nothing_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "")
    storage.write_text(Path("a"), "text")
    monkeypatch.delenv("NCSBENCH_CHECKSUMS")
    with storage.atomic_folder(Path("b")) as temporary:
        (temporary / "c").write_text("c")
    hashes.check_file(Path("a"))
    hashes.take_over(["b"])
    assert hashes.find_damage(["."]) == []
    assert sorted(os.listdir()) == ["a", "b"]  # noqa: PTH208


def test_files_elsewhere_and_records_have_no_record(tmp_path: Path) -> None:
    storage.write_text(tmp_path.parent / "elsewhere", "text")
    storage.write_text(RECORDS / "b", "text")
    storage.write_text(tmp_path / "inside", "text")
    assert [path.name for path in RECORDS.rglob("*.json")] == ["inside.json"]


def test_the_hash_of_a_damaged_file_is_its_own_and_its_record_stays() -> None:
    storage.write_text(Path("a"), "text")
    Path("a").write_text("else")
    record = (RECORDS / "a.json").read_bytes()
    assert hashes.known_hash(Path("a")) == storage.hash_bytes(b"else")
    assert (RECORDS / "a.json").read_bytes() == record
    with pytest.raises(DataError, match=r"^none: cannot be read \(No such file"):
        hashes.known_hash(Path("none"))


def test_records_of_files_that_are_gone_are_removed() -> None:
    storage.write_text(Path("a"), "text")
    with storage.atomic_folder(Path("b")) as temporary:
        (temporary / "c").write_text("c")
    Path("a").unlink()
    Path("b/c").unlink()
    (missing,) = hashes.find_damage(["a", "b", "none"])
    assert missing.startswith("b/c: is missing; rebuild it: rm -r b && snakemake --cores all b (")
    Path("b").rmdir()
    assert hashes.find_damage(["a", "b"]) == []
    assert list(RECORDS.rglob("*.json")) == []


def test_only_what_lies_below_is_looked_at() -> None:
    for name in ("a/x", "ab/x", "b", "c", "b.json"):
        storage.write_text(Path(name), "text")
        flip_byte(Path(name))
    found = [line.partition(":")[0] for line in hashes.find_damage(["a/", "b", "./c"])]
    assert found == ["a/x", "b", "c"]


def test_what_is_taken_over_is_recorded_as_it_is() -> None:
    storage.write_text(Path("data/words/old"), "old")
    Path("data/words/old").unlink()
    for name in ("words/new", "words/.snakemake_timestamp", "one"):
        Path("data", name).write_text("pulled")
    hashes.take_over(["data", "none"])
    hashes.take_over(["data/one"])
    assert sorted(str(path.relative_to(RECORDS)) for path in RECORDS.rglob("*.json")) == [
        "data/one.json",
        "data/words/new.json",
    ]
    assert hashes.find_damage(["data"]) == []
    flip_byte(Path("data/words/new"))
    (damage,) = hashes.find_damage(["data"])
    assert "rm -r data/words &&" in damage


def test_a_folder_taken_over_without_its_flag_keeps_its_name() -> None:
    with storage.atomic_folder(Path("data/words")) as temporary:
        (temporary / "a").write_text("old")
    Path("data/words/a").write_text("pulled")
    hashes.take_over(["data"])
    assert json.loads((RECORDS / "data/words/a.json").read_bytes())["artifact"] == "data/words"


class Killed(BaseException):
    """The process ends here."""


def write_file(text: str) -> None:
    storage.write_text(Path("a"), text)


def write_folder(text: str) -> None:
    with storage.atomic_folder(Path("f")) as temporary:
        (temporary / "a").write_text(text)
        (temporary / text).write_text(text)


@pytest.mark.parametrize("write", [write_file, write_folder])
@pytest.mark.parametrize("step", ["forget", "replace", "record_file", "_write_record"])
def test_killed_at_any_step_no_record_speaks_against_what_is_whole(
    step: str, write: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    if step == "forget":
        step = write.__name__.replace("write", "forget")

    def kill(*_: object) -> None:
        raise Killed

    write("old")
    with monkeypatch.context() as patch:
        patch.setattr(Path if step == "replace" else hashes, step, kill)
        with pytest.raises(Killed):
            write("new")
    assert hashes.find_damage(["."]) == []
    write("new")
    names = ["a.json"] if write is write_file else ["a.json", "new.json"]
    assert sorted(path.name for path in RECORDS.rglob("*.json")) == names


def test_what_cannot_be_recorded_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hashes, "_write_record", fail)
    with pytest.raises(DataError, match=r"^a: cannot be written \(No space left on device\)$"):
        storage.write_text(Path("a"), "text")
    with pytest.raises(DataError, match=r"^b: cannot be written"):
        with storage.atomic_folder(Path("b")) as temporary:
            (temporary / "c").write_text("c")
    assert [path for path in Path().rglob("*") if path.is_file() or path.name in "ab"] == []


def test_a_file_written_anew_while_it_is_checked_is_no_damage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storage.write_text(Path("a"), "old")
    Path("a").write_text("new")
    hash_file = hashes._hash_file

    def hash_and_rewrite(path: Path) -> str:
        found = hash_file(path)
        with monkeypatch.context() as patch:
            patch.setattr(hashes, "_hash_file", hash_file)
            storage.write_text(Path("a"), "newer")
        return found

    monkeypatch.setattr(hashes, "_hash_file", hash_and_rewrite)
    hashes.check_file(Path("a"))


def _read_and_write(number: int) -> None:
    for turn in range(30):
        storage.write_json(Path(f"data/{number}.json"), turn)
        storage.read_json(Path(f"data/{number}.json"))
        os.utime("shared", ns=(turn, number))
        assert hashes.find_damage(["shared"]) == []


def test_several_processes_write_and_check_records_at_once() -> None:
    storage.write_text(Path("shared"), "text")
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.map(_read_and_write, range(3))
    assert hashes.find_damage(["."]) == []
    assert len(list(RECORDS.rglob("*.json"))) == 4
    assert list(RECORDS.rglob("*.tmp")) == []


def remember(path: Path, suffix: str = "") -> str:
    """The hash of an input, its record as old as one that was written long after."""
    found = hashes.hash_input(path, suffix)
    for place in (RECORDS / ".inputs").iterdir():
        os.utime(place, ns=(time.time_ns() + 10**11,) * 2)
    return found


def test_other_content_of_an_input_is_seen_whatever_its_times() -> None:
    path = Path("list.csv")
    path.write_text("one")
    os.utime(path, ns=(0, 946684800_000000000))
    one = remember(path)
    os.utime(path, ns=(1, 1))
    assert remember(path) == one == storage.hash_bytes(b"one")
    path.write_text("two")
    os.utime(path, ns=(1, 1))
    assert remember(path) != one


def test_a_folder_counts_with_names_and_contents_of_its_java_files() -> None:
    folder = Path("sources")
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/X.java").write_text("class X {}")
    (folder / "a/notes.txt").write_text("x")
    states = [remember(folder, ".java")]
    (folder / "a/notes.txt").write_text("y")
    assert remember(folder, ".java") == states[0]
    (folder / "a/b/X.java").write_text("class Y {}")
    states.append(remember(folder, ".java"))
    (folder / "a/b/X.java").rename(folder / "a/b/Y.java")
    states.append(remember(folder, ".java"))
    (folder / "a/b/Z.java").symlink_to("Y.java")
    states.append(remember(folder, ".java"))
    (folder / "a/b/W.java").mkdir()
    (folder / "a/.git").mkdir()
    (folder / "a/.git/V.java").write_text("class V {}")
    assert remember(folder, ".java") == states[-1]
    assert len(set(states)) == 4
    assert remember(folder.rename("elsewhere"), ".java") == states[-1]


def test_inputs_that_did_not_change_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    dump, folder = Path("dump.xml").absolute(), Path("sources")
    dump.write_text("rows")
    folder.mkdir()
    (folder / "X.java").write_text("class X {}")
    known = [remember(dump), remember(folder), remember(folder, ".java")]
    forbid_hashing(monkeypatch)
    assert [
        hashes.hash_input(p, s) for p, s in ((dump, ""), (folder, ""), (folder, ".java"))
    ] == known


@pytest.mark.parametrize("content", ["", "[]", "{", '{"sha256": 3}'])
def test_a_broken_record_of_an_input_is_no_record(content: str) -> None:
    path = Path("x")
    path.write_text("content")
    known = remember(path)
    (place,) = (RECORDS / ".inputs").iterdir()
    place.write_text(content)
    assert hashes.hash_input(path) == known


def test_no_reader_is_stopped_by_a_changed_input_nor_by_one_that_cannot_be_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = Path("list.csv")
    path.write_text("one")
    remember(path)
    path.write_text("two")
    hashes.check_file(path)
    assert hashes.find_damage(["."]) == []
    RECORDS.parent.rename("away")
    RECORDS.parent.write_text("no folder")
    assert hashes.hash_input(path) == storage.hash_bytes(b"two")
    monkeypatch.delenv("NCSBENCH_CHECKSUMS")
    assert hashes.hash_input(path) == storage.hash_bytes(b"two")


def test_an_input_that_cannot_be_read_is_named() -> None:
    with pytest.raises(DataError, match="absent: cannot be read"):
        hashes.hash_input(Path("absent"))
