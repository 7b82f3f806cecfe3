"""The rankings of every row for a question, and one file of data for each question's page.

A file has the answer, the first results of every row, and the verdicts of each judge on them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

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
from ncsbench.corpus.layout.corpus_record import CorpusRecord
from ncsbench.corpus.layout.ledger_schema import LICENCE_SCHEMA, name_licence
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking, read_judged_runs
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


@dataclass(frozen=True)
class ShownDataset:
    """Everything that the explorer shows of a dataset, from a built corpus or from evidence.

    Attributes:
        settings: settings that the tables of the dataset are made with.
        questions: rows of ``QUESTION_SCHEMA``.
        answers: ``answers.csv``, which says how each answer was read.
        judgements: folder with ``<model>.parquet``, or all judged pairs (``read_judged_runs``).
        results: folder with ``runs/<model>.trec.gz``.
        tables: folder of the dataset's tables.
        corpus: the corpus in numbers.
        read_methods: gives the rows of the methods of some ids, with the ``METHOD_COLUMNS``; a
            method whose code is not here has an empty ``code``, and may have a ``code_hash``.
        licences: name of the licence of each repository that has a known one.
        attribution: licences of the posts (``ATTRIBUTION_COLUMNS``); None where they are unknown.
        texts: False where the texts of the questions are not here.
        trial: name of the trial whose tables these are; empty for none.
    """

    settings: TableSettings
    questions: Sequence[Mapping[str, Any]]
    answers: Path
    judgements: Path | pa.Table
    results: Path
    tables: Path
    corpus: CorpusRecord
    read_methods: Callable[[Collection[int]], Iterable[Mapping[str, Any]]]
    licences: Mapping[str, str]
    attribution: Path | None = None
    texts: bool = True
    trial: str = ""


def read_shown_results(dataset: ShownDataset) -> ShownResults:
    """Read the runs of the rows of Table 1 with their judgements."""
    settings = dataset.settings
    query_ids = [row["query_id"] for row in dataset.questions]
    rankings = read_judged_runs(
        [model.name for model in settings.models],
        query_ids=np.array(query_ids, np.int32),
        depth=max(settings.depth, TOP),
        results=dataset.results,
        judgements=dataset.judgements,
    )
    return ShownResults(
        judge=Judge(settings.judge, settings.threshold),
        strict=Judge(settings.strict_judge, settings.strict_threshold),
        query_ids=tuple(query_ids),
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
    dataset: ShownDataset, shown: ShownResults, marks: Mapping[tuple[int, int], str]
) -> dict[str, dict[str, Any]]:
    """Make the values of ``data/question-<id>.js`` by their names.

    Args:
        dataset: the questions, with readings of their answers and licences of the posts.
        shown: the rankings of the rows.
        marks: matched tokens (``pack_places``) by position of the question and method id.
    """
    readings = {int(row["query_id"]): row for row in read_rows(dataset.answers, ANSWER_COLUMNS)}
    of_posts = dataset.attribution
    posts = read_rows(of_posts, ATTRIBUTION_COLUMNS) if of_posts else []
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
        for position, row in enumerate(dataset.questions)
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


METHOD_COLUMNS = [
    *("id", "repository", "commit", "path", "class_name", "method_name"),
    *("start_line", "end_line", "url", "code", "comment"),
]
"""Columns of ``METHOD_SCHEMA`` that the explorer shows."""


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


def describe_methods(
    rows: Iterable[Mapping[str, Any]],
    licences: Mapping[str, str],
    questions_of: Mapping[int, Iterable[int]],
    answers: Mapping[int, FeatureSet],
) -> ShownMethods:
    """Describe the methods that are shown.

    Args:
        rows: their rows by ascending id (``ShownDataset.read_methods``).
        licences: name of the licence of each repository that has a known one.
        questions_of: positions of the questions for which a method is shown, by the method's id.
        answers: features of the answers that can be read, by position of the question.
    """
    shown = ShownMethods()
    numbers: dict[str, int] = {}
    twins: dict[bytes, int] = {}
    for row in rows:
        name = row["repository"]
        if name not in numbers:
            numbers[name] = len(numbers)
            shown.repositories.append(
                {
                    "name": show_line(name),
                    "commit": show_line(row["commit"] or ""),
                    "licence": licences.get(name, ""),
                }
            )
        id_, leaves = row["id"], read_leaves(row["code"])
        starts = leaves.list_starts() if leaves else []
        code = show_code(row["code"], starts)
        shown.methods[id_] = _describe(row, numbers[name], code)
        same = _identify(leaves) if leaves else row.get("code_hash")
        shown.methods[id_]["t"] = twins.setdefault(same, id_) if same else id_
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


def name_licences(path: Path) -> dict[str, str]:
    """Name the licence of each repository of a table of ``LICENCE_SCHEMA``."""
    files: dict[str, list[dict[str, Any]]] = {}
    for row in read_table(path, LICENCE_SCHEMA).to_pylist():
        files.setdefault(row["repository"], []).append(row)
    return {repository: name_licence(rows) for repository, rows in files.items()}
