"""The words by which two snippets are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.pairs.leak_checks.leaks import split_code_tokens


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("int i = 0; // zero", ["int", "=", "0"]),
        ("/* a */ finish();", ["finish"]),
        ("view.getWidth(a, this.size)", ["getWidth"]),
        ("this.size = Outer . this . width; this.run(this.a.b)", ["=", "Outer", "run", "b"]),
        ("package a.b;\nimport a.B;\nimport static a.B.*; f();\n  import c.D\nimportant()",
         ["f", "important"]),
        ("a(); // b();\rc(); \"d\re()", ["a", "c", '"d', "e"]),
        ("public static final int MAX = 1.5;", ["int", "MAX", "=", "1", "5"]),
        ('Log.d("a // b", \'x\');', ["Log", "d", '"a // b"', "'x'"]),
        ("if (a != null && b>=1) return new A();",
         ["if", "!=", "null", "&&", ">=", "1", "return", "new", "A"]),
        ("run (x)", ["run"]),
        ("", []),
    ],
)  # fmt: skip
def test_variables_comments_separators_and_modifiers_are_no_words_dev_51(
    code: str, words: list[str]
) -> None:
    assert split_code_tokens(code)[1] == words


def test_tokens_keep_the_variables() -> None:
    assert split_code_tokens("private int i = j;")[0] == ["private", "int", "i", "=", "j"]


@given(st.text(alphabet="ab(. \n\"'\\/*=;A1$_é", max_size=60))
def test_words_are_a_part_of_the_tokens_and_any_text_is_read(code: str) -> None:
    tokens, words = split_code_tokens(code)
    left = iter(tokens)
    assert all(word in left for word in words)


@pytest.mark.parametrize(
    "piece",
    ['"', "'", "/*", "//", "\\", '"\\', "a ", "a", "a\t(", "a.", "import ", "import\t", "this."],
)
def test_long_hostile_code_takes_linear_time(piece: str) -> None:
    split_code_tokens(piece * 100_000)
    split_code_tokens("a" + piece[-1:] * 100_000)
