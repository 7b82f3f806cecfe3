"""Joint encoders from the pairs of a dataset, as a corpus of functions, to rankings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.files.training_checkpoints import count_trained_pairs
from ncsbench.base.runs.rankings import Query
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.code.java import java
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.corpus.layout.documents import save_documents
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions, PairEncoderSettings
from ncsbench.learning.encoders.training import train_on_pairs, write_pair_corpus
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings, RankerSpecification
from ncsbench.rankers.vectors.joint_encoder import JointEncoder
from tests.encoder_corpus import make_methods
from tests.synthetic_documents import CALLED as WORDS
from tests.synthetic_documents import draw_calls, make_documents, make_pairs

SMALLEST: dict[str, Any] = {
    "pairs": ["some"],
    "dimension": 8,
    "vocabulary_size": 100,
    "batch_size": 8,
    "learning_rate": 0.03,
    "epochs": 1,
    "patience": 0,
}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = draw_calls(lambda one, other: f"void x() {{ {one.upper()}({other.upper()}); }}")
    path = tmp_path_factory.mktemp("pairs") / "pairs.parquet"
    write_table(path, make_pairs(rows), PAIR_SCHEMA)
    return path


def train(pairs: Path, folder: Path, **options: Any) -> Path:
    settings = PairEncoderSettings(
        encoder=PairEncoderOptions.parse(SMALLEST | options, where="test"), seed=3
    )
    train_on_pairs(
        settings,
        pairs=[pairs],
        checkpoint=folder / "checkpoint",
        record=folder / "record",
        output=folder / "encoder",
    )
    return folder


@pytest.mark.parametrize("network", ["nbow", "cnn", "rnn", "self_attention"])
def test_the_smallest_form_of_each_encoder_is_trained_and_searches(
    pairs: Path, tmp_path: Path, network: str
) -> None:
    made = train(pairs, tmp_path, network=network)
    assert not (made / "checkpoint").exists()
    about = json.loads((made / "record" / "about.json").read_text())
    assert count_trained_pairs(made / "record") == about["pairs"]["trained"]
    assert 80 < about["pairs"]["trained"] < 120 and about["pairs"]["held_out"] > 10
    methods = make_methods(
        tmp_path / "corpus", [(f"void x() {{ {word.upper()}(); }}", None) for word in WORDS]
    )
    save_documents(make_documents(["some"] * len(WORDS)), tmp_path / "words")
    make_index(
        RankerSettings(ranker=RankerSpecification(kind="joint_encoder"), seed=3),
        words=tmp_path / "words",
        corpus=methods,
        learnt={"encoder": made / "encoder"},
        output=tmp_path / "index",
    )
    ranker = JointEncoder(options={}, seed=3)
    ranker.load(tmp_path / "index", corpus=make_documents(["some"] * len(WORDS)))
    run = ranker.search([Query(1, WORDS[0])], k=5)
    assert len(run.ids) == 5


def test_the_model_files_have_the_values_of_the_released_code(root: Path) -> None:
    released = {
        "nbow": (0.01, 1000, "cosine"),
        "cnn": (0.0005, 1000, "softmax"),
        "rnn": (0.01, 1000, "softmax"),
        "self_attention": (0.0005, 450, "softmax"),
    }
    keys = set()
    for name, values in released.items():
        model = load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)
        assert model.specification.kind == "joint_encoder" and model.source_text
        assert model.learns.encoder is not None and model.learns.encoder.network == name
        options = model.learns.encoder.without_pairs()
        assert (options.learning_rate, options.batch_size, options.loss) == values
        assert options.as_json().keys() <= {"network", "learning_rate", "batch_size", "loss"}
        assert model.pair_sets == {"github_android"}
        assert model.keys.get("encoder") == model.keys.get("training") is not None
        keys.add(model.keys.get("encoder"))
    assert len(keys) == 4


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
