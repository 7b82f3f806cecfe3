"""Pickles of definitions, read without Python's unpickler."""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.corpus.function_corpus.released_definitions import (
    LONGEST,
    PickleError,
    count_fetches,
    describe_definition,
    iterate_definitions,
    iterate_items,
)
from tests.released_files import make_definition


def read(data: bytes) -> list[Any]:
    return list(iterate_items(io.BytesIO(data), count_fetches(io.BytesIO(data))))


def make_values(seed: int) -> list[dict[str, Any]]:
    """Plain values of all kinds, some of them the same object again."""
    generator = np.random.default_rng(seed)
    shared: list[Any] = ["", "shared", ["a", "list"], {"a": "dict"}, ("a", "tuple")]
    plain: list[Any] = [None, True, False, 0, 255, 256, 65536, -1, 2**40, -(2**70), 0.5]
    plain += ["ü" * 300, "\ud7ff", "a\nb\0", (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], {}]
    plain += [[[["nested"]]], {"deep": {"er": [1, {"": None}]}}, b"b" * 300, b"b", b""]
    plain = plain[: -3 if seed == 2 else None]  # protocol 2 has no bytes
    keys = [f"key{number}" for number in range(6)]
    return [
        {keys[place]: (shared + plain)[generator.integers(len(shared + plain))] for place in row}
        for row in generator.permuted([range(6)] * 2500, axis=1)[:, :4]  # written by thousands
    ]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_lists_are_read_as_python_wrote_them(protocol: int) -> None:
    values = make_values(protocol)
    assert read(pickle.dumps(values, protocol)) == values
    assert read(pickle.dumps([], protocol)) == []
    assert read(pickle.dumps(values[:1], protocol)) == values[:1]


def test_the_c_and_the_python_pickler_are_read() -> None:
    values = make_values(7)[:40]
    pure = io.BytesIO()
    pickle._Pickler(pure, 3).dump(values)  # type: ignore[attr-defined]
    assert read(pure.getvalue()) == values
    assert read(pickle.dumps(values, 4)) == values


def test_only_what_is_fetched_again_is_kept_and_no_longer_than_that() -> None:
    again = "again"
    data = pickle.dumps([{"a": again, "b": str(number), "c": again} for number in range(9)], 3)
    fetches = count_fetches(io.BytesIO(data))
    assert sorted(fetches.values()) == [8, 8, 8, 17]
    items = iterate_items(io.BytesIO(data), fetches)
    assert next(items)["a"] == "again"
    assert len(list(items)) == 8 and fetches == {}


@pytest.mark.parametrize("protocol", [3, 4])
def test_every_beginning_of_a_pickle_is_refused(protocol: int) -> None:
    data = pickle.dumps(make_values(1)[:3], protocol)
    for end in range(len(data)):
        with pytest.raises(PickleError, match=r"a damaged one|no list"):
            read(data[:end])
    with pytest.raises(PickleError, match="goes on after its end"):
        read(data + b"more")


def test_damaged_bytes_end_in_one_line_or_in_other_values() -> None:
    data = pickle.dumps(make_values(5)[:3], 3)
    generator = np.random.default_rng(0)
    for _ in range(3000):
        damaged = bytearray(data)
        damaged[generator.integers(len(data))] = generator.integers(256)
        try:
            read(bytes(damaged))
        except PickleError as error:
            assert "\n" not in str(error)


def test_a_definition_keeps_its_texts_and_lists_of_texts() -> None:
    item = make_definition("java", 1) | {"more": object(), "docstring_summary": None, "sha": 7}
    fields = describe_definition(item)
    assert fields["repo"] == item["nwo"] and fields["code"] == item["function"]
    assert fields["code_tokens"] == item["function_tokens"]
    assert fields["docstring_summary"] is None and fields["sha"] is None and "more" not in fields
    assert describe_definition(item | {"function_tokens": ("a", "b")})["code_tokens"] == ["a", "b"]
    assert describe_definition(item | {"function_tokens": ["a", 1]})["code_tokens"] is None
    assert describe_definition(["no dict"]) == {"broken": "is no definition"}
    bomb = ["x" * 10**5] * (LONGEST // 10**5 + 1)
    assert "characters, at most" in describe_definition(item | {"function_tokens": bomb})["broken"]


def test_definitions_of_a_file_and_of_a_member_of_a_zip(tmp_path: Path) -> None:
    items = [make_definition("java", number) for number in range(1200)]
    data = pickle.dumps([*items, "none"], 3)
    plain, packed = tmp_path / "java_dedupe_definitions_v2.pkl", tmp_path / "java.zip"
    plain.write_bytes(data)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(plain.name, data)
    expected = [*map(describe_definition, items), "is no definition"]
    assert list(iterate_definitions(plain)) == expected
    assert list(iterate_definitions(packed, plain.name)) == expected
    first = iterate_definitions(plain)
    assert next(first) == expected[0]
    first.close()  # type: ignore[attr-defined]
