"""The rankings of every row for a question, and one file of data for each question's page.

A file has the answer, the first results of every row, and the verdicts of each judge on them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.apps.explorer.shown_code import (
    MOST,
    MethodLeaves,
    ShownCode,
    pack_places,
    read_leaves,
    show_code,
    show_link,
)
from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import read_table
from ncsbench.base.text.safe_text import show_line, show_visibly
from ncsbench.code.aroma.features import FeatureSet
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LICENCE_SCHEMA, name_licence
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.results import Judge
from ncsbench.posts.questions.selection import ATTRIBUTION_COLUMNS
from ncsbench.studies.ncsed.table_settings import TableSettings

TOP = 10
"""Results of a row that are shown for a question."""


@dataclass(frozen=True)
class ShownResults:
    """Rankings of a dataset with every similarity, and access to the results that are shown.

    Attributes:
        judge: the lenient judge.
        strict: the strict judge.
        query_ids: ids of the questions, in order.
        rankings: rankings of the rows of Table 1, in order, to the depth of the tables.
    """

    judge: Judge
    strict: Judge
    query_ids: tuple[int, ...]
    rankings: tuple[JudgedRanking, ...]

    def list_results(self, question: int) -> list[list[int]]:
        """Method ids of the first results of every row, for a question by its position."""
        rows = (ranking.ids[question, :TOP].tolist() for ranking in self.rankings)
        return [[id_ for id_ in row if id_ >= 0] for row in rows]

    def describe_pairs(self, question: int) -> dict[int, tuple[list[int], int]]:
        """Describe the methods shown for a question: similarities and verdicts, by method id.

        Returns:
            Ten-thousandths under every similarity of ``SIMILARITIES``, rounded, and bits: bit i is
            set where similarity i exceeds the threshold of the lenient judge, bit 16 where the
            lenient judge accepts the method and bit 17 where the strict judge does.
        """
        found: dict[int, tuple[list[int], int]] = {}
        for ranking in self.rankings:
            for rank, id_ in enumerate(ranking.ids[question, :TOP].tolist()):
                if id_ >= 0 and id_ not in found:
                    values = ranking.similarities[:, question, rank]
                    bits = sum(
                        1 << bit for bit in np.flatnonzero(values > self.judge.threshold).tolist()
                    )
                    for bit, judge in ((16, self.judge), (17, self.strict)):
                        value = values[SIMILARITIES.index(judge.similarity)]
                        bits |= int(value > judge.threshold) << bit
                    found[id_] = (np.rint(values * 10_000).astype(int).tolist(), bits)
        return dict(sorted(found.items()))

    @cached_property
    def questions_of(self) -> dict[int, list[int]]:
        """Positions of the questions for which a method is shown, ascending, by the method's id."""
        found: dict[int, list[int]] = defaultdict(list)
        for question in range(len(self.query_ids)):
            for id_ in {id_ for ids in self.list_results(question) for id_ in ids}:
                found[id_].append(question)
        return dict(sorted(found.items()))


def read_shown_results(
    settings: TableSettings, *, questions: Path, judgements: Path, results: Path
) -> ShownResults:
    """Read the runs of the rows of Table 1 with their judgements.

    Args:
        settings: rows, judges and depth.
        questions: table of ``QUESTION_SCHEMA``.
        judgements: folder with ``<model>.parquet``.
        results: folder with ``runs/<model>.trec.gz``.
    """
    asked = read_study_questions(questions)
    rankings = read_judged_runs(
        [model.name for model in settings.models],
        query_ids=asked.query_ids,
        depth=max(settings.depth, TOP),
        results=results,
        judgements=judgements,
    )
    return ShownResults(
        judge=Judge(settings.judge, settings.threshold),
        strict=Judge(settings.strict_judge, settings.strict_threshold),
        query_ids=tuple(asked.query_ids.tolist()),
        rankings=tuple(rankings),
    )


def write_script(folder: Path, name: str, value: Any) -> None:
    """Write ``data/<name>.js``, which hands a value to the page under this name.

    Args:
        folder: folder of the page.
        name: letters, digits and ``-``.
        value: JSON, without NaN; no key is a text from others.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    path = folder / "data" / f"{name}.js"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(f"ncsbench.receive({json.dumps(name)},{text});\n".encode())


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
    """Make the values of ``data/question-<id>.js`` by their names.

    Args:
        questions: rows of ``QUESTION_SCHEMA``.
        shown: the rankings of the rows.
        marks: matched tokens (``pack_places``) by position of the question and method id.
        answers: ``answers.csv``, which says how each answer was read.
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
    """Describe link, author and licence of a post; Stack Overflow's licence varies by date."""
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
    """The methods that are shown, by id, with marks and repositories.

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
        questions_of: positions of the questions for which a method is shown, by the method's id.
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
                places = dict(zip(starts, code.places, strict=False))  # tokens that are shown
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
    """Hash the features of a method: equal for methods with the same features, each as often."""
    features = leaves.features
    return hashlib.sha256(features.ids.tobytes() + features.counts.tobytes()).digest()


def _name_licences(path: Path) -> dict[str, str]:
    files: dict[str, list[dict[str, Any]]] = {}
    for row in read_table(path, LICENCE_SCHEMA).to_pylist():
        files.setdefault(row["repository"], []).append(row)
    return {repository: name_licence(rows) for repository, rows in files.items()}
