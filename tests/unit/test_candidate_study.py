"""What is right among candidates, by three orders of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ncsbench.artifacts.csv_tables import read_headed_rows
from ncsbench.errors import DataError
from ncsbench.learning_to_rank import candidate_study
from ncsbench.learning_to_rank.candidate_options import CandidateStudySettings
from ncsbench.learning_to_rank.candidate_study import find_concordance, write_candidate_study
from tests.unit.test_ranking_trees import write_features, write_judgements

LINES = [4, 5, 40, 41]
FUSION = [0.4, 0.3, 0.2, 0.1]


def study(folder: Path, judged: dict[tuple[int, int], tuple[float, float]]) -> list[dict[str, str]]:
    rows = [(query, method, {"fusion": FUSION[method]}) for query in (1, 5) for method in range(4)]
    write_candidate_study(
        CandidateStudySettings(own_judge="charged_overlap", own_threshold=0.28),
        features=write_features(folder / "features.parquet", rows),
        judgements=write_judgements(folder / "judged.parquet", judged),
        corpus=folder,
        trees=None,
        output=folder / "study.csv",
    )
    return read_headed_rows(folder / "study.csv")[1]


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(read_lines=lambda: np.array(LINES, np.int32))
    monkeypatch.setattr(candidate_study, "CorpusFolder", lambda _: made)


def test_orders_of_the_same_candidates_are_told_apart_by_length(tmp_path: Path) -> None:
    judged = {(query, method): (0.0, 0.0) for query in (1, 5) for method in range(4)}
    judged[1, 2] = (0.3, 0.25)  # a threshold must be exceeded
    rows = study(tmp_path, judged)
    assert [(row["order"], row["judge"]) for row in rows] == [
        (order, judge)
        for order in ("fusion", "longest_first")
        for judge in ("default", "strict", "own")
    ]
    fusion, strict, longest = rows[0], rows[1], rows[3]
    shared = {"questions": "2", "candidates": "4.0", "right": "0.50", "recall_100": "0.5000"}
    assert shared.items() <= fusion.items() and shared.items() <= longest.items()
    found = ("mrr", "lines_first", "length_correlation", "concordance", "concordance_same_size")
    assert [fusion[name] for name in found] == ["0.1667", "4.0", "-1.0000", "0.3333", "1.0000"]
    assert [longest[name] for name in found] == ["0.2500", "41.0", "1.0000", "0.6667", "0.0000"]
    assert (strict["recall"], strict["mrr"], strict["concordance"]) == ("0.0000", "0.0000", "")


def test_features_of_no_candidate_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none.parquet: has no candidate"):
        write_candidate_study(
            CandidateStudySettings(own_judge="charged_overlap", own_threshold=0.28),
            features=write_features(tmp_path / "none.parquet", []),
            judgements=write_judgements(tmp_path / "judged.parquet", {}),
            corpus=tmp_path,
            trees=None,
            output=tmp_path / "study.csv",
        )


def test_a_candidate_that_was_not_judged_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="method 1 for query 1: is a candidate but was not judged"):
        study(tmp_path, {(1, 0): (0.0, 0.0)})


def test_concordance_counts_pairs_of_a_class_and_ties_half() -> None:
    scores, classes = np.array([1.0, 1, 0, 2]), np.array([0, 0, 0, 1])
    right = np.array([True, False, False, True])
    assert find_concordance(scores, right, classes) == 0.75
    assert find_concordance(scores, right, np.arange(4)) is None
