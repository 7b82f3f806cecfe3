"""Joint encoders from the pairs of a dataset to rankings, in their smallest form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import write_table
from ncsbench.base.files.training_checkpoints import count_trained_pairs
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import save_documents
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions, PairEncoderSettings
from ncsbench.learning.encoders.training import train_on_pairs
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings, RankerSpecification
from ncsbench.rankers.vectors.joint_encoder import JointEncoder
from tests.encoder_corpus import make_methods
from tests.synthetic_documents import CALLED as WORDS
from tests.synthetic_documents import draw_calls, make_documents, make_pairs

SMALLEST: dict[str, Any] = {
    "pairs": ["some"],
    "dimension": 8,
    "vocabulary_size": 100,
    "batch_size": 8,
    "learning_rate": 0.03,
    "epochs": 1,
    "patience": 0,
}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = draw_calls(lambda one, other: f"void x() {{ {one.upper()}({other.upper()}); }}")
    path = tmp_path_factory.mktemp("pairs") / "pairs.parquet"
    write_table(path, make_pairs(rows), PAIR_SCHEMA)
    return path


def train(pairs: Path, folder: Path, **options: Any) -> Path:
    settings = PairEncoderSettings(
        encoder=PairEncoderOptions.parse(SMALLEST | options, where="test"), seed=3
    )
    train_on_pairs(
        settings,
        pairs=[pairs],
        checkpoint=folder / "checkpoint",
        record=folder / "record",
        output=folder / "encoder",
    )
    return folder


@pytest.mark.parametrize("network", ["nbow", "cnn", "rnn", "self_attention"])
def test_the_smallest_form_of_each_encoder_is_trained_and_searches(
    pairs: Path, tmp_path: Path, network: str
) -> None:
    made = train(pairs, tmp_path, network=network)
    assert not (made / "checkpoint").exists()
    about = json.loads((made / "record" / "about.json").read_text())
    assert count_trained_pairs(made / "record") == about["pairs"]["trained"]
    assert 80 < about["pairs"]["trained"] < 120 and about["pairs"]["held_out"] > 10
    methods = make_methods(
        tmp_path / "corpus", [(f"void x() {{ {word.upper()}(); }}", None) for word in WORDS]
    )
    save_documents(make_documents(["some"] * len(WORDS)), tmp_path / "words")
    make_index(
        RankerSettings(ranker=RankerSpecification(kind="joint_encoder"), seed=3),
        words=tmp_path / "words",
        corpus=methods,
        learnt={"encoder": made / "encoder"},
        output=tmp_path / "index",
    )
    ranker = JointEncoder(options={}, seed=3)
    ranker.load(tmp_path / "index", corpus=make_documents(["some"] * len(WORDS)))
    run = ranker.search([Query(1, WORDS[0])], k=5)
    assert len(run.ids) == 5


def test_the_model_files_have_the_values_of_the_released_code(root: Path) -> None:
    released = {
        "nbow": (0.01, 1000, "cosine"),
        "cnn": (0.0005, 1000, "softmax"),
        "rnn": (0.01, 1000, "softmax"),
        "self_attention": (0.0005, 450, "softmax"),
    }
    keys = set()
    for name, values in released.items():
        model = load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)
        assert model.specification.kind == "joint_encoder" and model.source_text
        assert model.learns.encoder is not None and model.learns.encoder.network == name
        options = model.learns.encoder.without_pairs()
        assert (options.learning_rate, options.batch_size, options.loss) == values
        assert options.as_json().keys() <= {"network", "learning_rate", "batch_size", "loss"}
        assert model.pair_sets == {"github_android"}
        assert model.keys.get("encoder") == model.keys.get("training") is not None
        keys.add(model.keys.get("encoder"))
    assert len(keys) == 4
