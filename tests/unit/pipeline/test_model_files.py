"""Model files: what they take over from another one, and mistakes in them."""

from functools import partial
from itertools import product
from pathlib import Path

import pytest

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.storage import write_json
from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.files.model_configuration import Seen
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.run import load_run
from tests.refusals import one_line


def write_model(project: Path, text: str, name: str = "mine") -> None:
    (project / "config" / "models" / f"{name}.yaml").write_text(text)


def test_a_model_like_another_has_its_options_and_artifacts_and_its_own_changes(root: Path) -> None:
    run = load_run({"dataset": "sample", "models": ["ncs", "ncs_without_stop_words"]}, root=root)
    like, own = run.models["ncs"], run.models["ncs_without_stop_words"]
    assert (own.keys.get("embedding"), own.keys["words"]) == (
        like.keys.get("embedding"),
        like.keys["words"],
    )
    assert own.specification.options["query_stop_words"] == "removed"
    changed = {"query_stop_words", "stop_words"}
    assert {
        key: value for key, value in own.specification.options.items() if key not in changed
    } == {k: v for k, v in like.specification.options.items() if k not in changed}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("like: nc", "like: 'nc' is no model; did you mean 'ncs'?"),
        ("like: ../datasets/ncsed", "like: '../datasets/ncsed' is no model"),
        ("like: 3", "like: 3 is no model"),
        ("like: ../models/mine.yaml", "like: mine.yaml is made like this file"),
        ("like: ncs\noptions: foo", "options: 'foo' is not of type 'object'"),
        ("like: bm25\nk1: 0.9", "'k1' is an option of the ranker; write 'options: {k1: ...}'"),
        ("like: ncs\noption: {}", "unknown key 'option'; did you mean 'options'?"),
        ("like: unif_github_a\nembedding: {dimension: 50}", "beside 'vectors_of: ncs_100'"),
        ("like: ncs_postrank\nbase: nsc", "base: 'nsc' is no model; did you mean 'ncs'?"),
        ("like: unif_github_a\nvectors_of: nsc", "vectors_of: 'nsc' is no model; did you mean"),
        ("like: ncs_postrank\nwords: {class_name: false}", "beside 'base: ncs'"),
        ("like: ncs_postrank\ntraining: {pairs: [github_android]}", "beside 'base: ncs'"),
        (
            "like: fused_parts\nparts: {translaton: null}",
            "no such one; did you mean 'translation'?",
        ),
    ],
)
def test_mistakes_in_a_model_like_another(project: Path, text: str, message: str) -> None:
    write_model(project, text)
    with one_line(ConfigurationError, message, "mine.yaml"):
        load_model("mine", root=project, stop_words="none", seed=1)


def test_blocks_of_a_model_like_another_are_merged(project: Path) -> None:
    write_model(project, "like: ncs\nembedding: {window: 7}\nwords: {class_name: false}")
    stop_words = "resources/stopwords/english.txt"
    mine, ncs = (
        load_model(name, root=project, stop_words=stop_words, seed=1) for name in ("mine", "ncs")
    )
    assert (
        ncs.learns.embedding is not None
        and mine.learns.embedding == ncs.learns.embedding.changed(window=7)
    )
    assert mine.words == ncs.words.changed(class_name=False)


def test_the_row_published_as_ncs_has_500_dimensions_and_unif_100_dev_10(root: Path) -> None:
    def dimension(name: str) -> int:
        model = load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)
        assert model.learns.embedding is not None
        return model.learns.embedding.dimension

    names = ("ncs", "ncs_postrank", "ncs_expanded_postrank", "ncs_100", "unif_github_c")
    assert [dimension(name) for name in names] == [500, 500, 500, 100, 100]
    assert dimension("unif_stackoverflow_c_500") == 500


def test_a_dataset_sets_the_dimension_of_all_models_dev_10(project: Path) -> None:
    write_model(project, "like: ncs")
    path = Path("config/datasets/sample.yaml")
    text = path.read_text()
    names = ["bm25", "ncs_100", "ncs_expanded_postrank"]
    config = {"dataset": "sample", "models": names, "micro_benchmark": {"rows": []}}

    def dimensions() -> list[int]:
        run = load_run(config, root=project)
        return [
            m.learns.embedding.dimension
            for m in run.indexes.values()
            if m.learns.embedding is not None
        ]

    assert dimensions() == [100, 100]
    run = load_run(config, root=project)
    shared = run.runs["ncs_expanded_postrank"].keys.get("embedding")
    assert run.runs["ncs_100"].keys.get("embedding") == shared is not None
    path.write_text(text.replace("dimension: 100", "dimension: 30"))
    assert dimensions() == [30, 30]
    path.write_text(text.replace("embedding:\n  dimension: 100", "embedding: {}"))
    assert dimensions() == [100, 500, 500]
    for dimension, message in [
        ("0", "embedding.dimension: 0 is less than the minimum of 1"),
        ("5", "embedding.dimension: 5 does not fit the model ncs_100 .*'bucket' must be at least"),
        ("100\n  window: 5", "unknown key 'embedding.window'"),
    ]:
        path.write_text(text.replace("dimension: 100", f"dimension: {dimension}"))
        with pytest.raises(ConfigurationError, match=r"sample\.yaml: " + message):
            load_run(config, root=project)


def test_a_published_system_is_known_by_name(project: Path) -> None:
    write_model(project, "like: bm25\npublished_as: NCS_postrnk")
    config = {"dataset": "sample", "models": ["mine"]}
    with pytest.raises(ConfigurationError, match=r"mine\.yaml: published_as: .*'NCS_postrank'\?"):
        load_run(config, root=project)
    (project / "config/models/mine.yaml").write_text("like: bm25\npublished_as: NCS_postrank")
    assert load_run(config, root=project).models["mine"].published_as == "NCS_postrank"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("beside: NCS_postrnk", "beside: 'NCS_postrnk' is no published system; did you mean"),
        ("beside: NCS\npublished_as: NCS_postrank", "'beside: NCS' counts for nothing beside"),
    ],
)
def test_a_model_stands_beside_a_known_system_or_for_one(
    project: Path, text: str, message: str
) -> None:
    write_model(project, f"like: ncs\n{text}")
    config = {"dataset": "sample", "models": ["mine"]}
    with pytest.raises(ConfigurationError) as caught:
        load_run(config, root=project)
    assert message in str(caught.value) and "mine.yaml: " in str(caught.value)
    (project / "config/models/mine.yaml").write_text("like: ncs_expanded_postrank")
    assert load_run(config, root=project).models["mine"].beside == ""


def test_post_ranking_of_expanded_queries_stands_beside_the_published_one_dev_85(
    root: Path,
) -> None:
    names = ["ncs_postrank", "ncs_expanded_postrank"]
    run = load_run({"dataset": "sample", "models": names}, root=root)
    assert [run.models[name].published_as for name in names] == ["NCS_postrank", ""]
    assert [run.models[name].beside for name in names] == ["", "NCS_postrank"]
    rows = {row["name"]: row for row in run.settings["sample/settings/table.json"]["models"]}
    assert [rows[name]["beside"] for name in names] == ["", "NCS_postrank"]


def test_where_and_what_the_unsplit_rules_count_are_rows_of_a_study_dev_84(root: Path) -> None:
    config = read_yaml(root / "config/config.yaml") | {"study": "postrank"}
    run = load_run({**config, "dataset": "sample"}, root=root)
    rows = [name for name in run.models if name.startswith("ncs_postrank")]
    options = [run.models[name].specification.options for name in rows]
    assert [(each["unsplit_in"], each["unsplit_counts"]) for each in options] == [
        *product(("text", "identifiers"), ("all", "content"))
    ]
    assert {run.models[name].indexed.name for name in rows} == {"ncs"}
    # Only the first one, which follows the text, rebuilds the published system.
    assert [run.models[name].published_as for name in rows] == ["NCS_postrank", "", "", ""]


def test_models_that_differ_in_their_queries_alone_share_an_index(
    root: Path, tmp_path: Path
) -> None:
    config = read_yaml(root / "config/config.yaml")
    usual = read_yaml(root / "config/datasets/sample.yaml")
    del usual["embedding"]
    write_json(tmp_path / "usual.yaml", usual | {"name": "usual"})
    files = {"sample": "sample", "usual": str(tmp_path / "usual.yaml")}
    without_micro = {"micro_benchmark": {"rows": []}}
    found = {
        name: load_run({**config, "dataset": file, **without_micro}, root=root).index_of
        for name, file in files.items()
    }
    for name in ("ncs", "ncs_postrank", "ncs_without_stop_words_postrank"):
        assert {index_of[name].name for index_of in found.values()} == {"ncs"}
    # Here both have 100 dimensions.
    assert found["sample"]["ncs_100"].name == "ncs"
    for name in ("bm25", "elasticsearch_camel_case", "ncs_expanded", "unif_github_c"):
        assert found["sample"][name].name == name
    # A base that is no row: its index is made all the same.
    models = ["bm25", "ncs_expanded_postrank"]
    run = load_run({"dataset": "sample", "models": models, **without_micro}, root=root)
    assert {"ncs_expanded", "ncs"} <= run.indexes.keys()
    assert run.indexes["ncs_expanded"].referred is run.indexes["ncs"]
    assert {f"sample/settings/models/{name}.json" for name in run.indexes} <= run.settings.keys()


def test_raw_comments_and_counted_words_are_rows_of_a_study_dev_87_and_dev_88(root: Path) -> None:
    config = read_yaml(root / "config/config.yaml") | {"study": "words"}
    models = load_run({**config, "dataset": "sample"}, root=root).models
    queries = [models[name].specification.options["query"] for name in ("bm25", "bm25-counts")]
    assert queries == ["one_hot", "counts"]
    for name in ("bm25", "ncs_100"):
        cleaned, raw = models[name], models[f"{name}-raw_comments"]
        assert (cleaned.words.comments, raw.words.comments) == ("cleaned", "raw")
        assert (raw.specification, raw.learns) == (cleaned.specification, cleaned.learns)


def test_names_of_models_must_fit_a_path_and_a_rule(project: Path) -> None:
    write_model(project, "like: bm25", name="a.b")
    with pytest.raises(ConfigurationError, match=r"models/a\.b\.yaml: the name may have letters"):
        load_run({"dataset": "sample", "models": ["bm25"]}, root=project)


def test_an_unquoted_no_is_an_answer() -> None:
    said = {"questions": False, "answers": True, "code": "likely", "source": "its card"}
    assert list(dict(Seen.parse(said, where="x")).values())[:3] == ["no", "yes", "likely"]


def test_what_an_encoder_has_seen_is_said_by_its_rows_and_by_the_page(root: Path) -> None:
    rows = ("minilm", "minilm_rerank", "fused_minilm")
    stop_words = "resources/stopwords/english.txt"
    load = partial(load_model, root=root, stop_words=stop_words, seed=1)
    models = [load(name) for name in rows]
    seen = models[0].seen
    assert seen is not None and all(model.seen == seen for model in models)
    assert models[2].training.endswith("; seen: questions likely, answers likely, code likely")
    assert load("bm25").training == "none"
    page = (root / "docs/encoders.md").read_text(encoding="utf-8")
    assert f"| {' | '.join(dict(seen).values())} |" in page
    assert [name for name in rows if f"\n| `{name}` | " not in page] == []
