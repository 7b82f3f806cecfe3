"""Does a similarity give the published examples of a question in the order of their slots?

The files list three examples a question. Of each two of them the earlier one should be the more
similar one under the measure that ordered them; two that are equally similar decide nothing.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import ANSWER_WEIGHT, METHOD_WEIGHT, SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judged_rankings import JudgedRanking
from ncsbench.judge_study.study_pairs import read_example_link

SHORTEST, FEWEST_LINES = "shortest_first", "fewest_lines_first"
"""Orders that look at no answer: by features and by lines of the method, the smaller one first."""

_COLUMNS = {
    "pruned_jaccard_leaf": "pruned_jaccard_leaf",
    "pruned_jaccard_refeaturised": "pruned_jaccard",
    "containment": "containment",
    "jaccard": "jaccard",
    "dice": "dice",
}  # of the reference's file, by similarity
_COUNTS = ("intersection", "n_answer_features", "n_method_features")
_KEYS = ("stackoverflow_id", "repo", "path", "start_line", "end_line")


@dataclass(frozen=True)
class SlotOrder:
    """Pairs of examples of each question, int64, shape (questions,).

    Attributes:
        agreeing: pairs whose earlier example is the more similar one.
        opposed: pairs whose later example is.
    """

    agreeing: NDArray[np.int64]
    opposed: NDArray[np.int64]


def order_slots(values: NDArray[np.float64]) -> SlotOrder:
    """Count the pairs of slots.

    Args:
        values: what should descend, shape (questions, slots); NaN where a slot has no value.
    """
    agreeing = np.zeros(len(values), np.int64)
    opposed = np.zeros(len(values), np.int64)
    for first, second in combinations(range(values.shape[1]), 2):
        agreeing += values[:, first] > values[:, second]
        opposed += values[:, first] < values[:, second]
    return SlotOrder(agreeing, opposed)


def order_corpus_slots(
    examples: JudgedRanking, *, answer_sizes: NDArray[np.int64], lines: NDArray[np.int32]
) -> dict[str, SlotOrder]:
    """Orders of the examples in the corpus by every similarity, by size and by lines.

    Args:
        examples: the published examples in the corpus.
        answer_sizes: features of every answer, shape (questions,).
        lines: lines of every method, shape (methods,).
    """
    known = examples.ids >= 0
    values: dict[str, NDArray[np.float64]] = dict(
        zip(SIMILARITIES, examples.similarities, strict=True)
    )
    values[SHORTEST] = -_method_sizes(values["containment"], values["dice"], answer_sizes)
    values[FEWEST_LINES] = -lines[np.maximum(examples.ids, 0)].astype(np.float64)
    return {name: order_slots(np.where(known, value, np.nan)) for name, value in values.items()}


def _method_sizes(
    containment: NDArray[np.float64], dice: NDArray[np.float64], answer_sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Features of each method, as containment I / |Q| and Dice 2 I / (|Q| + |M|) have them.

    NaN where method and answer have nothing in common.
    """
    some = (containment > 0) & (dice > 0)
    times = 2 * np.where(some, containment, 1) / np.where(some, dice, 1) - 1
    return np.where(some, np.rint(times * answer_sizes[:, None]), np.nan)


def order_reference_slots(
    path: Path, links: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, SlotOrder]:
    """Orders of all released examples by the scores of the reference implementation.

    Args:
        path: CSV with the columns of ``example_scores`` (``judge.reference_check``).
        links: of each question the Stack Overflow id and the links to its examples, best first.

    Returns:
        Orders by name, of those similarities that follow from the file.

    Raises:
        DataError: where the file cannot be read, lacks a column or has a cell that is no number.
    """
    scored = _read_scores(path)
    slots = max((len(urls) for _, urls in links), default=0)
    values: dict[str, NDArray[np.float64]] = {}
    for row, (number, urls) in enumerate(links):
        for slot, url in enumerate(urls):
            place = read_example_link(url)
            of_example = scored.get((number, *map(str, place))) if place else None
            for name, value in (of_example or {}).items():
                column = values.setdefault(name, np.full((len(links), slots), np.nan))
                column[row, slot] = value
    return {name: order_slots(column) for name, column in values.items()}


def _read_scores(path: Path) -> dict[tuple[str, ...], Mapping[str, float]]:
    """Values of each example, by question, repository, path, first and last line."""
    scored: dict[tuple[str, ...], Mapping[str, float]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = {*_KEYS, *_COLUMNS.values(), *_COUNTS}
            if absent := sorted(columns - set(reader.fieldnames or ())):
                raise DataError(f"{path}, line 1: has no column {absent[0]!r}")
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                scored[tuple(str(row[key]) for key in _KEYS)] = _read_values(row, where)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
    return scored


def _read_values(row: Mapping[str, str], where: str) -> Mapping[str, float]:
    try:
        values = {name: float(row[column]) for name, column in _COLUMNS.items()}
        common, answer, method = (int(row[column]) for column in _COUNTS)
        start, end = int(row["start_line"]), int(row["end_line"])
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: has a cell that is no number ({error})") from error
    charged = ANSWER_WEIGHT * answer + METHOD_WEIGHT * method
    values["charged_overlap"] = (
        (ANSWER_WEIGHT + METHOD_WEIGHT) * common / charged if charged else 0.0
    )
    return {**values, SHORTEST: -float(method), FEWEST_LINES: -float(end - start)}
