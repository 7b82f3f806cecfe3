"""Measures of rankings by the pool of what a judge accepts among the results of all of them."""

import numpy as np

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking
from ncsbench.evaluation.measures.pooled_truth import measure_rankings
from ncsbench.evaluation.measures.rank_figures import measure_values
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.resampling import Sampling

JUDGE = Judge("dice", 0.5)
IDS = {"one": [[4, 7, 9], [5, -1, -1]], "two": [[9, 2, 4], [6, 5, -1]]}
RIGHT = {(0, 7), (0, 9), (0, 2), (1, 6)}


def make_rankings() -> list[JudgedRanking]:
    rankings = []
    for name, ids in IDS.items():
        similarities = np.zeros((len(SIMILARITIES), 2, 3))
        right = [[(row, id_) in RIGHT for id_ in found] for row, found in enumerate(ids)]
        similarities[SIMILARITIES.index("dice")] = right
        rankings.append(JudgedRanking(name, np.array(ids), similarities))
    return rankings


def test_what_another_ranking_found_counts_as_right() -> None:
    pooled = measure_rankings(make_rankings(), JUDGE, ["R@3", "RR", "AP"])
    assert pooled["one"]["R@3"].tolist() == [2 / 3, 0]  # of 7, 9 and 2; of 6
    assert pooled["two"]["AP"].tolist() == [(1 + 1) / 3, 1]
    alone = measure_rankings(make_rankings()[:1], JUDGE, ["R@3", "RR"])["one"]
    assert alone["R@3"].tolist() == [1, 0]
    assert alone["RR"].tolist() == pooled["one"]["RR"].tolist() == [0.5, 0]


def test_rows_of_measures_go_by_model_judge_and_measure() -> None:
    measured = {JUDGE: measure_rankings(make_rankings(), JUDGE, ["AP", "R@3"])}
    rows = measure_values(measured, ["two", "one"], Sampling(1, 100))
    assert [(row["model"], row["measure"]) for row in rows] == [
        ("two", "AP"), ("two", "R@3"), ("one", "AP"), ("one", "R@3"),
    ]  # fmt: skip
    assert (rows[0]["threshold"], rows[0]["value"], rows[0]["high"]) == (
        "0.5",
        "0.833333",
        "1.000000",
    )
    assert measure_values({JUDGE: {"one": {}}}, ["one"], Sampling(1, 100)) == []
