"""DeepCS and CARLCS as rankers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import Documents, save_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.deepcs.field_encoder import CoAttention, FieldEncoder, load_field_encoder
from ncsbench.learning.deepcs.method_fields import MethodFields
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.trials.studies import load_study
from ncsbench.rankers.lexical.random_order import RandomOrder
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings, RankerSpecification
from ncsbench.rankers.vectors.carlcs import Carlcs
from ncsbench.rankers.vectors.deepcs import Deepcs
from tests.encoder_corpus import make_methods
from tests.synthetic_documents import CALLED as WORDS
from tests.synthetic_documents import make_documents, make_pairs
from tests.unit.learning.test_field_training import train

CODES = [f"void {word}() {{ {word}.{word}(); }}" for word in WORDS] * 2 + ["{}"]
QUERIES = [Query(3, f"How to {WORDS[0]} {WORDS[5]}"), Query(1, "unseen"), Query(2, WORDS[7])]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.parquet"
    rows = [(word, code) for word, code in zip(WORDS, CODES, strict=False)] * 4
    more = [(f"{word} {number}", code) for number in range(3) for word, code in rows[:16]]
    write_table(path, make_pairs([*rows, *more]), PAIR_SCHEMA)
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("corpus")
    methods = make_methods(folder / "corpus", [(code, None) for code in CODES])
    return make_documents(["some"] * len(CODES), methods=methods)


def load(pairs: Path, folder: Path, network: str, **options: object) -> FieldEncoder:
    return load_field_encoder(train(pairs, folder, network, epochs=1, **options) / "encoder")


def test_deepcs_indexes_and_searches(pairs: Path, corpus: Documents, tmp_path: Path) -> None:
    train(pairs, tmp_path, epochs=1)
    save_documents(corpus, tmp_path / "words")
    assert corpus.methods is not None
    make_index(
        RankerSettings(ranker=RankerSpecification(kind="deepcs"), seed=3),
        words=tmp_path / "words",
        corpus=corpus.methods,
        learnt={"field_encoder": tmp_path / "encoder"},
        output=tmp_path / "index",
    )
    ranker = Deepcs(options={})
    ranker.load(tmp_path / "index", corpus=corpus)
    run = ranker.search(QUERIES, k=40)
    # The last method has no word, one query no known one; equal methods stand by ascending id.
    assert run.query_ids.tolist() == [2] * 32 + [3] * 32
    assert set(run.ids.tolist()) == set(range(32))
    assert (np.diff(run.ids.reshape(2, 16, 2), axis=2) == 16).all()
    short = ranker.search(QUERIES[::-1], k=5)
    assert short.ids.tolist() == [*run.ids[:5], *run.ids[32:37]]
    (tmp_path / "index" / "network" / "vocabularies.json").write_text("{}")
    with pytest.raises(DataError):
        ranker.load(tmp_path / "index", corpus=corpus)


@pytest.mark.parametrize("padding", ["as_published", "masked"])
@pytest.mark.parametrize("api_encoder", ["convolutions", "lstm"])
def test_kept_columns_give_the_scores_of_the_network(
    pairs: Path, tmp_path: Path, padding: str, api_encoder: str
) -> None:
    encoder = load(pairs, tmp_path, "carlcs", padding=padding, api_encoder=api_encoder)
    generator = np.random.default_rng(1)
    fields = []
    for _ in range(9):
        lists = [
            [WORDS[i] for i in generator.integers(0, 16, size=generator.integers(1, 9))]
            for _ in range(3)
        ]
        fields.append(MethodFields(*lists))
    fields[4] = MethodFields([], [WORDS[0]], [])
    code = encoder.encode_code(fields)
    scorer = CoAttention(encoder, code)
    for words in ([WORDS[3]], [WORDS[1], WORDS[2], WORDS[3]]):
        asked = encoder.encode_queries([words])
        with torch.inference_mode():
            expected = encoder.network.compare_all(code, asked)[0].numpy()
        rows = np.array([8, 0, 4, 3, 2, 1, 5, 6, 7])
        assert np.allclose(scorer.score(words, rows), expected[rows], atol=2e-6)
        assert np.allclose(scorer.score(words, rows[:2]), expected[rows[:2]], atol=2e-6)


def test_carlcs_orders_the_candidates_of_its_base(
    pairs: Path, corpus: Documents, tmp_path: Path
) -> None:
    encoder = load(pairs, tmp_path, "carlcs")
    assert corpus.methods is not None
    ranker = Carlcs(options={"depth": 20}, base=RandomOrder(options={}, base=None, seed=1))
    ranker.fit(corpus=corpus, field_encoder=encoder, methods=corpus.methods)
    run = ranker.search(QUERIES, k=40)
    assert run.query_ids.tolist() == [1] * 20 + [2] * 20 + [3] * 20
    assert run.scores[:20].tolist() == [-1.0] * 20  # no known word: by ascending id
    assert run.ids[:20].tolist() == sorted(run.ids[:20].tolist())
    ranker.save(tmp_path / "index")
    loaded = Carlcs(options={"depth": 20}, base=RandomOrder(options={}, base=None, seed=1))
    loaded.load(tmp_path / "index", corpus=corpus)
    again = loaded.search(QUERIES[::-1], k=40)
    assert again.ids.tolist() == run.ids.tolist() and again.scores.tolist() == run.scores.tolist()
    assert loaded.search(QUERIES[2:], k=3).ids.tolist() == run.ids[20:23].tolist()


def test_a_network_of_another_kind_ends_in_one_line(
    pairs: Path, corpus: Documents, tmp_path: Path
) -> None:
    encoder = load(pairs, tmp_path, "carlcs")
    assert corpus.methods is not None
    with pytest.raises(ConfigurationError, match="deepcs: needs a trained network"):
        Deepcs(options={}).fit(corpus=corpus, field_encoder=encoder, methods=corpus.methods)


def test_the_model_files_have_the_published_values(root: Path) -> None:
    published = {
        "deepcs_keras": (100, 200, 400, 0.05, 128, 500),
        "deepcs_keras-torch": (512, 1024, 512, 0.413, 64, 15),
        "deepcs_keras-nlqf": (512, 256, 512, 0.3986, 64, 100),
        "carlcs_code": (100, 200, 400, 0.05, 128, 500),
        "carlcs_code-paper": (100, 200, 400, 0.05, 128, 500),
    }
    changed = load_study("field_encoders", root).rows
    given: Any = {"stop_words": "resources/stopwords/english.txt", "seed": 1, "changed": changed}
    for name, values in published.items():
        model = load_model(name, root=root, **given)
        own = model.learns.field_encoder
        assert own is not None and model.source_text and model.indexed is model
        assert values == (
            *(own.embedding, own.cells, own.output, own.margin, own.batch_size, own.epochs),
        )
        assert model.pair_sets == {"github_android"}
        assert model.keys.get("training") == model.keys.get("field_encoder") is not None
        assert own.network == model.specification.kind
