"""Pairs of docstrings' first sentences and their methods."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.pairs.training_pairs.docstring_pairs import (
    DOCSTRING_STEPS,
    FUNCTION_STEPS,
    iterate_docstring_pairs,
    iterate_function_pairs,
)
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DocstringOptions
from tests.extracted_functions import SHA, build_corpus_of, make_function

URL = "https://github.com/ann/app/blob/abc/A.java#L3-L5"


def method(comment: str | None, code: str = "void f() { g(); }", line: int = 3) -> dict[str, Any]:
    return {
        "repository": "ann/app",
        "commit": "abc",
        "path": "A.java",
        "filepath": "ann/app/A.java",
        "method_name": "f",
        "class_name": "A",
        "start_line": line,
        "end_line": 5,
        "url": URL,
        "code": code,
        "comment": comment,
        "lines": 3,
        "tokens": 9,
    }


def write_corpus(folder: Path, *shards: list[dict[str, Any]]) -> CorpusFolder:
    corpus, first = CorpusFolder(folder), 0
    write_json(corpus.manifest_path, {"shards": [{"methods": len(shard)} for shard in shards]})
    for number, shard in enumerate(shards):
        rows = [{**row, "id": first + position} for position, row in enumerate(shard)]
        first += len(shard)
        path = folder / "methods" / f"{number:04}.parquet"
        write_table(path, pa.Table.from_pylist(rows, METHOD_SCHEMA), METHOD_SCHEMA)
        items = [{"id": row["id"], **list_items(row["comment"], row["class_name"])} for row in rows]
        write_table(
            folder / "items" / path.name, pa.Table.from_pylist(items, ITEM_SCHEMA), ITEM_SCHEMA
        )
    return corpus


def list_items(comment: str | None, class_name: str) -> dict[str, Any]:
    """Those of a method with comments before it and within it."""
    before = [] if comment is None else ["// The first", comment]
    kinds = [ItemKind.COMMENT] * len(before)
    kinds += [ItemKind.CLASS_NAME, ItemKind.METHOD_NAME, ItemKind.COMMENT]
    return {"kinds": list(map(int, kinds)), "texts": [*before, class_name, "f", "// within"]}


def options(**chosen: Any) -> dict[str, Any]:
    return {"kind": "docstrings", **chosen}


def queries(folder: Path, *comments: str, **chosen: Any) -> list[str]:
    corpus = write_corpus(folder, [method(comment) for comment in comments])
    settings = DocstringOptions.parse(options(**chosen), where="settings")
    pairs = iterate_docstring_pairs(corpus, settings, Funnel(DOCSTRING_STEPS))
    return [pair.row["query"] for pair in pairs]


def test_a_pair_keeps_link_and_owner_and_no_licence_is_invented_dev_54(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path, [method("/** Hides it. Now. */")])
    settings = DocstringOptions.parse(options(), where="settings")
    (pair,) = iterate_docstring_pairs(corpus, settings, Funnel(DOCSTRING_STEPS))
    assert pair.post_ids == ()
    assert pair.row == {
        "query": "Hides it.",
        "code": "void f() { g(); }",
        "source": "github",
        "key": "github:ann/app/A.java#L3-L5",
        "licence": "",
        "code_url": URL,
        "code_author": "ann",
        "code_author_url": "https://github.com/ann",
        "query_url": URL,
        "query_author": "ann",
        "query_author_url": "https://github.com/ann",
        "query_licence": "",
        "class_name": "A",
        "comments": "// The first\n/** Hides it. Now. */",
    }


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["Hides.", "Hides (c) copyright X.", "Auto-generated y.", "获取状态栏高度"]),
        ({"licence_notices": "dropped"}, ["Hides.", "Auto-generated y.", "获取状态栏高度"]),
        ({"generated": "dropped"}, ["Hides.", "Hides (c) copyright X.", "获取状态栏高度"]),
        ({"other_scripts": "dropped"}, ["Hides.", "Hides (c) copyright X.", "Auto-generated y."]),
        ({"minimum_query_words": 3}, ["Hides (c) copyright X.", "Auto-generated y."]),
        ({"minimum_code_words": 4}, []),
    ],
)
def test_every_docstring_with_a_sentence_counts_unless_an_option_drops_it(
    tmp_path: Path, chosen: dict[str, Any], expected: list[str]
) -> None:
    comments = [
        "/** Hides. */",
        "/** Hides (c) copyright X. */",
        "/** Auto-generated y. */",
        "/** 获取状态栏高度 */",
        "/** {@inheritDoc} */",
        "/** @return it */",
    ]
    assert queries(tmp_path, *comments, **chosen) == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["<b>Hides</b> the {@link View}", "Hides (c) copyright X", "@return it",
              "获取状态栏高度"]),
        ({"licence_notices": "dropped", "other_scripts": "dropped"},
         ["<b>Hides</b> the {@link View}", "@return it"]),
        ({"minimum_query_words": 5}, ["<b>Hides</b> the {@link View}"]),
    ],
)  # fmt: skip
def test_raw_comments_keep_their_tags_and_pass_the_same_filters_dev_180(
    tmp_path: Path, chosen: dict[str, Any], expected: list[str]
) -> None:
    comments = [
        "/** <b>Hides</b> the {@link View}. Now. */",
        "/** Hides (c) copyright X. */",
        "/** @return it\n * always */",
        "/** 获取状态栏高度 */",
        "/** */",
    ]
    assert queries(tmp_path, *comments, text="raw", **chosen) == expected


def test_methods_on_the_same_lines_have_distinct_keys(tmp_path: Path) -> None:
    rows = [method("/** A */"), method(None), method("/** B */", line=4), method("/** C */")]
    corpus = write_corpus(tmp_path, rows, [])
    settings = DocstringOptions.parse(options(), where="settings")
    pairs = iterate_docstring_pairs(corpus, settings, Funnel(DOCSTRING_STEPS))
    assert [pair.row["key"].partition("#")[2] for pair in pairs] == ["L3-L5", "L4-L5", "L3-L5:3"]


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


def test_a_part_is_taken_and_every_step_is_counted(tmp_path: Path) -> None:
    corpus = write_functions(
        tmp_path,
        documented(1, "Reads all of it"),
        documented(2, "Goes home by itself"),
        documented(3, "Reads a test part", repo="o/b"),
    )
    counts = Funnel(FUNCTION_STEPS)
    pairs = iterate_function_pairs(
        corpus, "train", DocstringOptions.parse(RAW, where="settings"), counts
    )
    assert len(list(pairs)) == 2
    steps = [(row["step"], row["kept"], row["removed"]) for row in counts.rows()[:3]]
    last = ("a pair of the corpus", "2", "0")
    assert steps == [("read", "3", "0"), ("of the part", "2", "1"), last]
