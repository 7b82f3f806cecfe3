"""Pairs of the lines of a file: what is read, what is left out, and broken files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.storage import read_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.leak_checks.leaks import LeakFinder
from ncsbench.pairs.training_pairs import json_pairs as files
from ncsbench.pairs.training_pairs.json_pairs import FILE_STEPS, iterate_file_pairs, pair_file
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import FileOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.unit.pairs.test_leaks import ANSWER, evaluation_questions
from tests.unit.pairs.test_pair_files import pair_files

Lines = list[bytes | dict[str, Any]]
GOOD = {"id": 1, "code": "int f ( ) { return 1 ; }", "comment": "gives one back"}


def options(path: Path, **chosen: Any) -> dict[str, Any]:
    return {"kind": "file", "path": str(path), "source": "set", **chosen}


def write_lines(path: Path, lines: Lines) -> Path:
    path.write_bytes(
        b"".join(
            (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n"
            for line in lines
        )
    )
    return path


def read_pairs(path: Path, **chosen: Any) -> tuple[list[dict[str, str]], list[str]]:
    """Rows of the pairs, and what each step before the leaks removed."""
    funnel = Funnel(FILE_STEPS)
    read = FileOptions.parse(options(path, **chosen), where="settings")
    rows = [pair.row for pair in iterate_file_pairs(read, funnel)]
    return rows, [row["removed"] for row in funnel.rows()[:4]]


def test_a_pair_holds_text_code_and_key_and_nothing_is_invented(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "pairs.jsonl", [GOOD, {**GOOD, "id": "x"}])
    rows, _ = read_pairs(path, key_fields=["id"])
    assert [row["key"] for row in rows] == ["set:1", "set:x"]
    assert rows[0] == {
        **dict.fromkeys(PAIR_SCHEMA.names, ""),
        "query": "gives one back",
        "code": "int f ( ) { return 1 ; }",
        "source": "set",
        "key": "set:1",
    }
    rows, _ = read_pairs(path, licence="MIT")
    assert [row["key"] for row in rows] == ["set:1", "set:2"]
    assert (rows[0]["licence"], rows[0]["query_licence"]) == ("MIT", "MIT")


def test_gzip_and_plain_files_give_the_same_pairs(tmp_path: Path) -> None:
    lines: Lines = [{**GOOD, "id": i, "comment": f"text {i}"} for i in range(5000)]
    plain = write_lines(tmp_path / "pairs.jsonl", [b"\xef\xbb\xbf" + json.dumps(GOOD).encode()])
    plain.write_bytes(plain.read_bytes() + write_lines(tmp_path / "more", lines).read_bytes()[:-1])
    packed = tmp_path / "packed.jsonl"
    packed.write_bytes(gzip.compress(plain.read_bytes().replace(b"\n", b"\r\n")))
    rows, removed = read_pairs(plain)
    assert len(rows) == 5001
    assert removed == ["0"] * 4
    assert read_pairs(packed)[0] == rows


def test_short_and_empty_texts_are_left_out(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "pairs.jsonl",
        [GOOD, {**GOOD, "comment": " "}, {**GOOD, "code": ""}, {**GOOD, "comment": "one two"},
         {**GOOD, "code": "f(x)"}],
    )  # fmt: skip
    assert len(read_pairs(path)[0]) == 3
    chosen = {"minimum_query_words": 3, "minimum_code_words": 4}
    rows, removed = read_pairs(path, **chosen)
    assert len(rows) == 1
    assert removed == ["0", "2", "1", "1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"no JSON", "is not JSON in UTF-8"),
        (b'{"code": "\xff"}', "is not JSON in UTF-8"),
        (b"[" * 100_000, "is not JSON in UTF-8"),
        (b'{"id": ' + b"1" * 5000 + b"}", "is not JSON in UTF-8"),
        (b'["code", "comment"]', "is not a JSON object"),
        ({"code": "f(x)"}, "has no text in the field 'comment'"),
        ({**GOOD, "code": 5}, "has no text in the field 'code'"),
        ({**GOOD, "code": None}, "has no text in the field 'code'"),
        ({**GOOD, "id": True}, "has no text in the field 'id'"),
        ({**GOOD, "comment": "a \ud800 b"}, "has half a character in the field 'comment'"),
        (b'{"code": "' + b"x" * files.LONGEST_LINE + b'"}', "is longer than 16,777,216 bytes"),
    ],
)
def test_broken_lines_count_and_too_many_end_the_run_in_one_line(
    tmp_path: Path, line: bytes | dict[str, Any], message: str
) -> None:
    path = write_lines(tmp_path / "pairs.jsonl", [GOOD, b"", line, {**GOOD, "id": 2}])
    rows, removed = read_pairs(path, key_fields=["id"], maximum_broken=0.4)
    assert [row["key"] for row in rows] == ["set:1", "set:2"]
    assert removed[0] == "1"
    with pytest.raises(DataError, match=f"1 of 3 lines cannot be read; line 3 {message}"):
        read_pairs(path, key_fields=["id"])


def test_a_line_of_a_hundred_million_bytes_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    good = json.dumps(GOOD).encode() + b"\n"
    path.write_bytes(gzip.compress(good + b"x" * 100_000_000 + b"\n" + good + b"x" * 9_000_000))
    rows, removed = read_pairs(path, maximum_broken=1)
    assert [row["key"] for row in rows] == ["set:1", "set:3"]
    assert removed[0] == "2"


def test_damaged_and_missing_files_end_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    with pytest.raises(DataError, match="cannot be read"):
        read_pairs(path)
    packed = gzip.compress(b"".join(json.dumps({**GOOD, "id": i}).encode() for i in range(999)))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match="cannot be read behind line 0"):
        read_pairs(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_give_pairs_or_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    try:
        read_pairs(path)
    except DataError as error:
        assert "\n" not in str(error)


def test_equal_keys_end_the_run(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "pairs.jsonl", [GOOD, {**GOOD, "code": "g(x)"}])
    with pytest.raises(DataError, match="line 2: the key 'set:1' occurred before; name more"):
        read_pairs(path, key_fields=["id"])


def test_fields_behind_a_dot_that_stands_apart_are_found_dev_51(tmp_path: Path) -> None:
    """A name in small letters is a variable, which is not compared, unless a dot is before it."""
    answer = "box.width = area.right - area.left; box.height = area.bottom - area.top;"
    apart = answer.replace(".", " . ").replace(";", " ;")
    path = write_lines(tmp_path / "pairs.jsonl", [{**GOOD, "code": apart}])
    read = FileOptions.parse(options(path), where="settings")
    (pair,) = iterate_file_pairs(read, Funnel(FILE_STEPS))
    finder = LeakFinder(evaluation_questions(answer))
    assert pair.row["code"] == apart
    assert finder.find("a text", apart, ()) is None
    assert finder.find("a text", apart, (), pair.blocks) is not None


def test_a_set_drops_leaks_and_repeated_pairs(tmp_path: Path) -> None:
    lines: Lines = [
        GOOD,
        {**GOOD, "code": f"void go ( ) {{ {ANSWER} }}"},
        {**GOOD, "comment": "go to the home screen 1"},
        GOOD,
    ]
    path = write_lines(tmp_path / "pairs.jsonl", lines)
    pair_file(FileOptions.parse(options(path), where="settings"), pair_files(tmp_path))
    assert read_table(tmp_path / "output", PAIR_SCHEMA)["key"].to_pylist() == ["set:1"]
    leaks = (tmp_path / "leaks").read_text().splitlines()[1:]
    assert [line.split(",")[:3] for line in leaks] == [
        ["set:2", "snippet", "1"],
        ["set:3", "title", "1"],
    ]
    assert "pair,no repeated pair,1,1" in (tmp_path / "funnel").read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "GitHub"}, "source is 'GitHub' and must be a name of its own"),
        ({"source": "a:b"}, "source: 'a:b' does not match"),
        ({"maximum_broken": 2}, "maximum_broken: 2 is greater than the maximum of 1"),
        ({"maximum_broken": "1"}, "maximum_broken: '1' is not of type 'number'"),
        ({"key_fields": "id"}, "key_fields: 'id' is not a list"),
    ],
)
def test_wrong_settings_end_in_one_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        FileOptions.parse({**options(tmp_path), **change}, where="settings")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "kept", "removed"),
    [
        ("deepcs_10k", 9784, ["0", "0", "216", "0"]),
        ("neuralcodesum_java", 17405, ["0", "17", "6", "0"]),
    ],
)
def test_the_sets_at_hand_are_read_whole(
    root: Path, shared: Path, name: str, kept: int, removed: list[str]
) -> None:
    chosen = read_yaml(root / "config" / "pairs" / f"{name}.yaml")
    path = shared / "data" / "pairs" / Path(chosen.pop("path")).name
    rows, steps = read_pairs(path, **chosen)
    assert (len(rows), steps) == (kept, removed)
    assert len({row["key"] for row in rows}) == kept
