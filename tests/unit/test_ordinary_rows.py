"""The look at a row's bytes is never wider than XML and says the same."""

from xml.parsers import expat

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncsbench.posts.ordinary_rows import have_other_tags, look_at_rows
from ncsbench.posts.post_records import read_tags

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


def look(text: bytes) -> list[int]:
    data = np.frombuffer(text, np.uint8)
    return look_at_rows(data, np.array([0, len(data)])).tolist()[0]


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
    number, kind, parent, tags, tags_end = look(b"<" + text)
    if number:
        attributes = parse(b"<" + text)
        assert (number, kind) == (int(attributes["Id"]), int(attributes["PostTypeId"]))
        # A parent that is no number is none: only answers are asked for it.
        told = attributes.get("ParentId", "")
        assert parent in (0, int(told) if told.isdecimal() else 0)
        assert attributes.get("Tags", "") == parse(b'<a b="%b"/>' % text[tags:tags_end])["b"]


@settings(max_examples=600)
@given(NOISE.map(lambda value: value.replace(b"<", b"").replace(b'"', b"")))
def test_no_value_is_ordinary_that_expat_rejects(value: bytes) -> None:
    text = b'<row Id="1" PostTypeId="2" Body="' + value + b'" />'
    if look(text)[0]:
        parse(text)


@pytest.mark.parametrize(
    "character",
    [chr(code) for code in (0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF)],
)
def test_every_length_of_utf8_is_ordinary(character: str) -> None:
    assert look(f'<row Id="5" PostTypeId="1" Body="{character}" />'.encode())[0] == 5


@pytest.mark.parametrize(
    "text",
    [
        b'<row Id="1" PostTypeId="2" Id="1" />',
        b'<row Id="1" PostTypeId="2" B="\xef\xbf\xbf" />',
        b'<row Id="1" PostTypeId="2" B="&x;" />',
        b'<row Id="1" PostTypeId="2" B="\x01" />',
        b'<row Id="1" PostTypeId="2"B="" />',
        b'<row Id="1" PostTypeId="2" /> x',
        b'<row Id="1" PostTypeId="2" ',
        b'<row Id="0" PostTypeId="2" />',
        b'<row Id="1234567890" PostTypeId="2" />',
        b'<rowId="1" PostTypeId="2" />',
    ],
)
def test_what_is_wrong_or_unusual_is_left_to_expat(text: bytes) -> None:
    assert look(text) == [0, 0, 0, 0, 0]


def test_places_of_the_tags_are_counted_from_behind_the_bracket() -> None:
    text = b'<row Id="1" PostTypeId="1" Tags="|a|b|" />'
    _, _, _, begin, end = look(text)
    assert text[1:][begin:end] == b"|a|b|"


TAG_TEXT = st.lists(
    st.sampled_from(
        [b"&lt;", b"&gt;", b"|", b"android", b"and", b"roid", b"c#", b"&amp;", b">", b" ", b"a"]
    ),
    max_size=8,
).map(b"".join)


@settings(max_examples=600)
@given(TAG_TEXT)
@example(b"&lt;c#&gt;&lt;android-x&gt;")
@example(b"|c#|a|")
def test_other_tags_are_read_tags_without_a_wanted_one(tags: bytes) -> None:
    data = np.frombuffer(b'<row Id="1" PostTypeId="1" Tags="' + tags + b'" />', np.uint8)
    positions = np.array([0, len(data)])
    wanted = np.frombuffer(b"androidjava", np.uint8)
    (other,) = have_other_tags(
        data, positions, look_at_rows(data, positions), wanted, np.array([7, 11])
    )
    if other:
        found = read_tags(parse(data.tobytes()))
        assert found
        assert not {"android", "java"} & set(found)


@pytest.mark.parametrize("tags", [b"&lt;c#&gt;", b"|c#|", b"|a|android-x|", b"&lt;a&gt;&lt;b&gt;"])
def test_plain_tags_need_no_parsing(tags: bytes) -> None:
    data = np.frombuffer(b'<row Id="1" PostTypeId="1" Tags="' + tags + b'" />', np.uint8)
    positions = np.array([0, len(data)])
    rows = look_at_rows(data, positions)
    assert have_other_tags(data, positions, rows, data[:3], np.array([3])).tolist() == [True]
