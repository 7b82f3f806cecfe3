"""Code as the explorer shows it, and where its matched tokens stand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.apps.explorer.shown_code import (
    MOST,
    MethodLeaves,
    pack_places,
    read_leaves,
    show_code,
    show_link,
)
from ncsbench.evaluation.judge.answers import features_of_answer

METHOD = """void greet(String name) {
        // name is printed, String first
        System.out.println("Grüße \U0001f44b" + name);
\t\tlog(name);\r
    }"""


def read(code: str) -> MethodLeaves:
    leaves = read_leaves(code)
    assert leaves is not None
    return leaves


def unpack(packed: str) -> list[int]:
    """Places as the page reads them."""
    return np.cumsum([int(step, 36) for step in packed.split()]).astype(int).tolist()


def from_unit(text: str, place: int) -> str:
    """The text from a UTF-16 unit on, as a browser cuts it."""
    return text.encode("utf-16-le")[2 * place :].decode("utf-16-le")


def test_the_indentation_of_the_closing_line_and_carriage_returns_are_left_out() -> None:
    assert show_code(METHOD).text.split("\n") == [
        "void greet(String name) {",
        "    // name is printed, String first",
        '    System.out.println("Grüße \U0001f44b" + name);',
        "log(name);",
        "}",
    ]


def test_every_token_of_a_method_is_found_where_it_stands() -> None:
    starts = read(METHOD).starts.tolist()
    shown = show_code(METHOD, starts)
    texts = [from_unit(shown.text, place) for place in unpack(pack_places(shown.places))]
    assert [text.split("(")[0].split(")")[0] for text in texts] == [
        *("System.out.println", "out.println", "println"),
        *('"Grüße \U0001f44b" + name', "name", "log", "name"),
    ]


def test_matched_tokens_are_those_of_the_answer() -> None:
    method = """void save(String text) {
        int unrelated = 17 * 4;
        SharedPreferences.Editor editor = preferences.edit();
        editor.putString("key", text);
        editor.apply();
    }"""
    answer = features_of_answer('Editor editor = preferences.edit();\neditor.putString("key", v);')
    assert answer is not None
    found = [method[start:] for start in read(method).find_matched(answer)]
    assert any(text.startswith("putString") for text in found)
    assert not [text for text in found if text.startswith(("unrelated", "17", "apply"))]


def test_what_acts_on_a_page_is_shown_and_places_follow() -> None:
    code = 'void f() { a\u202e("<b>\x1b[2J"); b(); }'
    shown = show_code(code, [code.index("b()")])
    assert shown.text == 'void f() { a<U+202E>("<b><U+001B>[2J"); b(); }'
    assert from_unit(shown.text, shown.places[0]).startswith("b()")


def test_long_code_is_cut_and_says_how_much_is_left_out() -> None:
    code = "void f() {\n" + "    call();\n" * 100_000 + "}"
    shown = show_code(code, [code.index("call"), len(code) - 5])
    assert shown.left_out == len(code) - MOST
    assert len(shown.text) == MOST
    assert len(shown.places) == 1


def test_what_the_judge_cannot_read_has_no_leaves() -> None:
    assert read_leaves("void f( {") is None
    assert read_leaves("") is None
    assert read_leaves("void f() { " + "x();" * 300_000 + "}") is None


@given(st.text(alphabet="a \t\n\r\u202e\U0001f44b{", max_size=60), st.data())
def test_any_place_of_any_text_is_found_again(code: str, data: st.DataObject) -> None:
    letters = [place for place, letter in enumerate(code) if letter == "a"]
    chosen = sorted(data.draw(st.sets(st.sampled_from(letters)))) if letters else []
    shown = show_code(code, chosen)
    assert all(from_unit(shown.text, place).startswith("a") for place in shown.places)
    assert len(shown.places) == len(chosen)
    assert unpack(pack_places(shown.places)) == list(shown.places)


def test_only_addresses_of_pages_become_links() -> None:
    assert show_link("https://example.invalid/a b") == "https://example.invalid/a b"
    for other in ("javascript:alert(1)", "data:text/html,x", " https://x", "//x", "", None):
        assert show_link(other) == ""
