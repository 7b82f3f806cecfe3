"""What a ranker returns is checked in one place, and a fault ends in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.top_results import collect_run, take_top
from ncsbench.errors import DataError
from ncsbench.rankers.checked_search import CheckedSearch

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
            "query id 7 .show view., method 2, score nan: the score is not a fin",
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
        "model mine: query id 3 .open file.: the score of method 1 is nan, not a finite number; "
        "mend 'search' of its ranker"
    )
    with pytest.raises(DataError, match=message):
        CheckedSearch(NoNumbers(), "mine", methods=3).search(QUERIES, k=k)


def test_a_message_shows_the_text_of_the_question_harmless_and_cut() -> None:
    queries = [Query(3, "\x1b[31mred\n" + "x" * 500)]
    with pytest.raises(DataError, match="finite") as caught:
        CheckedSearch(Stub(run_of([3], [1], [np.nan])), "mine", methods=10).search(queries, k=2)
    assert "query id 3 (<U+001B>[31mred xxx" in str(caught.value)
    assert len(str(caught.value)) < 250


@dataclass
class Shifted:
    """Adds to all scores what the number of queries that are asked together brings."""

    amount: float

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        scores = np.array([0.9, 0.5, 0.5000001, 0.1])
        scores[2:] += self.amount * (len(queries) - 1)
        return collect_run((q.query_id, take_top(np.arange(4), scores, k=k)) for q in queries)


def check_alone(ranker: Any, queries: Sequence[Query] = QUERIES, k: int = 2) -> None:
    searcher = CheckedSearch(ranker, "mine", methods=4)
    searcher.check_alone(searcher.search(queries, k=k), queries, k=k)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 50])
@pytest.mark.parametrize("amount", [0.0, 1e-7, -1e-7])
def test_rounding_may_differ_with_the_other_questions(amount: float, k: int) -> None:
    check_alone(Shifted(amount), k=k)


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (2, "method 2 has the score 0.5 when it is asked alone, else 0.6"),
        (1, None),
        (4, "method 2 has the score 0.5 when it is asked alone, else 0.6"),
    ],
)
def test_a_ranking_that_depends_on_the_other_questions_ends_in_one_line(
    k: int, message: str | None
) -> None:
    if message is None:
        return check_alone(Shifted(0.1), k=k)
    with pytest.raises(DataError) as caught:
        check_alone(Shifted(0.1), k=k)
    assert str(caught.value) == (
        f"model mine: query id 3 (open file): {message}; the ranking of a question must not "
        "depend on the others; mend 'search' of its ranker"
    )


def test_a_ranking_must_not_be_longer_among_other_questions() -> None:
    class Longer:
        def search(self, queries: Sequence[Query], *, k: int) -> Run:
            ids = np.arange(len(queries))
            return collect_run((q.query_id, (ids, np.ones(len(ids)))) for q in queries)

    with pytest.raises(DataError, match="has 1 methods when it is asked alone, else 2; the rank"):
        check_alone(Longer())


def test_ten_questions_from_the_first_to_the_last_are_asked_alone() -> None:
    asked: list[list[int]] = []

    class Noting(Shifted):
        def search(self, queries: Sequence[Query], *, k: int) -> Run:
            asked.append([query.query_id for query in queries])
            return super().search(queries, k=k)

    queries = [Query(number, "open file") for number in range(1, 101)]
    check_alone(Noting(0.0), queries)
    assert [one for [one] in asked[1:]] == [1, 12, 23, 34, 45, 56, 67, 78, 89, 100]
    check_alone(Noting(0.0), [])


def test_empty_rankings_are_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    searcher = CheckedSearch(Stub(run_of([7], [1], [1])), "mine", methods=10)
    searcher.warn_of_empty(run_of([7], [1], [1]), QUERIES)
    searcher.warn_of_empty(run_of([], [], []), QUERIES)
    searcher.warn_of_empty(run_of([3, 7], [1, 1], [1, 1]), QUERIES)
    assert [record.message for record in caplog.records] == [
        "model mine: finds nothing for 1 of 2 questions: query id 3 (open file)",
        "model mine: finds nothing for 2 of 2 questions: query id 3 (open file) is the first",
    ]
