"""Pickles that want more than to be read: one line each, and nothing of them is run."""

import collections
import io
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.function_corpus.released_definitions import (
    PickleError,
    count_fetches,
    iterate_definitions,
    iterate_items,
)
from ncsbench.errors import DataError
from tests.refusals import one_line
from tests.released_files import make_definition


class Runs:
    """Makes a file when it is unpickled by Python."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


class Holder:
    """An object with a state."""


def fault_of(data: bytes) -> str:
    with pytest.raises(PickleError) as caught:
        list(iterate_items(io.BytesIO(data), count_fetches(io.BytesIO(data))))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize("protocol", range(6))
def test_what_a_pickle_calls_is_named_and_not_called(tmp_path: Path, protocol: int) -> None:
    marker = tmp_path / "marker"
    data = pickle.dumps([make_definition("java", 1), Runs(marker)], protocol)
    said = fault_of(data)
    if protocol >= 2:
        assert f"names {os.mkdir.__module__}.mkdir" in said and "no class" in said
    else:
        assert "only plain values are read" in said
    assert not marker.exists()
    pickle.loads(data)  # noqa: S301  (ours: it would have)
    assert marker.exists()


@pytest.mark.parametrize(
    "value",
    [Holder(), Holder, collections.OrderedDict(a=1), Path("x"), ValueError("x"), 1j, {1}],
    ids=lambda one: type(one).__name__,
)
def test_objects_and_classes_are_refused(value: object) -> None:
    said = fault_of(pickle.dumps([{"a": value}], 3))
    assert "only plain values are read" in said


ONE = b"\x80\x03]q\x00"
"""The beginning of a list, known by the number 0."""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"cos\nsystem\n(X\x02\x00\x00\x00idtR.", "names os.system in instruction 1;"),
        (b"(ios\nsystem\n.", "names os.system in instruction 2;"),
        (ONE + b"c\x1b[2J\n" + b"x" * 10**6 + b"\n.", r"names \\x1b\[2J\.xxx"),
        (ONE + b"c" + "\u202e".encode() + b"\nx\n.", "damaged one .'ascii' codec"),
        (ONE + b"cos", "damaged one .no newline"),
        (ONE + b"\x8c\x02os\x8c\x06system\x93.", "names os.system in instruction 6;"),
        (ONE + b"h\x00h\x00\x93.", r"names \S* in instruction"),
        (ONE + b"NNR.", "has REDUCE in instruction"),
        (ONE + b"}}b.", "has BUILD in instruction"),
        (ONE + b"(No.", "has OBJ in instruction"),
        (ONE + b"N)\x81.", "has NEWOBJ in instruction"),
        (ONE + b"N)}\x92.", "has NEWOBJ_EX in instruction"),
        (ONE + b"\x82\x01.", "has EXT1 in instruction"),
        (ONE + b"\x83\x01\x00.", "has EXT2 in instruction"),
        (ONE + b"\x84\x01\x00\x00\x00.", "has EXT4 in instruction"),
        (ONE + b"Pid\n.", "has PERSID in instruction"),
        (ONE + b"NQ.", "has BINPERSID in instruction"),
        (ONE + b"\x97.", "has NEXT_BUFFER in instruction"),
        (ONE + b"\x96" + bytes(8) + b".", "has BYTEARRAY8 in instruction"),
        (b"(lp0\nS'x'\na.", "has PUT in instruction 3"),
        (b"", "damaged one .pickle exhausted"),
        (b".", "is no list"),
        (b"N.", "is no list"),
        (b"}.", "is no list"),
        (b"]].", "is no list"),
        (b"].]", "goes on after its end"),
        (b"(", "damaged one .pickle exhausted"),
        (b"]e.", "is no"),
        (b"a.", "is no"),
        (b"u.", "is no"),
        (b"\x87.", "is no"),
        (b"]t.", "is no"),
        (b"q\x00.", "is no"),
        (b"]h\x07a.", "is no"),
        (b"](NN", "damaged one"),
        (b"](NNd.", "is no"),
        (b"]}NNs.", "is no"),
        (b"]}(X\x01\x00\x00\x00au.", "is no"),
        (b"]NNs.", "is no"),
        (b"]Na(e", "damaged one"),
        (b"N(Ne.", "is no"),
        (b"(N(l.", "is no"),
        (b"(Nl.", "is no"),
        (b"\xff", "is no pickle, or a damaged one .at position <unknown>, opcode"),
        (b"PK\x03\x04", "is no pickle"),
        (b"<!DOCTYPE html>", "is no pickle"),
        (b"version https://git-lfs", "is no pickle"),
    ],
)
def test_each_instruction_that_is_not_plain_is_one_line(data: bytes, said: str) -> None:
    with pytest.raises(PickleError, match=said):
        raise PickleError(fault_of(data))


@pytest.mark.parametrize(
    "head",
    [b"X\xff\xff\xff\xff", b"\x8d" + b"\xff" * 8, b"B\xff\xff\xff\xff", b"\x8e" + b"\xff" * 8],
)
def test_a_value_that_says_to_be_huge_takes_no_memory(head: bytes, tmp_path: Path) -> None:
    assert "a damaged one" in fault_of(ONE + head + b"x")
    assert "a damaged one" in fault_of(ONE + b"\x8b" + struct.pack("<i", -1) + b"x")
    path = tmp_path / "java_dedupe_definitions_v2.pkl"
    path.write_bytes(ONE + head + b"x")
    with pytest.raises(DataError, match=r"a damaged one|needs more than 500 MB"):
        list(iterate_definitions(path, memory_mb=500))


def test_numbers_of_the_memo_take_no_more_memory_than_they_are_used() -> None:
    last = struct.pack("<I", 2**32 - 1)
    data = b"](X\x01\x00\x00\x00ar" + last + b"j" + last + b"q\x00e."
    assert list(iterate_items(io.BytesIO(data), count_fetches(io.BytesIO(data)))) == ["a", "a"]
    never = b"](" + b"".join(b"j" + struct.pack("<I", number) for number in range(9)) + b"e."
    assert "is no whole pickle" in fault_of(never)


def test_what_holds_itself_and_what_is_nested_deep_is_read_over() -> None:
    """The stack of Python is not that of the pickle."""
    own: list[Any] = []
    own.append(own)
    [item] = iterate_items(
        io.BytesIO(data := pickle.dumps(own, 3)), count_fetches(io.BytesIO(data))
    )
    assert item == []  # the outermost list, of which nothing is kept
    deep = b"]" + b"]" * 200_000 + b"a" * 200_000 + b"."
    assert len(list(iterate_items(io.BytesIO(deep), {}))) == 1


def test_a_list_of_lists_of_lists_is_no_definition_however_large_it_would_be(
    tmp_path: Path,
) -> None:
    laugh: Any = "ha"
    for _ in range(30):
        laugh = [laugh] * 10
    bomb = {"nwo": laugh, "function_tokens": ["x" * 10**6] * 10**5, "more": laugh}
    path = tmp_path / "java_dedupe_definitions_v2.pkl"
    path.write_bytes(pickle.dumps([bomb, {"path": laugh}], 3))
    found = list(iterate_definitions(path))
    assert found[0] == "has 100000000000 characters, at most 10000000 are read"
    assert isinstance(found[1], dict) and set(found[1].values()) == {None}


def test_a_process_has_no_more_memory_than_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "java_dedupe_definitions_v2.pkl"
    path.write_bytes(b"](" + b"}" * 1_500_000 + b"e.")
    with one_line(DataError, match=r"v2\.pkl: needs more than 120 MB of memory"):
        list(iterate_definitions(path, memory_mb=120))


def test_a_process_without_room_to_begin_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "java_dedupe_definitions_v2.pkl"
    path.write_bytes(pickle.dumps(["x" * 10**7]))
    with one_line(DataError, match=r"v2\.pkl: .*MB of memory"):
        list(iterate_definitions(path, memory_mb=1))


@pytest.mark.parametrize("kind", ["class", "zip", "absent", "folder", "cut"])
def test_a_file_that_cannot_be_read_is_one_line_with_its_name(tmp_path: Path, kind: str) -> None:
    path, marker = tmp_path / "java_dedupe_definitions_v2.pkl", tmp_path / "marker"
    member, said = "", "names posix.mkdir"
    if kind == "class":
        path.write_bytes(pickle.dumps([make_definition("java", 1), Runs(marker)]))
    elif kind == "zip":
        path.write_bytes(b"no zip")
        member, said = "x.pkl", r"v2\.pkl: x\.pkl: damaged archive"
    elif kind == "folder":
        path.mkdir()
        said = r"cannot be read \(Is a directory\)"
    elif kind == "cut":
        path.write_bytes(pickle.dumps([make_definition("java", 1)])[:-9])
        said = "damaged one"
    else:
        said = r"cannot be read \(No such file or directory\)"
    with one_line(DataError, str(path), match=said):
        list(iterate_definitions(path, member))
    assert not marker.exists()
