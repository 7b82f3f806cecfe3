"""The sheet on which a reader decides, in an editor or a spreadsheet, which candidates are kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.hashes import forget_file
from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.questions.curation_file import (
    HEADER,
    Decision,
    Place,
    adopt_matches,
    read_decisions,
    read_places,
)
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.questions.selection import EXAMPLES, best_matches
from ncsbench.text.safe_text import cut_text

_TEXTS = ("question", "question_url", "answer", "answer_url")
COLUMNS = (*HEADER, *_TEXTS, "match")
"""Columns of the sheet, in order; those after ``HEADER`` help the reader and are not read again."""
_LINES, _WIDTH = 60, 200
"""Lines of a text, and characters of a line, that are shown: other programs read cells up to
32,767 characters."""


def write_sheet(
    questions: Path, matches: pa.Table, corpus: Path, *, output: Path, judge: str | None
) -> str:
    """Write a row for every candidate and match, with the decisions that the file has already.

    A row of a match that its question was not decided on has an empty ``keep``. Matches that were
    seen with another corpus, and decisions on other questions, stay.

    Args:
        questions: candidate questions, a table of ``QUESTION_SCHEMA``.
        matches: their best matches, a table of ``MATCH_SCHEMA``.
        corpus: folder of the corpus.
        output: sheet or curation file to go on with, or a new one; written atomically.
        judge: whose matches are shown; None for the first of the table.

    Returns:
        How many questions are kept, not kept, and left to decide.

    Raises:
        DataError: for a broken file, or matches of another corpus or judge.
    """
    if judge is None and len(matches):
        judge = matches["judge"][0].as_py()
    best = best_matches(matches, judge or "", EXAMPLES)
    ids = {match["id"] for row in best.values() for match in row}
    folder = CorpusFolder(corpus)
    places, methods = read_places(folder, ids), folder.read_methods(ids, ["code"])
    candidates = {
        question["stackoverflow_id"]: question
        for question in read_table(questions, QUESTION_SCHEMA).to_pylist()
        if question["query_id"] in best
    }
    found = {
        id_: {places[match["id"]]: methods[match["id"]]["code"] for match in best[one["query_id"]]}
        for id_, one in candidates.items()
    }
    before = read_decisions(output) if output.exists() else {}
    decisions = adopt_matches(before, {id_: tuple(shown) for id_, shown in found.items()})
    rows = [
        row
        for id_ in dict.fromkeys([*candidates, *decisions])
        for row in _list_rows(id_, candidates.get(id_, {}), found.get(id_, {}), decisions.get(id_))
    ]
    write_rows(output, COLUMNS, rows)
    forget_file(output)  # whoever fills it in changes its bytes
    kept = [
        decisions[id_].keep
        for id_, shown in found.items()
        if id_ in decisions and decisions[id_].covers(shown)
    ]
    left = len(found) - len(kept)
    return f"{sum(kept)} kept, {len(kept) - sum(kept)} not kept, {left} left to decide"


def _list_rows(
    id_: str, question: Mapping[str, Any], shown: Mapping[Place, str], decision: Decision | None
) -> list[Row]:
    """Rows of a question: its matches of now, and those that were seen before."""
    seen = () if decision is None else decision.seen or (Place("", "", ""),)
    texts = {name: _shorten(question.get(name) or "") for name in _TEXTS}
    rows = []
    for place in dict.fromkeys([*shown, *seen]):
        made = decision if place in seen else None
        rows.append(
            {
                "id": id_,
                **place._asdict(),
                "keep": "" if made is None else "yes" if made.keep else "no",
                "reason": "" if made is None else made.reason,
                **texts,
                "match": _shorten(shown.get(place, "")),
            }
        )
    return rows


def _shorten(text: str) -> str:
    return "\n".join(cut_text(text, lines=_LINES, width=_WIDTH))
