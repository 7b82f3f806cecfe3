"""Tokens of the camel-case tokenizer."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.elasticsearch_analyzers import analyze_camel_case, analyze_joined


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("MooseX::FTPClass2_beta", ["moose", "x", "ftp", "class", "2", "beta"]),
        ("view.showDialog(it's)", ["view", "show", "dialog", "it", "s"]),
        ("parseXMLFile md5Hash", ["parse", "xml", "file", "md", "5", "hash"]),
        ("größteÄnderung 获取", ["größte", "änderung", "获取"]),
        ("__ ::", []),
        ("a" * 300, ["a" * 255, "a" * 45]),
    ],
)
def test_tokens_by_example_dev_101(text: str, tokens: list[str]) -> None:
    assert analyze_camel_case(text) == tokens


SEPARATORS = regex.compile(
    r"[^\p{L}0-9]+|(?<=[^0-9])(?=[0-9])|(?<=[0-9])(?=[^0-9])"
    r"|(?<=(?!\p{Lu})\p{L})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!\p{Lu})\p{L})",
    regex.V1,
)


@given(st.text(alphabet="aBcD9é_ É.获", max_size=12))
def test_tokens_are_what_separators_leave_dev_101(text: str) -> None:
    """The same told the other way round, as Elasticsearch does: by what lies between tokens."""
    assert analyze_camel_case(text) == [part.lower() for part in SEPARATORS.split(text) if part]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("VCardParser", ["v", "card", "parser", "vcard", "cardparser", "vcardparser"]),
        ("md5 of_QRCode", ["md", "5", "md5", "of", "qr", "code", "qrcode"]),
        ("keyboard", ["keyboard"]),
        ("::", []),
        ("a" * 200 + "B" * 100, ["a" * 200, "b" * 100]),
    ],
)
def test_parts_of_a_word_are_joined(text: str, tokens: list[str]) -> None:
    assert analyze_joined(text) == tokens


@given(st.text(alphabet="aBcD9é_ É.获", max_size=12))
def test_what_is_joined_has_the_tokens_of_its_parts(text: str) -> None:
    assert set(analyze_camel_case(text)) <= set(analyze_joined(text))


def test_many_capitals_take_no_square_of_time() -> None:
    assert len(analyze_camel_case("A" * 200_000)) == 785
    assert analyze_camel_case("AAAb") == ["aa", "ab"]
    assert len(analyze_camel_case("Ab" * 100_000)) == 100_000


@given(st.text(st.characters(codec="ascii"), max_size=600))
def test_ascii_has_the_tokens_that_any_text_has(text: str) -> None:
    assert analyze_camel_case(text) == analyze_camel_case(f"{text} é")[:-1]
