"""Pairs of docstrings' first sentences and their methods."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.pairs.training_pairs.docstring_pairs import (
    DOCSTRING_STEPS,
    iterate_docstring_pairs,
)
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DocstringOptions

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
