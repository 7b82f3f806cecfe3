"""Posts read from dumps against a plain reading by the standard library's ElementTree."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import IO, Any
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.merged_dumps import read_dump
from tests.unit.posts.test_streams import write_7z

pytestmark = pytest.mark.shared

DUMPS = {
    "Posts.xml.gz": (["android"], {"1": 9456, "2": 47272}, (922, 4222)),
    "cardano.Posts.xml.gz": (
        ["governance", "wallet"],
        {"1": 1032, "2": 1476, "4": 43, "5": 43, "6": 6},
        None,
    ),
    "beer.Posts.xml.gz": (["hops", "brewing"], {"1": 454, "2": 1074, "4": 24, "5": 24}, None),
    "stackoverflow-small.posts.xml": (["c#", "html"], {"1": 35, "2": 63}, None),
}
"""Tags to read, rows by post type as the data's README counts them, posts where it does."""

OUTPUTS = ("questions.parquet", "answers.parquet", "ledger.parquet")


def open_plain(path: Path) -> IO[bytes]:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def read_plainly(path: Path, tags: list[str]) -> tuple[Any, Any, Counter[str]]:
    """All rows in memory; fields as strings, so that nothing of the library is used."""
    with open_plain(path) as file:
        rows = [
            dict(element.attrib)
            for _, element in ElementTree.iterparse(file)  # noqa: S314
            if element.tag == "row"
        ]
    asked = [
        row
        for row in rows
        if row["PostTypeId"] == "1" and set(re.findall(r"<([^>]*)>", row["Tags"])) & set(tags)
    ]
    taken = {row["Id"] for row in asked}
    answered = [row for row in rows if row["PostTypeId"] == "2" and row["ParentId"] in taken]
    return asked, answered, Counter(row["PostTypeId"] for row in rows)


def common_fields(row: dict[str, str]) -> dict[str, Any]:
    created = datetime.fromisoformat(row["CreationDate"] + "+00:00")
    by_date = "2.5" if created.isoformat() < "2011-04-08" else "3.0"
    by_date = "4.0" if created.isoformat() >= "2018-05-02" else by_date
    return {
        "id": int(row["Id"]),
        "score": int(row["Score"]),
        "creation_date": created,
        "owner_user_id": int(row["OwnerUserId"]) if "OwnerUserId" in row else None,
        "owner_display_name": row.get("OwnerDisplayName", "").strip() or None,
        "licence": row.get("ContentLicense", f"CC BY-SA {by_date}"),
        "body": row["Body"],
    }


def question_fields(row: dict[str, str]) -> dict[str, Any]:
    return {
        **common_fields(row),
        "title": row["Title"],
        "tags": re.findall(r"<([^>]*)>", row["Tags"]),
        "view_count": int(row["ViewCount"]) if "ViewCount" in row else None,
        "accepted_answer_id": int(row["AcceptedAnswerId"]) if "AcceptedAnswerId" in row else None,
    }


def answer_fields(row: dict[str, str]) -> dict[str, Any]:
    return {**common_fields(row), "parent_id": int(row["ParentId"])}


def without_offset(path: Path) -> list[dict[str, Any]]:
    return pq.read_table(path).drop_columns("offset").to_pylist()


@pytest.mark.parametrize("name", list(DUMPS))
def test_posts_are_those_of_a_plain_reading(name: str, shared: Path, tmp_path: Path) -> None:
    tags, kinds, posts = DUMPS[name]
    path = shared / "data" / "stackoverflow" / name
    read_dump(PostSettings(path=path, tags=tuple(tags), maximum_broken=0), tmp_path)
    counts = json.loads((tmp_path / "counts.json").read_text())
    asked, answered, plain_kinds = read_plainly(path, tags)
    assert counts["types"] == kinds == plain_kinds
    assert counts["ledger"] == {}
    assert (counts["questions"], counts["answers"]) == (posts or (len(asked), len(answered)))
    assert without_offset(tmp_path / "questions.parquet") == [question_fields(row) for row in asked]
    assert without_offset(tmp_path / "answers.parquet") == [answer_fields(row) for row in answered]


@pytest.mark.parametrize("name", list(DUMPS))
def test_offsets_are_places_of_rows(name: str, shared: Path, tmp_path: Path) -> None:
    path = shared / "data" / "stackoverflow" / name
    read_dump(PostSettings(path=path, tags=tuple(DUMPS[name][0]), maximum_broken=0), tmp_path)
    with open_plain(path) as file:
        text = file.read()
    for kind in ("questions", "answers"):
        table = pq.read_table(tmp_path / f"{kind}.parquet", columns=["id", "offset"])
        for row in table.to_pylist():
            assert text.startswith(b'<row Id="%d"' % row["id"], row["offset"])


def test_gzip_archive_and_parts_of_a_real_dump_give_the_same_bytes(
    shared: Path, tmp_path: Path
) -> None:
    packed = shared / "data" / "stackoverflow" / "cardano.Posts.xml.gz"
    plain = tmp_path / "Posts.xml"
    with gzip.open(packed) as source, plain.open("wb") as target:
        shutil.copyfileobj(source, target)
    write_7z(tmp_path / "cardano.7z", {"Posts.xml": plain.read_bytes()})
    made = []
    for path, parts in ((packed, 1), (plain, 1), (plain, 7), (tmp_path / "cardano.7z", 1)):
        output = tmp_path / f"out{len(made)}"
        read_dump(PostSettings(path=path, tags=("governance", "wallet"), parts=parts), output)
        made.append([(output / name).read_bytes() for name in OUTPUTS])
    assert made[1:] == made[:1] * 3
