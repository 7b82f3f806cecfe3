"""Comments as they stand, to their first full stop or line end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.code.java.javadoc import cut_raw_sentence, read_raw_sentence


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("/** Hides the keyboard. Then sleeps. */", "Hides the keyboard"),
        ("/**\n * Hides the\n * keyboard.\n */", "Hides the"),
        ("/**\r\n * Hides the\r\n * keyboard.\r\n */", "Hides the"),
        ("/**\r * Hides the\r * keyboard.\r */", "Hides the"),
        ("/**\n\n * \n\t** Hides it \n */", "Hides it"),
        ("/** Reads e.g. XML. */", "Reads e"),
        ("/** Reads activiti.cfg.xml */", "Reads activiti"),
        ("/** Is it? */", "Is it?"),
        ("/** 获取状态栏高度。返回 */", "获取状态栏高度。返回"),
    ],
)
def test_the_sentence_ends_at_the_first_full_stop_or_line_end_dev_180(
    comment: str, sentence: str
) -> None:
    assert read_raw_sentence(comment) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "<p>Shows a <b>toast</b> &amp; waits",
        "{@inheritDoc}",
        "@return the {@link View} of <a href='http://a/b'>this</a>",
        "(see {@code List<String>})",
        "-----",
        "a\u2028b\u2029c\x00\x1b[31md\x0be\x85f",
    ],
)
def test_tags_links_html_and_marks_stay_dev_180(text: str) -> None:
    assert read_raw_sentence(f"/** {text}. Now. */") == text
    assert read_raw_sentence(f"/**\n   * {text}\n   * @see it\n **/") == text


@pytest.mark.parametrize(
    "empty", ["", " ", "/**/", "/***/", "/****/", "/*/", "/**", "*/", "/** . */"]
)
def test_a_comment_without_text_has_no_sentence(empty: str) -> None:
    assert read_raw_sentence(empty) == ""


def test_a_comment_without_an_end_is_read() -> None:
    assert read_raw_sentence("/** Hides it") == "Hides it"
    assert read_raw_sentence("Hides it */") == "Hides it"


@pytest.mark.parametrize(
    "part", ["*", " *", "a", "\r", "\n*", "\t*\r", "*/", "/*", " \n", "\u2028"]
)
def test_comments_of_ten_megabytes_are_read_in_one_go(part: str) -> None:
    text = part * (10_000_000 // len(part))
    assert "\n" not in read_raw_sentence(f"/** {text}")
    assert "\r" not in read_raw_sentence(f"/** a{text} */")


@given(st.text(alphabet="/*.\r\n a@<{", max_size=40))
def test_no_text_breaks_the_reader_and_nothing_is_invented(text: str) -> None:
    sentence = read_raw_sentence(text)
    assert sentence in text
    assert cut_raw_sentence(sentence) == sentence
