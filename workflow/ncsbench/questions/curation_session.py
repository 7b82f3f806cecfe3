"""A reader's session of manual curation: candidates from files, decisions to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.questions.curation import Candidate, MatchShown, curate, summarise
from ncsbench.questions.curation_file import (
    adopt_matches,
    read_decisions,
    read_places,
    write_decisions,
)
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.reader_prompt import open_console
from ncsbench.questions.selection import EXAMPLES, best_matches


def curate_at_terminal(
    questions: Path, matches: pa.Table, corpus: Path, *, output: Path, judge: str | None
) -> None:
    """Ask a reader about every candidate; each decision is written at once.

    Args:
        questions: candidate questions, a table of ``QUESTION_SCHEMA``.
        matches: their best matches, a table of ``MATCH_SCHEMA``.
        corpus: folder of the corpus.
        output: file of decisions to go on with, or a new one.
        judge: whose matches are shown; None for the first of the file.
    """
    found = read_decisions(output) if output.exists() else {}
    shown = read_candidates(questions, matches, corpus, judge)
    console = open_console()
    before = adopt_matches(found, {each.id: each.places for each in shown})
    if before != found:
        write_decisions(output, before)
    made = curate(
        shown, before, console=console, save=lambda decisions: write_decisions(output, decisions)
    )
    console.write(f"{output}: {summarise(shown, made)}.")
    if others := len(made.keys() - {each.id for each in shown}):
        console.write(f"It also has {others} ids that are no candidates with a match.")


def read_candidates(
    questions: Path, matches: pa.Table, corpus: Path, judge: str | None
) -> list[Candidate]:
    """The candidates that have a match, with the code of their best matches."""
    if judge is None and len(matches):
        judge = matches["judge"][0].as_py()
    best = best_matches(matches, judge or "", EXAMPLES)
    ids = {match["id"] for row in best.values() for match in row}
    folder = CorpusFolder(corpus)
    places, methods = read_places(folder, ids), folder.read_methods(ids, ["code"])

    def show(match: dict[str, Any]) -> MatchShown:
        id_ = match["id"]
        return MatchShown(match["similarity"], places[id_], methods[id_]["code"])

    return [
        Candidate(
            id=question["stackoverflow_id"],
            title=question["question"],
            link=question["question_url"],
            answer=question["answer"],
            answer_link=question["answer_url"],
            matches=tuple(show(match) for match in best[question["query_id"]]),
        )
        for question in read_table(questions, QUESTION_SCHEMA).to_pylist()
        if question["query_id"] in best
    ]
