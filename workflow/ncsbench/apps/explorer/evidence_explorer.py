"""The explorer of a dataset from its published evidence: links to code in place of code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import TypeAdapter

from ncsbench.apps.explorer.explorer_folder import write_pages
from ncsbench.apps.explorer.question_files import ShownDataset
from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.layout.corpus_record import CorpusRecord
from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder
from ncsbench.pipeline.evidence.evidence_tables import METHOD_TABLE_SCHEMA, read_pairs
from ncsbench.posts.questions.question_entries import read_entries
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.table_settings import TableSettings

_KEY = ("query_id", "stackoverflow_id", "occurrence")


def write_evidence_explorer(
    evidence: EvidenceFolder, tables: Path, output: Path, texts: Path | None = None
) -> None:
    """Write the explorer of a dataset from its evidence and tables; open its index.html.

    Args:
        evidence: folder of the evidence of a dataset, with all files of its record.
        tables: folder of the tables that are made of the evidence.
        output: folder to write, all of it or nothing.
        texts: the published file of questions; None where it is not here. Without it, and where it
            has other questions than the evidence, a question has a number and a link.

    Raises:
        DataError: where a file is absent or not the file of the record.
    """
    evidence.check()
    asked = read_table(evidence.questions, QUESTION_SCHEMA).to_pylist()
    published = read_entries([texts]) if texts else []
    known = _list_keys(published) == _list_keys(asked)
    dataset = ShownDataset(
        settings=read_settings(evidence.settings, TableSettings),
        questions=published if known else list(map(_name_question, asked)),
        answers=evidence.answers,
        judgements=read_pairs(evidence.judgements),
        results=evidence.path,
        tables=tables,
        corpus=TypeAdapter(CorpusRecord).validate_python(read_json(evidence.corpus)),
        read_methods=partial(_read_methods, evidence.methods),
        licences={},
        texts=known,
    )
    write_pages(dataset, output)


def _list_keys(questions: list[dict[str, Any]]) -> list[list[Any]]:
    return [[row[name] for name in _KEY] for row in questions]


def _name_question(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question whose text is not here with a title, and with the link of its post."""
    post = row["stackoverflow_id"]
    title = f"Question {row['query_id']} (Stack Overflow {post})"
    url = f"https://stackoverflow.com/q/{quote(post, safe='')}"
    return {**row, "question": title, "question_url": url}


def _read_methods(path: Path, ids: Collection[int]) -> Iterator[dict[str, Any]]:
    table = read_table(path, METHOD_TABLE_SCHEMA)
    for row in table.filter(pc.is_in(table["id"], pa.array(ids, pa.int64()))).to_pylist():
        yield {**row, "url": link_lines(row), "code": "", "comment": ""}


def link_lines(method: Mapping[str, Any]) -> str:
    """Return the address of a method's lines at its commit; empty where the commit is unknown.

    Args:
        method: row of ``METHOD_TABLE_SCHEMA``; no text in it leads to another host.
    """
    if not method["commit"]:
        return ""
    parts = (quote(method["repository"]), "blob", quote(method["commit"]), quote(method["path"]))
    lines = f"L{method['start_line']}-L{method['end_line']}"
    return f"https://github.com/{'/'.join(parts)}#{lines}"
