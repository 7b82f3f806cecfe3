"""BM25F: scores by hand, against BM25 of one field, indexes, mistakes."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query
from ncsbench.code.java.search_fields import FIELDS, read_search_fields
from ncsbench.corpus.indexes.text_field import FieldBuilder, FieldScorer
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.lexical.bm25f import BM25F
from tests.synthetic_documents import make_documents
from tests.unit.rankers.test_elasticsearch_like import Method, write_corpus

METHODS: list[Method] = [
    ("openFile", "/** Opens a file. */", "void openFile() { stream.open(); file.open(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("showView", "", 'void showView(View view) { view.show("file of a view"); }'),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("nothing", "", "void nothing() { }"),
]
ONLY = dict.fromkeys(FIELDS, 0.0)


def fitted(methods: list[Method] = METHODS, *, shards: int = 2, **options: object) -> BM25F:
    ranker = BM25F(options=options)
    with tempfile.TemporaryDirectory() as folder:
        corpus = write_corpus(Path(folder), methods, shards)
        ranker.fit(corpus=make_documents([""] * len(methods)), methods=corpus)
    return ranker


def read(method: Method) -> dict[str, list[str]]:
    name, comment, code = method
    return read_search_fields(code, "x", comment, method_name=name)


def plain_scores(
    query: list[str], *, k1: float, weights: dict[str, float], b: float
) -> list[float]:
    """The formula of the module's head, method by method."""
    methods = [read(method) for method in METHODS]
    scores = [0.0] * len(methods)
    for term in query:
        having = [number for number, m in enumerate(methods) if any(term in m[f] for f in weights)]
        idf = math.log(1 + (len(methods) - len(having) + 0.5) / (len(having) + 0.5))
        for number in having:
            tf = 0.0
            for field, weight in weights.items():
                lengths = [len(method[field]) for method in methods if method[field]]
                words = methods[number][field]
                average = sum(lengths) / len(lengths)
                tf += weight * words.count(term) / (1 - b + b * len(words) / average)
            scores[number] += idf * tf / (tf + k1)
    return scores


def test_a_score_by_hand() -> None:
    """Names of 2, 2, 2, 2 and 1 words, 1.8 on average; calls of 2, 1, 1 and 1, 1.25 on average."""
    ranker = fitted(k1=2.0, weights=ONLY | {"name": 3.0, "calls": 1.0}, b={"name": 0.5, "calls": 1})
    tf = 3 / (0.5 + 0.5 * 2 / 1.8) + 2 / (2 / 1.25)
    idf = math.log(1 + (5 - 1 + 0.5) / (1 + 0.5))
    score = ranker.score("open")
    assert score.dtype == np.float64
    assert score.tolist() == [pytest.approx(idf * tf / (tf + 2.0), rel=1e-15), 0, 0, 0, 0]


def test_scores_are_those_of_the_formula() -> None:
    weights = {"name": 3.0, "types": 1.5, "strings": 0.5, "doc": 2.0}
    ranker = fitted(k1=0.7, weights=ONLY | weights, b=dict.fromkeys(FIELDS, 0.3))
    expected = plain_scores(["open", "file", "view", "of"], k1=0.7, weights=weights, b=0.3)
    assert ranker.score("open file view of file").tolist() == pytest.approx(expected, rel=1e-14)


def test_one_field_of_weight_1_has_the_scores_of_bm25() -> None:
    builder = FieldBuilder()
    builder.add(read(method)["name"] for method in METHODS)
    scorer = FieldScorer(builder.finish(), k1=1.2, b=0.4, lossy_lengths=False)
    ranker = fitted(weights=ONLY | {"name": 1.0}, b={"name": 0.4})
    for query in ("file", "read file", "show a view"):
        expected = scorer.score(query.split())
        assert ranker.score(query).tolist() == pytest.approx(expected.tolist(), rel=1e-14)


def test_unsplit_names_are_found_however_they_are_written() -> None:
    ranker = fitted()
    for query in ("readfile", "readFile", "READFILE"):
        assert ranker.search([Query(0, query)], k=5).ids[:2].tolist() == [1, 3]
    assert not fitted(weights={"unsplit": 0}).score("readfile").any()


def test_stop_words_of_a_query_are_removed_where_asked_for() -> None:
    ranker = fitted(query_stop_words="removed", stop_words=["of", "a"])
    assert not ranker.score("of a").any()
    assert ranker.score("file of a").tolist() == fitted().score("file").tolist()
    assert fitted().score("of a").any()


def test_the_comment_is_left_out_where_asked_for() -> None:
    kept, without = fitted(), fitted(doc="left_out")
    assert np.flatnonzero(kept.score("opens")).tolist() == [0]
    assert not without.score("opens").any()


def test_a_query_without_a_known_word_finds_nothing() -> None:
    ranker = fitted()
    for query in ("unheard", "", "?!"):
        assert not len(ranker.search([Query(0, query)], k=3).ids)


def test_a_corpus_without_methods_is_indexed() -> None:
    ranker = fitted([], shards=1)
    assert ranker.score("file").shape == (0,)
    assert not len(ranker.search([Query(0, "file")], k=3).ids)


def test_an_index_is_read_back_with_other_weights(tmp_path: Path) -> None:
    fitted().save(tmp_path / "index")
    corpus = make_documents([""] * len(METHODS))
    changed: tuple[dict[str, Any], ...] = (
        {},
        {"weights": {"doc": 0, "name": 9.5}, "k1": 3, "b": {"calls": 1}},
    )
    for options in changed:
        loaded = BM25F(options=options)
        loaded.load(tmp_path / "index", corpus=corpus)
        expected = fitted(**options)
        assert loaded.score("open a file").tolist() == expected.score("open a file").tolist()


def test_a_missing_or_other_corpus_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="fit needs the input 'methods'"):
        BM25F(options={}).fit(corpus=make_documents([""]))
    corpus = write_corpus(tmp_path, METHODS)
    with pytest.raises(DataError, match="take the words again"):
        BM25F(options={}).fit(corpus=make_documents([""], corpus_hash="x"), methods=corpus)
    with pytest.raises(DataError, match="5 methods are indexed"):
        BM25F(options={}).fit(corpus=make_documents([""]), methods=corpus)
