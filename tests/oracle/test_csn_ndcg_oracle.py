"""NDCG of the CodeSearchNet challenge against scikit-learn, on made-up and on real annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

from ncsbench.corpus.function_corpus.annotations import TITLES, read_annotations, read_queries
from ncsbench.studies.codesearchnet.challenge_scores import score_queries
from ncsbench.studies.codesearchnet.table4 import ENOUGH_JUDGED


def gains(grades: Sequence[float]) -> np.ndarray:
    return np.array([[2**grade - 1 for grade in grades]])


def theirs(ranking: Sequence[str], judged: Mapping[str, float]) -> float:
    """scikit-learn's DCG of what was ranked, over its DCG of the ideal of all that is judged."""
    # Two items that count nothing at the end: scikit-learn wants several.
    ranked = [*(judged.get(url, 0.0) for url in ranking), 0.0, 0.0]
    ideal = [*sorted(judged.values(), reverse=True), 0.0, 0.0]
    scores = [np.arange(len(one), 0.0, -1)[None, :] for one in (ranked, ideal)]
    return float(dcg_score(gains(ranked), scores[0]) / dcg_score(gains(ideal), scores[1]))


@pytest.mark.parametrize("seed", range(3))
def test_the_ndcg_is_that_of_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    urls = [f"u{number}" for number in range(80)]
    relevances, rankings = {}, {}
    for number in range(30):
        judged = generator.choice(urls, generator.integers(1, 20), replace=False).tolist()
        relevances[f"q{number}"] = {one: float(generator.integers(7)) / 2 for one in judged}
        rankings[f"q{number}"] = generator.permutation(urls)[: generator.integers(60)].tolist()
    found = score_queries(rankings, relevances)
    assert len(found) == sum(any(judged.values()) for judged in relevances.values())
    for score in found:
        judged = relevances[score.query]
        ranking = rankings[score.query]
        within = [one for one in ranking if one in judged]
        assert score.all == pytest.approx(theirs(ranking, judged))
        assert score.within == pytest.approx(theirs(within, judged))


def test_a_ranking_of_all_judged_functions_is_their_ndcg_score() -> None:
    generator = np.random.default_rng(9)
    grades = generator.integers(0, 4, size=25).tolist()
    judged = {f"u{number}": float(grade) for number, grade in enumerate(grades)}
    order = generator.permutation(25)
    (score,) = score_queries({"q": [f"u{number}" for number in order]}, {"q": judged})
    places = np.empty((1, 25))
    places[0, order] = np.arange(25, 0, -1)
    assert score.all == pytest.approx(float(ndcg_score(gains(grades), places)))


@pytest.mark.shared
def test_the_released_annotations_are_scored_as_scikit_learn_does(root: Path, shared: Path) -> None:
    folder = shared / "data/codesearchnet"
    found = read_annotations(folder / "annotationStore.csv", read_queries(folder / "queries.csv"))
    counted = {}
    for language in found.languages:
        relevances = found.relevances(language)
        urls = sorted({url for judged in relevances.values() for url in judged})
        generator = np.random.default_rng(2019)
        rankings = {query: generator.permutation(urls)[:300].tolist() for query in relevances}
        scores = score_queries(rankings, relevances)
        for score in scores[::7]:
            judged = relevances[score.query]
            assert score.all == pytest.approx(theirs(rankings[score.query], judged))
        counted[language] = (
            *(sum(map(len, relevances.values())), len(relevances), len(scores)),
            sum(score.judged >= ENOUGH_JUDGED for score in scores),
        )
    # Pairs, annotated queries, those with a positive annotation, those of them with three.
    assert counted == {
        **{"go": (166, 83, 68, 19), "java": (813, 99, 93, 93), "javascript": (319, 96, 78, 58)},
        **{"php": (314, 99, 91, 63), "python": (989, 99, 99, 99), "ruby": (313, 97, 84, 62)},
    }
    page = (root / "docs/codesearchnet.md").read_text(encoding="utf-8")
    for language, counts in counted.items():
        assert f"| {TITLES[language]} | {' | '.join(map(str, counts))} |" in page
