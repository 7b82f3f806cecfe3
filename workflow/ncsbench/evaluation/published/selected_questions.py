"""The files of selected questions: questions, authors, licences, funnel with printed counts."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import read_table
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.published.printed_figures import read_published
from ncsbench.posts.questions import selection
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection_options import SelectSettings


def write_selection(
    settings: SelectSettings,
    candidates: Path,
    matches: Path,
    corpus: CorpusFolder,
    published: Path,
    output: Path,
) -> None:
    """Write the candidate questions that the corpus matches, with authors, licences and funnel.

    Args:
        settings: settings with the similarity that decides.
        candidates: folder of the candidates.
        matches: best matches of the candidates in the corpus.
        corpus: folder of the corpus.
        published: printed counts of the paper's selection.
        output: folder to write: ``questions.json``, ``attribution.csv``, ``funnel.csv``.
    """
    selected = selection.select_questions(
        candidates=read_table(candidates / "questions.parquet", QUESTION_SCHEMA),
        matches=read_table(matches, MATCH_SCHEMA),
        judge=settings.judge,
    )
    ids = {id_ for question in selected.questions for id_ in question["examples"]}
    links = {id_: method["url"] for id_, method in corpus.read_methods(ids, ["url"]).items()}
    names = {question["query_id"]: question["stackoverflow_id"] for question in selected.questions}
    posts = read_table(candidates / "attribution.parquet", selection.ATTRIBUTION_SCHEMA)
    printed = {figure.row: figure.value for figure in read_published(published)}
    steps = [*selection.read_funnel(candidates / "funnel.json"), *selected.steps]
    write_rows(
        output / "funnel.csv", selection.FUNNEL_COLUMNS, selection.funnel_rows(steps, printed)
    )
    credited = selection.attribution_rows(posts, names)
    write_rows(output / "attribution.csv", selection.ATTRIBUTION_COLUMNS, credited)
    selection.write_questions(output / "questions.json", selected.questions, links)
