"""Collections in the layouts in which people share them, written in BEIR's layout.

A collection has documents, queries, and grades of documents for queries. Layouts: CoIR's Parquet
files (Li et al., ACL 2025); the files that ``ir_datasets export`` writes (MacAvaney et al., SIGIR
2021); TREC's marked-up documents and topics; CoSQA's retrieval files (Huang et al., ACL 2021); and
functions as JSON lines, as AdvTest of CodeXGLUE (Lu et al., NeurIPS 2021) and the filtered
CodeSearchNet sets of GraphCodeBERT (Guo et al., ICLR 2021) have them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from ncsbench.base.files.csv_tables import read_utf8
from ncsbench.base.files.json_lines import read_objects, take_text
from ncsbench.base.files.storage import atomic_path, read_json, write_text
from ncsbench.errors import ConfigurationError, DataError, nearest

HEAD = "query-id\tcorpus-id\tscore\n"
"""First line of qrels in BEIR's layout."""
Entry = Mapping[str, Any]
Grade = tuple[str, str, int]
"""Ids of a query and of a document, and the grade."""
_DOCUMENT = re.compile(r"<DOC>\s*<DOCNO>\s*(\S+)\s*</DOCNO>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
_TOPIC = re.compile(
    r"<num>(?:\s*Number:)?\s*([^\s<]+)\s*(?:</num>)?\s*<title>(?:\s*Topic:)?([^<]+)", re.IGNORECASE
)
_MARK = re.compile(r"<[^<>]*>")


class Collection(NamedTuple):
    """A collection that is read.

    Attributes:
        documents: objects with ``_id``, ``title`` and ``text``, and others, in order.
        queries: objects with ``_id`` and ``text``, in order.
        grades: grades of documents for queries.
    """

    documents: Iterable[Entry]
    queries: Iterable[Entry]
    grades: Iterable[Grade]


def convert_collection(layout: str, source: Path, split: str, folder: Path) -> dict[str, int]:
    """Write a collection of another layout in BEIR's.

    Args:
        layout: one of ``LAYOUTS``.
        source: folder of the collection.
        split: part of the queries, such as ``test``.
        folder: folder to write.

    Returns:
        Numbers of ``documents``, ``queries`` and ``grades``.

    Raises:
        ConfigurationError: for an unknown layout.
        DataError: where a file is missing or malformed.
    """
    if layout == "beir":
        raise ConfigurationError(f"{source}: needs no conversion; name it in a dataset file")
    if layout not in LAYOUTS:
        raise ConfigurationError(f"layout {layout!r} is unknown; {nearest(layout, list(LAYOUTS))}")
    return write_collection(folder, LAYOUTS[layout](source, split), split)


def write_collection(folder: Path, collection: Collection, split: str) -> dict[str, int]:
    """Write ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/<split>.tsv``, each atomically.

    Returns:
        Numbers of ``documents``, ``queries`` and ``grades``.
    """
    written = {"documents": write_objects(folder / "corpus.jsonl", collection.documents)}
    written["queries"] = write_objects(folder / "queries.jsonl", collection.queries)
    written["grades"] = write_grades(folder / "qrels" / f"{split}.tsv", collection.grades)
    return written


def write_objects(path: Path, entries: Iterable[Entry]) -> int:
    """Write objects as JSON lines, atomically, and return their number."""
    count = 0
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        for entry in entries:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            count += 1
    return count


def write_grades(path: Path, grades: Iterable[Grade]) -> int:
    """Write qrels in BEIR's layout, atomically, and return the number of grades."""
    lines = [f"{query}\t{document}\t{grade}\n" for query, document, grade in grades]
    write_text(path, "".join([HEAD, *lines]))
    return len(lines)


def _read_coir(source: Path, split: str) -> Collection:
    """Read ``corpus*.parquet``, ``queries*.parquet`` and ``<split>*.parquet`` of qrels."""

    def rows(name: str) -> Iterator[tuple[str, Entry]]:
        paths = sorted(source.rglob(f"{name}*.parquet"))
        if not paths:
            raise DataError(f"{source}: has no file {name}*.parquet")
        for path in paths:
            try:
                for batch in pq.ParquetFile(path).iter_batches(4096):
                    yield from ((str(path), row) for row in batch.to_pylist())
            except (OSError, ValueError) as error:
                raise DataError(f"{path}: is no Parquet file ({error})") from error

    grades = [
        (take_text(where, row, "query_id"), take_text(where, row, "corpus_id"), int(row["score"]))
        for where, row in _rename(rows(split), {"query-id": "query_id", "corpus-id": "corpus_id"})
    ]
    asked = {query for query, _, _ in grades}
    queries = (_query(where, row) for where, row in rows("queries"))
    return Collection(
        (_document(where, row) for where, row in rows("corpus")),
        (query for query in queries if query["_id"] in asked),
        grades,
    )


def _read_ir_datasets(source: Path, split: str) -> Collection:
    """Read ``docs.jsonl``, ``queries.jsonl`` or ``.tsv``, and ``qrels.<split>`` or ``qrels``."""
    names = {"doc_id": "_id", "query_id": "_id"}
    path = _find(source, "queries.jsonl", "queries.tsv")
    if path.suffix == ".tsv":
        lines = [one.partition("\t") for one in read_utf8(path).splitlines()]
        queries: list[Entry] = [{"_id": id_, "text": text} for id_, _, text in lines]
    else:
        queries = [_query(where, row) for where, row in _rename(_objects(path), names)]
    documents = _rename(_objects(_find(source, "docs.jsonl")), names)
    return Collection(
        (_document(where, row) for where, row in documents), queries, _read_qrels(source, split)
    )


def _read_trec(source: Path, split: str) -> Collection:
    """Read ``*.trec`` with ``<DOC>`` or, by its name, ``<top>`` marks, and qrels."""
    marked = {path: read_utf8(path) for path in sorted(source.rglob("*.trec"))}
    found = [one for text in marked.values() for one in _DOCUMENT.findall(text)]
    topics = [one for text in marked.values() for one in _TOPIC.findall(text)]
    if not found or not topics:
        raise DataError(f"{source}: has no file *.trec with <DOC> and one with <top>")
    documents = [{"_id": id_, "title": "", "text": _MARK.sub(" ", text)} for id_, text in found]
    queries = [{"_id": id_, "text": " ".join(title.split())} for id_, title in topics]
    return Collection(documents, queries, _read_qrels(source, split))


def _read_qrels(source: Path, split: str) -> list[Grade]:
    path = _find(source, f"qrels.{split}", f"qrels.{split}.txt", "qrels", "qrels.txt")
    grades = []
    for number, line in enumerate(read_utf8(path).splitlines(), 1):
        cells = line.split()
        if len(cells) != 4 or not cells[3].lstrip("-").isdigit():
            raise DataError(f"{path}, line {number}: is no line of qrels of TREC")
        grades.append((cells[0], cells[2], int(cells[3])))
    return grades


def _read_cosqa(source: Path, split: str) -> Collection:
    """Read ``code_idx_map.txt`` and ``cosqa-retrieval-<split>-*.json``."""
    path = _find(source, *(one.name for one in source.glob(f"cosqa-retrieval-{split}-*.json")))
    codes, asked = read_json(_find(source, "code_idx_map.txt")), read_json(path)
    try:
        documents = [{"_id": str(id_), "title": "", "text": code} for code, id_ in codes.items()]
        queries = [{"_id": one["idx"], "text": one["doc"]} for one in asked]
        grades = [(one["idx"], str(one["retrieval_idx"]), int(one["label"])) for one in asked]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path}: is no file of CoSQA ({error})") from error
    return Collection(documents, queries, grades)


def _read_functions(source: Path, split: str) -> Collection:
    """Read ``<split>.jsonl``, and ``codebase.jsonl`` where the codes searched are more."""
    asked = list(_objects(_find(source, f"{split}.jsonl", f"{split}.jsonl.gz")))
    base = source / "codebase.jsonl"
    ids = [str(row.get("url") or row.get("idx")) for _, row in asked]
    queries = [
        {"_id": f"{split}-{number}", "text": _read_docstring(where, row)}
        for number, (where, row) in enumerate(asked)
    ]
    documents = (
        {"_id": str(row.get("url") or row.get("idx")), "title": "", "text": _read_code(where, row)}
        for where, row in (_objects(base) if base.is_file() else asked)
    )
    grades = [(query["_id"], id_, 1) for query, id_ in zip(queries, ids, strict=True)]
    return Collection(documents, queries, grades)


def _read_docstring(where: str, row: Entry) -> str:
    tokens = row.get("docstring_tokens")
    if isinstance(tokens, list) and tokens:
        return " ".join(map(str, tokens))
    return take_text(where, row, "docstring")


def _read_code(where: str, row: Entry) -> str:
    return take_text(where, row, "function" if "function" in row else "code")


def _document(where: str, row: Entry) -> Entry:
    texts = {name: take_text(where, row, name, needed=False) for name in ("title", "text")}
    return {"_id": take_text(where, row, "_id"), **texts}


def _query(where: str, row: Entry) -> Entry:
    return {name: take_text(where, row, name) for name in ("_id", "text")}


def _objects(path: Path) -> Iterator[tuple[str, Entry]]:
    return ((f"{path}, line {number}", row) for number, row in read_objects(path))


def _rename(
    rows: Iterable[tuple[str, Entry]], names: Mapping[str, str]
) -> Iterator[tuple[str, Entry]]:
    for where, row in rows:
        yield where, {names.get(name, name): value for name, value in row.items()}


def _find(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"{folder}: has no {' or '.join(names) or 'file of this layout and split'}")


LAYOUTS: Mapping[str, Callable[[Path, str], Collection]] = {
    "coir": _read_coir,
    "ir_datasets": _read_ir_datasets,
    "trec": _read_trec,
    "cosqa": _read_cosqa,
    "functions": _read_functions,
}
"""Readers by name of the layout."""
