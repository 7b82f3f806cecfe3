"""Results that are copies: of the answer, and of each other."""

from __future__ import annotations

import numpy as np
import pytest

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking
from ncsbench.evaluation.measures.result_checks import (
    MethodComparison,
    count_near_answers,
    count_repeated,
)
from ncsbench.evaluation.statistics.evaluation_options import NEAR

LOOP = """int total = 0; int largest = 0; for (Row row : table.rows()) {
    if (row.isOpen() && row.weight() > 3) { total += row.weight(); log.print(row.name()); }
    largest = Math.max(largest, row.weight()); seen.add(row); counts.put(row.name(), total); }
    if (total > largest) { log.print(table.title()); }"""
METHODS = [
    f"int a() {{ {LOOP} return total; }}",
    f"int renamed() {{ {LOOP.replace('total', 'sum')} return sum; }}",  # equal features
    f"int larger() {{ {LOOP.replace('3', '4')} return total; }}",  # nearly
    "void other() { Toast.makeText(this, text, 1).show(); }",
    "void broken( {",
    "void broken too( {",
    f"int part() {{ {LOOP} start(); while (isOpen()) {{ read(buffer); }} close(); return 1; }}",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> JudgeIndex:
    folder = tmp_path_factory.mktemp("index")
    for shard, part in enumerate((slice(2), slice(2, None))):
        build_shard(
            iter(METHODS[part]), shard=shard, shards=2, first_id=part.start or 0,
            corpus_hash="x", output=folder,
        )  # fmt: skip
    return JudgeIndex(folder)


@pytest.fixture(scope="module")
def comparison(index: JudgeIndex) -> MethodComparison:
    return MethodComparison(index, "pruned_jaccard_leaf", NEAR)


def test_equal_methods_have_equal_features(comparison: MethodComparison) -> None:
    assert comparison.are_equal(0, 1)
    assert not comparison.are_equal(0, 2)
    assert not comparison.are_equal(4, 5)  # methods that cannot be read equal nothing


def test_near_identical_methods_are_similar_both_ways(comparison: MethodComparison) -> None:
    assert comparison.are_near_identical(0, 1)
    assert comparison.are_near_identical(0, 2)
    assert not comparison.are_near_identical(0, 3)
    assert not comparison.are_near_identical(4, 5)
    # Pruning finds the whole first method in the longer one, but not the other way round.
    assert not comparison.are_near_identical(0, 6)
    assert not comparison.are_near_identical(6, 0)


def ranking(ids: list[list[int]], similarities: list[list[float]]) -> JudgedRanking:
    values = np.repeat(np.array(similarities)[None], len(SIMILARITIES), axis=0)
    return JudgedRanking("ncs", np.array(ids), values)


def test_repetitions_of_earlier_results_are_counted(comparison: MethodComparison) -> None:
    listed = [[0, 3, 1, 2, 6, -1], [4, 5, 3, -1, -1, -1], [2, 0, 1, 6, 5, 4]]
    assert count_repeated(ranking(listed, [[0.0] * 6] * 3), comparison) == (4, 2)


def test_copies_of_the_answer_are_told_from_other_accepted_results() -> None:
    similarities = [[0.95, 0.1, 0.5], [0.95, 0.1, 0.2], [0.9, 0.0, 0.0], [0.0, 0.0, 0.0]]
    listed = [[0, 1, 2], [0, 1, 2], [0, 1, -1], [0, -1, -1]]
    cells = count_near_answers(ranking(listed, similarities), "dice", 0.25)
    at_1 = {name.removesuffix("_1"): value for name, value in cells.items() if name[-2:] == "_1"}
    assert at_1 == {
        "results": 4, "accepted": 3, "near_answer": 2, "answered": 3, "answered_by_near": 2,
        "answered_without_near": 1,
    }  # fmt: skip
    assert (cells["results_5"], cells["accepted_5"], cells["near_answer_5"]) == (9, 4, 2)
    assert (cells["answered_5"], cells["answered_without_near_5"]) == (3, 2)
