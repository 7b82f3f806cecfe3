"""The results of a system: predictions and the ranks of test pairs, by rankers as they are."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.function_corpus.function_schema import make_url
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.unif.unif_weights import load_weights
from ncsbench.studies.codesearchnet.function_documents import (
    make_documents,
    open_functions,
    take_pairs,
)
from ncsbench.studies.codesearchnet.submission import COLUMNS
from ncsbench.studies.codesearchnet.system_options import SystemSettings, UnifSettings
from ncsbench.studies.codesearchnet.system_ranks import RANK_SCHEMA
from ncsbench.studies.codesearchnet.system_results import write_results
from ncsbench.studies.codesearchnet.unif_training import embed_functions, train_on_functions
from tests.functions_corpus import write_challenge, write_functions

GO = [
    ("ReadFile", "read a whole file", "func ReadFile ( path string ) { open ( path ) }"),
    ("SortList", "sort a list", "func SortList ( list [] int ) { sort ( list ) }"),
    ("WriteFile", "write a file", "func WriteFile ( path string ) { write ( path ) }"),
]
JAVA = [
    ("Files.readAll", "read all files", "void readAll ( ) { open ( ) ; files ( ) ; }"),
    ("Lists.sortAll", "sort all lists", "void sortAll ( ) { sort ( ) ; lists ( ) ; }"),
]


# It names none of the functions.
URL = make_url("owner/go", "0", "file", 1, 2)


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    write_functions(tmp_path / "corpora", "go", GO)
    write_functions(tmp_path / "corpora", "java", JAVA)
    write_challenge(tmp_path, f"Sort List,{URL},1", f"read file,{URL},1")
    return tmp_path / "corpora"


def run(
    corpora: Path, kind: str, name: str = "one", **options: object
) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    settings = SystemSettings.parse(
        {
            "system": kind,
            "ranker": {"kind": kind},
            "seed": 1,
            "languages": ["go", "java"],
            "pools": [2],
            **options,
        },
        where="settings",
    )
    folder = corpora.parent / name
    write_results(
        settings,
        corpora={language: corpora / language for language in settings.languages},
        trained=corpora.parent / "trained",
        queries=corpora.parent / "queries.csv",
        annotations=corpora.parent / "annotations.csv",
        predictions=folder / "predictions.csv",
        challenge=folder / "challenge.parquet",
        ranks=folder / "ranks.parquet",
        record=folder / "record.json",
    )
    ranks = read_table(folder / "ranks.parquet", RANK_SCHEMA).to_pylist()
    return read_rows(folder / "predictions.csv", COLUMNS), ranks


def test_functions_of_each_language_are_ranked_for_each_query(corpora: Path) -> None:
    rows, _ = run(corpora, "bm25")
    found = [(row["language"], row["query"], row["identifier"]) for row in rows]
    assert found[0] == ("go", "sort list", "SortList")
    assert ("go", "read file", "ReadFile") == found[1]
    assert ("java", "sort list", "Lists.sortAll") in found
    commit = "c" * 40
    assert rows[0]["url"] == f"https://github.com/owner/go/blob/{commit}/src/file#L11-L15"


def test_pairs_are_ranked_in_their_language_and_among_all(corpora: Path) -> None:
    _, ranks = run(corpora, "elasticsearch_like")
    scopes = [(row["scope"], row["language"], row["function_id"]) for row in ranks]
    assert [scope for scope, *_ in scopes] == ["go"] * 2 + ["java"] * 2 + ["all"] * 4
    assert scopes == [*scopes[:4], *sorted(scopes[4:])]
    assert {row["pool"] for row in ranks} == {2}
    assert {(row["code_rank"], row["query_rank"]) for row in ranks if row["scope"] == "java"} == {
        (1, 1)
    }


def test_fewer_pairs_than_a_pool_give_no_ranks(corpora: Path) -> None:
    _, ranks = run(corpora, "bm25", pools=[5])
    assert {row["scope"] for row in ranks} == {"all"}
    _, none = run(corpora, "bm25", pools=[50])
    assert none == []


def test_words_of_functions_dev_153(tmp_path: Path) -> None:
    code = 'func ReadAll ( ) { x . openFile ( "big data" ) } // done'
    for language in ("go", "java"):
        write_functions(tmp_path, language, [("T.ReadAll", "not a word of it", code)])
    texts = {name: open_functions(tmp_path / name) for name in ("go", "java")}
    found = {name: make_documents(one, WordOptions()) for name, one in texts.items()}
    words = {
        name: [one.words.vocabulary[token] for token in one.words[0]] for name, one in found.items()
    }
    assert words["go"] == ["func", "read", "all", "x", "open", "file", "big", "data", "done"]
    assert words["java"] == ["read", "all", "open", "file", "big", "data", "done"]
    columns = ["method_name", "class_name", "comment", "code"]
    assert [table.to_pylist() for table in texts["go"].iterate_methods(columns)] == [
        [{"method_name": "ReadAll", "class_name": "T", "comment": None, "code": code}]
    ]


def test_unif_learns_from_the_training_pairs_of_a_language(tmp_path: Path) -> None:
    words = [f"{a}{b}" for a in ("alpha", "beta", "gamma", "delta") for b in "klmnopqr"]
    functions = [
        (f"f{i}", f"{word} {other}", f"func {other.upper()} ( ) {{ {word} }}")
        for i, (word, other) in enumerate(zip(words * 4, (words[5:] + words[:5]) * 4, strict=True))
    ]
    write_functions(tmp_path / "corpora", "go", functions, part="train")
    settings = UnifSettings.parse(
        {
            "words": {},
            "embedding": {"dimension": 16, "min_count": 1, "minimum_words": 0, "epochs": 1},
            "training": {"pairs": ["none"], "epochs": 2, "minimum_held_out": 2},
            "seed": 1,
        },
        where="settings",
    )
    corpus, embedding = tmp_path / "corpora" / "go", tmp_path / "embedding"
    trained = tmp_path / "trained/unif/go"
    embed_functions(settings, corpus, embedding)
    train_on_functions(
        settings,
        corpus,
        embedding,
        checkpoint=tmp_path / "checkpoint",
        record=trained / "record",
        output=trained / "weights",
    )
    weights = load_weights(trained / "weights")
    assert weights.about["pairs"]["read"] == len(functions)
    assert weights.about["pairs"]["trained"] > 0
    write_challenge(tmp_path, f"alphak,{URL},1")
    learnt = {"trained_with": settings.as_json()}
    rows, ranks = run(tmp_path / "corpora", "unif", languages=["go"], **learnt)
    assert len(rows) == 100 and ranks == []
    record = read_json(tmp_path / "one/record.json")
    assert record["corpora"] == {"go": "hash of go"}
    assert record["training"]["go"]["pairs"] == weights.about["pairs"]


def test_documentation_inside_the_code_is_no_text_of_a_test_pair_dev_153(tmp_path: Path) -> None:
    code = 'def f ( ) : """Leaks all.""" return 1'
    folder = write_functions(tmp_path, "python", [("f", "leaks all", code)])
    texts = open_functions(folder)
    table = next(texts.tables(["identifier", "code", "code_tokens"]))
    tokens = pa.array([["def", "f", "return"]], pa.list_(pa.string()))
    pair = table.set_column(2, "code_tokens", tokens)
    read = [next(one.iterate_methods(["code"])) for one in (texts, take_pairs(texts, pair))]
    assert [one["code"].to_pylist() for one in read] == [[code], ["def f return"]]
