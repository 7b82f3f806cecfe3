"""The released files of functions: read, and made a corpus; lines of no use are told."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.function_corpus import released_corpus
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_LEDGER_SCHEMA, FUNCTION_SCHEMA
from ncsbench.corpus.function_corpus.released_corpus import import_released
from ncsbench.corpus.function_corpus.released_files import (
    LONGEST_LINE,
    BadLine,
    ReleasedFunction,
    find_released,
    iterate_pairs,
    read_released_jsonl,
)
from ncsbench.errors import DataError
from tests.extracted_functions import SHA
from tests.released_files import AS_RELEASED, pack_lines


def make_line(**cells: Any) -> dict[str, Any]:
    cells = {"repo": "o/a", "path": "a.go", "lines": "#L3-L9", "partition": "train"} | cells
    url = f"https://github.com/{cells['repo']}/blob/{SHA}/{cells['path']}{cells.pop('lines')}"
    return {
        "func_name": "Kind.read",
        "original_string": "func read() {}",
        "language": "go",
        "code": "func read() {}",
        "code_tokens": ["func", "read", "(", ")", "{", "}"],
        "docstring": "Reads it.\n\nAll of it.",
        "docstring_tokens": ["Reads", "it", "."],
        "sha": SHA,
        "url": url,
    } | cells


def read(text: bytes) -> list[ReleasedFunction | BadLine]:
    return list(read_released_jsonl(io.BytesIO(text), "go", name="a"))


def write_files(folder: Path, *files: Sequence[Mapping[str, Any]]) -> Path:
    """A folder of released files of Go; lines say themselves of which part they are."""
    for number, rows in enumerate(files):
        path = folder / f"train/go_train_{number}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pack_lines(rows))
    return folder


def import_from(output: Path, folder: Path) -> list[dict[str, Any]]:
    files = iterate_pairs(find_released(folder))
    import_released(files, language="go", output=output, options=AS_RELEASED)
    return read_table(output / "functions.parquet", FUNCTION_SCHEMA).to_pylist()


def test_a_line_becomes_a_function() -> None:
    (found,) = read(json.dumps(make_line()).encode())
    assert isinstance(found, ReleasedFunction)
    assert (found.line, found.part, found.row["name"]) == (1, "train", "read")
    assert (found.row["start_line"], found.row["end_line"]) == (3, 9)
    assert found.row["summary"] == "Reads it."


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"repo": ', "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"[]", "is no JSON object"),
        (b"{}", "has no field repo"),
        ({"nwo": "o/a"}, "has no field repo"),
        (make_line() | {"code": 3}, "code is no text"),
        (make_line() | {"code_tokens": "func read"}, "code_tokens is no list of texts"),
        (make_line() | {"docstring_tokens": [None]}, "docstring_tokens is no list of texts"),
        (make_line() | {"docstring": "\ud800"}, "docstring is no Unicode text"),
        (make_line(language="java"), "is of another language (java)"),
        (make_line(partition="holdout"), "partition is not one of train, valid, test ('holdout')"),
        (make_line(repo="o"), "repo is not owner/name ('o')"),
        (make_line(lines="#L9-L3"), "url has no lines ("),
        (make_line(lines=""), "url has no lines ("),
    ],
)
def test_a_line_of_no_use_has_its_reason(line: bytes | dict[str, Any], reason: str) -> None:
    text = line if isinstance(line, bytes) else json.dumps(line).encode()
    good = json.dumps(make_line()).encode()
    found = read(good + b"\n" + text + b"\n\n" + good)
    assert [one.line for one in found] == [1, 2, 4]
    assert isinstance(found[1], BadLine)
    assert found[1].reason.startswith(reason)


def test_a_long_line_is_passed_over() -> None:
    good = json.dumps(make_line()).encode()
    long = json.dumps(make_line(code="x" * 10_000_000)).encode()
    found = read(long + b"\n" + good)
    assert found[0] == BadLine(1, f"too long (at most {LONGEST_LINE} bytes)")
    assert isinstance(found[1], ReleasedFunction)
    assert found[1].line == 2


@pytest.mark.parametrize("cut", [20, 4])  # within the data, within the checksum at the end
def test_a_truncated_file_ends_in_one_line_and_leaves_no_corpus(tmp_path: Path, cut: int) -> None:
    folder = write_files(tmp_path / "files", [make_line()] * 3)
    (path,) = folder.rglob("*.gz")
    path.write_bytes(path.read_bytes()[:-cut])
    said = rf"^{folder}: train/{path.name}, line [1-4]: the file is damaged, not readable from here"
    with pytest.raises(DataError, match=said):
        import_from(tmp_path / "corpus", folder)
    assert not (tmp_path / "corpus").exists()


def test_functions_are_sorted_and_what_is_left_out_is_told_dev_135(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(released_corpus, "_SORTED_AT_ONCE", 2)
    folder = write_files(
        tmp_path / "files",
        [
            make_line(repo="o/c", partition="test"),
            make_line(repo="o/a", lines="#L20-L21"),
            make_line(repo="o/b"),
            make_line(repo="o/a", lines="#L3-L4"),
        ],
        [
            make_line(repo="o/a", path="b.go", docstring_tokens=[]),
            make_line(repo="O/B", partition="valid"),
            {"repo": "o/d"},
        ],
    )
    functions = import_from(tmp_path / "corpus", folder)
    assert [(row["repo"], row["path"], row["start_line"], row["is_pair"]) for row in functions] == [
        ("o/a", "a.go", 3, True),
        ("o/a", "a.go", 20, True),
        ("o/a", "b.go", 3, False),
        ("o/b", "a.go", 3, True),
        ("o/c", "a.go", 3, True),
    ]
    assert [row["function_id"] for row in functions] == [0, 1, 2, 3, 4]
    manifest = read_json(tmp_path / "corpus" / "manifest.json")
    assert manifest["pairs"] == {"train": 3, "valid": 0, "test": 1}
    assert manifest["lines_left_out"] == {
        "has no field path": 1,
        "the repository is in another part": 1,
    }
    ledger = read_table(tmp_path / "corpus" / "ledger.parquet", FUNCTION_LEDGER_SCHEMA)
    lines = [(row["path"], row["reason"], row["functions"]) for row in ledger.to_pylist()]
    assert lines == [
        (None, None, 4),
        (None, None, 1),
        ("line 2", "the repository is in another part (O/B: train)", 0),
        ("line 3", "has no field path", 0),
    ]
    assert not (tmp_path / "corpus" / "scratch").exists()


def test_files_without_a_usable_line_leave_no_corpus(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "files", [{"a": 1}])
    with pytest.raises(
        DataError, match=r"no line can be used; the first: .*, line 1: has no field repo"
    ):
        import_from(tmp_path / "corpus", folder)
    assert not (tmp_path / "corpus").exists()
    with pytest.raises(DataError, match=r"cannot be read \(No such file"):
        find_released(tmp_path / "absent.zip")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"empty: is no released zip or folder of one language"):
        find_released(tmp_path / "empty")
