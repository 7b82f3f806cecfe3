"""Javadoc comments as plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.words import split_words
from ncsbench.code.java.javadoc import read_first_sentence, read_text
from ncsbench.pairs.training_pairs.docstring_pairs import is_generated, is_latin, is_licence


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("/** Hides the keyboard. Then sleeps. */", "Hides the keyboard."),
        ("/**\n * Hides the\n * keyboard\n * @param view the view\n */", "Hides the keyboard"),
        ("/**\r\n * One.\r\n * Two.\r\n */", "One."),
        ("/**\r\n * Hides the\r\n * keyboard.\r\n */", "Hides the keyboard."),
        ("/** Hides the\r * keyboard.\r */", "Hides the keyboard."),
        ("/** Hides the<br>keyboard.<BR/>Now. */", "Hides the keyboard."),
        ("/** Reads version 1.5 of a file.*/", "Reads version 1.5 of a file."),
        ("/** @return the height */", ""),
        ("/** {@inheritDoc} */", ""),
        ("/***/", ""),
        ("/** --- */", ""),
        ("/** {@link View} of {@link Map#get(Object)} or {@link #run}. */",
         "View of Map.get or run."),
        ("/** See {@link Map.Entry#getKey() the key}. More */", "See the key."),
        ("/** Gives {@code List<String>} of {@code {a}}. */", "Gives List<String> of {a}."),
        ("/** <p>Shows a <b>toast</b> &amp; waits.</p> */", "Shows a toast & waits."),
        ("/** Returns a List<String> of names */", "Returns a List<String> of names"),
        ("/** 获取状态栏高度。返回 */", "获取状态栏高度。"),
        ("/** Mail to a@b.org now. Yes. */", "Mail to a@b.org now."),
    ],
)  # fmt: skip
def test_the_first_sentence_is_plain_text(comment: str, sentence: str) -> None:
    assert read_first_sentence(comment) == sentence


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("/** Reads a file, e.g. a log. Then stops. */", "Reads a file, e.g. a log."),
        ("/** Reads, e.g. XML files. Stops. */", "Reads, e.g. XML files."),
        ("/** One vs. Two, cf. A. Three. */", "One vs. Two, cf. A."),
        ("/** By Google Inc. Android. Yes. */", "By Google Inc. Android."),
        ("/** See fig. 3 and no. 4. Yes. */", "See fig. 3 and no. 4."),
        ("/** Hides views, bars etc. Shows them again. */", "Hides views, bars etc."),
        ("/** Hides it\n *\n * Shows it. */", "Hides it"),
        ("/** Hides it\n * <p>\n * Shows it. */", "Hides it"),
        ("/** Hides it<ul><li>a</li></ul> */", "Hides it"),
    ],
)
def test_a_sentence_ends_at_a_paragraph_but_not_at_an_abbreviation_dev_52(
    comment: str, sentence: str
) -> None:
    assert read_first_sentence(comment) == sentence


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("/** Hides it. Then\n * sleeps. */", "hides it then sleeps"),
        ("/**\r\n * Adds.\r\n * @param dpCount the count\r\n */", "adds the count"),
        ("/** @param <T> kind of item\n@param\n *   viewGroup\n * its parent */",
         "kind of item its parent"),
        ("/** @param */", ""),
        ("/** @return the height\n *  @throws IOException if gone */",
         "the height io exception if gone"),
        ("/**\n * @see View#getHeight()\n * @hide\n */", "view get height"),
        ("/** @params a\n * @custom.tag b */", "a b"),
        ("/** Mail to a@b.org now. */", "mail to a b org now"),
        ("/** Of {@link Map#get(Object)}, {@code <T> a} {@inheritDoc} */", "of map get t a"),
        ("/** See {@linkplain View#run the run}.<br/>Now<p>on */", "see the run now on"),
        ('/** <a href="http://x.org">Docs</a>&nbsp;of<!-- old --> &lt;b&gt; */', "docs of b"),
        ("/** <td>a</td><td>b</td> of List<String> */", "a b of list string"),
        ("/***/", ""),
        ("/**/", ""),
    ],
)  # fmt: skip
def test_tags_markup_and_names_of_parameters_are_no_words_dev_87(comment: str, words: str) -> None:
    assert " ".join(split_words(read_text(comment))) == words


@given(st.text(alphabet="/*@{}<>.#( )\n abP&;", max_size=200))
def test_any_text_gives_one_line_without_outer_blanks(text: str) -> None:
    sentence = read_first_sentence(f"/**{text}*/")
    assert sentence == " ".join(sentence.split())


def test_long_hostile_comments_take_linear_time() -> None:
    inline, block = ("{@code ", "{@link {"), ("\n@param ", "\n@param <", "\n*")
    for piece in (*inline, *block, "<p ", "<!--", ". ", "a.", "&"):
        read_first_sentence("/**" + piece * 20_000 + "*/")
        read_text("/**" + piece * 20_000 + "*/")


def test_kinds_of_comments_are_told_by_their_text() -> None:
    assert is_licence("/** Copyright 2018 A. */")
    assert is_generated("/** TODO Auto-generated method stub */")
    assert is_latin("Größe of 1")
    assert is_latin("")
    assert not is_latin("获取状态 a")
