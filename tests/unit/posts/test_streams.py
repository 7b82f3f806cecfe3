"""Dumps plain, as gzip and in a 7z archive."""

import gzip
import importlib
import os
from pathlib import Path
from typing import Any

import pytest

from ncsbench.errors import DataError
from ncsbench.posts.dump import rows
from ncsbench.posts.dump.rows import compression_of, iterate_blocks
from tests.posts_dumps import HEAD, TAIL, question
from tests.refusals import one_line

DUMP = HEAD + b"".join(question(number, Body="x" * 200) for number in range(1, 4000)) + TAIL


def load_libarchive() -> Any:
    try:
        return importlib.import_module("libarchive")
    except (ImportError, OSError, AttributeError, TypeError):
        return pytest.skip("needs libarchive (make packages)")


def write_7z(path: Path, members: dict[str, bytes]) -> None:
    with load_libarchive().file_writer(str(path), "7zip") as archive:
        for name, text in members.items():
            archive.add_file_from_memory(name, len(text), text)


def unpack(path: Path) -> bytes:
    return b"".join(iterate_blocks(path))


def test_plain_and_gzip_give_the_same_bytes_whatever_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(DUMP)
    (tmp_path / "b.xml").write_bytes(gzip.compress(DUMP))
    assert [compression_of(tmp_path / name) for name in ("a.gz", "b.xml")] == [None, "gzip"]
    assert unpack(tmp_path / "a.gz") == unpack(tmp_path / "b.xml") == DUMP


@pytest.mark.parametrize("name", ["Posts.xml", "x/stackoverflow.com-posts.XML", "beer.Posts.xml"])
def test_member_of_an_archive_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    write_7z(tmp_path / "dump", {"Badges.xml": b"<a/>", name: DUMP, "Votes.xml": b"<b/>"})
    assert compression_of(tmp_path / "dump") == "7z"
    assert unpack(tmp_path / "dump") == DUMP


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (["Votes.xml"], "has no member whose name ends in posts.xml"),
        (["a/Posts.xml", "b.Posts.xml"], "has several members posts.xml"),
    ],
)
def test_archive_must_have_one_posts_file(members: list[str], message: str, tmp_path: Path) -> None:
    write_7z(tmp_path / "dump.7z", dict.fromkeys(members, DUMP))
    with pytest.raises(DataError, match=message):
        unpack(tmp_path / "dump.7z")


@pytest.mark.parametrize("kept", [0.0001, 0.01, 0.5, 0.999, 1])
@pytest.mark.parametrize("kind", ["gzip", "7z"])
def test_a_truncated_or_damaged_archive_ends_in_one_line(
    kind: str, kept: float, tmp_path: Path
) -> None:
    path = tmp_path / "dump"
    if kind == "gzip":
        path.write_bytes(gzip.compress(DUMP))
    else:
        write_7z(path, {"Posts.xml": DUMP})
    packed = bytearray(path.read_bytes())
    if kept == 1:  # whole, but for a byte
        packed[len(packed) // 2] ^= 255
    path.write_bytes(packed[: max(6, int(len(packed) * kept))])
    with one_line(DataError, match=f"damaged or truncated {kind}"):
        unpack(path)


def test_wrong_checksum_ends_in_one_line_and_repeats_no_block(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    with load_libarchive().file_writer(str(path), "7zip", options="compression=store") as archive:
        archive.add_file_from_memory("Posts.xml", len(DUMP), DUMP)
    packed = bytearray(path.read_bytes())
    packed[packed.index(DUMP[:99]) + 5000] ^= 1
    path.write_bytes(packed)
    found: list[bytes] = []
    with pytest.raises(DataError, match="damaged or truncated 7z") as caught:
        found.extend(iterate_blocks(path))
    assert "archive_p" not in str(caught.value)
    assert sum(len(block) for block in found) <= len(DUMP)


def test_damaged_start_of_an_archive_tells_no_address(tmp_path: Path) -> None:
    load_libarchive()
    (tmp_path / "dump").write_bytes(b"7z\xbc\xaf\x27\x1c")
    with pytest.raises(DataError, match="damaged or truncated 7z") as caught:
        unpack(tmp_path / "dump")
    assert "archive_p" not in str(caught.value) and "None" not in str(caught.value)


def test_sound_archive_is_read_without_warnings(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_7z(tmp_path / "dump", {"Posts.xml": DUMP})
    caplog.clear()
    assert unpack(tmp_path / "dump") == DUMP
    assert not caplog.records


def test_pipe_ends_in_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match=r"pipe: is read twice and must be a file"):
        unpack(tmp_path / "pipe")


def test_missing_library_ends_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(rows.importlib, "import_module", fail)
    (tmp_path / "dump").write_bytes(b"7z\xbc\xaf\x27\x1c")
    with pytest.raises(DataError, match=r"libarchive13.*make packages"):
        unpack(tmp_path / "dump")


def test_missing_dump_ends_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        unpack(tmp_path / "dump")
