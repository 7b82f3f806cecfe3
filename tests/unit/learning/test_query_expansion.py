from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.words import split_words
from ncsbench.code.java.search_fields import find_names
from ncsbench.errors import DataError
from ncsbench.learning.training.query_expansion import (
    EXPANSION_SCHEMA,
    Expansion,
    brings_nothing,
    build_expansion,
)
from ncsbench.learning.training.training_options import ExpansionSettings
from tests.synthetic_documents import make_pairs


def parse(options: Mapping[str, object]) -> ExpansionSettings:
    return ExpansionSettings.parse({"pairs": "x", **options}, where="expansion")


def build(pairs: Sequence[tuple[str, str]], **options: object) -> pa.Table:
    return build_expansion([make_pairs(pairs)], parse(options))


def rows_of(table: pa.Table) -> list[tuple[str, str, int, float]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_the_table_computed_by_hand() -> None:
    table = build(
        [
            # a twice and in 2 of 4 pairs: (1 + ln 2) ln 2 = 1.17; b in 1: ln 4 = 1.39;
            # c in 3: ln 4/3 = 0.29. Half of three is two: a and b.
            ("Showing views", "a(); x.b(a(), c());"),
            # a: ln 2 = 0.69, c: 0.29. Half of two is one: a.
            ("the view", "a(c());"),
            ("Open view", "c();"),
            ("Nothing", "int i = 0;"),
        ],
        stop_words=["the"],
        words="whole",
    )
    assert table.schema == EXPANSION_SCHEMA
    assert rows_of(table) == [
        ("open", "c", 1, 1.0),
        ("show", "a", 1, 0.5),
        ("show", "b", 1, 0.5),
        ("view", "a", 2, 0.5),
        ("view", "b", 1, 0.25),
        ("view", "c", 1, 0.25),
    ]


def test_a_table_of_split_words_computed_by_hand_dev_86() -> None:
    pairs = [
        # Words of 3 pairs: get twice and in 2: (1 + ln 2) ln 1.5 = 0.69; view, by, id, text in 1:
        # ln 3 = 1.10; set in 2: ln 1.5 = 0.41. Half of six words, not of three names: by, id, text.
        ("Showing views", "getViewById(); getText(); set();"),
        # Two words: show in 1: ln 3 = 1.10; get 0.41. Half is one.
        ("the views", "show(get());"),
        ("views", "set();"),
    ]
    assert rows_of(build(pairs, stop_words=["the", "by"])) == [
        ("show", "by", 1, 1 / 3),
        ("show", "id", 1, 1 / 3),
        ("show", "text", 1, 1 / 3),
        ("view", "by", 1, 0.2),
        ("view", "id", 1, 0.2),
        ("view", "set", 1, 0.2),
        ("view", "show", 1, 0.2),
        ("view", "text", 1, 0.2),
    ]


def test_code_words_are_those_that_the_corpus_has_dev_86() -> None:
    pairs = [("orientation", "void onConfigurationChanged(Base64 b) { MD5_hash(); v2Get(); }")]
    words = build(pairs, kept_share=1.0)["code_word"].to_pylist()
    assert words == ["changed", "configuration", "get", "hash", "md5", "on", "v2"]
    whole = build(pairs, kept_share=1.0, words="whole")["code_word"].to_pylist()
    assert whole == ["MD5_hash", "onConfigurationChanged", "v2Get"]


NAMES = st.sampled_from(["open", "close", "getView", "setText", "run"])
WORDS = st.sampled_from(["view", "file", "text", "the", "button"])
PAIRS = st.lists(st.tuples(st.lists(WORDS, max_size=4), st.lists(NAMES, max_size=7)), max_size=12)
STOP_WORDS = ["the"]


def expand_plainly(
    pairs: Sequence[tuple[list[str], list[str]]], share: float, minimum: int, *, split: bool
) -> list[tuple[str, str, int, float]]:
    """The formulas with dictionaries, pair by pair."""
    if split:
        pairs = [(query, split_words(" ".join(names))) for query, names in pairs]
    frequencies = Counter(name for _, names in pairs for name in set(names))
    counts: dict[str, Counter[str]] = {}
    seen: dict[str, set[str]] = {}
    for words, names in pairs:
        weights = {
            name: (1 + math.log(tf)) * math.log(len(pairs) / frequencies[name])
            for name, tf in Counter(names).items()
        }
        ordered = sorted(weights, key=lambda name: (-weights[name], name))
        for word in set(words) - set(STOP_WORDS):
            seen.setdefault(word, set()).add(" ".join(words))
            counts.setdefault(word, Counter()).update(ordered[: math.ceil(share * len(ordered))])
    rows = [
        (word, name, count, count / sum(row.values()))
        for word, row in counts.items()
        for name, count in row.items()
        if len(seen[word]) >= minimum
    ]
    return sorted(rows, key=lambda row: (row[0], -row[3], row[1]))


@given(PAIRS, st.sampled_from([0.25, 0.5, 1.0]), st.integers(1, 3), st.booleans(), st.randoms())
def test_tables_equal_those_of_plain_counting_in_any_order(
    pairs: list[tuple[list[str], list[str]]],
    share: float,
    minimum: int,
    split: bool,
    random: Random,
) -> None:
    expected = expand_plainly(pairs, share, minimum, split=split)
    texts = [(" ".join(w), " ".join(f"{n}();" for n in names)) for w, names in pairs]
    random.shuffle(texts)
    words = "split" if split else "whole"
    options = {"kept_share": share, "minimum_titles": minimum, "words": words}
    options["stop_words"] = STOP_WORDS
    tables = [make_pairs(texts[:3]), make_pairs(texts[3:])]
    if not expected:
        with pytest.raises(DataError, match="none of"):
            build_expansion(tables, parse(options))
        return
    assert rows_of(build_expansion(tables, parse(options))) == expected


def test_names_before_a_parenthesis_and_what_they_are_dev_56() -> None:
    code = """
    @SuppressLint("later(") @android.support.Keep("x") public void onClick(View view) { // first()
        if (open (view)) return Math.abs(1);
        /* second() */ super.onClick(view); this.<T>cast(new a.b.Dialog(view), "third()", '(');
    }
    Map<String, List<T>> getMap() { if (left > right(2)) throw error(); else stop(); }
    int[] getIds() { for (;;) {} }
    """
    assert find_names(code) == [
        ("onClick", "declaration"),
        ("open", "call"),
        ("abs", "call"),
        ("onClick", "call"),
        ("cast", "call"),
        ("Dialog", "creation"),
        ("getMap", "declaration"),
        ("right", "call"),
        ("error", "call"),
        ("stop", "call"),
        ("getIds", "declaration"),
    ]
    pairs = [("view", "void declare() { call(new Create()); }")]
    every = {"kept_share": 1.0}
    assert build(pairs, **every)["code_word"].to_pylist() == ["call", "create", "declare"]
    calls = build(pairs, **every, creations=False, declarations=False)
    assert calls["code_word"].to_pylist() == ["call"]


@pytest.mark.parametrize(
    "part", ["a", '\\"', '"\\', "a ", "/*", "new ", "a.", "x(", '"""', "'", "<"]
)
def test_long_texts_are_read_in_linear_time(part: str) -> None:
    # Minutes, were any of them read in quadratic time.
    find_names(part * 50_000 + "(")


@given(st.text())
def test_any_text_gives_names_without_signs(text: str) -> None:
    for name, _ in find_names(text):
        assert any(letter.isalpha() for letter in name)
        assert name in text


def test_half_of_the_code_words_is_rounded_up_and_ties_go_by_word_dev_57() -> None:
    code = "d(); c(); b();"
    assert build([("view", code)])["code_word"].to_pylist() == ["b", "c"]
    assert build([("view", "d();")])["code_word"].to_pylist() == ["d"]
    assert len(build([("view", code)], kept_share=1.0)) == 3
    assert len(build([("view", code)], kept_share=0.01)) == 1


def test_a_pair_counts_once_however_often_both_words_stand_in_it_dev_58() -> None:
    pairs = [("view of a view", "a(); a(); a();"), ("view", "b();")]
    rows = rows_of(build(pairs, stop_words=["a", "of"]))
    assert rows == [("view", "a", 1, 0.5), ("view", "b", 1, 0.5)]


def test_lemmas_of_few_titles_can_be_left_out_dev_58() -> None:
    pairs = [("view", "a();"), ("views open", "a();"), ("views open", "")]
    assert set(build(pairs)["query_word"].to_pylist()) == {"view", "open"}
    assert rows_of(build(pairs, minimum_titles=2)) == [("view", "a", 2, 1.0)]


def test_stop_words_have_no_row_and_change_no_other_dev_59() -> None:
    pairs = [("how to view", "a();"), ("how to open", "b();")]
    with_all = {row for row in rows_of(build(pairs)) if row[0] not in ("how", "to")}
    assert set(rows_of(build(pairs, stop_words=["how", "to"]))) == with_all


def test_words_are_added_from_the_least_value_on_and_each_once_dev_59() -> None:
    pairs = [("open file", "a();"), ("open", "b();"), ("open", "b();"), ("close file", "a();")]
    expansion = Expansion(build(pairs))
    assert expansion.look_up("opening") == ("b", 2 / 3)
    assert expansion.look_up("unknown") is None
    assert expansion.find_additions(["open", "close"], minimum_value=2 / 3) == ["b", "a"]
    assert expansion.find_additions(["open", "close"], minimum_value=0.7) == ["a"]
    assert expansion.find_additions(["files", "close", "unknown"], minimum_value=0.0) == ["a"]


def test_the_best_of_a_row_counts_also_where_it_brings_nothing_dev_86() -> None:
    expansion = Expansion(build([("go back", "goBack();"), ("back", "onBack();")], kept_share=1.0))
    assert expansion.look_up("back") == ("back", 0.5)
    assert brings_nothing("back", ["back"], frozenset()) and not brings_nothing("back", [], set())
    assert brings_nothing("on", ["back"], {"on"}) and brings_nothing("onBack", ["back"], {"on"})
    assert not brings_nothing("onBackPressed", ["back"], {"on"})
    # Words as they are written: "backs" has the row of "back", whose best word is another.
    assert expansion.look_up("backs") == ("back", 0.5)
    assert not brings_nothing("back", ["backs"], frozenset())


def test_of_equal_words_the_first_by_alphabet_is_the_best() -> None:
    expansion = Expansion(build([("view", "b(); a();")], kept_share=1.0))
    assert expansion.look_up("view") == ("a", 0.5)


def test_best_rows_do_not_depend_on_the_order_of_the_table() -> None:
    table = build([("open file", "a();"), ("open", "b();"), ("open", "b();")])
    assert Expansion(table.take(list(range(len(table)))[::-1])).table == Expansion(table).table
    assert Expansion(Expansion(table).table).table == Expansion(table).table


def test_a_table_without_rows_adds_nothing() -> None:
    empty = Expansion(EXPANSION_SCHEMA.empty_table())
    assert empty.find_additions(["view"], minimum_value=0) == []
    assert len(empty.table) == 0
