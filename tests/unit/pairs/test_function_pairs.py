"""Pairs of the documented functions of a corpus of CodeSearchNet."""

from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import read_table
from ncsbench.errors import DataError
from ncsbench.pairs.training_pairs.docstring_pairs import (
    FUNCTION_STEPS,
    iterate_function_pairs,
    pair_functions,
)
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DocstringOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.extracted_functions import SHA, build_corpus_of, make_function
from tests.unit.pairs.test_leaks import ANSWER
from tests.unit.pairs.test_pair_files import pair_files

PARTS = {"o/a": "train", "o/b": "test"}
RAW = {"kind": "docstrings", "text": "raw", "exact_duplicates": "kept"}


def write_functions(folder: Path, *rows: dict[str, Any], language: str = "java") -> Path:
    build_corpus_of(folder, [rows], parts=PARTS, language=language)
    return folder / "corpus"


def read(folder: Path, text: str, part: str = "train") -> list[dict[str, str]]:
    options = DocstringOptions.parse({**RAW, "text": text}, where="settings")
    pairs = iterate_function_pairs(folder, part, options, Funnel(FUNCTION_STEPS))
    return [pair.row for pair in pairs]


def documented(number: int, docstring: str, repo: str = "o/a", **cells: Any) -> dict[str, Any]:
    return make_function(
        repo, number, docstring=docstring, docstring_tokens=docstring.split(), **cells
    )


def test_a_pair_names_the_place_of_its_function_and_invents_no_licence(tmp_path: Path) -> None:
    one = documented(1, "Reads all of it. Now.", path="A.java", identifier="A.read")
    (row,) = read(write_functions(tmp_path, one), "raw")
    url = f"https://github.com/o/a/blob/{SHA}/A.java#L10-L14"
    assert row == {
        "query": "Reads all of it",
        "code": one["code"],
        "source": "github",
        "key": "github:o/a/A.java#L10-L14",
        "licence": "",
        "code_url": url,
        "code_author": "o",
        "code_author_url": "https://github.com/o",
        "query_url": url,
        "query_author": "o",
        "query_author_url": "https://github.com/o",
        "query_licence": "",
        "class_name": "A",
        "comments": "",
    }


@pytest.mark.parametrize(
    ("docstring", "raw", "sentence"),
    [
        ("Reads <b>all</b> of\nthe {@link File}. Now.", "Reads <b>all</b> of",
         "Reads all of the File."),
        ("@return the whole text", "@return the whole text", None),
        ("/*\n(non-Javadoc) of it", "/*", "/* (non-Javadoc) of it"),
        ("** Reads all of it", "** Reads all of it", "Reads all of it"),
    ],
)  # fmt: skip
def test_the_documentation_is_cut_as_it_stands_in_the_corpus_dev_180(
    tmp_path: Path, docstring: str, raw: str, sentence: str | None
) -> None:
    corpus = write_functions(tmp_path, documented(1, docstring))
    assert [row["query"] for row in read(corpus, "raw")] == [raw]
    assert [row["query"] for row in read(corpus, "sentence")] == ([sentence] if sentence else [])


def test_only_pairs_of_a_part_are_taken(tmp_path: Path) -> None:
    corpus = write_functions(
        tmp_path,
        documented(1, "Reads all of it"),
        documented(2, "Two words"),
        documented(4, "Reads it once more", start_line=10, end_line=14),
        documented(3, "Reads a test part", repo="o/b"),
    )
    assert [(row["query"], row["key"]) for row in read(corpus, "raw")] == [
        ("Reads all of it", "github:o/a/a.go#L10-L14"),
        ("Reads it once more", "github:o/a/a.go#L10-L14:2"),
    ]
    assert [row["query"] for row in read(corpus, "raw", "test")] == ["Reads a test part"]


def test_other_languages_are_refused_in_one_line(tmp_path: Path) -> None:
    corpus = write_functions(tmp_path, language="python")
    with pytest.raises(DataError, match="holds functions of python; training pairs are of Java"):
        read(corpus, "raw")


def test_a_set_drops_leaks_and_counts_every_step(tmp_path: Path) -> None:
    corpus = write_functions(
        tmp_path,
        documented(1, "Reads all of it"),
        documented(2, "Goes home by itself", code=f"void goHome() {{\n{ANSWER}\n}}"),
        documented(3, "Reads a test part", repo="o/b"),
    )
    pair_functions(DocstringOptions.parse(RAW, where="settings"), corpus, pair_files(tmp_path))
    assert read_table(tmp_path / "output", PAIR_SCHEMA)["query"].to_pylist() == ["Reads all of it"]
    lines = (tmp_path / "funnel").read_text().splitlines()
    assert lines[1:4] == [
        "method,read,3,0",
        "method,of the part,2,1",
        "method,a pair of the corpus,2,0",
    ]
    assert "github:o/a/a.go#L20-L24,snippet,1" in (tmp_path / "leaks").read_text()
