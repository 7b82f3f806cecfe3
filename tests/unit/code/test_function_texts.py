"""Functions of CodeSearchNet, read as methods."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from ncsbench.studies.codesearchnet.function_documents import FunctionTexts

ROWS = [
    {"identifier": "Files.read", "code": "void read() {}", "code_tokens": ["void"]},
    {"identifier": "copy", "code": "void copy() {}", "code_tokens": []},
    {"identifier": "a.Files.close", "code": "void close() {}", "code_tokens": []},
]


def stream(columns: list[str]) -> Iterator[pa.Table]:
    table = pa.Table.from_pylist(ROWS).select(columns)
    yield table.slice(0, 2)
    yield table.slice(2)


def test_some_functions_are_read_by_id() -> None:
    texts = FunctionTexts(Path("java"), "java", "hash", stream)
    found = texts.read_methods([2, 0, 2], ["class_name", "comment", "code"])
    assert found == {
        0: {"class_name": "Files", "comment": None, "code": "void read() {}"},
        2: {"class_name": "a.Files", "comment": None, "code": "void close() {}"},
    }
    assert texts.read_methods([], ["code"]) == {}
