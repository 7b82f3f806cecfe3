"""What a ranker returns is checked in one place, and a fault ends in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ncsbench.errors import DataError
from ncsbench.indexes.top_results import collect_run, take_top
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.runs.rankings import Query, Run
from tests.synthetic_documents import make_documents

QUERIES = [Query(3, "open file"), Query(7, "show view")]


@dataclass
class Stub:
    """A ranker that returns the same whatever is asked."""

    answer: Any

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        return self.answer  # type: ignore[no-any-return]


def run_of(rows: Any, ids: Any, scores: Any) -> Run:
    return Run(np.array(rows, np.int32), np.array(ids, np.int64), np.array(scores, np.float64))


def search(answer: Any, k: int = 2) -> Run:
    return CheckedSearch(Stub(answer), "mine", methods=10).search(QUERIES, k=k)


@pytest.mark.parametrize(
    "answer",
    [
        run_of([], [], []),
        run_of([3, 3, 7], [9, 0, 4], [2.0, 1.0, -1.0]),
        run_of([7, 7], [1, 2], [0.5, 0.5]),
    ],
)
def test_a_run_as_promised_is_handed_on(answer: Run) -> None:
    assert search(answer) is answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            run_of([3, 7], [1, 2], [1, np.nan]),
            "query id 7, method 2, score nan: the score is not a fin",
        ),
        (run_of([3], [1], [np.inf]), "score inf: the score is not a finite number"),
        (run_of([3], [10], [1]), "method 10, score 1: the method id must be from 0 to 9, the last"),
        (run_of([3], [-1], [1]), "method -1, score 1: the method id must be from 0 to 9"),
        (run_of([4], [1], [1]), "query id 4, method 1, score 1: the question was not asked"),
        (run_of([3, 3, 3], [1, 2, 3], [3, 2, 1]), "has more than 2 methods"),
        (run_of([7, 3], [1, 2], [1, 1]), "query ids must ascend"),
        (run_of([3, 3], [1, 2], [1, 2]), "scores must not increase"),
        (run_of([3, 3], [2, 1], [1, 1]), "equal scores must be ordered by ascending method id"),
        (run_of([3, 3], [2, 2], [2, 1]), "the method id occurs twice"),
        ([(3, 1, 1.0)], "'search' returned a list, not a Run"),
        (run_of([3, 3], [2], [1]), "must be arrays of one length"),
        (Run([3], [2], [1.0]), "must be arrays of one length"),  # type: ignore[arg-type]
        (run_of([[3]], [[2]], [[1]]), "must be arrays of one length"),
        (Run(*(np.array([3.0]),) * 3), "query ids and ids of the run must be signed integers"),  # type: ignore[arg-type]
    ],
)
def test_a_fault_ends_in_one_line_that_names_the_model(answer: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        search(answer)
    assert str(caught.value).startswith("model mine: ")
    assert str(caught.value).endswith("; mend 'search' of its ranker")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("k", [1, 3])
def test_scores_that_are_no_numbers_are_not_left_out_silently(k: int) -> None:
    class NoNumbers:
        def search(self, queries: Sequence[Query], *, k: int) -> Run:
            scores = np.array([1.0, np.nan, 2.0])
            return collect_run((q.query_id, take_top(np.arange(3), scores, k=k)) for q in queries)

    message = (
        "model mine: query id 3: the score of method 1 is nan, not a finite number; "
        "mend 'search' of its ranker"
    )
    with pytest.raises(DataError, match=message):
        CheckedSearch(NoNumbers(), "mine", methods=3).search(QUERIES, k=k)


def test_rankers_of_the_house_pass() -> None:
    ranker = BM25(options={})
    ranker.fit(corpus=make_documents(["open file", "read file", "show view"]))
    checked = CheckedSearch(ranker, "bm25", methods=3).search(QUERIES, k=2)
    assert checked.ids.tolist() == [0, 1, 2]
