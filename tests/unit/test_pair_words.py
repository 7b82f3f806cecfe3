from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ncsbench.artifacts.storage import write_table
from ncsbench.corpus.word_options import WordOptions
from ncsbench.errors import DataError
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.training.pair_words import group_equal, read_pair_words, take_lists
from tests.synthetic_documents import make_lists, make_pairs

VOCABULARY = ["a", "close", "door", "file", "open", "say"]


def write_pairs(path: Path, pairs: Sequence[tuple[str, str]]) -> Path:
    write_table(path, make_pairs(pairs), PAIR_SCHEMA)
    return path


def spell(lists, vocabulary: list[str]) -> list[str]:
    return [" ".join(vocabulary[i] for i in lists[row]) for row in range(len(lists))]


def test_queries_and_code_become_words_with_a_vector_dev_62(tmp_path: Path) -> None:
    pairs = [
        ("Open a new door?", "void openDoor() { door.close(); other(); }"),
        ("nothing known", "open();"),
        ("Close it", "int i = 0;"),
        ("file file", 'say("open file");'),
    ]
    halves = [write_pairs(tmp_path / f"{i}.parquet", pairs[2 * i : 2 * i + 2]) for i in (0, 1)]
    found = read_pair_words(halves, VOCABULARY, words=WordOptions())
    assert spell(found.queries, VOCABULARY) == ["open a door", "file file"]
    assert spell(found.codes, VOCABULARY) == ["open door close", "say open file"]
    assert (found.read, found.without_query_words, found.without_code_words) == (4, 1, 1)


def test_the_word_options_of_the_corpus_decide_about_code(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "p", [("open", "new Door(); class File { void say() {} }")])
    for options, expected in [
        (WordOptions(), "file say"),
        (WordOptions(class_name=False, constructor_calls=True), "say door"),
    ]:
        found = read_pair_words([path], VOCABULARY, words=options)
        assert spell(found.codes, VOCABULARY) == [expected]


def test_comments_of_code_are_cleaned_as_in_the_corpus_dev_87(tmp_path: Path) -> None:
    code = "/** {@code say} <b>door</b>\n@param file a */ void open() { // @param close\n}"
    path = write_pairs(tmp_path / "p", [("open", code)])
    vocabulary = sorted([*VOCABULARY, "param"])
    for options, expected in [
        (WordOptions(), "say door a open param close"),
        (WordOptions(comments="raw"), "say door param file a open param close"),
    ]:
        found = read_pair_words([path], vocabulary, words=options)
        assert spell(found.codes, vocabulary) == [expected]


def test_long_texts_are_cut_where_asked(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "p", [("open the file door", "open(); close(); say();")])
    found = read_pair_words(
        [path], VOCABULARY, words=WordOptions(), maximum_query_words=2, maximum_code_words=1
    )
    assert spell(found.queries, VOCABULARY) == ["open file"]
    assert spell(found.codes, VOCABULARY) == ["open"]


def test_a_file_without_pairs_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("no Parquet")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        read_pair_words([tmp_path / "p"], VOCABULARY, words=WordOptions())


def test_lists_are_taken_in_any_order_and_equal_bags_are_grouped() -> None:
    lists = make_lists([["a", "b"], ["c"], ["b", "a"], ["a", "b", "b"], ["c"]])
    assert group_equal(lists).tolist() == [0, 1, 0, 2, 1]
    taken = take_lists(lists, np.array([3, 1, 3]))
    assert spell(taken, lists.vocabulary) == ["a b b", "c", "a b b"]
    assert len(take_lists(lists, np.zeros(0, np.int64))) == 0
