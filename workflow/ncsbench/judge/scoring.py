"""Scoring methods against the questions' answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from ncsbench.errors import DataError
from ncsbench.judge.answer_index import AnswerIndex, index_answers
from ncsbench.judge.features import MethodFeatures, features_of_method
from ncsbench.judge.pruning import index_leaves, prune_leaves, refeaturised_jaccard
from ncsbench.judge.similarity import UNPRUNED, containment
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES

_CHUNK = 256

_Method = tuple[int, str]
_Wanted = tuple[int, str, list[int]]  # id, code, question rows
_Scored = tuple[int, int, list[float]]  # question row, id, value of each measure
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


Limit = tuple[str, float]
"""A measure of ``records.MEASURES`` and the similarity, in [0, 1), that must be exceeded."""


class _AcceptTask(NamedTuple):
    methods: list[_Method]
    still_open: dict[Limit, frozenset[int]]  # places of the answers not yet accepted


def score_pairs(
    *,
    answers: Mapping[int, str],
    methods: Iterable[_Method],
    pairs: Mapping[int, Sequence[int]],
    workers: int = 1,
) -> pa.Table:
    """Every measure for the wanted pairs of question and method.

    Args:
        answers: text of the answer by question row.
        methods: stream of (method id, code); each id once. Methods without a pair are skipped.
        pairs: question rows to score against, by method id.
        workers: number of processes; the result does not depend on it.

    Returns:
        A table of ``records.JUDGEMENT_SCHEMA``, sorted by (row, id), one line per pair. Answers
        and methods that cannot be read as Java have similarity 0 with everything (DEV-21, DEV-23).

    Raises:
        DataError: a pair names a question or method that is not there.
    """
    unknown = sorted({row for rows in pairs.values() for row in rows} - answers.keys())
    if unknown:
        raise DataError(f"question row {unknown[0]} is to be judged but has no answer")
    index = index_answers(answers)
    wanted = (
        (method, code, sorted(set(pairs[method]))) for method, code in methods if method in pairs
    )
    scored: list[_Scored] = []
    seen: set[int] = set()
    for chunk in _map_chunks(_score_chunk, index, _chunks(wanted), workers):
        seen.update(method for _, method, _ in chunk)
        scored.extend(chunk)
    missing = sorted({method for method, rows in pairs.items() if rows} - seen)
    if missing:
        raise DataError(f"method {missing[0]} is to be judged but is not in the corpus")
    scored.sort(key=lambda pair: pair[:2])
    columns = [[pair[0] for pair in scored], [pair[1] for pair in scored]]
    values = np.array([pair[2] for pair in scored], dtype=np.float64)
    values = values.reshape(len(scored), len(MEASURES))
    return pa.table([*columns, *values.T], schema=JUDGEMENT_SCHEMA)


def accepted_by_any(
    *,
    answers: Mapping[int, str],
    methods: Iterable[_Method],
    limits: Sequence[Limit],
    workers: int = 1,
) -> dict[Limit, list[int]]:
    """Questions with at least one method above a limit: the ceiling of any ranking.

    Args:
        answers: text of the answer by question row.
        methods: stream of (method id, code) of a whole corpus. It is read until every question
            is accepted under every limit; each method is featurised once.
        limits: what a method must exceed to answer a question.
        workers: number of processes; the result does not depend on it.

    Returns:
        By limit the accepted question rows, ascending.
    """
    index = index_answers(answers)
    still_open = {limit: set(range(len(index.rows))) for limit in limits}

    def tasks() -> Iterator[_AcceptTask]:
        for chunk in _chunks(methods):
            if not any(still_open.values()):
                return
            yield _AcceptTask(
                chunk, {limit: frozenset(places) for limit, places in still_open.items()}
            )

    for accepted in _map_chunks(_accept_chunk, index, tasks(), workers):
        for limit, places in accepted.items():
            still_open[limit] -= places
    everyone = set(range(len(index.rows)))
    return {
        limit: [index.rows[place] for place in sorted(everyone - still_open[limit])]
        for limit in limits
    }


def _score_chunk(index: AnswerIndex, methods: list[_Wanted]) -> list[_Scored]:
    places = {row: place for place, row in enumerate(index.rows)}
    scored: list[_Scored] = []
    for number, code, rows in methods:
        method = features_of_method(code)
        overlap = index.overlap(method)
        leaves = index_leaves(method, index.features)
        unpruned = {measure: similarity(overlap) for measure, similarity in UNPRUNED.items()}
        for row in rows:
            place = places.get(row)
            if place is None:
                scored.append((row, number, [0.0] * len(MEASURES)))
                continue
            values = {measure: float(column[place]) for measure, column in unpruned.items()}
            pruned = prune_leaves(index.counts[place], leaves)
            values["pruned_jaccard_leaf"] = pruned.jaccard
            values["pruned_jaccard_refeaturised"] = refeaturised_jaccard(
                index.counts[place], method, pruned, index.features
            )
            scored.append((row, number, [values[measure] for measure in MEASURES]))
    return scored


def _accept_chunk(index: AnswerIndex, task: _AcceptTask) -> dict[Limit, set[int]]:
    """Places of answers which a method of the chunk answers, by limit."""
    accepted: dict[Limit, set[int]] = {limit: set() for limit in task.still_open}
    for _, code in task.methods:
        method = features_of_method(code)
        overlap = index.overlap(method)
        for limit, places in task.still_open.items():
            measure, threshold = limit
            candidates = places - accepted[limit]
            if measure in UNPRUNED:
                above = np.flatnonzero(UNPRUNED[measure](overlap) > threshold)
                accepted[limit] |= candidates.intersection(above.tolist())
                continue
            # Containment bounds the similarity of original features from above; features
            # computed anew are only bound to be none where nothing is in common.
            if measure == "pruned_jaccard_leaf":
                above = np.flatnonzero(containment(overlap) > threshold)
            else:
                above = np.flatnonzero(overlap.common)
            accepted[limit] |= _accept_pruned(
                index, method, sorted(candidates.intersection(above.tolist())), limit
            )
    return accepted


def _accept_pruned(
    index: AnswerIndex,
    method: MethodFeatures,
    candidates: list[int],
    limit: Limit,
) -> set[int]:
    accepted: set[int] = set()
    measure, threshold = limit
    if not candidates:
        return accepted
    leaves = index_leaves(method, index.features)
    for place in candidates:
        answer = index.counts[place]
        if measure == "pruned_jaccard_leaf":
            similarity = prune_leaves(answer, leaves, enough=threshold).jaccard
        else:
            pruned = prune_leaves(answer, leaves)
            similarity = refeaturised_jaccard(answer, method, pruned, index.features)
        if similarity > threshold:
            accepted.add(place)
    return accepted


def _chunks(items: Iterable[_Task]) -> Iterator[list[_Task]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, _CHUNK)):
        yield chunk


def _map_chunks(
    function: Callable[[AnswerIndex, _Task], _Result],
    index: AnswerIndex,
    tasks: Iterable[_Task],
    workers: int,
) -> Iterator[_Result]:
    """Results in the order of the tasks, which are drawn only as fast as they are worked off."""
    if workers <= 1:
        for task in tasks:
            yield function(index, task)
        return
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_keep_index, initargs=(index,)
    ) as pool:
        pending: deque[Future[_Result]] = deque()
        for task in tasks:
            pending.append(pool.submit(_call_with_index, function, task))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


_kept: list[AnswerIndex] = []
"""In a worker process: the answers, handed over once."""


def _keep_index(index: AnswerIndex) -> None:
    _kept[:] = [index]


def _call_with_index(function: Callable[[AnswerIndex, _Task], _Result], task: _Task) -> _Result:
    return function(_kept[0], task)
