"""The analyzer ``standard``: tables of cases, another reading of the rules, hostile texts."""

# ruff: noqa: RUF001

import itertools
import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.elasticsearch_analyzers import MAXIMUM_LENGTH, analyze_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("How do I read a File?", ["how", "do", "i", "read", "a", "file"]),
        ("view.setText(x);", ["view.settext", "x"]),
        ("a.b.c a..b .a b.", ["a.b.c", "a", "b", "a", "b"]),
        ("a.1 1.a a1.2b", ["a", "1", "1", "a", "a1.2b"]),
        ("3.14 1,000 1;2 1'2 1:2 1-2", ["3.14", "1,000", "1;2", "1'2", "1", "2", "1", "2"]),
        ("a,b a;b a-b a/b", ["a", "b"] * 4),
        ("it's 'quoted' rock'n'roll its'", ["it's", "quoted", "rock'n'roll", "its"]),
        ("it’s", ["it’s"]),
        ("s:list x::y", ["s:list", "x", "y"]),
        ("foo_bar _foo bar_ __ _1_", ["foo_bar", "_foo", "bar_", "_1_"]),
        ("a_.b a._b", ["a_", "b", "a", "_b"]),
        ("onCreate HTML5 0x1F 1e-5f", ["oncreate", "html5", "0x1f", "1e", "5f"]),
        ('"text" @Override $x x$y List<T>', ["text", "override", "x", "x", "y", "list", "t"]),
        ("the a of", ["the", "a", "of"]),
    ],
)
def test_code_and_english(text: str, expected: list[str]) -> None:
    assert analyze_text(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Élan É", ["élan", "é"]),
        ("ΣΑΣ İI ǅ", ["σασ", "ii", "ǆ"]),
        ("e\u0301t\u0301é \u0301a", ["e\u0301t\u0301é", "a"]),
        ("a.\u0301b a\u0301.b", ["a.\u0301b", "a\u0301.b"]),
        ("a\u00adb a\u200db a\u200bb", ["a\u00adb", "a\u200db", "a", "b"]),
        ("获取缓存put", ["获", "取", "缓", "存", "put"]),
        ("ひらカタカナ漢字", ["ひ", "ら", "カタカナ", "漢", "字"]),
        ("カa カ_a a_カ", ["カ", "a", "カ_a", "a_カ"]),
        ("한국어 abc한", ["한국어", "abc한"]),
        ("สวัสดี abc", ["สวัสดี", "abc"]),
        ("１２．５", ["１２．５"]),
        ('א\'ב צה"ל א" "א', ["א'ב", 'צה"ל', "א", "א"]),
        (
            "☺\ufe0f ok 👍🏽x 👩\u200d💻 🇩🇪🇫🇷🇩",
            ["☺\ufe0f", "ok", "👍🏽", "x", "👩\u200d💻", "🇩🇪", "🇫🇷"],
        ),
        ("#\ufe0f\u20e3 # *\u20e3", ["#\ufe0f\u20e3", "*\u20e3"]),
        ("© a𝒜b", ["©", "a𝒜b"]),
        ("a\ud800b", ["a", "b"]),
    ],
)
def test_other_scripts_marks_and_emoji_dev_73(text: str, expected: list[str]) -> None:
    assert analyze_text(text) == expected


def test_a_long_token_is_cut_and_goes_on() -> None:
    assert list(map(len, analyze_text("a" * 600))) == [255, 255, 90]
    assert analyze_text("a" * 254 + ".b") == ["a" * 254, "b"]
    assert analyze_text("a" * 253 + ".b.c") == ["a" * 253 + ".b", "c"]
    assert analyze_text("_" * 600) == []
    assert "".join(analyze_text("ab_" * 300)) == "ab_" * 300


@given(st.lists(st.sampled_from([*'aZ1２.,;_- \n"(カー漢ひ한é', "a\u0301", "1\u00ad", "カ\u200d"])))
def test_words_end_at_unicode_word_boundaries(parts: list[str]) -> None:
    """The package regex has the rules as well, but for the colon, apostrophes and marks.

    A mark belongs to the character before it (rule WB4), so it is shown the text without them.
    """
    starts = [0, *itertools.accumulate(map(len, parts))]
    bare = "".join(part[0] for part in parts)
    cuts = [starts[match.start()] for match in regex.finditer(r"(?w)\b", bare)]
    text = "".join(parts)
    pieces = [text[start:end] for start, end in itertools.pairwise([0, *cuts, len(text)])]
    words = [piece.lower() for piece in pieces if regex.search(r"[\p{L}\p{N}]", piece)]
    assert analyze_text(text) == words


def test_a_mark_before_a_dot_does_not_part_a_number() -> None:
    assert analyze_text("1\xad.1 a\u0301.a") == ["1\xad.1", "a\u0301.a"]


@given(st.text(max_size=50))
def test_tokens_are_parts_of_the_text_in_order(text: str) -> None:
    small = "".join(character.lower()[0] for character in text)
    place = 0
    for token in analyze_text(text):
        place = small.index(token, place) + len(token)
        assert 0 < len(token) <= MAXIMUM_LENGTH


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_blank_separates(left: str, right: str) -> None:
    assert analyze_text(f"{left} {right}") == analyze_text(left) + analyze_text(right)


@pytest.mark.parametrize(
    "piece",
    ["a", "_", "a.", "1,", "\u0301", "a\u0301", 'א"', "א'", "ก", "👩\u200d", "🇩", "\u200d",
     "#\ufe0f", "a_.", "\ud800", "_\u0301", "漢", "👍🏽", "'\u0301"],
)  # fmt: skip
def test_hostile_texts_take_linear_time(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    start = time.process_time()
    analyze_text(text)
    analyze_text("a" + text + "!")
    assert time.process_time() - start < 5
