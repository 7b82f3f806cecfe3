from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.training.pair_words import (
    JavaPairs,
    PairWords,
    collect_words,
    find_pair_words,
    group_equal,
    iterate_queries,
    read_pair_words,
    take_lists,
)
from ncsbench.learning.training.training_options import TrainingOptions
from ncsbench.pairs.training_pairs.docstring_pairs import DOCSTRING_STEPS, iterate_docstring_pairs
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DocstringOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.sample_corpus import build_sample_corpus
from tests.synthetic_documents import make_lists, make_pairs

VOCABULARY = ["a", "close", "door", "file", "open", "say"]


def write_pairs(path: Path, pairs: Sequence[tuple[str, str]], **columns: str) -> Path:
    write_table(path, make_pairs(pairs, **columns), PAIR_SCHEMA)
    return path


def read(
    *paths: Path,
    queries: list[str] = VOCABULARY,
    codes: list[str] = VOCABULARY,
    words: WordOptions | None = None,
    **options: Any,
) -> PairWords:
    chosen = TrainingOptions.parse({"pairs": ["p"], **options}, where="training")
    pairs = JavaPairs(paths, words or WordOptions(), chosen)
    return read_pair_words(pairs, queries, codes, options=chosen)


def spell(lists: TokenLists) -> list[str]:
    return [" ".join(lists.vocabulary[i] for i in lists[row]) for row in range(len(lists))]


def test_queries_and_code_become_words_with_a_vector_dev_62(tmp_path: Path) -> None:
    pairs = [
        ("Open a new door?", "void openDoor() { door.close(); other(); }"),
        ("nothing known", "open();"),
        ("Close it", "int i = 0;"),
        ("file file", 'say("open file");'),
    ]
    halves = [write_pairs(tmp_path / f"{i}.parquet", pairs[2 * i : 2 * i + 2]) for i in (0, 1)]
    found = read(*halves)
    assert spell(found.queries) == ["open a door", "file file"]
    assert spell(found.codes) == ["open door close", "say open file"]
    assert (found.read, found.without_query_words, found.without_code_words) == (4, 1, 1)
    assert found.sets.tolist() == [0, 1]


def test_queries_have_a_vocabulary_of_their_own_dev_91(tmp_path: Path) -> None:
    pairs = [("Shut a door?", "close(); shut();"), ("nothing known", "open();")]
    path = write_pairs(tmp_path / "p", pairs)
    words = collect_words(iterate_queries([path]))
    assert words == ["a", "door", "known", "nothing", "shut"]
    found = read(path, queries=words)
    assert spell(found.queries) == ["shut a door", "nothing known"]
    assert spell(found.codes) == ["close", "open"]


def test_the_word_options_of_the_corpus_decide_about_code(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "p", [("open", "new Door(); class File { void say() {} }")])
    for options, expected in [
        (WordOptions(), "file say"),
        (WordOptions(class_name=False, constructor_calls=True), "say door"),
    ]:
        assert spell(read(path, words=options).codes) == [expected]


def test_class_and_comments_belong_to_the_code_of_a_method_dev_90(tmp_path: Path) -> None:
    comments = "// Say /* it\n/** a file */\n/** Open the door. */\n/* or: close */"
    path = write_pairs(
        tmp_path / "p",
        [("open the door", "void open() { // a\n }")],
        class_name="FileDoor",
        comments=comments,
    )
    for options, expected in [
        ({}, "say a file close file door open a"),
        ({"docstring": "left_in"}, "say a file open door close file door open a"),
        ({"code_words": "code_only"}, "open a"),
    ]:
        assert spell(read(path, **options).codes) == [expected]
    found = read(path, words=WordOptions(class_name=False))
    assert spell(found.codes) == ["say a file close open a"]


def test_the_words_of_a_pair_are_those_of_the_index_dev_90(root: Path, tmp_path: Path) -> None:
    """With the docstring left in, of every method of the sample that has one."""
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path))
    options = WordOptions()
    documents = build_documents(corpus, options)
    training = TrainingOptions(pairs=("p",), docstring="left_in")
    settings = DocstringOptions(kind="docstrings")
    pairs = {
        pair.row["key"]: pair.row
        for pair in iterate_docstring_pairs(corpus, settings, Funnel(DOCSTRING_STEPS))
    }
    columns = ["id", "filepath", "start_line", "end_line"]
    compared = 0
    for table in corpus.iterate_methods(columns):
        for number, path, start, end in zip(*map(pa.ChunkedArray.to_pylist, table), strict=True):
            pair = pairs.get(f"github:{path}#L{start}-L{end}")
            if pair is not None:
                compared += 1
                indexed = [documents.words.vocabulary[i] for i in documents.words[number]]
                assert find_pair_words(pair, options, training) == indexed
    assert compared == len(pairs) > 50


def test_a_docstring_that_no_code_has_is_one_line() -> None:
    with pytest.raises(ConfigurationError, match="'docstring: left_in' counts for nothing"):
        TrainingOptions.parse(
            {"pairs": ["p"], "docstring": "left_in", "code_words": "code_only"}, where="training"
        )


def test_comments_of_code_are_cleaned_as_in_the_corpus_dev_87(tmp_path: Path) -> None:
    comment = "/** {@code say} <b>door</b>\n@param file a */"
    code = "void open() { // @param close\n}"
    within = write_pairs(tmp_path / "within", [("open", f"{comment} {code}")])
    beside = write_pairs(tmp_path / "beside", [("open", code)], comments=comment)
    vocabulary = sorted([*VOCABULARY, "param"])
    for options, expected in [
        (WordOptions(), "say door a open param close"),
        (WordOptions(comments="raw"), "say door param file a open param close"),
    ]:
        for path in (within, beside):
            found = read(path, codes=vocabulary, words=options, docstring="left_in")
            assert spell(found.codes) == [expected]


def test_long_texts_are_cut_where_asked(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "p", [("open the file door", "open(); close(); say();")])
    found = read(path, maximum_query_words=2, maximum_code_words=1)
    assert spell(found.queries) == ["open file"]
    assert spell(found.codes) == ["open"]


def test_a_file_without_pairs_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("no Parquet")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read(tmp_path / "p")


def test_lists_are_taken_in_any_order_and_equal_bags_are_grouped() -> None:
    lists = make_lists([["a", "b"], ["c"], ["b", "a"], ["a", "b", "b"], ["c"]])
    assert group_equal(lists).tolist() == [0, 1, 0, 2, 1]
    taken = take_lists(lists, np.array([3, 1, 3]))
    assert spell(taken) == ["a b b", "c", "a b b"]
    assert len(take_lists(lists, np.zeros(0, np.int64))) == 0
