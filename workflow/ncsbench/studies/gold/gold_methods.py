"""The methods of a corpus that gold names, by question, and the grades of rankings by them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.text.safe_text import show_cell
from ncsbench.corpus.layout.document_ids import read_document_id
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError, nearest
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
    numbers = asked["query_id"].to_pylist()
    # A sheet that people filled in has questions as ``show_cell`` made them.
    query_ids = dict(zip(map(show_cell, asked["question"].to_pylist()), numbers, strict=True))
    for name in ("question", "stackoverflow_id"):  # an id comes before an equal text
        query_ids |= zip(asked[name].to_pylist(), numbers, strict=True)
    places = _find_places(corpus, entries)
    targets: dict[int, dict[object, tuple[list[int], float]]] = defaultdict(dict)
    absent: list[GoldEntry] = []
    for entry in entries:
        if entry.question not in query_ids:
            known = nearest(entry.question, list(query_ids), page=str(questions))
            raise DataError(f"{entry.where}: there is no question {entry.question[:80]!r}; {known}")
        found = _find_methods(entry, places)
        if not found and entry.grade > 0:
            absent.append(entry)
        of_question = targets[query_ids[entry.question]]
        key = tuple(found) or (entry.document, entry.lines)  # a place that is named twice is one
        grade = max(entry.grade, of_question.get(key, ([], 0.0))[1])
        of_question[key] = (found or [-1], grade)
    _warn_of_absent(absent, entries, places)
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
    """Grade the results of a run: a target counts once, and a result counts for one target.

    A result counts for the target with the greatest grade, then the least number, that no result
    before it has reached. So no measure exceeds 1.

    Args:
        ids: method ids by question and rank, shape (questions, depth); -1 where there is no result.
        gold: table of ``GOLD_SCHEMA``.
        query_ids: the questions, in the order of ``ids``.
    """
    grades = np.zeros(ids.shape, np.float64)
    of_question: dict[int, dict[int, float]] = defaultdict(dict)
    reached_by: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for row in gold.to_pylist():
        of_question[row["query_id"]][row["target"]] = row["grade"]
        reached_by[row["query_id"], row["id"]].append((-row["grade"], row["target"]))
    ideal = [list(of_question[query_id].values()) for query_id in query_ids.tolist()]
    for place, query_id in enumerate(query_ids.tolist()):
        left = set(of_question[query_id])
        for rank, id_ in enumerate(ids[place].tolist()):
            targets = reached_by.get((query_id, id_), ()) if id_ >= 0 else ()
            for negative, target in sorted(targets):
                if target in left:
                    left.discard(target)
                    grades[place, rank] = -negative
                    break
    width = max(map(len, ideal), default=0)
    stacked = [grade_places(one, width) for one in ideal]
    return Truth(grades, np.stack(stacked) if stacked else np.zeros((0, 0)))


def _warn_of_absent(
    absent: Sequence[GoldEntry],
    entries: Sequence[GoldEntry],
    places: Mapping[str, Sequence[_Place]],
) -> None:
    """Warn of places without a method; a ``DataError`` where no place has one."""
    if not absent:
        return
    first = absent[0]
    reason = "there is no such file or document"
    if first.document in places or (first.lines is None and read_document_id(first.document)):
        reason = "no method is there"
    lines = f", lines {first.lines[0]} to {first.lines[1]}" if first.lines else ""
    told = f"the first is {first.document}{lines} ({first.where}): {reason}"
    if len(absent) == sum(entry.grade > 0 for entry in entries):
        raise DataError(f"none of the {len(absent)} right places is in the corpus; {told}")
    logging.getLogger("gold").warning(
        "%d of %d right places have no method in the corpus, so that no model can find them; %s",
        len(absent), len(entries), told,
    )  # fmt: skip


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
