"""Third-party text made safe for a terminal, and shortened."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.safe_text import cut_text, show_line, show_visibly


def test_long_texts_are_cut_with_a_count() -> None:
    assert cut_text("a" * 81 + "\n" + "b" * 80 + "\nc\nd", lines=2, width=80) == [
        "a" * 56 + " … 25 more characters", "b" * 80, "… 2 more lines",
    ]  # fmt: skip
    assert cut_text("abcdef\nb", lines=1, width=4) == ["ab … 4 more characters", "… 1 more line"]


@given(st.text(max_size=60))
def test_nothing_that_acts_on_a_terminal_is_shown(text: str) -> None:
    for shown in ("".join(cut_text(text, lines=5, width=20)), show_line(text)):
        assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_hidden_characters_are_named() -> None:
    hostile = "\x1b]0;x\x07 \u202eevil\u2066 \x9b31m a\u200db \ud800 \r"
    assert show_visibly(hostile) == (
        "<U+001B>]0;x<U+0007> <U+202E>evil<U+2066> <U+009B>31m a<U+200D>b <U+D800> <U+000D>"
    )
    assert show_visibly("a\r\n\tb é 中") == "a\n\tb é 中"
    assert cut_text("\tb", lines=1, width=20) == ["    b"]
