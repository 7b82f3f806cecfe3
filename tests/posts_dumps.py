"""Small dumps for tests, sound and hostile."""

import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pyarrow as pa
import pyarrow.parquet as pq

from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_options import LinkSettings, PostSettings
from ncsbench.posts.dump.merged_dumps import read_dump
from ncsbench.posts.dump.other_files import write_links

HEAD, TAIL = b'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n', b"</posts>\n"
OUTPUTS = ("questions.parquet", "answers.parquet", "ledger.parquet", "counts.json")


def row(number: object, kind: object, **attributes: object) -> bytes:
    """A row with the attributes a post needs; those given as None are left out."""
    values = {
        "Id": number,
        "PostTypeId": kind,
        "CreationDate": "2015-03-01T10:20:30.400",
        "Score": 3,
        "Body": "<p>How & why?</p>\n",
        "OwnerUserId": 7,
        **attributes,
    }
    text = "".join(
        f" {name}=" + quoteattr(str(value), {"\n": "&#xA;", '"': "&quot;"})
        for name, value in values.items()
        if value is not None
    )
    return f"  <row{text} />\n".encode()


def question(number: object, tags: str = "<android>", **attributes: object) -> bytes:
    """A question."""
    return row(number, 1, **{"Title": "How?", "Tags": tags, **attributes})


def answer(number: object, parent: object, **attributes: object) -> bytes:
    """An answer."""
    return row(number, 2, **{"ParentId": parent, **attributes})


def read(
    dump: bytes,
    *,
    parts: int = 1,
    maximum_broken: float = 1.0,
    tag: str = "android",
) -> dict[str, bytes]:
    """Bytes of all outputs of a dump read for a tag."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "Posts.xml"
        path.write_bytes(dump)
        settings = PostSettings(path=path, tags=(tag,), parts=parts, maximum_broken=maximum_broken)
        try:
            read_dump(settings, Path(name) / "out")
        except DataError as error:
            if "has no rows" not in str(error):
                raise
        made = [Path(name) / "out" / output for output in OUTPUTS]
        return {path.name: path.read_bytes() for path in made if path.exists()}


def records(outputs: dict[str, bytes], name: str) -> list[dict[str, object]]:
    """Records of an output."""
    table: pa.Table = pq.read_table(pa.BufferReader(outputs[f"{name}.parquet"]))
    return table.to_pylist()


def ledger(dump: bytes) -> list[tuple[int, int | None, str]]:
    """Offset, id and reason of each line of the ledger."""
    return [
        (line["offset"], line["id"], line["reason"])  # type: ignore[misc]
        for line in records(read(dump), "ledger")
    ]


def count_links(dump: Path, questions: Path) -> pa.Table:
    """What ``write_links`` writes, beside the questions."""
    counted = questions.with_name("counted-links.parquet")
    write_links(LinkSettings(path=dump), questions, counted)
    return pq.read_table(counted)
