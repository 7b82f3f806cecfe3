"""Links between posts, from the links file of a dump."""

import gzip
import logging
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.base.files.storage import write_table, write_tables
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.runs.run import load_run
from ncsbench.posts.dump.post_schemas import LINK_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.questions.candidates import find_popular
from ncsbench.posts.questions.selection_options import CandidateSettings
from tests.posts_dumps import count_links

HEAD, TAIL = b'<?xml version="1.0" encoding="utf-8"?>\n<postlinks>\n', b"</postlinks>\n"


def link(source: object, target: object, kind: object) -> bytes:
    return (
        f'  <row Id="1" CreationDate="2010-04-26T02:59:48.130" PostId="{source}"'
        f' RelatedPostId="{target}" LinkTypeId="{kind}" />\n'
    ).encode()


def store_questions(path: Path, views: dict[int, int]) -> Path:
    """Questions by id, in two row groups."""
    rows = [
        {
            "id": id_, "title": "How", "tags": ["java"], "view_count": count, "score": 0,
            "accepted_answer_id": None, "creation_date": datetime(2012, 3, 4, tzinfo=UTC),
            "owner_user_id": None, "owner_display_name": None, "licence": "", "body": "",
            "offset": 0,
        }
        for id_, count in views.items()
    ]  # fmt: skip
    parts = [pa.Table.from_pylist(part, POST_QUESTION_SCHEMA) for part in (rows[:1], rows[1:])]
    write_tables(path, parts, POST_QUESTION_SCHEMA)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_links_are_counted_by_kind_dev_103(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, packed: bool
) -> None:
    rows = [
        link(5, 30, 1), link(6, 30, 3), link(7, 30, 3), link(5, 10, 1), link(30, 30, 3),
        link(5, 99, 3), link(5, 20, 7), link("x", 10, 1), link(5, "9" * 19, 1),
        link(8, "&bomb;", 1), link(-5, 10, 1), b"  <row />\n",
        b'  <row PostId="1" RelatedPostId="10" \n',
    ]  # fmt: skip
    text = HEAD + b"".join(rows) + TAIL
    (tmp_path / "PostLinks.xml").write_bytes(gzip.compress(text) if packed else text)
    questions = store_questions(tmp_path / "q", {30: 1, 10: 5, 20: 3})
    with caplog.at_level(logging.INFO):
        counted = count_links(tmp_path / "PostLinks.xml", questions)
    assert counted.schema == LINK_SCHEMA
    assert list(counted.to_pydict().values()) == [[10, 20, 30], [1, 0, 3], [0, 0, 2]]
    assert f"cannot be read at byte {text.index(link('x', 10, 1)) + 2}" in caplog.text
    assert "links to 2 of 3 questions, 6 errors" in caplog.text


@pytest.mark.parametrize("text", [b"", b"\x89PNG\r\n\x1a\n", HEAD + TAIL])
def test_a_file_without_links_ends_in_one_line(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "PostLinks.xml").write_bytes(text)
    questions = store_questions(tmp_path / "q", {1: 1})
    with pytest.raises(DataError, match=r"PostLinks\.xml: has no rows of links"):
        count_links(tmp_path / "PostLinks.xml", questions)


@settings(max_examples=50)
@given(noise=st.binary(max_size=80))
def test_noise_between_rows_costs_no_other_row(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes
) -> None:
    folder = tmp_path_factory.mktemp("links")
    noise = noise.replace(b"<", b"").decode("utf-8", "ignore").encode()
    path = folder / "PostLinks.xml"
    path.write_bytes(HEAD + link(2, 1, 3) + b"<" + noise + link(3, 1, 1) + TAIL)
    counted = count_links(path, store_questions(folder / "q", {1: 1}))
    assert (counted["links"].to_pylist(), counted["duplicates"].to_pylist()) == ([2], [1])


def test_links_and_duplicates_are_orders_of_popularity_dev_103(tmp_path: Path) -> None:
    questions = store_questions(tmp_path / "q", {1: 10, 2: 20, 3: 30, 4: 40})
    counted = pa.table([[1, 2, 3], [9, 4, 4], [0, 2, 1]], schema=LINK_SCHEMA)
    write_table(tmp_path / "links", counted, LINK_SCHEMA)

    def order(popularity: str, links: Path | None = tmp_path / "links") -> list[int]:
        options = {"site": "https://so.invalid", "tags": ["java"], "popularity": popularity}
        settings = CandidateSettings.parse(options, where="settings")
        ids: list[int] = find_popular(questions, settings, links).ids.tolist()
        return ids

    assert order("views") == [4, 3, 2, 1]
    assert order("links") == [1, 3, 2, 4]
    assert order("duplicates") == [2, 3, 4, 1]
    with pytest.raises(ConfigurationError, match="needs the counted links"):
        order("links", None)


def test_an_order_by_links_needs_their_file(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(root)
    asked = {"models": ["bm25"], "selection": {"popularity": "duplicates"}}
    with pytest.raises(
        ConfigurationError, match=r"name PostLinks\.xml as posts\.links in .*sample"
    ):
        load_run({"dataset": "sample", **asked}, root=root)
    dataset = yaml.safe_load((root / "config/datasets/sample.yaml").read_text())
    links = tmp_path / "PostLinks.xml"
    dataset["posts"]["links"] = str(links)
    (tmp_path / "linked.yaml").write_text(yaml.safe_dump(dataset | {"name": "linked"}))
    with pytest.raises(ConfigurationError, match=r"posts\.links: .*PostLinks\.xml exists neither"):
        load_run({"dataset": str(tmp_path / "linked.yaml"), **asked}, root=root)
    links.write_bytes(HEAD + link(1, 2, 3) + TAIL)
    run = load_run({"dataset": str(tmp_path / "linked.yaml"), **asked}, root=root)
    assert run.ordered_by_links
    assert run.settings["linked/settings/post_links.json"] == {"path": str(links)}
    assert "links" in run.inputs
