"""Features of candidates, by hand and by the formulas of docs/ranker-parts.md."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.rankers.bm25f import BM25F
from ncsbench.rankers.fused import Fused
from ncsbench.rankers.translation import TranslationRanker
from ncsbench.rankers.unif import UNIF
from ncsbench.runs.rankings import Query
from tests.fused_corpus import (
    METHODS,
    PART_NAMES,
    WORDS,
    make_corpus,
    make_fused,
    make_parts,
    make_weights,
)
from tests.unit.test_translation import SIZES

ALL = np.arange(len(METHODS))


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def describe(ranker: Fused, text: str) -> dict[int, dict[str, float]]:
    methods, features = ranker.describe(Query(1, text))
    assert features.dtype == np.float32
    return {
        method: dict(zip(ranker.reader.names, row, strict=True))
        for method, row in zip(methods.tolist(), features.tolist(), strict=True)
    }


def test_ranks_and_scores_are_those_of_the_parts(tmp_path: Path) -> None:
    ranker, parts = make_fused(tmp_path, duplicates="kept"), make_parts(tmp_path)
    found = describe(ranker, "open file")
    methods = np.array(list(found))
    places: dict[int, list[float]] = {method: [] for method in found}
    for name, part in parts.items():
        ids = part.search([Query(1, "open file")], k=200).ids.tolist()
        for rank, method in enumerate(ids, start=1):
            assert found[method][f"{name}_rank"] == pytest.approx(1 / (60 + rank))
            places[method].append(1 / (60 + rank))
        assert all(found[method][f"{name}_rank"] == 0 for method in found if method not in ids)
        scorer: Any = part
        scores = scorer.score_methods("open file", methods)
        expected = dict(zip(methods.tolist(), scores.tolist(), strict=True))
        for method, row in found.items():
            assert row[f"{name}_score"] == pytest.approx(expected[method], rel=1e-6)
            standardised = (expected[method] - scores.mean()) / scores.std()
            assert row[f"{name}_standardised"] == pytest.approx(standardised, rel=1e-5)
    for method, row in found.items():
        assert row["found_by"] == len(places[method])
        assert row["fusion"] == pytest.approx(sum(places[method]))


def test_coverage_is_the_share_of_idf_that_a_method_holds(tmp_path: Path) -> None:
    found = describe(make_fused(tmp_path), "open keyboard file")
    # 1 method has "open", 5 have "file", none has "keyboard": with 7 methods, Lucene's idf.
    idf = {n: math.log(1 + (7 - n + 0.5) / (n + 0.5)) for n in (0, 1, 5)}
    total = sum(idf.values())
    assert found[0]["covered"] == pytest.approx((idf[1] + idf[5]) / total)
    assert found[1]["covered"] == pytest.approx(idf[5] / total)
    assert found[0]["words_missing"] == 1 and found[5]["words_missing"] == 3
    assert found[0]["covered_name"] == pytest.approx(1)
    assert found[1]["covered_name"] == pytest.approx(idf[5] / (idf[1] + idf[5]))
    assert found[0]["covered_strings"] == 0 < found[2]["covered_strings"]
    # "input" is a translation of "keyboard".
    assert found[5]["covered_translated"] == pytest.approx(idf[0] / total)
    assert found[0]["covered_translated"] == pytest.approx((idf[1] + idf[5]) / total)
    assert found[0]["query_words"] == 3
    assert found[0]["query_idf"] == pytest.approx(total / 3)


def test_identifiers_hold_words_that_follow_each_other(tmp_path: Path) -> None:
    found = describe(make_fused(tmp_path), "hide soft input keyboard")
    assert found[5]["pairs_joined"] == pytest.approx(2 / 3)
    assert found[5]["words_in_identifier"] == pytest.approx(3 / 4)
    assert found[5]["covered_unsplit"] == pytest.approx(1 / 3)  # of these "hide" alone is a name
    found = describe(make_fused(tmp_path), "input soft hide")
    assert found[5]["pairs_joined"] == 0
    assert found[5]["words_in_identifier"] == 1
    assert describe(make_fused(tmp_path), "openFile")[0]["covered_unsplit"] == 1
    assert describe(make_fused(tmp_path), "openFile")[0]["pairs_joined"] == 1


def test_each_word_is_compared_with_the_word_most_like_it(tmp_path: Path) -> None:
    corpus = make_corpus()
    weights = make_weights(corpus)
    code = dict(zip(weights.code_words, unit(weights.code_table), strict=True))
    asked = dict(zip(weights.query_words, unit(weights.query_table), strict=True))
    parts = make_parts(tmp_path)
    unif, fields = parts["unif"], parts["bm25f"]
    assert isinstance(unif, UNIF) and isinstance(fields, BM25F)
    known, best = unif.compare_words(["file", "show", "keyboard", "zzz"], ALL)
    assert known == ["file", "keyboard"] and best.shape == (7, 2)
    for method, text in enumerate(WORDS):
        for column, word in enumerate(known):
            cosines = [float(asked[word] @ code[w]) for w in text.split()]
            assert best[method, column] == pytest.approx(max(cosines, default=0), abs=1e-6)
    found = describe(make_fused(tmp_path), "file keyboard show zzz")
    idf = np.array([fields.find_idf("file"), fields.find_idf("keyboard")])
    for method, row in found.items():
        assert row["word_cosine_mean"] == pytest.approx(best[method].mean(), abs=1e-6)
        assert row["word_cosine_least"] == pytest.approx(best[method].min(), abs=1e-6)
        weighted = (best[method] * idf).sum() / idf.sum()
        assert row["word_cosine_weighted"] == pytest.approx(weighted, abs=1e-6)


def test_candidates_are_compared_with_the_mean_of_the_first_ones(tmp_path: Path) -> None:
    parts = make_parts(tmp_path)
    ranker = make_fused(tmp_path, centroid=2, near_copies=0)
    found = describe(ranker, "open file")
    first = ranker.search([Query(1, "open file")], k=2).ids
    unif = parts["unif"]
    assert isinstance(unif, UNIF)
    mean = unif.find_vectors(first).sum(axis=0)
    mean /= np.linalg.norm(mean)
    for method, row in found.items():
        vector = unif.find_vectors(np.array([method]))[0]
        assert row["centroid"] == pytest.approx(float(vector @ mean), abs=1e-6)
    assert found[1]["copies"] == pytest.approx(math.log(3))
    assert found[0]["copies"] == 0


def test_what_parts_say_of_some_methods_is_what_they_say_of_all(tmp_path: Path) -> None:
    parts: dict[str, Any] = make_parts(tmp_path)
    methods = np.array([5, 0, 4, 3])
    text = "openFile read file keyboard"
    fields: BM25F = parts["bm25f"]
    assert fields.score_methods(text, methods).tolist() == fields.score(text)[methods].tolist()
    held = fields.hold(["file", "openfile", "zzz"], methods)
    assert held.tolist() == [[False] * 3, [True, True, False], [False] * 3, [True, False, False]]
    unif: UNIF = parts["unif"]
    run = unif.search([Query(1, text)], k=9)
    scores = unif.score_methods(text, ALL)
    assert scores[run.ids].tolist() == run.scores.tolist()
    assert scores[4] == 0 == unif.score_methods("zzz", methods).max()
    translation: TranslationRanker = parts["translation"]
    held = translation.hold(["keyboard", "file"], methods)
    assert held.tolist() == [[True, False], [False, True], [False, False], [False, True]]


def test_sizes_are_compared_with_the_size_that_the_query_asks_for(tmp_path: Path) -> None:
    found = describe(make_fused(tmp_path), "read the file")
    for method, row in found.items():
        size = math.log(1 + len(set(WORDS[method].split())))
        assert row["size_fit"] == pytest.approx(-abs(SIZES.predict(["file"]) - size), abs=1e-6)
    assert max(found, key=lambda method: found[method]["size_fit"]) == 0  # four words, not two


def test_what_is_recalled_is_said_of_candidates(tmp_path: Path) -> None:
    found = describe(make_fused(tmp_path), "hide the keyboard")
    # The first pair alone is recalled: input, which stands for a type, and hidesoftinput.
    assert found[5]["memory_covered"] == pytest.approx(1 / 2)
    assert found[5]["translation_memory_score"] == pytest.approx(2 * 1 / (3 + 2))
    # "the", which no remembered query has, weighs twice as much as "hide" and as "keyboard".
    (nearest,) = {row["memory_nearest"] for row in found.values()}
    assert nearest == pytest.approx(math.sqrt(2 / (2 + 2**2)))
    assert max(row["memory_covered"] for method, row in found.items() if method != 5) == 0


def test_a_part_that_is_missing_takes_its_features_along(tmp_path: Path) -> None:
    whole = set(make_fused(tmp_path).reader.names)
    for name in PART_NAMES.split():
        rest = " ".join({*PART_NAMES.split()} - {name})
        ranker = make_fused(tmp_path, rest)
        names = set(ranker.reader.names)
        assert names < whole and f"{name}_score" not in names
        methods, features = ranker.describe(Query(1, "open file"))
        assert features.shape == (len(methods), len(names))


def test_a_part_by_another_name_has_a_rank_alone(tmp_path: Path) -> None:
    parts = make_parts(tmp_path)
    ranker = Fused(options={}, parts={"words": parts["bm25f"]}, seed=1)
    ranker.fit(corpus=make_corpus())
    names = [name for name, group in ranker.reader.groups.items() if group == "ranks"]
    assert names == ["words_rank", "found_by", "fusion"]


def test_the_same_features_come_whatever_was_asked_before(tmp_path: Path) -> None:
    ranker = make_fused(tmp_path)
    first = [ranker.describe(Query(1, text))[1].tobytes() for text in ("open file", "keyboard")]
    ranker = make_fused(tmp_path)
    again = [ranker.describe(Query(7, text))[1].tobytes() for text in ("keyboard", "open file")]
    assert first == again[::-1]


def test_an_index_of_unif_without_vectors_of_words_is_one_line(tmp_path: Path) -> None:
    corpus, unif = make_corpus(), UNIF(options={})
    unif.fit(corpus=corpus, weights=make_weights(corpus))
    with pytest.raises(ConfigurationError, match="code_vectors: kept"):
        unif.compare_words(["file"], ALL)


def test_the_index_of_unif_holds_the_vectors_of_words_where_asked_for(tmp_path: Path) -> None:
    made: Any = make_parts(tmp_path)["unif"]
    made.save(tmp_path / "index")
    again = UNIF(options={"code_vectors": "kept"})
    again.load(tmp_path / "index", corpus=make_corpus())
    expected, found = (one.compare_words(["file", "keyboard"], ALL)[1] for one in (made, again))
    assert found.tolist() == expected.tolist()


def test_the_page_names_every_feature_in_its_group(root: Path, tmp_path: Path) -> None:
    page = (root / "docs/ranker-parts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", page.split("### Features")[1], re.M)
    said = {name: group for group, names in rows for name in re.findall(r"`(\w+)`", names)}
    reader = make_fused(tmp_path).reader
    assert list(said.items()) == list(reader.groups.items())
    assert list(reader.names) == list(said)
