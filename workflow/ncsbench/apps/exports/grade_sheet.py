"""A sheet of results in random order, in which a person writes grades; filled in, it is gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.own_code.shown_methods import dedent_code
from ncsbench.base.files.csv_tables import Row, write_rows
from ncsbench.base.files.hashes import forget_file
from ncsbench.base.files.storage import write_text
from ncsbench.base.runs.rankings import ranks_in_run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.base.text.safe_text import cut_text
from ncsbench.errors import ConfigurationError

COLUMNS = ("question", "code", "grade", "notes", "document")
"""Columns of a sheet, in order, which ``posts.questions.gold_entries`` reads; ``code`` and
``notes`` are for people. ``document`` is a document id (``corpus.layout.document_ids``)."""

INSTRUCTIONS = """\
Each row has a question and a method. Write into the column grade how well the method answers the
question:

3  what was asked for: you would copy it, or call it, nearly as it is
2  close: it does the work, or its main part, and needs changes that are easy to see
1  related: it shows a part of the way, or the same work on something else
0  something else: it does not help with the question

Judge what the code does, not how well it is written. Read the question as its author would mean
it; where it has several readings, one that fits is enough. Code that only passes the work on
counts by what its name says is done. Do not look the method up in a search engine.

Leave the columns question, code and document as they are; notes are yours. A row without a grade
counts as not graded yet. Where two people grade, they talk about the rows afterwards.
"""
"""Grades of a method for a question, as CodeSearchNet's annotators used (Husain et al. 2019)."""
_LINES, _WIDTH = 80, 200
"""Lines of a method, and characters of a line, that are shown: other programs read cells up to
32,767 characters."""


def draw_results(
    dataset: BuiltDataset,
    *,
    models: Sequence[str] | None,
    depth: int,
    count: int | None,
    seed: int,
) -> list[Row]:
    """Draw pairs of a question and a method that some row of the table ranks among its first.

    Questions with the same text count as one. Neither the row nor the rank is written.

    Args:
        dataset: the dataset whose questions and runs are read.
        models: rows of the table whose results count; None for all.
        depth: number of results of each row.
        count: number of pairs that are drawn; None for all.
        seed: seed of the order.

    Raises:
        ConfigurationError: for an unknown row.
        DataError: where there is no run.
    """
    for name in models or ():
        if name not in dataset.rows:
            known = ", ".join(dataset.rows)
            raise ConfigurationError(f"{dataset.name}: has no row {name}; it has {known}")
    asked = dataset.read_questions()
    titles = dict(zip(asked["query_id"].to_pylist(), asked["question"].to_pylist(), strict=True))
    found: dict[tuple[str, int], str] = {}
    for path in dataset.find_runs(models).values():
        run = read_run(path)
        kept = ranks_in_run(run) <= depth
        for query_id, id_ in zip(run.query_ids[kept].tolist(), run.ids[kept].tolist(), strict=True):
            if query_id in titles:
                key = " ".join(titles[query_id].lower().split())
                found.setdefault((key, id_), titles[query_id])
    pairs = sorted(found)
    order = np.random.default_rng(seed).permutation(len(pairs)).tolist()
    drawn = [pairs[place] for place in order[:count]]
    documents = dataset.list_document_ids()
    methods = dataset.corpus.read_methods({id_ for _, id_ in drawn}, ["comment", "code"])
    return [
        _make_row(found[pair], documents[pair[1]], methods[pair[1]]["comment"] or "",
                  methods[pair[1]]["code"])
        for pair in drawn
    ]  # fmt: skip


def write_sheet(output: Path, rows: list[Row]) -> Path:
    """Write a sheet, and instructions for its reader beside it.

    Args:
        output: CSV file to write; a file that is there is kept, since somebody may have filled it.
        rows: rows of ``COLUMNS``, in the order of the sheet.

    Returns:
        The file with the instructions.

    Raises:
        ConfigurationError: where one of the files is there already.
    """
    beside = output.with_name(f"{output.stem}_instructions.txt")
    for path in (output, beside):
        if path.exists():
            raise ConfigurationError(f"{path}: is there already; name a new file")
    write_rows(output, COLUMNS, rows)
    forget_file(output)  # a person who fills the sheet in changes its bytes
    write_text(beside, INSTRUCTIONS)
    return beside


def _make_row(question: str, document: str, comment: str, code: str) -> Row:
    text = "\n".join(filter(None, [comment, dedent_code(code)]))
    shown = "\n".join(cut_text(text, lines=_LINES, width=_WIDTH))
    return {"question": question, "code": shown, "grade": "", "notes": "", "document": document}
