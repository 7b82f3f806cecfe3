"""Every model of the sample, made by the Python interface, against the tables of the workflow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ncsbench
from ncsbench.base.configuration.files import fingerprint
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.word_vectors import Embedding, load_embedding
from tests.workflow.conftest import LEFT_OUT

pytestmark = pytest.mark.workflow
EXPECTED = "resources/sample/expected/results/sample/table1.csv"
FIGURES = ["answered_1", "answered_5", "answered_10", "mrr", "mrr_low", "mrr_high"]
INDEXED = {"ncs_expanded_postrank": "ncs_expanded"}


def test_models_of_the_interface_are_the_rows_of_table_1(
    sample_run: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = sample_run / "data/sample"

    def read_vectors(
        corpus: Any, *, options: EmbeddingOptions, seed: int
    ) -> tuple[Embedding, None]:
        """Training takes long: the workflow's own, which are there for these options alone."""
        key = fingerprint([WordOptions().as_json(), options.as_json(), seed])
        return load_embedding(data / "embeddings" / key), None

    monkeypatch.setattr("ncsbench.learning.training.word_vectors.train_embedding", read_vectors)
    corpus = ncsbench.load_corpus(data / "corpus")
    questions = ncsbench.load_questions(root / "resources/sample/questions.json")
    table = ncsbench.read_table(sample_run / "results/table1.csv").set_index("model")
    expected = ncsbench.read_table(root / EXPECTED).set_index("model").loc[list(LEFT_OUT)]
    table = pd.concat([table, expected]).drop(index="ceiling")
    rankings = {}
    for name in table.index:
        try:
            ranker = ncsbench.create_ranker(name, corpus)
        except ncsbench.NcsbenchError as error:
            indexed = INDEXED.get(name, name)
            assert f"{name}: learns from training pairs" in str(error), error
            assert str(error).endswith(f"data/<dataset>/indexes/{indexed}")
            ranker = ncsbench.create_ranker(name, corpus, index=data / "indexes" / indexed)
        rankings[name] = ranker.search(questions)
    # All at once: a pair of a question and a method is judged once.
    judged = ncsbench.judge_rankings(pd.concat(rankings, names=["model"]), questions, corpus)
    for name in table.index:
        ours = ncsbench.evaluate_rankings(judged.loc[name], questions)
        assert [round(ours[key], 6) for key in FIGURES] == table.loc[name, FIGURES].tolist(), name
