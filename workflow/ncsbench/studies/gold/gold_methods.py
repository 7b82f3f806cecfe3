"""The methods of a corpus that gold names, by question, and the grades of rankings by them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.corpus.layout.document_ids import read_document_id
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.graded_measures import Truth, grade_places
from ncsbench.evaluation.statistics.evaluation_options import GoldSettings
from ncsbench.posts.questions.gold_entries import GoldEntry, read_gold
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

GOLD_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("target", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
            pa.field("grade", pa.float64(), nullable=False),
        ]
    )
)
"""Methods that are right for a question. A ``target`` is one place that gold names, numbered from 0
for each question; several methods of a file or of a range of lines are one target. ``id`` is -1
where the corpus has no method there."""
_Place = tuple[int, int, int]
"""First line, last line and id of a method."""


def find_gold(settings: GoldSettings, corpus: CorpusFolder, questions: Path, output: Path) -> None:
    """Find the methods that gold names, and warn of places where the corpus has none.

    Args:
        settings: files of gold.
        corpus: folder of a built corpus.
        questions: table of ``QUESTION_SCHEMA``.
        output: table to write, ``GOLD_SCHEMA``, by question and target.

    Raises:
        DataError: where gold names a question that there is not, or a path of two repositories.
    """
    entries = read_gold([Path(path) for path in settings.gold])
    asked = read_table(questions, QUESTION_SCHEMA, ["query_id", "stackoverflow_id", "question"])
    query_ids: dict[str, int] = {}
    for name in ("question", "stackoverflow_id"):  # an id comes before an equal text
        query_ids |= zip(asked[name].to_pylist(), asked["query_id"].to_pylist(), strict=True)
    places = _find_places(corpus, entries)
    targets: dict[int, dict[object, tuple[list[int], float]]] = defaultdict(dict)
    absent: list[GoldEntry] = []
    for entry in entries:
        if entry.question not in query_ids:
            raise DataError(f"{entry.where}: there is no question {entry.question[:80]!r}")
        found = _find_methods(entry, places)
        if not found and entry.grade > 0:
            absent.append(entry)
        key = (entry.document, entry.lines)
        targets[query_ids[entry.question]][key] = (found or [-1], entry.grade)
    if absent:
        logging.getLogger("gold").warning(
            "%d of %d right places have no method in the corpus, so that no model can find them; "
            "the first is %s (%s)",
            len(absent), len(entries), absent[0].document, absent[0].where,
        )  # fmt: skip
    rows = [
        (query_id, target, id_, grade)
        for query_id, found in sorted(targets.items())
        for target, (ids, grade) in enumerate(found.values())
        for id_ in ids
    ]
    columns = zip(*rows, strict=True)
    table = pa.table([pa.array(column) for column in columns], GOLD_SCHEMA.names)
    table = table.cast(GOLD_SCHEMA.remove_metadata())
    write_table(output, table, GOLD_SCHEMA, corpus_hash=corpus.manifest()["corpus_hash"])


def grade_ranking(ids: NDArray[np.int64], gold: pa.Table, query_ids: NDArray[np.int32]) -> Truth:
    """Grade the results of a run: a target counts at the first of its methods alone.

    A result that reaches several targets has the sum of their grades.

    Args:
        ids: method ids by question and rank, shape (questions, depth); -1 where there is no result.
        gold: table of ``GOLD_SCHEMA``.
        query_ids: the questions, in the order of ``ids``.
    """
    rows = dict(zip(query_ids.tolist(), range(len(query_ids)), strict=True))
    grades = np.zeros(ids.shape, np.float64)
    targets: dict[tuple[int, int], tuple[set[int], float]] = {}
    for row in gold.to_pylist():
        if row["query_id"] in rows:
            key = (rows[row["query_id"]], row["target"])
            targets.setdefault(key, (set(), row["grade"]))[0].add(row["id"])
    ideal: list[list[float]] = [[] for _ in rows]
    for (place, _), (methods, grade) in targets.items():
        hits = np.flatnonzero(np.isin(ids[place], list(methods - {-1})))
        if len(hits):
            grades[place, hits[0]] += grade
        ideal[place].append(grade)
    width = max(map(len, ideal), default=0)
    stacked = [grade_places(one, width) for one in ideal]
    return Truth(grades, np.stack(stacked) if stacked else np.zeros((0, 0)))


def _find_places(corpus: CorpusFolder, entries: Sequence[GoldEntry]) -> dict[str, list[_Place]]:
    """Find the methods of all files that entries name, by path with and without repository."""
    wanted = set()
    for entry in entries:
        named = read_document_id(entry.document)
        wanted |= {entry.document} | ({named.filepath} if named else set())
    names = pa.array(sorted(wanted), pa.string())
    found: dict[str, list[_Place]] = defaultdict(list)
    repositories: dict[str, str] = {}
    for table in corpus.iterate_methods(
        ["id", "repository", "path", "filepath", "start_line", "end_line"]
    ):
        chosen = pc.or_(pc.is_in(table["filepath"], names), pc.is_in(table["path"], names))
        for row in table.filter(chosen).to_pylist():
            place = (row["start_line"], row["end_line"], row["id"])
            found[row["filepath"]].append(place)
            if row["path"] not in wanted:
                continue
            if repositories.setdefault(row["path"], row["repository"]) != row["repository"]:
                where = next(one.where for one in entries if row["path"] in one.document)
                raise DataError(
                    f"{where}: {row['path']} is a file of {repositories[row['path']]} and of "
                    f"{row['repository']}; write the repository before the path"
                )
            found[row["path"]].append(place)
    return found


def _find_methods(entry: GoldEntry, places: dict[str, list[_Place]]) -> list[int]:
    """Find the ids of the methods of an entry, ascending."""
    if entry.document in places:
        methods = places[entry.document]
        if entry.lines is None:
            return [id_ for _, _, id_ in methods]
        first, last = entry.lines
        return [id_ for start, end, id_ in methods if start <= last and end >= first]
    place = read_document_id(entry.document)
    if place is None:
        return []
    starting = [id_ for start, _, id_ in places.get(place.filepath, []) if start == place.line]
    return starting[place.number - 1 : place.number]
