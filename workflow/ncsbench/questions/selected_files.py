"""The files of selected questions: questions, authors and licences, funnel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.questions import attribution
from ncsbench.questions import selection_funnel as funnel
from ncsbench.questions.selection import Selected, write_questions


def write_selection(
    output: Path,
    selected: Selected,
    *,
    candidates: Path,
    corpus: CorpusFolder,
    printed: Mapping[str, str],
) -> None:
    """Write ``questions.json``, ``attribution.csv`` and ``funnel.csv``.

    Args:
        output: folder to write.
        selected: the questions.
        candidates: folder of the candidates that they were selected from.
        corpus: where their examples are.
        printed: the counts of the paper's selection by step.
    """
    ids = {id_ for question in selected.questions for id_ in question["examples"]}
    links = {id_: method["url"] for id_, method in corpus.read_methods(ids, ["url"]).items()}
    names = {question["query_id"]: question["stackoverflow_id"] for question in selected.questions}
    posts = read_table(candidates / "attribution.parquet", attribution.ATTRIBUTION_SCHEMA)
    steps = [*funnel.read_funnel(candidates / "funnel.json"), *selected.steps]
    write_rows(output / "funnel.csv", funnel.COLUMNS, funnel.funnel_rows(steps, printed))
    credited = attribution.attribution_rows(posts, names)
    write_rows(output / "attribution.csv", attribution.COLUMNS, credited)
    write_questions(output / "questions.json", selected.questions, links)
