"""Measures by the names of ir_measures, beside ir_measures."""

import ir_measures
import numpy as np
import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.graded_measures import Truth, grade_places, measure_questions

NAMES = ("nDCG@10", "nDCG", "RR@10", "RR", "R@5", "R@10", "R@50", "P@5", "Success@1", "AP", "AP@10")


def test_measures_are_those_of_ir_measures():
    rng = np.random.default_rng(7)
    questions, depth, documents = 40, 50, 80
    right = rng.random((questions, documents)) < 0.1
    grades = rng.integers(1, 4, (questions, documents)) * right
    grades[3] = 0  # nothing is right
    order = np.argsort(rng.random((questions, documents)), axis=1)[:, :depth]
    qrels = [
        ir_measures.Qrel(str(question), str(document), int(grades[question, document]))
        for question, document in np.ndindex(questions, documents)
    ]
    run = [
        ir_measures.ScoredDoc(str(question), str(document), float(depth - rank))
        for question in range(questions)
        for rank, document in enumerate(order[question])
    ]
    expected = {name: np.full(questions, np.nan) for name in NAMES}
    for one in ir_measures.iter_calc(map(ir_measures.parse_measure, NAMES), qrels, run):
        expected[str(one.measure)][int(one.query_id)] = one.value
    truth = Truth(
        np.take_along_axis(grades, order, axis=1).astype(np.float64),
        np.stack([grade_places(row[row > 0], documents) for row in grades]),
    )
    for name in NAMES:
        found = measure_questions(name, truth)
        np.testing.assert_allclose(found, expected[name], err_msg=name)


def test_an_unknown_measure_names_the_known_ones():
    truth = Truth(np.zeros((1, 3)), np.zeros((1, 3)))
    for name in ("nDCG@0", "R", "MAP@10", "ndcg@10"):
        with pytest.raises(ConfigurationError, match="choose from nDCG, RR, R, P, Success, AP"):
            measure_questions(name, truth)
