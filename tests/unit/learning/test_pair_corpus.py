"""Training pairs of NCSED as a corpus of functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.code.java import java
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions
from ncsbench.learning.encoders.training import write_pair_corpus
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.synthetic_documents import make_pairs

OPTIONS: dict[str, Any] = {"network": "nbow", "pairs": ["some"], "minimum_held_out": 2}


def write(folder: Path, pairs: list[tuple[str, str]], **options: Any) -> list[dict[str, Any]]:
    path = folder / "pairs.parquet"
    write_table(path, make_pairs(pairs), PAIR_SCHEMA)
    parsed = PairEncoderOptions.parse(OPTIONS | options, where="here")
    write_pair_corpus([path], folder / "corpus", parsed)
    rows: list[dict[str, Any]] = read_table(
        folder / "corpus" / "functions.parquet", FUNCTION_SCHEMA
    ).to_pylist()
    return rows


def test_java_that_is_no_file_has_the_tokens_of_a_function() -> None:
    code = 'public void a() { b("c d", 1); // e\n}'
    assert tokenize_java(code) == [
        *("public", "void", "a", "(", ")", "{", "b", "(", '"c d"', ",", "1", ")", ";", "// e"),
        "}",
    ]
    assert tokenize_java("x = y(;\0") == ["x", "=", "y", "(", ";"]
    assert tokenize_java("") == []


def test_code_on_which_the_parser_gives_up_is_split_plainly_dev_162(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = 'open("a b");\n' * 500
    assert tokenize_java(code)[:3] == ["open", "(", '"a b"']
    monkeypatch.setattr(java, "STEPS_A_BYTE", -10)
    assert tokenize_java(code)[:4] == ["open", '("', "a", "b"]


def test_nested_code_ends() -> None:
    assert len(tokenize_java("(" * 50_000 + "{ x[" * 5_000)) > 50_000


def test_whole_queries_are_held_out_whatever_their_order_dev_160(tmp_path: Path) -> None:
    pairs = [(f"Open file {i % 10}", f"open{i}();") for i in range(40)]
    rows = write(tmp_path / "a", pairs)
    assert [row["function_id"] for row in rows] == list(range(40))
    assert rows[0]["docstring_tokens"] == ["Open", "file", "0"]
    assert rows[0]["code_tokens"] == ["open0", "(", ")", ";"]
    assert all(row["is_pair"] for row in rows)
    parts = {row["docstring_tokens"][-1]: row["part"] for row in rows}
    assert all(parts[row["docstring_tokens"][-1]] == row["part"] for row in rows)
    assert sorted(parts.values()) == ["train"] * 8 + ["valid"] * 2
    again = write(tmp_path / "b", pairs[::-1])
    assert {row["docstring_tokens"][-1]: row["part"] for row in again} == parts
    manifest = json.loads((tmp_path / "a" / "corpus" / "manifest.json").read_text())
    assert manifest["pairs"] == {"train": 32, "valid": 8}
    assert len(manifest["corpus_hash"]) == 64


def test_held_out_code_that_is_trained_on_is_left_out_dev_160(tmp_path: Path) -> None:
    pairs = [(f"query {i}", "same( );" if i % 2 else f"own{i}();") for i in range(20)]
    rows = write(tmp_path, pairs, minimum_held_out=10)
    held_out = [row["code_tokens"] for row in rows if row["part"] == "valid"]
    assert 0 < len(held_out) < 10
    assert all(tokens[0] != "same" for tokens in held_out)


def test_too_few_queries_hold_nothing_out(tmp_path: Path) -> None:
    rows = write(tmp_path, [("a", "b();"), ("c", "d();"), ("e", "f();")])
    assert [row["part"] for row in rows] == ["train"] * 3


def test_the_options_of_training_know_no_pairs() -> None:
    options = PairEncoderOptions.parse({**OPTIONS, "epochs": 3}, where="here")
    assert options.without_pairs().as_json() == {
        **{"network": "nbow", "epochs": 3, "loss": "cosine"},
        **{"batch_size": 1000, "learning_rate": 0.01},
    }
