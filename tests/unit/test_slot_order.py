"""The order of the published examples of a question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judged_rankings import JudgedRanking
from ncsbench.judge_study.slot_order import (
    FEWEST_LINES,
    SHORTEST,
    order_corpus_slots,
    order_reference_slots,
    order_slots,
)

HEADER = (
    "stackoverflow_id,method_id,repo,path,start_line,end_line,n_answer_features,"
    "n_method_features,intersection,containment,jaccard,dice,pruned_jaccard,pruned_jaccard_leaf"
)


def test_equal_and_absent_examples_decide_nothing() -> None:
    values = np.array([[0.9, 0.5, 0.7], [0.5, 0.5, np.nan], [np.nan, 0.1, 0.2]])
    order = order_slots(values)
    assert order.agreeing.tolist() == [2, 0, 0]
    assert order.opposed.tolist() == [1, 0, 1]


def test_examples_in_the_corpus_are_ordered_by_similarity_size_and_lines() -> None:
    # Of the answers' 10 features, method 1 has 5 among 10 of its own, method 0 has 8 among 30.
    ids = np.array([[1, 0], [-1, 1]])
    values = {"containment": [[0.5, 0.8], [0, 0.5]], "dice": [[0.5, 0.4], [0, 0.5]]}
    similarities = np.array([values.get(name, [[0, 0], [0, 0]]) for name in SIMILARITIES])
    orders = order_corpus_slots(
        JudgedRanking("examples", ids, similarities),
        answer_sizes=np.array([10, 10]),
        lines=np.array([3, 5], np.int32),
    )
    assert orders["dice"].agreeing.tolist() == [1, 0]
    assert orders["containment"].opposed.tolist() == [1, 0]
    assert (orders["jaccard"].agreeing + orders["jaccard"].opposed).tolist() == [0, 0]
    assert orders[SHORTEST].agreeing.tolist() == [1, 0]
    assert orders[FEWEST_LINES].opposed.tolist() == [1, 0]


def link(path: str, lines: str) -> str:
    return f"https://github.com/o/r/blob/abc/{path}#{lines}"


def test_the_reference_is_joined_by_question_and_place(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    rows = [
        "7,1,o/r,a b.java,1,4,10,10,5,.5,.3,.5,.2,.3",
        "7,2,o/r,c.java,2,2,10,30,5,.5,.2,.25,.3,.4",
    ]
    scores.write_text("\n".join([HEADER, *rows]) + "\n")
    links = [
        ("7", [link("a%20b.java", "L1-L4"), link("gone.java", "L1-L2"), link("c.java", "L2")]),
        ("8", [link("c.java", "L2"), "elsewhere"]),
    ]
    orders = order_reference_slots(scores, links)
    found = {name: (o.agreeing.tolist(), o.opposed.tolist()) for name, o in orders.items()}
    assert found["dice"] == ([1, 0], [0, 0])
    assert found["containment"] == ([0, 0], [0, 0])
    assert found["pruned_jaccard_leaf"] == ([0, 0], [1, 0])
    assert found["charged_overlap"] == ([1, 0], [0, 0])  # 8 * 5 / 80 and 8 * 5 / 100
    assert (found[SHORTEST], found[FEWEST_LINES]) == (([1, 0], [0, 0]), ([0, 0], [1, 0]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has no column 'containment'"),
        (f"{HEADER}\n7,1,o/r,a.java,1,4,10,ten,5,.5,.3,.5,.2,.3\n", "line 2: has a cell that is"),
        (f"{HEADER}\n7,1,o/r\n", "line 2: has a cell that is"),
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        order_reference_slots(path, [])
