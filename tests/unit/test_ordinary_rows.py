"""The look at the head of a row is never wider than XML and says the same."""

from xml.parsers import expat

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncsbench.posts import row_xml

PARTS = st.sampled_from(
    [
        *(b' Id="', b' PostTypeId="', b' ParentId="', b' Tags="', b' Body="', b" A='", b' A="'),
        *(b'"', b"'", b" ", b"\n", b"\t", b"/", b"/>", b">", b"=", b"1", b"23", b"row", b"x"),
        *(b"&lt;", b"&gt;", b"&amp;", b"&quot;", b"&apos;", b"&#xA;", b"&#39;", b"&#0;", b"&#x1;"),
        *(b"&", b"&#xD800;", b"&#xFFFE;", b"&#x10000;", b"&nbsp;", b"&#;", b"&#x;", b"&l", b"&am"),
        *(b"\x00", b"\x0b", b"\x7f", b"\xc3\xa4", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbf\xbe"),
        *(b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xe0\x80\x80", b"\xc2\x85"),
    ]
)
NOISE = st.lists(st.one_of(PARTS, st.binary(max_size=3)), max_size=8).map(b"".join)


def look(text: bytes) -> dict[str, str] | None:
    return row_xml._skim(text.removeprefix(b"<"))


def parse(text: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler = lambda _, attributes: found.update(attributes)
    parser.Parse(text, True)
    return found


@settings(max_examples=600)
@given(st.lists(NOISE, min_size=1, max_size=4), NOISE, NOISE)
@example([b"1", b"2"], b"", b'" Id="1')
@example([b"a"], b' Body="', b"'")
@example([b"", b"", b"!"], b"", b"")
def test_what_is_ordinary_is_xml_with_the_same_values(
    values: list[bytes], between: bytes, behind: bytes
) -> None:
    names = (b' Id="12', b' PostTypeId="2', b' ParentId="3', b' Tags="')
    middle = b"".join(name + value + b'"' for name, value in zip(names, values, strict=False))
    text = (b"<row" + middle + between + b"/>" + behind).replace(b"<", b"")
    found = look(b"<" + text)
    if found is not None:
        attributes = parse(b"<" + text)
        read = ("Id", "PostTypeId", "ParentId", "Tags")
        assert found == {name: attributes[name] for name in read if name in attributes}


@settings(max_examples=600)
@given(NOISE.map(lambda value: value.replace(b"<", b"").replace(b'"', b"")))
def test_no_value_is_ordinary_that_expat_rejects(value: bytes) -> None:
    text = b'<row Id="1" PostTypeId="2" Body="' + value + b'" />'
    if look(text) is not None:
        parse(text)


@pytest.mark.parametrize(
    "character",
    [chr(code) for code in (0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xEFFF, 0x10000, 0x10FFFF)],
)
def test_every_length_of_utf8_is_ordinary(character: str) -> None:
    found = look(f'<row Id="5" PostTypeId="1" Body="{character}" />'.encode())
    assert found == {"Id": "5", "PostTypeId": "1"}


@pytest.mark.parametrize(
    "text",
    [
        b'<row Id="1" PostTypeId="2" Id="1" />',
        b'<row Id="1" PostTypeId="2" B="\xef\xbf\xbf" />',
        b'<row Id="1" PostTypeId="2" B="&x;" />',
        b'<row Id="1" PostTypeId="2" B="\x01" />',
        b'<row Id="1" PostTypeId="2"B="" />',
        b'<row Id="1" PostTypeId="2" /> x',
        b'<row Id="1" PostTypeId="2" />"',
        b'<row Id="1" PostTypeId="2" />"x"',
        b'<row Id="1" PostTypeId="2"' + b" " * 2000 + b"/>",
        b'<row Id="1" PostTypeId="2" ',
        b'<row Id="&#39;" PostTypeId="2" />',
        b'<row Id="1" PostTypeId="2\t" />',
        b'<rowId="1" PostTypeId="2" />',
    ],
)
def test_what_is_wrong_or_unusual_is_left_to_expat(text: bytes) -> None:
    assert look(text) is None


def test_tags_are_read_in_both_forms() -> None:
    for tags in (b"&lt;c#&gt;&lt;android-x&gt;", b"|c#|android-x|"):
        text = b'<row Id="1" PostTypeId="1" Tags="' + tags + b'" />'
        assert look(text) == parse(text)
