from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, match_words
from tests.synthetic_documents import make_documents

CORPUS = make_documents(["open file", "view", "file"])
VECTORS = np.eye(3, dtype=np.float32)


class Vectors(VectorRanker, kind="vectors", options=RankerOptions):
    _word_array = "query_vectors"

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        return np.array([0.0, 1.0, 0.0]) if text == "a" else None


def filled() -> Vectors:
    index = Vectors(options={})
    ids = np.array([0, 2], dtype=np.int64)
    words = ["file", "house", "open"]
    index._fill((ids, VECTORS[:2]), words=words, word_vectors=VECTORS)
    index._attach(CORPUS)
    return index


def test_words_are_matched_in_the_order_of_the_vocabulary() -> None:
    ids, rows = match_words(["a", "c", "d"], ["d", "b", "a"])
    assert (ids.tolist(), ids.dtype, rows) == ([0, 2], np.int32, [2, 0])


def test_word_vectors_are_found_as_often_as_asked() -> None:
    found = filled()._find_word_vectors(["open", "view", "house", "open"])
    np.testing.assert_array_equal(found, VECTORS[[2, 1, 2]])
    assert filled()._find_word_vectors(["view"]).shape == (0, 3)


@pytest.mark.parametrize("wrong", ["documents", "words"])
def test_vectors_that_are_not_finite_are_refused(wrong: str) -> None:
    """Comparisons with them are false: the rankings would be empty without a word."""
    index, broken = Vectors(options={}), VECTORS[:1] * np.float32(np.nan)
    with pytest.raises(DataError, match="not finite"):
        index._fill(
            (np.zeros(1, np.int64), broken if wrong == "documents" else VECTORS[:1]),
            words=["file"],
            word_vectors=broken if wrong == "words" else VECTORS[:1],
        )


def test_queries_without_a_vector_are_left_out() -> None:
    run = filled().search([Query(4, "b"), Query(3, "a")], k=1)
    assert (run.query_ids.tolist(), run.ids.tolist(), run.scores.tolist()) == ([3], [2], [1.0])


def test_an_index_is_written_and_read_back(tmp_path: Path) -> None:
    filled().save(tmp_path / "a")
    names = ["document_vectors.npy", "index.json", "methods.npy", "query_vectors.npy"]
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [*names, "words.json"]
    loaded = Vectors(options={})
    loaded.load(tmp_path / "a", corpus=CORPUS)
    loaded.save(tmp_path / "b")
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
    with pytest.raises(DataError, match="make the index again"):
        loaded.load(tmp_path / "a", corpus=make_documents(["other"]))
    for damaged in ('["file"]', "7"):
        (tmp_path / "a" / "words.json").write_text(damaged)
        with pytest.raises(DataError, match=r"words\.json does not fit its vectors"):
            loaded.load(tmp_path / "a", corpus=CORPUS)


def test_a_depth_below_1_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="depth 0"):
        filled().search([], k=0)
