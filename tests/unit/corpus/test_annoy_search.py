"""Approximate search by Annoy; needs the package, which has to be compiled."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ncsbench.corpus.indexes.vector_search import AnnoyForest, check_annoy, find_nearest
from ncsbench.errors import ConfigurationError, DataError

COUNT, DIMENSION = 3000, 16
IS_THERE = importlib.util.find_spec("annoy") is not None
needs_annoy = pytest.mark.skipif(not IS_THERE, reason="needs annoy (make annoy)")


def draw_vectors(count: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


VECTORS, IDS = draw_vectors(COUNT, 1), np.arange(COUNT) * 2
QUERIES = draw_vectors(20, 2).astype(np.float64)


def search(trees: int, k: int = 20) -> list[list[int]]:
    forest = AnnoyForest.build(VECTORS, trees=trees, seed=3)
    found = forest.find_nearest(QUERIES, VECTORS, IDS, k=k, neighbours=20)
    return [ids.tolist() for ids, _ in found]


@pytest.mark.skipif(IS_THERE, reason="needs annoy to be absent")
def test_without_the_package_one_line_says_how_to_get_it() -> None:
    with pytest.raises(ConfigurationError, match=r"needs the package 'annoy'.*make annoy"):
        check_annoy()


@needs_annoy
def test_with_the_package_nothing_is_said() -> None:
    check_annoy()


@needs_annoy
def test_more_trees_find_more_of_the_exact_results() -> None:
    exact = [set(ids.tolist()) for ids, _ in find_nearest(QUERIES, VECTORS, IDS, k=20)]
    shares = [
        sum(len(right & set(ids)) for right, ids in zip(exact, search(trees), strict=True))
        / (20 * len(exact))
        for trees in (1, 10, 200)
    ]
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.95


@needs_annoy
def test_a_smaller_k_is_the_beginning_and_a_second_forest_finds_the_same_dev_161() -> None:
    whole = search(10)
    assert search(10) == whole
    assert search(10, k=5) == [ids[:5] for ids in whole]


@needs_annoy
def test_scores_are_exact_and_ties_go_to_the_lowest_id() -> None:
    vectors = np.repeat(VECTORS[:10], 3, axis=0)
    forest = AnnoyForest.build(vectors, trees=10, seed=0)
    query = QUERIES[:1]
    ((ids, scores),) = forest.find_nearest(query, vectors, np.arange(30), k=30, neighbours=30)
    ((right, exact),) = find_nearest(query, vectors, np.arange(30), k=30)
    assert ids.tolist() == right.tolist()
    assert scores.tolist() == exact.tolist()


@needs_annoy
def test_a_saved_forest_finds_the_same_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    forest = AnnoyForest.build(VECTORS, trees=10, seed=3)
    path = tmp_path / "vectors.ann"
    forest.save(path)
    again = AnnoyForest.load(path, VECTORS.shape)
    found = again.find_nearest(QUERIES, VECTORS, IDS, k=20, neighbours=20)
    assert [ids.tolist() for ids, _ in found] == search(10)
    with pytest.raises(DataError, match="does not fit the vectors"):
        AnnoyForest.load(path, (COUNT + 1, DIMENSION))
    path.write_bytes(b"123")
    with pytest.raises(DataError, match="cannot be read by Annoy"):
        AnnoyForest.load(path, VECTORS.shape)
