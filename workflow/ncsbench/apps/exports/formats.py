"""A dataset with its runs, in the formats of BEIR (Thakur et al., NeurIPS 2021) and of TREC.

``beir.datasets.data_loader.GenericDataLoader`` and tools of the trec_eval family read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ncsbench.apps.exports.built_dataset import BuiltDataset, check_empty
from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import write_text
from ncsbench.base.runs.trec_files import read_lines
from ncsbench.corpus.sources.collection_layouts import write_grades, write_objects
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.results import JUDGE_PREFIXES

RIGHT = ("query_id", "stackoverflow_id", *JUDGE_PREFIXES)
"""Columns of ``right.csv``: numbers of methods of the corpus that are right for a question."""

PRINTABLE = "".join(chr(code) for code in range(33, 127))
"""Signs of an id that stay as they are in TREC files; white space is written as ``%20``."""
_COLUMNS = [
    *("id", "repository", "path", "start_line", "end_line", "url"),
    *("class_name", "method_name", "comment", "code"),
]


def export_beir(dataset: BuiltDataset, folder: Path) -> dict[str, int]:
    """Write ``corpus.jsonl``, ``queries.jsonl``, ``qrels/<judge>.tsv`` and ``right.csv``.

    ``corpus.json`` names the corpus of the files. The qrels have every method of the corpus that
    the judge accepts, with grade 1; ``qrels/gold.tsv`` has the methods that gold names. A question
    without a right method is among the queries and has no line in the qrels.

    Args:
        dataset: the dataset to write.
        folder: folder to write; new or empty.

    Returns:
        Numbers of ``documents``, ``queries``, and of lines of the qrels of each judge and of gold.

    Raises:
        ConfigurationError: where the folder is not empty.
    """
    check_empty(folder)
    questions = dataset.read_questions().select(["query_id", "stackoverflow_id", "question"])
    ids = dataset.list_document_ids()
    matches = dataset.find_right()
    dataset.write_corpus(folder)
    names = dataset.name_queries(questions)
    write_objects(folder / "corpus.jsonl", _documents(dataset, ids))
    write_objects(folder / "queries.jsonl", (_query(row, names) for row in questions.to_pylist()))
    counts: dict[str, Counter[int]] = {}
    written = {"documents": len(ids), "queries": len(questions)}
    for judge in dataset.judges:
        pairs = dataset.list_right(matches, judge)
        grades = ((names[query_id], ids[id_], 1) for query_id, id_ in pairs)
        written[judge] = write_grades(folder / "qrels" / f"{judge}.tsv", grades)
        counts[judge] = Counter(query_id for query_id, _ in pairs)
    if gold := dataset.list_gold():
        grades = ((names[query_id], ids[id_], grade) for query_id, id_, grade in gold)
        written["gold"] = write_grades(folder / "qrels" / "gold.tsv", grades)
    rows = [
        {
            "query_id": str(row["query_id"]),
            "stackoverflow_id": row["stackoverflow_id"],
            **{judge: str(counts[judge][row["query_id"]]) for judge in dataset.judges},
        }
        for row in questions.to_pylist()
    ]
    if dataset.judges:
        write_rows(folder / "right.csv", RIGHT, rows)
    return written


def _documents(dataset: BuiltDataset, ids: list[str]) -> Iterator[dict[str, Any]]:
    for table in dataset.corpus.iterate_methods(_COLUMNS):
        for row in table.to_pylist():
            place = {name: row[name] for name in _COLUMNS[1:6]}
            yield {
                "_id": ids[row["id"]],
                "title": (row["comment"] or "")
                if dataset.is_collection
                else f"{row['class_name']}.{row['method_name']}",
                "text": row["code"],
                "metadata": place,
            }


def _query(row: dict[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    about = {"stackoverflow_id": row["stackoverflow_id"]}
    return {"_id": names[row["query_id"]], "text": row["question"], "metadata": about}


DOCUMENTS = ("document_id", "repository", "path", "start_line", "end_line", "url")
"""Columns of ``documents.csv``, which has a line for each method in the order of their ids."""


def export_trec(dataset: BuiltDataset, folder: Path) -> dict[str, int]:
    """Write ``runs/<model>.trec``, ``qrels_<judge>.txt`` of each judge and ``documents.csv``.

    ``corpus.json`` names the corpus of the files. Runs are those of the rows of the table that are
    there, with their scores, ranks and tags. The qrels have every method of the corpus that the
    judge accepts, with grade 1. A question without a right method has one line with grade 0, of the
    first method: means of tools of the trec_eval family are over the questions of the qrels.

    Args:
        dataset: the dataset to write.
        folder: folder to write; new or empty.

    Returns:
        Numbers of ``runs``, ``documents``, and of lines of the qrels of each judge.

    Raises:
        ConfigurationError: where the folder is not empty.
        DataError: where there is no run.
    """
    check_empty(folder)
    runs = dataset.find_runs()
    ids = [quote(id_, safe=PRINTABLE) for id_ in dataset.list_document_ids()]
    dataset.write_corpus(folder)
    for name, path in runs.items():
        write_text(folder / "runs" / f"{name}.trec", "".join(_rename(path, ids)))
    matches = dataset.find_right()
    written = {"runs": len(runs), "documents": len(ids)}
    for judge in dataset.judges:
        pairs = dataset.list_right(matches, judge)
        asked = dataset.read_questions()["query_id"].to_pylist()
        without = sorted(set(asked) - {query_id for query_id, _ in pairs})
        lines = [(*pair, 1) for pair in pairs] + [(query_id, 0, 0) for query_id in without]
        text = [f"{query_id} 0 {ids[id_]} {grade}\n" for query_id, id_, grade in sorted(lines)]
        write_text(folder / f"qrels_{judge}.txt", "".join(text))
        written[judge] = len(pairs)
    if gold := dataset.list_gold():
        text = [f"{query_id} 0 {ids[id_]} {grade}\n" for query_id, id_, grade in gold]
        write_text(folder / "qrels_gold.txt", "".join(text))
        written["gold"] = len(text)
    rows = (
        {"document_id": ids[row["id"]], **{name: str(row[name] or "") for name in DOCUMENTS[1:]}}
        for table in dataset.corpus.iterate_methods(["id", *DOCUMENTS[1:]])
        for row in table.to_pylist()
    )
    write_rows(folder / "documents.csv", DOCUMENTS, rows)
    return written


def _rename(path: Path, ids: list[str]) -> Iterator[str]:
    """Write the lines of a run with document ids in place of method ids."""
    for number, line in enumerate(read_lines(path), 1):
        try:
            query_id, q0, id_, *others = line.split()
            yield " ".join([query_id, q0, ids[int(id_)], *others]) + "\n"
        except (ValueError, IndexError) as error:
            raise DataError(f"{path}, line {number}: is no line of a run of this corpus") from error
