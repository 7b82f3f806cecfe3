"""Pairs of titles and snippets of answers."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.errors import DataError
from ncsbench.pairs.training_pairs.pair_files import LEAK_COLUMNS, Funnel
from ncsbench.pairs.training_pairs.pair_options import PostPairSettings
from ncsbench.pairs.training_pairs.post_pairs import (
    POST_STEPS,
    has_xml_tags,
    iterate_post_pairs,
    source_of,
)
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.unit.pairs.test_leaks import evaluation_questions
from tests.unit.pairs.test_pair_files import pair_files

SITE = "https://stackoverflow.com"


def post(number: int, body: str = "", score: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "score": score,
        "creation_date": datetime(2015, 1, 1, tzinfo=UTC),
        "owner_user_id": 7,
        "owner_display_name": None,
        "licence": "CC BY-SA 3.0",
        "body": body,
        "offset": number,
        **fields,
    }


def question(number: int, title: str = "Hide it", *tags: str, accepted: int | None = None) -> Any:
    known = {"title": title, "tags": list(tags or ["android"]), "accepted_answer_id": accepted}
    return post(number, view_count=None, **known)


def answer(number: int, parent: int, *codes: str, score: int = 1) -> Any:
    body = "".join(f"<p>so</p><pre><code>{code}</code></pre>" for code in codes)
    return post(number, body + "<p>inline <code>g()</code></p>", score, parent_id=parent)


def options(**chosen: Any) -> dict[str, Any]:
    return {"kind": "posts", "tags": ["android"], "site": SITE, **chosen}


def write_posts(folder: Path, questions: list[Any], answers: list[Any]) -> tuple[Path, Path]:
    paths = folder / "post_questions.parquet", folder / "post_answers.parquet"
    tables = ((questions, POST_QUESTION_SCHEMA), (answers, POST_ANSWER_SCHEMA))
    for path, (rows, schema) in zip(paths, tables, strict=True):
        write_table(path, pa.Table.from_pylist(rows, schema), schema)
    return paths


def make(
    folder: Path, asked: list[Any], replies: list[Any], /, **chosen: Any
) -> list[dict[str, str]]:
    settings = PostPairSettings.parse(options(**chosen), where="settings")
    paths = write_posts(folder, asked, replies)
    return [pair.row for pair in iterate_post_pairs(*paths, settings, Funnel(POST_STEPS))]


def keys(*arguments: Any, **chosen: Any) -> list[str]:
    return [row["key"].removeprefix("stackoverflow:") for row in make(*arguments, **chosen)]


def test_a_pair_keeps_author_link_and_licence_of_both_posts(tmp_path: Path) -> None:
    asked = question(1) | {"owner_user_id": None, "owner_display_name": "Ann"}
    (row,) = make(tmp_path, [asked], [answer(2, 1, "f(a &lt; b);")])
    assert row == {
        "query": "Hide it",
        "code": "f(a < b);",
        "source": "stackoverflow",
        "key": "stackoverflow:2:1",
        "licence": "CC BY-SA 3.0",
        "code_url": f"{SITE}/a/2",
        "code_author": "user7",
        "code_author_url": f"{SITE}/users/7",
        "query_url": f"{SITE}/questions/1",
        "query_author": "Ann",
        "query_author_url": "",
        "query_licence": "CC BY-SA 3.0",
        "class_name": "",
        "comments": "",
    }


def test_a_post_without_a_licence_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="stackoverflow:2:1: a post has no licence"):
        make(tmp_path, [question(1)], [answer(2, 1, "f();") | {"licence": ""}])


ANSWERS = [
    answer(10, 1, "a();", "b(); // long"),
    answer(11, 1, "c();", score=3),
    answer(12, 1, "d();", score=3),
    answer(13, 1, "e();", score=0),
    answer(14, 9, "f();"),
]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["10:1", "10:2", "11:1", "12:1"]),
        ({"answers": "accepted"}, ["13:1"]),
        ({"answers": "best"}, ["11:1"]),
        ({"answers": "all"}, ["10:1", "10:2", "11:1", "12:1", "13:1"]),
        ({"snippets": "first"}, ["10:1", "11:1", "12:1"]),
        ({"snippets": "longest"}, ["10:2", "11:1", "12:1"]),
        ({"snippets": "joined"}, ["10:0", "11:0", "12:0"]),
    ],
)
def test_which_answers_and_snippets_count_is_an_option_dev_50(
    tmp_path: Path, chosen: dict[str, str], expected: list[str]
) -> None:
    assert keys(tmp_path, [question(1, accepted=13)], ANSWERS, **chosen) == expected


def test_joined_blocks_are_parted_by_an_empty_line(tmp_path: Path) -> None:
    rows = make(tmp_path, [question(1)], ANSWERS[:1], snippets="joined")
    assert [row["code"] for row in rows] == ["a();\n\nb(); // long"]


def test_a_block_that_leaks_does_not_hide_between_joined_blocks(tmp_path: Path) -> None:
    paths = write_posts(
        tmp_path, [question(1)], [answer(10, 1, "finish();", "x();"), answer(11, 1, "y();")]
    )
    settings = PostPairSettings.parse(options(snippets="joined"), where="settings")
    funnel = Funnel(POST_STEPS)
    files = pair_files(tmp_path)
    write_table(files.questions, evaluation_questions("finish();"), QUESTION_SCHEMA)
    files.write(iterate_post_pairs(*paths, settings, funnel), funnel, "dropped")
    leaks = read_rows(files.leaks, LEAK_COLUMNS)
    assert [leak["key"] for leak in leaks] == ["stackoverflow:10:0"]


BLOCKS = ["int a = f();", "&lt;a b='c'/&gt; f()", "no call", "adb shell (x)"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["2:1", "2:4"]),
        ({"java_only": True}, ["2:1"]),
        ({"xml_tags": "kept"}, ["2:1", "2:2", "2:4"]),
        ({"calls": "ignored"}, ["2:1", "2:3", "2:4"]),
        ({"minimum_code_words": 4}, []),
        ({"snippets": "first", "calls": "ignored", "java_only": True}, ["2:1"]),
    ],
)
def test_filters_look_at_each_block(
    tmp_path: Path, chosen: dict[str, Any], expected: list[str]
) -> None:
    assert keys(tmp_path, [question(1)], [answer(2, 1, *BLOCKS)], **chosen) == expected


@pytest.mark.parametrize(
    ("code", "tags"),
    [
        ("List<String> a = f();", False),
        ("public <T> void f(Map<K, V> m) {}", False),
        ("if (a <b && c/>d) f();", False),
        ('<TextView android:id="@+id/a"', True),
        ("<uses-sdk />", True),
        ("<br/>", True),
        ("</string>", True),
        ("<!-- f() -->", True),
        ("<?xml version='1.0'?>", True),
        ('Html.fromHtml("<b>f</b>");', True),
    ],
)
def test_type_arguments_are_no_xml_tags_dev_53(code: str, tags: bool) -> None:
    assert has_xml_tags(code) == tags


def test_hostile_blocks_take_linear_time() -> None:
    for piece in ("<a ", "<", "<a\t", "<a b", "a", "<a b = "):
        assert not has_xml_tags(piece * 100_000)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["101:1", "102:1", "103:1"]),
        ({"excluded_words": ["Gradle", "studio"]}, ["103:1"]),
        ({"minimum_query_words": 3}, ["101:1", "102:1"]),
        ({"tags": ["android", "java"]}, ["103:1"]),
        ({"tags": ["android", "java"], "tags_needed": "any"},
         ["101:1", "102:1", "103:1", "104:1"]),
    ],
)  # fmt: skip
def test_questions_are_chosen_by_tags_and_words_of_the_title(
    tmp_path: Path, chosen: dict[str, Any], expected: list[str]
) -> None:
    questions = [
        question(1, "How does GRADLE work"),
        question(2, "Open AndroidStudio"),
        question(3, "Gradlew emulators", "java", "android"),
        question(4, "Sort", "java"),
    ]
    answers = [answer(100 + number, number, "f();") for number in (1, 2, 3, 4)]
    assert keys(tmp_path, questions, answers, **chosen) == expected


def test_questions_may_come_in_any_order_and_be_none(tmp_path: Path) -> None:
    answers = [answer(10, 3, "f();"), answer(11, 1, "f();"), answer(12, 2, "f();")]
    asked = [question(3, "c"), question(1, "a"), question(2, "b")]
    assert [row["query"] for row in make(tmp_path, asked, answers)] == ["c", "a", "b"]
    assert make(tmp_path, [], answers) == []
    assert make(tmp_path, [], [], answers="best") == []
    assert make(tmp_path, asked, answers, tags=["java"]) == []


def test_posts_of_other_sites_have_another_source() -> None:
    assert source_of("https://stackoverflow.com") == "stackoverflow"
    assert source_of("https://es.stackoverflow.com") == "es.stackoverflow.com"
    assert source_of("https://beer.stackexchange.com") == "beer.stackexchange.com"
