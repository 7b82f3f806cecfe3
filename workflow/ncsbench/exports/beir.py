"""A dataset in the layout of BEIR: corpus and queries as JSON lines, qrels as TSV.

Thakur et al., BEIR, NeurIPS 2021; ``beir.datasets.data_loader.GenericDataLoader`` reads it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.storage import atomic_path, write_text
from ncsbench.evaluation.results import JUDGE_PREFIXES
from ncsbench.exports.built_dataset import BuiltDataset, check_empty

RIGHT = ("query_id", "stackoverflow_id", *JUDGE_PREFIXES)
"""Columns of ``right.csv``: how many methods of the corpus are right for a question."""

_HEAD = "query-id\tcorpus-id\tscore\n"
_COLUMNS = [
    *("id", "repository", "path", "start_line", "end_line", "url"),
    *("class_name", "method_name", "code"),
]


def export_beir(dataset: BuiltDataset, folder: Path) -> dict[str, int]:
    """Write ``corpus.jsonl``, ``queries.jsonl``, ``qrels/<judge>.tsv`` and ``right.csv``.

    ``corpus.json`` says of which corpus they are. The qrels have every method of the corpus that
    the judge accepts, with grade 1. A question for which none is right is among the queries and has
    no line in the qrels.

    Args:
        dataset: what is written.
        folder: to write; new or empty.

    Returns:
        Numbers of ``documents``, ``queries``, and of lines of the qrels of each judge.

    Raises:
        ConfigurationError: where the folder holds something.
    """
    check_empty(folder)
    questions = dataset.read_questions().select(["query_id", "stackoverflow_id", "question"])
    ids = dataset.list_document_ids()
    matches = dataset.find_right()
    dataset.write_corpus(folder)
    _write_lines(folder / "corpus.jsonl", _documents(dataset, ids))
    _write_lines(folder / "queries.jsonl", map(_query, questions.to_pylist()))
    counts: dict[str, Counter[int]] = {}
    written = {"documents": len(ids), "queries": len(questions)}
    for judge in dataset.judges:
        pairs = dataset.list_right(matches, judge)
        lines = [_HEAD, *(f"{query_id}\t{ids[id_]}\t1\n" for query_id, id_ in pairs)]
        write_text(folder / "qrels" / f"{judge}.tsv", "".join(lines))
        counts[judge] = Counter(query_id for query_id, _ in pairs)
        written[judge] = len(pairs)
    rows = [
        {
            "query_id": str(row["query_id"]),
            "stackoverflow_id": row["stackoverflow_id"],
            **{judge: str(counts[judge][row["query_id"]]) for judge in dataset.judges},
        }
        for row in questions.to_pylist()
    ]
    write_rows(folder / "right.csv", RIGHT, rows)
    return written


def _documents(dataset: BuiltDataset, ids: list[str]) -> Iterator[dict[str, Any]]:
    for table in dataset.corpus.iterate_methods(_COLUMNS):
        for row in table.to_pylist():
            place = {name: row[name] for name in _COLUMNS[1:6]}
            yield {
                "_id": ids[row["id"]],
                "title": f"{row['class_name']}.{row['method_name']}",
                "text": row["code"],
                "metadata": place,
            }


def _query(row: dict[str, Any]) -> dict[str, Any]:
    about = {"stackoverflow_id": row["stackoverflow_id"]}
    return {"_id": str(row["query_id"]), "text": row["question"], "metadata": about}


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
