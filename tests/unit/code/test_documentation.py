"""Comment marks, the summary rule and the tokeniser of documentation."""

import pytest

from ncsbench.code.functions.function_texts import (
    strip_comment_marks,
    summarize,
    tokenize_docstring,
)


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** Adds one. */", "Adds one."),
        ("/**\n * Adds one.\n *\n * @param a a number\n */", "Adds one.\n\n@param a a number"),
        ("/**\r\n * Adds one.\r\n */", "Adds one."),
        ("// Adds one.\n//\n//    indented", "Adds one.\n\nindented"),
        ("/* Adds one. */", "Adds one."),
        ("/***** Adds one. *****/", "Adds one. ****"),
        ("", ""),
    ],
)
def test_marks_are_stripped_line_by_line(comment: str, text: str) -> None:
    assert strip_comment_marks(comment, rules="as_meant") == text


def test_a_plain_opening_stays_as_released_dev_120() -> None:
    assert strip_comment_marks("/* Adds one. */", rules="as_released") == "/* Adds one."
    assert strip_comment_marks("/** Adds one. */", rules="as_released") == "Adds one."


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Adds one.\nIndeed.\n\nMore.\n@param a", "Adds one.\nIndeed."),
        ("Adds one.\n \t\nMore.", "Adds one."),
        ("Adds one.\r\n\r\nMore.", "Adds one."),
        ("Adds one. @param a", "Adds one."),
        ("mail a@b.c\n\nMore.", "mail a@b.c"),
        ("@return one", ""),
        ("All of it", "All of it"),
        ("", ""),
    ],
)
def test_the_summary_is_the_first_paragraph_dev_120(text: str, summary: str) -> None:
    assert summarize(text) == summary


def test_words_and_punctuation_are_runs() -> None:
    assert tokenize_docstring("Größe of a_b (in k-bytes)...  ok") == [
        *("Größe", "of", "a_b", "(", "in", "k", "-", "bytes", ")...", "ok")
    ]
    assert tokenize_docstring(" \n") == []
