"""One file of data for each question: the answer, every row's results, what the judges say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.aroma.features import FeatureSet
from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.corpus_schemas import LICENCE_SCHEMA, name_licence
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.explorer.shown_code import (
    MOST,
    MethodLeaves,
    ShownCode,
    pack_places,
    read_leaves,
    show_code,
    show_link,
)
from ncsbench.explorer.shown_results import ShownResults
from ncsbench.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.questions.selection import ATTRIBUTION_COLUMNS
from ncsbench.text.safe_text import show_line, show_visibly

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


_COLUMNS = [
    *("id", "repository", "commit", "path", "class_name", "method_name"),
    *("start_line", "end_line", "url", "code", "comment"),
]


@dataclass
class ShownMethods:
    """Methods by id, and what is known beside them.

    Attributes:
        methods: ready for the page, by id.
        marks: matched tokens (``pack_places``) by position of the question and method id.
        repositories: ready for the page, in the order of the ids.
    """

    methods: dict[int, dict[str, Any]] = field(default_factory=dict)
    marks: dict[tuple[int, int], str] = field(default_factory=dict)
    repositories: list[dict[str, str]] = field(default_factory=list)


def read_shown_methods(
    corpus: CorpusFolder,
    licences: Path,
    questions_of: Mapping[int, Iterable[int]],
    answers: Mapping[int, FeatureSet],
) -> ShownMethods:
    """Read the methods that are shown, as a stream over the corpus.

    Args:
        corpus: a built corpus.
        licences: table of ``LICENCE_SCHEMA``.
        questions_of: positions of the questions for which a method is shown, by its id.
        answers: features of the answers that can be read, by position of the question.
    """
    licence_of = _name_licences(licences)
    shown = ShownMethods()
    numbers: dict[str, int] = {}
    twins: dict[bytes, int] = {}
    wanted = pa.array(list(questions_of), pa.int64())
    for table in corpus.iterate_methods(_COLUMNS):
        for row in table.filter(pc.is_in(table["id"], wanted)).to_pylist():
            name = row["repository"]
            if name not in numbers:
                numbers[name] = len(numbers)
                shown.repositories.append(
                    {
                        "name": show_line(name),
                        "commit": row["commit"] or "",
                        "licence": licence_of.get(name, ""),
                    }
                )
            id_, leaves = row["id"], read_leaves(row["code"])
            starts = leaves.list_starts() if leaves else []
            code = show_code(row["code"], starts)
            shown.methods[id_] = _describe(row, numbers[name], code)
            shown.methods[id_]["t"] = twins.setdefault(_identify(leaves), id_) if leaves else id_
            if leaves:
                places = dict(zip(starts, code.places, strict=False))  # those that are shown
                for question in questions_of[id_]:
                    if question in answers:
                        matched = leaves.find_matched(answers[question])
                        marks = [places[start] for start in matched if start in places]
                        shown.marks[question, id_] = pack_places(marks)
    return shown


def _describe(row: Mapping[str, Any], repository: int, code: ShownCode) -> dict[str, Any]:
    return {
        "r": repository,
        "p": show_line(row["path"]),
        "n": show_line(f"{row['class_name']}.{row['method_name']}"),
        "s": row["start_line"],
        "e": row["end_line"],
        "u": show_link(row["url"]),
        "c": code.text,
        "more": code.left_out,
        "d": show_visibly((row["comment"] or "")[:MOST]),
    }


def _identify(leaves: MethodLeaves) -> bytes:
    """Equal for methods with the same features, each as often."""
    features = leaves.features
    return hashlib.sha256(features.ids.tobytes() + features.counts.tobytes()).digest()


def _name_licences(path: Path) -> dict[str, str]:
    files: dict[str, list[dict[str, Any]]] = {}
    for row in read_table(path, LICENCE_SCHEMA).to_pylist():
        files.setdefault(row["repository"], []).append(row)
    return {repository: name_licence(rows) for repository, rows in files.items()}
