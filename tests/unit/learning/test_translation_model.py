from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ncsbench.base.files.storage import hash_bytes, write_table
from ncsbench.cli.main import app
from ncsbench.errors import DataError
from ncsbench.learning.training.training_options import TranslationSettings
from ncsbench.learning.training.translation_model import (
    Meetings,
    build_translation,
    estimate,
    find_meetings,
    read_word_sets,
)
from ncsbench.learning.training.translation_tables import Translation, load_translation
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.synthetic_documents import make_pairs

Pair = tuple[str, str]
HOUSE = [("house", "maison la"), ("house book", "maison livre"), ("book", "livre la")]
"""Queries and code, whose words are separated by spaces."""
WORD = st.sampled_from("abcdef")
PAIRS = st.lists(st.tuples(st.lists(WORD).map(" ".join), st.lists(WORD).map(" ".join)), max_size=8)


class WordLists:
    def __init__(self, pairs: list[Pair]) -> None:
        self._pairs = pairs

    def iterate_queries(self) -> Iterator[list[str]]:
        return (query for query, _ in self.iterate_words())

    def iterate_sets(self) -> Iterator[Iterator[tuple[list[str], list[str]]]]:
        return iter([self.iterate_words()])

    def iterate_words(self) -> Iterator[tuple[list[str], list[str]]]:
        return ((query.split(), code.split()) for query, code in self._pairs)


def parse(stop_words: tuple[str, ...] = (), **options: Any) -> TranslationSettings:
    chosen = {"pairs": ["x"], "minimum_count": 1, "minimum": 0.0, **options}
    return TranslationSettings.parse(
        {"translation": chosen, "words": {}, "stop_words": list(stop_words)}, where="settings"
    )


def build(pairs: list[Pair], **options: Any) -> dict[Pair, tuple[float, float]]:
    rows = build_translation(WordLists(pairs), parse(**options)).table.to_pylist()
    return {
        (row["query_word"], row["code_word"]): (row["query_given_code"], row["code_given_query"])
        for row in rows
    }


def meet(pairs: list[Pair], **cells: int) -> Meetings:
    queries, codes = read_word_sets(WordLists(pairs), parse())
    return find_meetings(queries, codes, **cells)


def fit_plainly(pairs: list[tuple[set[str], set[str]]], iterations: int) -> dict[Pair, float]:
    """t(made | given) of pairs of a made and a given side, word by word."""
    words = {word for made, _ in pairs for word in made}
    table = {
        (made, word): 1 / len(words)
        for made in words
        for word in [None, *{other for _, side in pairs for other in side}]
    }
    for _ in range(iterations):
        counts = dict.fromkeys(table, 0.0)
        for made_side, given_side in pairs:
            for made in made_side:
                sides = [None, *given_side]
                total = sum(table[made, word] for word in sides)
                for word in sides:
                    counts[made, word] += table[made, word] / total
        for made, word in table:
            total = sum(counts[other, word] for other in words)
            table[made, word] = counts[made, word] / total if total else 0.0
    return table


def test_one_iteration_by_hand() -> None:
    table = build(HOUSE, iterations=1)
    # Every pair has two code words and the null word: each word of a query is a third of each.
    # "la" then has a third of "house" and of "book", "maison" two thirds of "house", one of "book".
    assert table["house", "la"][0] == table["book", "la"][0] == pytest.approx(1 / 2)
    assert table["house", "maison"][0] == pytest.approx(2 / 3)
    # Given a query of one word and the null word, the shares of "maison" are 1/2 and then 1/3.
    assert table["house", "maison"][1] == pytest.approx((1 / 2 + 1 / 3) / (1 / 2 + 1 / 2 + 2 / 3))


@given(PAIRS, st.integers(1, 6))
def test_tables_are_those_of_a_plain_form(pairs: list[Pair], iterations: int) -> None:
    whole = [(set(q.split()), set(c.split())) for q, c in pairs if q and c]
    if not whole:
        return
    table = build(pairs, iterations=iterations, kept=100)
    forth = fit_plainly(whole, iterations)
    back = fit_plainly([(code, query) for query, code in whole], iterations)
    assert table.keys() == {(q, c) for query, code in whole for q in query for c in code}
    for (query, code), values in table.items():
        assert values == pytest.approx((forth[query, code], back[code, query]))


@given(PAIRS, st.sampled_from(["queries", "codes"]))
def test_the_likelihood_never_falls(pairs: list[Pair], made: str) -> None:
    meetings = meet(pairs)
    if not len(meetings.keys):
        return
    _, likelihoods = estimate(meetings, made=made, iterations=8)
    steps = np.diff(likelihoods)
    assert (steps >= -1e-9 * abs(likelihoods[0])).all() and likelihoods[-1] <= 1e-9


def test_the_first_likelihood_is_that_of_equal_probabilities() -> None:
    meetings = meet(HOUSE)
    _, (first, *_) = estimate(meetings, made="queries", iterations=1)
    assert first == pytest.approx(4 * math.log(1 / 2))  # four words, each one of two


@given(PAIRS, st.integers(1, 9))
def test_blocks_change_nothing_but_rounding(pairs: list[Pair], cells: int) -> None:
    whole, cut = meet(pairs), meet(pairs, cells=cells)
    np.testing.assert_array_equal(whole.keys, cut.keys)
    assert [block.start for block in cut.blocks[1:]] == [block.stop for block in cut.blocks[:-1]]
    if len(whole.keys):
        found = [estimate(one, made="codes", iterations=3)[0] for one in (whole, cut)]
        np.testing.assert_allclose(*found)


def test_words_of_few_pairs_and_stop_words_count_for_nothing() -> None:
    pairs = [("open a file", "read file"), ("open a path", "read path"), ("once", "read")]
    assert build(pairs, minimum_count=2, stop_words=("a",)).keys() == {("open", "read")}
    assert ("a", "read") in build(pairs, minimum_count=2)


def test_a_word_counts_once_in_a_pair_and_code_is_cut_to_its_first_words() -> None:
    once = build([("file", "a b"), ("view", "b")])
    assert build([("file file", "a a b"), ("view", "b b")]) == once
    assert build([("file", "a a b c"), ("view", "b")], maximum_code_words=2) == once


def test_the_best_code_words_of_a_word_are_kept_in_each_direction() -> None:
    pairs = [("go", "rare all"), *[("go", "all")] * 3, *[("other", "all some")] * 4]
    whole = build(pairs)
    assert whole["go", "rare"][0] > whole["go", "all"][0]
    assert whole["go", "rare"][1] < whole["go", "all"][1]
    assert {code for query, code in build(pairs, kept=1) if query == "go"} == {"rare", "all"}
    least = whole["other", "some"][0]
    assert all(max(values) >= least for values in build(pairs, minimum=least).values())


def test_ties_at_the_cut_go_to_the_first_word() -> None:
    assert build([("go", "c b a")], kept=1).keys() == {("go", "a")}


def test_a_word_is_translated_into_its_most_probable_code_words_first() -> None:
    table = build_translation(WordLists(HOUSE), parse(iterations=10)).table
    translation = Translation(table.take(list(reversed(range(len(table))))))
    assert [word for word, _ in translation.translate("house")] == ["maison", "la", "livre"]
    assert translation.translate("unknown") == []
    assert translation.table.equals(table)


@pytest.mark.parametrize("pairs", [[], [("", "a")], [("a", "")], [("a", "b"), ("c", "d")]])
def test_pairs_without_a_word_of_enough_pairs_end_in_one_line(pairs: list[Pair]) -> None:
    with pytest.raises(DataError, match=r"translation: none of .* lower 'minimum_count'") as error:
        build_translation(WordLists(pairs), parse(minimum_count=2))
    assert "\n" not in str(error.value)


def test_the_command_learns_from_java_without_its_docstring_and_writes_the_same_bytes(
    tmp_path: Path,
) -> None:
    code = "void showKeyboard() { input.showSoftInput(); new Window(); }"
    columns = {"class_name": "Screen", "comments": "/** Docstring taken out. */\n// beside"}
    first = make_pairs([("show the keyboard", code), ("show it", "view.show();")], **columns)
    second = make_pairs([("hide it", "view.hide();")])
    for name, table in (("first", first), ("second", second)):
        write_table(tmp_path / f"{name}.parquet", table, PAIR_SCHEMA)
    settings = parse(stop_words=("the", "it"), pairs=["first", "second"])
    (tmp_path / "settings.json").write_text(json.dumps(settings.as_json()))
    line = "stage translation --settings %/settings.json --pairs %/first.parquet"
    digests = set()
    for name in "ab":
        asked = f"{line} --pairs %/second.parquet --output %/{name}"
        arguments = asked.replace("%", str(tmp_path)).split()
        assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0
        tables = sorted((tmp_path / name).iterdir())
        digests.add(hash_bytes(b"".join(table.read_bytes() for table in tables)))
    assert len(digests) == 1 and len(tables) == 1
    translation = load_translation(tmp_path / "a")
    rows = translation.table.to_pylist()
    words = {(row["query_word"], row["code_word"]) for row in rows}
    assert {("show", "soft"), ("keyboard", "screen"), ("hide", "hide")} <= words
    assert not {code for _, code in words} & {"docstring", "taken", "window"}
    assert {query for query, _ in words} == {"show", "keyboard", "hide"}
