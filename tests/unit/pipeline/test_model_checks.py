"""What a model file lacks, or says and its ranker does not take."""

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.errors import ConfigurationError
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.training_options import ExpansionOptions, TrainingOptions
from ncsbench.pipeline.files.model_checks import check_model
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import ModelFile, load_model
from ncsbench.rankers import registry
from ncsbench.rankers.learnt_kinds import LearntBlocks
from ncsbench.rankers.ranker_options import RankerSpecification
from tests.refusals import one_line

STOP_WORDS = "resources/stopwords/english.txt"


def test_every_model_file_makes_a_ranker(root: Path) -> None:
    names = {path.stem for path in (root / "config" / "models").glob("*.yaml")}
    assert {"random", "random_long", "longest_first", "bm25", "ncs", "ncs_postrank"} <= names
    assert {"ncs_expanded", "ncs_expanded_postrank"} <= names
    for name in sorted(names):
        check_model(load_model(name, root=root, stop_words=STOP_WORDS, seed=1))


def make_model(kind: str, options: dict[str, Any] | None = None, **keys: Any) -> ModelConfiguration:
    base = keys["base"].specification if "base" in keys else None
    specification = RankerSpecification(kind=kind, options=options or {}, base=base)
    learns = LearntBlocks(
        **{key: keys.pop(key) for key in LearntBlocks.model_fields.keys() & keys.keys()}
    )
    return ModelConfiguration("mine", "x", specification, WordOptions(), 1, learns, **keys)


NBOW = {"network": "nbow", "pairs": ["some"]}
PAIRS = TrainingOptions(pairs=("some",))
NCS = make_model("ncs", embedding=EmbeddingOptions())


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (make_model("bm52"), "unknown kind of model 'bm52'; did you mean 'bm25'"),
        (make_model("BM25"), "unknown kind of model 'BM25'; did you mean 'bm25'"),
        (make_model("bm25", {"K1": 3}), "unknown key 'options.K1'; did you mean 'k1'"),
        (make_model("bm25", {"b": 2}), "options.b: 2 is greater than the maximum of 1"),
        (make_model("bm25", base=NCS), "takes no base; remove its line 'base'"),
        (make_model("ncs_postrank"), "names no base; add a line 'base: <model>'"),
        (make_model("ncs"), "kind ncs needs word vectors; add a block 'embedding'"),
        (
            make_model("ncs", {"query_stop_words": "removed"}, embedding=EmbeddingOptions()),
            "options: 'query_stop_words: removed' needs stop words; add 'stop_words: true'",
        ),
        (
            make_model("joint_encoder", source_text=True),
            "kind joint_encoder needs a trained encoder; add a block 'encoder'",
        ),
        (
            make_model("joint_encoder", encoder=PairEncoderOptions.parse(NBOW, where="here")),
            "kind joint_encoder needs the text of the methods; add a line 'source_text: true'",
        ),
        (
            make_model("unif", embedding=EmbeddingOptions()),
            "kind unif needs trained weights; add a block",
        ),
        (make_model("unif", training=PAIRS), "training starts from word vectors; add a line"),
        (make_model("elasticsearch_like"), "add a line 'source_text: true'"),
        (make_model("ncs_expanded", base=NCS), "needs a table of expansions; add a block"),
        (make_model("translation"), "needs a table of translations; add a block 'translation'"),
        (make_model("ncs_postrank", base=make_model("ncs")), "kind ncs needs word vectors"),
    ],
)
def test_what_a_model_file_lacks_or_has_wrong_ends_in_one_line(
    model: ModelConfiguration, message: str
) -> None:
    with one_line(ConfigurationError, match=message, start="config/models/mine.yaml: "):
        check_model(model)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"embedding": {"dimensions": 3}}, "unknown key 'embedding.dimensions'; did you mean 'dim"),
        ({"embedding": {"bucket": 5}}, "embedding: 'bucket' must be at least 104858 at 100 dimens"),
        ({"expansion": {"pairs": "x", "share": 1}}, "unknown key 'expansion.share'; did you mean"),
        ({"expansion": {}}, "missing key 'expansion.pairs'"),
        ({"translation": {"pairs": []}}, "translation.pairs"),
        ({"training": {}}, "missing key 'training.pairs'"),
        ({"training": {"pairs": ["../x"]}}, "training.pairs.0: '../x' does not match"),
        ({"training": {"pairs": ["x"], "Share": 1}}, "'training.Share'; did you mean 'share'"),
        ({"training": {"pairs": ["x"], "share": 0}}, "training.share: 0"),
        ({"words": {"class_name": 1}}, "words.class_name: 1 is not of type 'boolean'"),
    ],
)
def test_wrong_blocks_end_in_one_line(block: dict[str, Any], message: str) -> None:
    with one_line(ConfigurationError, match=message, start="mine.yaml: "):
        ModelFile.parse({"kind": "x", "trained_on": "y", **block}, where="mine.yaml", texts=True)


def test_a_ranker_of_another_package_needs_nothing_but_its_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("mine", "ncsbench.rankers.bm25:BM25", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    check_model(make_model("mine", {"b": 0.5}))
    with pytest.raises(ConfigurationError, match=r"unknown key 'options\.c'"):
        check_model(make_model("mine", {"c": 0.5}))


def test_a_base_gives_what_it_is_made_from(project: Path) -> None:
    text = "like: ncs_expanded\nbase: {}\n"
    for base in ("unif_github_a", "elasticsearch_like"):
        (project / "config/models/mine.yaml").write_text(text.format(base))
        model = load_model("mine", root=project, stop_words=STOP_WORDS, seed=1)
        assert model.indexed is model and model.base is not None
        assert model.keys.get("weights") == model.base.keys.get("weights")
        assert model.source_text == model.base.source_text
        check_model(model)


def test_only_given_options_name_an_artifact_so_that_a_new_default_renames_none() -> None:
    """Beside the few that the names of artifacts have always had."""
    block = {"pairs": "x"}
    written = ExpansionOptions.parse(block, where="x").as_json()
    assert written == {
        **block, "kept_share": 0.5, "creations": True, "declarations": True, "minimum_titles": 1
    }  # fmt: skip
    assert TrainingOptions.parse({"pairs": ["x"], "epochs": 3}, where="x").as_json() == {
        **{"pairs": ["x"], "epochs": 3, "share": 1.0}
    }
    assert EmbeddingOptions().as_json() == {"dimension": 100}
    assert set(WordOptions().as_json()) == set(WordOptions.model_fields)
