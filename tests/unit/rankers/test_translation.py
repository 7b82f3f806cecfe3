from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import save_documents
from ncsbench.errors import DataError
from ncsbench.learning.training.translation_tables import (
    TRANSLATION_SCHEMA,
    Translation,
    save_translation,
)
from ncsbench.rankers.lexical.translation import TranslationRanker
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings
from tests.synthetic_documents import make_documents

TEXTS = ["soft input show", "file", "", "input input stream view", "keyboard", "soft soft"]
CORPUS = make_documents(TEXTS)
ROWS = [
    ("keyboard", "soft", 0.4, 0.2),
    ("keyboard", "input", 0.1, 0.5),
    ("keyboard", "absent", 0.9, 0.1),
    ("display", "show", 0.2, 0.3),
    ("nowhere", "absent", 0.5, 0.5),
]


def make_translation(rows: list[tuple[str, str, float, float]]) -> Translation:
    names = TRANSLATION_SCHEMA.names
    dicts = [dict(zip(names, row, strict=True)) for row in rows]
    return Translation(pa.Table.from_pylist(dicts, schema=TRANSLATION_SCHEMA))


def fitted(texts: list[str] = TEXTS, **options: Any) -> TranslationRanker:
    ranker = TranslationRanker(options=options)
    ranker.fit(corpus=make_documents(texts), translation=make_translation(ROWS))
    return ranker


def test_scores_by_hand() -> None:
    methods, scores = fitted(background=0.25, own_word=0.6).score("keyboard display")
    # Of the 11 words of the corpus 3 are "soft", 3 "input", 1 is "keyboard" and 1 "show".
    keyboard = (0.4 * 0.4 * 3 + 0.4 * 0.1 * 3 + 0.6 * 1) / 11
    display = 0.4 * 0.2 * 1 / 11
    assert methods.tolist() == [0, 3, 4, 5]
    assert scores.tolist() == pytest.approx(
        [
            math.log(1 + 3 * (0.4 * 0.4 + 0.4 * 0.1) / 3 / keyboard)
            + math.log(1 + 3 * 0.4 * 0.2 / 3 / display),
            math.log(1 + 3 * 0.4 * 0.1 * 2 / 4 / keyboard),
            math.log(1 + 3 * 0.6 / keyboard),
            math.log(1 + 3 * 0.4 * 0.4 * 2 / 2 / keyboard),
        ],
        rel=1e-6,  # shares of words are float32
    )


def test_scores_are_log_likelihoods_but_for_a_constant() -> None:
    ranker, table = fitted(background=0.3, own_word=0.5), make_translation(ROWS)
    methods, scores = ranker.score("keyboard file")
    corpus = CORPUS.words

    def mix(word: str, of: list[str]) -> float:
        shares = {code: 0.5 * share for code, share in table.translate(word)}
        shares[word] = shares.get(word, 0.0) + 0.5
        return sum(share * of.count(code) for code, share in shares.items()) / len(of)

    every = [corpus.vocabulary[token] for token in corpus.tokens]
    likelihoods = [
        sum(
            math.log(0.7 * mix(word, TEXTS[method].split()) + 0.3 * mix(word, every))
            for word in ("keyboard", "file")
        )
        for method in methods.tolist()
    ]
    differences = np.array(likelihoods) - scores
    assert np.ptp(differences) < 1e-6


def test_a_word_of_the_query_stands_for_itself_as_far_as_it_is_told() -> None:
    assert fitted(own_word=0.0).score("keyboard")[0].tolist() == [0, 3, 5]
    assert fitted(own_word=1.0).score("keyboard")[0].tolist() == [4]
    # Without a row in the table it stands for itself alone, unless nothing does.
    assert fitted().score("file")[0].tolist() == [1]
    assert fitted(own_word=0.0).score("file")[0].tolist() == []


def test_words_without_a_code_word_in_the_corpus_count_for_nothing() -> None:
    ranker = fitted()
    for text in ("", "nowhere", "unknown words"):
        assert [len(part) for part in ranker.score(text)] == [0, 0]
    assert len(ranker.search([Query(1, "nowhere")], k=3).ids) == 0
    np.testing.assert_array_equal(ranker.score("keyboard nowhere")[1], ranker.score("keyboard")[1])


def test_stop_words_leave_the_query_and_repeated_words_count_once() -> None:
    removed = fitted(query_stop_words="removed", stop_words=["file"])
    assert removed.score("file")[0].tolist() == []
    once, twice = fitted().score("file view")[1], fitted().score("file view file")[1]
    np.testing.assert_array_equal(twice, once)


def test_a_query_of_very_many_words_has_finite_scores() -> None:
    words = [f"w{i}" for i in range(400)]
    texts = [" ".join(words), *["w0 filler"] * 1000, "w399"]
    ranker = fitted(texts, background=0.001)
    methods, scores = ranker.score(" ".join(words))
    assert len(methods) == 1002 and scores[0] == pytest.approx(
        sum(ranker.score(w)[1][0] for w in words)
    )
    run = ranker.search([Query(1, " ".join(words))], k=2)
    assert run.ids[0] == 0 and np.isfinite(run.scores).all()


def test_an_index_is_read_back_whatever_the_query_is_read_with(tmp_path: Path) -> None:
    settings = RankerSettings.parse({"ranker": {"kind": "translation"}, "seed": 1}, where="here")
    save_documents(CORPUS, tmp_path / "words")
    save_translation(make_translation(ROWS), tmp_path / "translation")
    make_index(
        settings,
        words=tmp_path / "words",
        corpus=None,
        learnt={"translation": tmp_path / "translation"},
        output=tmp_path / "index",
    )
    loaded = TranslationRanker(options={"own_word": 0.2})
    loaded.load(tmp_path / "index", corpus=CORPUS)
    for found, expected in zip(
        loaded.score("keyboard file"), fitted(own_word=0.2).score("keyboard file"), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    about = json.loads((tmp_path / "index/index.json").read_text())
    assert about["options"] == {}
    with pytest.raises(DataError, match="another corpus_hash"):
        loaded.load(tmp_path / "index", corpus=make_documents(TEXTS, corpus_hash="x"))


@pytest.mark.parametrize("texts", [[], ["", ""]])
def test_a_corpus_without_words_gives_empty_rankings(texts: list[str]) -> None:
    run = fitted(texts).search([Query(1, "keyboard")], k=5)
    assert len(run.ids) == 0
