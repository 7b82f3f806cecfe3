"""One file of data for each question: the answer, every row's results, what the judges say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.explorer.shown_code import show_code, show_link
from ncsbench.explorer.shown_results import ShownResults
from ncsbench.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.questions.attribution import COLUMNS as ATTRIBUTION_COLUMNS
from ncsbench.text.safe_text import show_line

_HOSTS = ("https://stackoverflow.com/", "http://stackoverflow.com/")
_SHARED = "CC BY-SA"


def describe_questions(
    questions: Sequence[Mapping[str, Any]],
    shown: ShownResults,
    marks: Mapping[tuple[int, int], str],
    *,
    answers: Path,
    attribution: Path | None,
) -> dict[str, dict[str, Any]]:
    """The values of ``data/question-<id>.js`` by their names.

    Args:
        questions: rows of ``QUESTION_SCHEMA``.
        shown: what the rows rank.
        marks: matched tokens (``pack_places``) by position of the question and method id.
        answers: ``answers.csv``, how each answer was read.
        attribution: licences of the posts; None where they are not known.
    """
    readings = {int(row["query_id"]): row for row in read_rows(answers, ANSWER_COLUMNS)}
    posts = read_rows(attribution, ATTRIBUTION_COLUMNS) if attribution else []
    licences = {(row["stackoverflow_id"], row["kind"]): row["licence"] for row in posts}
    return {
        f"question-{row['query_id']}": {
            **_describe_post(row, "question", licences),
            "id": row["query_id"],
            "so": show_line(row["stackoverflow_id"]),
            "title": show_line(row["question"]),
            "answer": {
                **_describe_post(row, "answer", licences),
                **_describe_answer(row["answer"], readings[row["query_id"]]),
            },
            "results": shown.list_results(position),
            "pairs": {
                str(id_): [*pair, marks.get((position, id_), "")]
                for id_, pair in shown.describe_pairs(position).items()
            },
        }
        for position, row in enumerate(questions)
    }


def _describe_post(
    row: Mapping[str, Any], kind: str, licences: Mapping[tuple[str, str], str]
) -> dict[str, str]:
    """Link, author and licence of a post; Stack Overflow's licence has versions by date."""
    url = show_link(row[f"{kind}_url"])
    known = _SHARED if url.startswith(_HOSTS) else ""
    return {
        "url": url,
        "author": show_line(row[f"{kind}_author"]),
        "author_url": show_link(row[f"{kind}_author_url"]),
        "licence": show_line(licences.get((row["stackoverflow_id"], kind), known)),
    }


def _describe_answer(code: str, reading: Row) -> dict[str, Any]:
    shown = show_code(code)
    return {
        "code": shown.text,
        "more": shown.left_out,
        "wrapping": reading["wrapping"],
        "features": int(reading["features"]),
    }
