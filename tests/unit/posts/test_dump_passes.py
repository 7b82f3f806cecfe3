"""Posts of a dump: which are read, and that neither parts nor heads change anything."""

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncsbench.errors import DataError
from ncsbench.posts.dump import dump_passes, rows
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.dump_passes import licence_of
from ncsbench.posts.dump.merged_dumps import read_dump
from ncsbench.posts.dump.post_schemas import credit_post
from tests.posts_dumps import HEAD, TAIL, answer, ledger, question, read, records, row

_FRAGMENTS = [
    question(1),
    question(2, "<c><android>"),
    question(3, "|android|c|"),
    question(4, "<c><android-x>"),
    question(5, "|c|"),
    question(6, "").replace(b'Tags=""', b'Tags="&#60;android&#62;"'),
    question(7, "android"),
    question(8, None),  # type: ignore[arg-type]
    question(9, "<c>", CreationDate=None),
    question(9, Score="much"),
    question(1, Title="Once more"),
    question("x"),
    question(2**30),
    row(None, 1),
    row(5, None),
    row(5, "1 "),
    row(12, 5),
    answer(20, 1),
    answer(21, 4),
    answer(22, 99),
    answer(23, None),
    answer(24, 2, Body=None),
    answer(20, 3),
    answer("", 1),
    answer(25, 2, CreationDate="2015-13-01T00:00:00"),
    answer(26, 1, Body="\u00e4\U0001f600 <row />"),
    answer(27, 1).replace(b"Score", b"Id"),
    question(10, Body="X").replace(b"X", b"\x02"),
    answer(28, 1, Body="X").replace(b"X", b"&bomb;"),
    question(11, Body="X").replace(b'"X"', b"'\"X'"),
    question(13)[:70],
    question(16).replace(b" />", b"></row>"),
    question(17, "<c>").replace(b" />", b"\n>\n</row\t>"),
    answer(30, 1).replace(b" />", b"></row>junk"),
    answer(31, 4).replace(b" />", b"></row>").replace(b'"', b"'"),
    question(18)[:70] + b"</row>",
    answer(32, 1).replace(b" />", b"><!-- a --></row>"),
    b"</row>",
    b"<!-- between -->",
    b"<?of a tool?>\n",
    b"<!-- not -- well -->",
    b"<!-- <row /> -->",
    answer(29, 1).rstrip() + b"junk<b>\n",
    question(14).strip() * 2,
    question(15, Body="a b").replace(b" ", b"\r\n"),
    b"\r\n \n",
    b"<",
    b"<row",
    b"<row />",
    b"text\n",
    b"<!-- x -->\n",
    b"<!DOCTYPE a [",
    b"</posts>\n",
    b"\xff",
]
DUMPS = st.builds(
    lambda head, middle, tail: head + b"".join(middle) + tail,
    st.sampled_from([HEAD, b"\xef\xbb\xbf" + HEAD, b"<xml>\n", b"", b"a<b c=''>"]),
    st.lists(st.sampled_from(_FRAGMENTS) | st.binary(max_size=4), max_size=12),
    st.sampled_from([TAIL, b"</xml>", b"", b"</posts>x"]),
).filter(lambda dump: not dump.startswith((b"\xff\xfe", b"\xfe\xff")))  # UTF-16 is refused


@example(HEAD + b"<row  " + question(4, Tags="<c>").rstrip() + b"</row>" + TAIL)
@settings(max_examples=60)
@given(DUMPS)
def test_the_ledger_is_in_order_and_counts_are_those_of_the_files(dump: bytes) -> None:
    outputs = read(dump)
    offsets = [line["offset"] for line in records(outputs, "ledger")]
    assert offsets == sorted(offsets)  # type: ignore[type-var]
    counts = json.loads(outputs["counts.json"])
    assert counts["first_offset"] == (offsets[0] if offsets else None)
    if counts["rows"]:
        kept = [len(records(outputs, name)) for name in ("questions", "answers")]
        assert [counts["questions"], counts["answers"]] == kept


@settings(max_examples=60)
@given(DUMPS, st.integers(2, 9), st.sampled_from([1, 5, 100]))
def test_parts_together_give_what_one_part_gives(dump: bytes, parts: int, block: int) -> None:
    expected = read(dump)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "BLOCK", block)
        patch.setattr(rows, "BLOCK", block)
        assert read(dump, parts=parts) == expected


def test_row_groups_do_not_depend_on_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_passes, "GROUP_ROWS", 4)
    monkeypatch.setattr(dump_passes, "GROUP_BYTES", 100)
    posts = [question(number, Body="x" * (number * 7 % 50)) for number in range(1, 40)]
    dump = HEAD + b"".join([*posts, *posts[3:9], answer(99, 3)]) + TAIL
    assert read(dump) == read(dump, parts=5)


def test_answers_before_their_question_are_read() -> None:
    dump = HEAD + answer(2, 9) + question(9) + answer(3, 9) + TAIL
    for parts in (1, 3):
        found = records(read(dump, parts=parts), "answers")
        assert [(record["id"], record["parent_id"]) for record in found] == [(2, 9), (3, 9)]


def test_only_answers_to_no_question_of_the_dump_are_reported() -> None:
    dump = HEAD + question(1) + question(2, "<c>") + answer(3, 2) + answer(4, 1) + answer(5, 7)
    outputs = read(dump + TAIL)
    assert [record["id"] for record in records(outputs, "answers")] == [4]
    (line,) = records(outputs, "ledger")
    assert (line["id"], line["reason"]) == (5, "answer without question")


def test_the_first_of_a_repeated_id_is_kept() -> None:
    dump = HEAD + question(1, Title="a") + answer(2, 1, Score=1) + question(1) + answer(2, 1)
    outputs = read(dump + TAIL)
    assert [record["title"] for record in records(outputs, "questions")] == ["a"]
    assert [record["score"] for record in records(outputs, "answers")] == [1]
    reasons = [(line["id"], line["reason"]) for line in records(outputs, "ledger")]
    assert reasons == [(1, "duplicate id"), (2, "duplicate id")]


@pytest.mark.parametrize("parts", [1, 3])
def test_questions_and_answers_count_their_ids_together(parts: int) -> None:
    first, second = question(1) + answer(2, 1), question(2) + answer(1, 2)
    outputs = read(HEAD + first + second + TAIL, parts=parts)
    assert [record["id"] for record in records(outputs, "questions")] == [1]
    assert [record["id"] for record in records(outputs, "answers")] == [2]
    start = len(HEAD + first) + 2
    found = [(line["offset"], line["id"]) for line in records(outputs, "ledger")]
    assert found == [(start, 2), (start + len(question(2)), 1)]
    outputs = read(HEAD + answer(2, 1) + question(2) + question(1) + TAIL, parts=parts)
    assert [record["id"] for record in records(outputs, "questions")] == [1]
    assert [record["id"] for record in records(outputs, "answers")] == [2]


def test_blank_licence_and_name_count_as_absent() -> None:
    blank = {"ContentLicense": "  ", "OwnerDisplayName": "   "}
    stated = {"ContentLicense": " CC0 1.0", "OwnerDisplayName": " Ann "}
    dump = HEAD + question(1, **blank) + question(2, **stated) + TAIL
    found = [
        (record["licence"], record["owner_display_name"])
        for record in records(read(dump), "questions")
    ]
    assert found == [("CC BY-SA 3.0", None), ("CC0 1.0", "Ann")]


@pytest.mark.parametrize(
    ("post", "number", "reason"),
    [
        (question(None), None, "missing attribute"),
        (question(1, Title=None), 1, "missing attribute"),
        (question(1, Body=None), 1, "missing attribute"),
        (question(1, CreationDate=None), 1, "missing attribute"),
        (question(1, Tags=None), 1, "missing attribute"),
        (question(1, CreationDate="2015-02-30T00:00:00"), 1, "invalid value"),
        (question(1, CreationDate="yesterday"), 1, "invalid value"),
        (question(1, Score="1e3"), 1, "invalid value"),
        (question(1, ViewCount="\u0661"), 1, "invalid value"),
        (question(1, "android"), 1, "invalid value"),
        (question(0), None, "invalid value"),
        (question(2**30), None, "invalid value"),
        (question(10**400), None, "invalid value"),
        (row(1, 0), None, "invalid value"),
        (row(1, None), None, "missing attribute"),
        (answer(1, None), 1, "missing attribute"),
        (answer(1, "a"), 1, "invalid value"),
        (answer(1, 5), 1, "answer without question"),
    ],
)
def test_posts_that_cannot_be_read_are_in_the_ledger(
    post: bytes, number: int | None, reason: str
) -> None:
    assert ledger(HEAD + post + TAIL) == [(len(HEAD) + 2, number, reason)]


def test_all_values_of_a_question_and_of_an_answer() -> None:
    optional = {"ViewCount": 5, "AcceptedAnswerId": 2, "OwnerDisplayName": "A & B"}
    dump = HEAD + question(1, "|android|c#|", **optional) + answer(2, 1, Score=-4) + TAIL
    outputs = read(dump)
    shared = {
        "creation_date": datetime(2015, 3, 1, 10, 20, 30, 400_000, UTC),
        "owner_user_id": 7,
        "licence": "CC BY-SA 3.0",
        "body": "<p>How & why?</p>\n",
    }
    asked, answered = records(outputs, "questions"), records(outputs, "answers")
    assert asked == [
        {
            **shared,
            "id": 1,
            "title": "How?",
            "tags": ["android", "c#"],
            "view_count": 5,
            "accepted_answer_id": 2,
            "score": 3,
            "owner_display_name": "A & B",
            "offset": dump.index(b"<row"),
        }
    ]
    assert answered == [
        {
            **shared,
            "id": 2,
            "parent_id": 1,
            "score": -4,
            "owner_display_name": None,
            "offset": dump.rindex(b"<row"),
        }
    ]


def test_too_much_trouble_ends_in_one_line_and_leaves_the_ledger(tmp_path: Path) -> None:
    path, output = tmp_path / "dump.xml", tmp_path / "out"
    path.write_bytes(HEAD + question(1) * 3 + question(2) + TAIL)
    read_dump(PostSettings(path=path, tags=("android",), maximum_broken=0.5), output)
    assert (output / "questions.parquet").exists()
    with pytest.raises(DataError, match=r"2 errors in 4 rows.*2 duplicate id.*first at byte"):
        read_dump(PostSettings(path=path, tags=("android",), maximum_broken=0.4), output)
    assert sorted(made.name for made in output.iterdir()) == ["counts.json", "ledger.parquet"]


def test_trouble_below_the_limit_is_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(HEAD + question(1) * 2 + question("x") + TAIL)
    read_dump(PostSettings(path=path, tags=("android",), maximum_broken=1), tmp_path / "out")
    (line,) = caplog.records
    second = len(HEAD + question(1)) + 2
    assert line.levelno == logging.WARNING
    assert line.getMessage() == (
        f"{path}: 2 errors in 3 rows (1 duplicate id, 1 invalid value), the first at byte"
        f" {second}, all in {tmp_path / 'out' / 'ledger.parquet'}"
    )
    caplog.clear()
    path.write_bytes(HEAD + question(1) + TAIL)
    read_dump(PostSettings(path=path, tags=("android",)), tmp_path / "out")
    assert not caplog.records


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04<x", b"BZh9", b"\x89PNG\r\n"])
def test_dump_without_rows_ends_in_one_line(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(text)
    with pytest.raises(
        DataError, match="has no rows of posts; it must be XML in UTF-8, gzip or 7z"
    ):
        read_dump(
            PostSettings(path=tmp_path / "dump", tags=("a",), maximum_broken=1), tmp_path / "out"
        )


@pytest.mark.parametrize(
    ("day", "licence"),
    [
        ("2011-04-07", "CC BY-SA 2.5"),
        ("2011-04-08", "CC BY-SA 3.0"),
        ("2018-05-01", "CC BY-SA 3.0"),
        ("2018-05-02", "CC BY-SA 4.0"),
    ],
)
def test_licence_follows_from_the_date_where_none_is_stated(day: str, licence: str) -> None:
    created = datetime.fromisoformat(f"{day}T00:00:00+00:00")
    assert licence_of(None, created) == licence
    assert licence_of("", created) == licence
    assert licence_of("CC BY-SA 1.0", created) == "CC BY-SA 1.0"


def test_names_and_links_of_authors_and_posts() -> None:
    site = "https://stackoverflow.com"
    post = {"id": 4, "owner_user_id": 5, "owner_display_name": "Ann"}
    page = f"{site}/users/5"
    assert credit_post("question", post, site) == ("Ann", page, f"{site}/questions/4")
    post |= {"id": 7, "owner_display_name": None}
    assert credit_post("answer", post, site) == ("user5", page, f"{site}/a/7")
    assert credit_post("answer", post | {"owner_user_id": None}, site)[:2] == ("", "")
