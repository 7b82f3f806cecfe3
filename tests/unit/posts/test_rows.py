"""Rows of a dump with their offsets, and the ledger of what is wrong with it."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.dump import rows
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.merged_dumps import read_dump
from ncsbench.posts.dump.other_files import read_users
from ncsbench.posts.dump.row_xml import parse_row
from ncsbench.posts.dump.rows import RawRow, iterate_rows, part_range
from tests.posts_dumps import HEAD, TAIL, answer, count_links, ledger, question, read, records, row
from tests.unit.posts.test_streams import write_7z

FIRST = len(HEAD) + 2


def test_offsets_are_those_of_the_bracket(tmp_path: Path) -> None:
    dump = HEAD + question(1) + answer(2, 1, Body="ä\n") + TAIL
    (tmp_path / "dump").write_bytes(dump)
    found = list(iterate_rows(tmp_path / "dump"))
    assert [dump[item.offset : item.offset + 9] for item in found] == [b'<row Id="'] * 2


@pytest.mark.parametrize("block", [1, 2, 7, 64, 1 << 18])
def test_rows_do_not_depend_on_blocks(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = HEAD + question(1) + b"junk" + answer(2, 1) + b"<row Id" + answer(3, 1) + TAIL
    (tmp_path / "dump").write_bytes(dump)
    expected = list(iterate_rows(tmp_path / "dump"))
    monkeypatch.setattr(rows, "BLOCK", block)
    assert list(iterate_rows(tmp_path / "dump")) == expected


@pytest.mark.parametrize(
    "dump",
    [
        b"\xef\xbb\xbf" + HEAD + question(1) + TAIL,
        (HEAD + question(1) + TAIL).replace(b"\n", b"\r\n"),
        b"<xml>\n" + question(1) + b"</xml>",
        HEAD + question(1).replace(b" Score", b"\n  Score") + TAIL,
        HEAD + question(1) + answer(2, 1).strip() + answer(3, 1).strip() + TAIL,
        b"".join((HEAD + question(1) + answer(2, 1) + TAIL).splitlines()),
    ],
)
def test_forms_of_a_sound_dump(dump: bytes) -> None:
    outputs = read(dump)
    assert records(outputs, "ledger") == []
    assert [record["id"] for record in records(outputs, "questions")] == [1]


_FORMS: dict[str, Callable[[bytes], bytes]] = {
    "end tags": lambda dump: dump.replace(b" />", b"></row>"),
    "end tags with blanks": lambda dump: dump.replace(b" />", b"\n></row \t\r\n>"),
    "end tags on lines of their own": lambda dump: dump.replace(b" />", b">\n  </row>"),
    "some end tags": lambda dump: dump.replace(b" />", b"></row>", 2),
    "end tags on one line": lambda dump: dump.replace(b" />\n", b"></row>"),
    "no blank before the end": lambda dump: dump.replace(b" />", b"/>"),
    "apostrophes": lambda dump: dump.replace(b'"', b"'"),
    "line breaks between attributes": lambda dump: dump.replace(b'" ', b'"\r\n\t'),
    "blanks around =": lambda dump: re.sub(rb'(?<=[a-z])="', b'\n= "', dump),
    "another order": lambda dump: re.sub(rb'(<row)( Id="\d+")([^>]*?)( ?/>)', rb"\1\3\2\4", dump),
    "references to characters": lambda dump: re.sub(rb'Id="(\d)"', rb'Id="&#x3\1;"', dump),
    "decimal references": lambda dump: dump.replace(b"android", b"&#97;ndroid"),
    "comments": lambda dump: dump.replace(b"\n", b"\n<!-- a - b > c\n -->\n"),
    "instructions": lambda dump: dump.replace(b"\n", b"\n<?a b=? > c ?>", 3),
    "a style sheet": lambda dump: dump.replace(b"\n", b"\n<?xml-stylesheet href='a'?>\n", 1),
    "a comment at the end": lambda dump: dump + b"<!-- made by hand -->\n<?done?>\n",
    "a byte-order mark": lambda dump: b"\xef\xbb\xbf" + dump,
    "no declaration": lambda dump: dump.partition(b"\n")[2],
    "a standalone document": lambda dump: dump.replace(b"?>", b" standalone='yes' ?>", 1),
    "capital letters": lambda dump: dump.replace(b'"utf-8"', b"'UTF-8'", 1),
    "no encoding": lambda dump: dump.replace(b' encoding="utf-8"', b"", 1),
    "ASCII": lambda dump: dump.replace(b"utf-8", b"US-ASCII", 1),
    "a root with attributes": lambda dump: dump.replace(b"<posts>", b"<posts a=\"b\"\nc='d' >"),
    "a root with a prefix": lambda dump: re.sub(rb"(</?)posts>", rb"\1a:posts >", dump),
    "carriage returns": lambda dump: dump.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("packed", ["plain", "gzip", "7z"])
@pytest.mark.parametrize("form", _FORMS)
def test_forms_of_xml_are_read_as_by_a_parser_of_xml(
    form: str, packed: str, tmp_path: Path
) -> None:
    plain = HEAD + question(1) + answer(2, 1) + question(3, Body='a > "b"') + answer(4, 3) + TAIL
    dump = _FORMS[form](plain)
    assert dump != plain
    path = tmp_path / "Posts.xml"
    path.write_bytes(gzip.compress(dump) if packed == "gzip" else dump)
    if packed == "7z":
        write_7z(path, {"Posts.xml": dump})
    found = [parse_row(*one) for one in iterate_rows(path) if isinstance(one, RawRow)]
    text = re.sub(rb"(</?)a:", rb"\1", dump)  # a prefix without a declaration: not for etree
    expected = [dict(one.attrib) for one in ElementTree.fromstring(text).iter("row")]  # noqa: S314
    assert found == [(one, None) for one in expected]
    if packed == "plain":
        assert records(read(dump), "ledger") == []
        assert read(dump, parts=3) == read(dump)
        assert [one["id"] for one in records(read(dump), "answers")] == [2, 4]


def test_dumps_with_end_tags_that_were_refused_are_read(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/found/posts"
    questions = tmp_path / "out/questions.parquet"
    for name in ("Posts.xml", "Posts-end-tags.xml", "Posts-some-end-tags.xml"):
        outputs = read((folder / name).read_bytes(), tag="java")
        assert [one["id"] for one in records(outputs, "questions")] == [11, 13]
        assert [one["id"] for one in records(outputs, "answers")] == [12, 14]
        assert records(outputs, "ledger") == []
    read_dump(PostSettings(path=folder / "Posts-end-tags.xml", tags=("java",)), tmp_path / "out")
    users = read_users(folder / "Users-end-tags.xml", np.array([21, 22]))
    assert users.to_pylist() == [{"id": 21, "name": "miller"}, {"id": 22, "name": "weigher"}]
    links = count_links(folder / "PostLinks-end-tags.xml", questions)
    assert links.to_pylist()[0] == {"id": 11, "links": 2, "duplicates": 1}


def test_raw_line_feed_in_a_value_is_a_space_as_xml_asks() -> None:
    dump = HEAD + question(1, Body="a b").replace(b"a b", b"a\nb/>\r\nc") + TAIL
    (record,) = records(read(dump), "questions")
    assert record["body"] == "a b/> c"


def test_truncated_row_ends_at_the_next_one() -> None:
    cut = question(1)[:60]
    dump = HEAD + cut + b"\n" + question(2) + TAIL
    assert ledger(dump) == [(FIRST, 1, "truncated row")]
    assert [record["id"] for record in records(read(dump), "questions")] == [2]


def test_cut_off_dump_is_reported_once() -> None:
    assert ledger(HEAD + question(1)[:60]) == [(FIRST, 1, "truncated row")]
    whole = HEAD + question(1)
    assert ledger(whole) == [(len(whole), None, "dump ends early")]


def test_bracket_in_a_value_breaks_one_row_once() -> None:
    broken = question(1, Body="a b").replace(b"a b", b"a < b <row> </a> c")
    assert [line[2] for line in ledger(HEAD + broken + question(2) + TAIL)][:1] == ["truncated row"]
    broken = question(1, Body="a b").replace(b"a b", b"a < b <i> </a> c")
    assert ledger(HEAD + broken + question(2) + TAIL) == [(FIRST, 1, "truncated row")]


@pytest.mark.parametrize(
    ("inserted", "at", "reason"),
    [
        (b"junk\n", 0, "text outside rows"),
        (b"<!-- a --> <b/> more <c>\n", 11, "text outside rows"),
        (b"<!-- a -- b -->\n", 0, "text outside rows"),
        (b"<!-- <b/> -->\n", 0, "text outside rows"),
        (b"</row>\n", 0, "text outside rows"),
        (b'<?xml version="1.0"?>\n', 0, "text outside rows"),
        (b"</posts>\n", 0, "text outside rows"),
        (b"<posts>\n", 0, "text outside rows"),
    ],
)
def test_text_between_rows_is_reported_once(inserted: bytes, at: int, reason: str) -> None:
    start = HEAD + question(1)
    dump = start + inserted + question(2) + TAIL
    assert ledger(dump) == [(len(start) + at, None, reason)]
    assert len(records(read(dump), "questions")) == 2


def test_entity_bomb_is_text_and_expands_nothing() -> None:
    kind = b'<!DOCTYPE posts [\n<!ENTITY a "lol">\n<!ENTITY b "&a;&a;">\n]>\n<posts>\n'
    dump = kind + question(1) + question(2, Title="t").replace(b'"t"', b'"&b;"') + TAIL
    found = ledger(dump)
    assert [line[1:] for line in found] == [(None, "document type"), (2, "malformed XML")]
    assert found[0][0] == 0
    detail = records(read(dump), "ledger")[1]["detail"]
    assert "undefined entity" in str(detail)


@pytest.mark.parametrize("bad", [b"\x00", b"\x1b", b"\xff", b"\xed\xa0\x80", b"&#1;", b"&nbsp;"])
@pytest.mark.parametrize("tags", ["<android>", "<c>"])
def test_invalid_characters_are_reported_also_in_rows_that_nobody_wants(
    bad: bytes, tags: str
) -> None:
    broken = question(1, tags, Body="X").replace(b"X", bad)
    assert ledger(HEAD + broken + question(2) + TAIL) == [(FIRST, 1, "malformed XML")]
    broken = answer(3, 99, Body="X").replace(b"X", bad)
    assert ledger(HEAD + broken + question(2) + TAIL) == [(FIRST, 3, "malformed XML")]


def test_row_beyond_the_limit_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAXIMUM_ROW", 2000)
    for block in (100, 1 << 18):
        monkeypatch.setattr(rows, "BLOCK", block)
        dump = HEAD + question(1, Body="x" * 2000) + question(2) + TAIL
        assert ledger(dump) == [(FIRST, None, "row too long")]
        assert b'"rows": 2' in read(dump)["counts.json"]


def test_rows_of_other_types_are_only_counted() -> None:
    outputs = read(HEAD + question(1) + row(2, 5) + row(3, 17) + row(4, 5) + TAIL)
    assert b'"17": 1' in outputs["counts.json"]
    assert b'"5": 2' in outputs["counts.json"]
    assert records(outputs, "ledger") == []


def test_text_behind_a_row_comes_after_what_is_wrong_with_the_row() -> None:
    broken = question(1, Score="much").rstrip()
    dump = HEAD + broken + b"junk\n" + question(2) + TAIL
    behind = len(HEAD) + len(broken)
    assert ledger(dump) == [(FIRST, 1, "invalid value"), (behind, None, "text outside rows")]
    assert f'"first_offset": {FIRST}'.encode() in read(dump)["counts.json"]


@pytest.mark.parametrize(
    "start",
    [
        b'<?xml version="1.0" encoding="utf-16"?>\n<posts>',
        "<posts>".encode("utf-16"),
        "<posts>".encode("utf-32"),
        "\ufeff<posts>".encode("utf-32-be"),
    ],
)
def test_other_encodings_end_in_one_line(start: bytes) -> None:
    with pytest.raises(DataError, match="must be in UTF-8"):
        read(start + question(1) + TAIL)


def test_compressed_dump_has_one_part(tmp_path: Path) -> None:
    (tmp_path / "dump.xml").write_bytes(b"\x1f\x8b")
    with pytest.raises(ConfigurationError, match="unpack it or set 1"):
        part_range(tmp_path / "dump.xml", 0, 2)
    with pytest.raises(ConfigurationError, match="does not exist"):
        part_range(tmp_path / "dump.xml", 1, 1)


def test_parts_divide_the_rows(tmp_path: Path) -> None:
    dump = HEAD + b"".join(question(number) for number in range(1, 30)) + TAIL
    path = tmp_path / "dump"
    path.write_bytes(dump)
    divided: list[RawRow] = []
    for part in range(7):
        begin, end = part_range(path, part, 7)
        found = [item for item in iterate_rows(path, begin, end) if isinstance(item, RawRow)]
        assert all(begin <= item.offset < (end or len(dump)) for item in found)
        divided += found
    assert divided == list(iterate_rows(path))


@pytest.mark.parametrize(
    ("tags", "parts", "broken"),
    [((), 1, 0.1), (("a b",), 1, 0.1), (("a",), 0, 0.1), (("a",), 1, 1.5)],
)
def test_settings_of_no_use_end_in_one_line(
    tags: tuple[str, ...], parts: int, broken: float
) -> None:
    with pytest.raises(ConfigurationError):
        given = {"path": "dump", "tags": tags, "parts": parts, "maximum_broken": broken}
        PostSettings.parse(given, where="posts")
