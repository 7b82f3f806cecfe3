"""Runs and qrels of a dataset with document ids that say where a method stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.storage import write_text
from ncsbench.errors import DataError
from ncsbench.exports.built_dataset import BuiltDataset, check_empty
from ncsbench.runs.trec_files import read_lines

DOCUMENTS = ("document_id", "repository", "path", "start_line", "end_line", "url")
"""Columns of ``documents.csv``, a line for each method in the order of their ids."""


def export_trec(dataset: BuiltDataset, folder: Path) -> dict[str, int]:
    """Write ``runs/<model>.trec``, ``qrels_<judge>.txt`` of each judge and ``documents.csv``.

    ``corpus.json`` says of which corpus they are. Runs are those of the rows of the table that are
    there, with scores, ranks and tags as they are. The qrels have every method of the corpus that
    the judge accepts, with grade 1. A question for which none is right has one line with grade 0,
    of the first method: means of tools of the trec_eval family are over the questions of the qrels.

    Args:
        dataset: what is written.
        folder: to write; new or empty.

    Returns:
        Numbers of ``runs``, ``documents``, and of lines of the qrels of each judge.

    Raises:
        ConfigurationError: where the folder holds something.
        DataError: where there is no run.
    """
    check_empty(folder)
    runs = dataset.find_runs()
    ids = dataset.list_document_ids()
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
    rows = (
        {"document_id": ids[row["id"]], **{name: str(row[name] or "") for name in DOCUMENTS[1:]}}
        for table in dataset.corpus.iterate_methods(["id", *DOCUMENTS[1:]])
        for row in table.to_pylist()
    )
    write_rows(folder / "documents.csv", DOCUMENTS, rows)
    return written


def _rename(path: Path, ids: list[str]) -> Iterator[str]:
    """The lines of a run with document ids in place of method ids."""
    for number, line in enumerate(read_lines(path), 1):
        try:
            query_id, q0, id_, *others = line.split()
            yield " ".join([query_id, q0, ids[int(id_)], *others]) + "\n"
        except (ValueError, IndexError) as error:
            raise DataError(f"{path}, line {number}: is no line of a run of this corpus") from error
