"""Sentence encoders without ``transformers``: options, refused folders, vectors made elsewhere."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes import document_vectors
from ncsbench.corpus.indexes.document_vectors import fit_into_unit_ball, make_rows, scale_query
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.errors import ConfigurationError, DataError, NcsbenchError
from ncsbench.pipeline.runs.input_files import describe_input
from ncsbench.pipeline.runs.run import load_run
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_questions
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import anchor
from ncsbench.rankers.vectors.encoder import Encoder, iterate_texts
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder, batch_by_length
from ncsbench.rankers.vectors.encoder_options import EncoderOptions, find_folder, find_model_files
from tests.encoder_corpus import make_methods
from tests.sample_corpus import build_sample_corpus
from tests.synthetic_documents import make_documents
from tests.tiny_encoder import write_encoder

CORPUS = make_documents(["open", "close", "view", "read"])
QUERIES = ["how to open", "how to close"]


def write_vectors(folder: Path, **changed: Any) -> Path:
    """A folder of vectors of three of the four methods; what is given replaces a file."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    content = {
        "corpus": {"corpus_hash": "synthetic"},
        "methods": np.array([3, 0, 1]),
        "method_vectors": random.normal(size=(3, 5)).astype(np.float16),
        "queries": QUERIES,
        "query_vectors": random.normal(size=(2, 5)).astype(np.float32),
        **changed,
    }
    for name, value in content.items():
        if isinstance(value, np.ndarray):
            np.save(folder / f"{name}.npy", value)
        else:
            (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


def fit(folder: Path, **options: Any) -> Encoder:
    ranker = Encoder(options={"vectors": str(folder), **options})
    ranker.fit(corpus=CORPUS)
    return ranker


def replace_config(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def divide(folder: Path, part: str) -> None:
    (folder / "model.safetensors").rename(folder / "a.safetensors")
    index = {"weight_map": {"x": "a.safetensors", "y": part}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (shutil.rmtree, "there is no folder"),
        (lambda f: (f / "config.json").unlink(), "has no config.json"),
        (lambda f: (f / "config.json").write_text("{"), "is not valid JSON"),
        (lambda f: (f / "config.json").write_text("[]"), "names no 'model_type'"),
        (lambda f: replace_config(f, auto_map={"AutoModel": "m.M"}), "names code of its own"),
        (
            lambda f: replace_config(f, transformers_weights="adapter_model.bin"),
            "names its weights itself",
        ),
        (lambda f: (f / "tokenizer.json").unlink(), "has no tokenizer.json; where the encoder"),
        (lambda f: (f / "model.safetensors").unlink(), "has no model.safetensors"),
        (
            lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
            "as pickle only (pytorch_model.bin)",
        ),
        (lambda f: divide(f, "../a.safetensors"), "names '../a.safetensors', which is no safet"),
        (lambda f: divide(f, "b.bin"), "names 'b.bin', which is no safetensors file"),
        (lambda f: divide(f, "b.safetensors"), "has no b.safetensors, which"),
    ],
)
def test_refused_folders_end_in_one_line(tmp_path: Path, damage: Any, message: str) -> None:
    folder = tmp_path / "encoder"
    write_encoder(folder)
    damage(folder)
    with pytest.raises(NcsbenchError, match=re.escape(message)) as error:
        find_model_files(folder)
    assert "\n" not in str(error.value) and str(folder) in str(error.value)


def test_the_files_that_count_are_those_that_are_read(tmp_path: Path) -> None:
    write_encoder(tmp_path)
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    names = ["config.json", "tokenizer.json", "model.safetensors"]
    assert [path.name for path in find_model_files(tmp_path)] == names
    divide(tmp_path, "a.safetensors")
    names[2:] = ["model.safetensors.index.json", "a.safetensors"]
    assert [path.name for path in find_model_files(tmp_path)] == names


def say(folder: Path, **files: Any) -> dict[str, Any]:
    """Write what a folder says of itself, by file without ending; return what is read."""
    write_encoder(folder)
    for name, content in files.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
    return EncoderOptions(model=str(folder)).read_folder().model_dump()


CLS = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
PREFIXES = {"query": "query: ", "passage": "passage: "}


def test_options_are_those_of_the_folder_where_the_model_file_has_none(tmp_path: Path) -> None:
    usual = {"query_prefix": "", "document_prefix": "", "dtype": "float32"}
    assert say(tmp_path / "a") == {"pooling": "mean", "maximum_length": 40, **usual}
    found = say(
        tmp_path / "b",
        **{"1_Pooling__config": CLS, "modules": [{"type": "a.models.Pooling"}]},
        config_sentence_transformers={"prompts": PREFIXES},
        sentence_bert_config={"max_seq_length": 20},
    )
    assert list(found.values()) == ["cls", "query: ", "passage: ", 20, "float32"]
    replace_config(tmp_path / "b", torch_dtype="bfloat16")
    (tmp_path / "b/sentence_bert_config.json").unlink()
    (tmp_path / "b/tokenizer_config.json").write_text('{"model_max_length": 30}')
    own = EncoderOptions(model=str(tmp_path / "b"), pooling="max", query_prefix="")
    assert list(own.read_folder().model_dump().values()) == ["max", "", "passage: ", 30, "bfloat16"]
    assert "1_Pooling-config.json" in own.list_files()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"1_Pooling__config": CLS | {"pooling_mode_mean_tokens": True}}, "'cls and mean'"),
        ({"1_Pooling__config": {"pooling_mode": "lasttoken"}}, "'lasttoken'"),
        ({"modules": [{"type": "a.Dense"}]}, "names the module 'Dense'"),
        ({"modules": {}}, "has another form than expected"),
        ({"sentence_bert_config": {"max_seq_length": "long"}}, "maximum_length"),
        ({"config_sentence_transformers": {"prompts": {"query": 1}}}, "query_prefix"),
    ],
)
def test_a_folder_that_says_what_cannot_be_used_is_refused(
    tmp_path: Path, files: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        say(tmp_path, **files)
    assert "\n" not in str(error.value) and str(tmp_path) in str(error.value)


def test_a_folder_may_be_one_of_an_installed_package() -> None:
    assert (find_folder("package:numpy/numpy") / "__init__.py").is_file()
    absent = EncoderOptions(model="package:no-such-package/model")
    assert absent.list_files() == {}
    with pytest.raises(ConfigurationError):  # an index without the encoder's files would pass
        _ = Encoder(options=absent.as_json())._made_with
    with pytest.raises(ConfigurationError, match=r"'no-such-package' .*requirements-minilm\.txt"):
        find_folder("package:no-such-package/model")
    given = RankerSpecification(kind="encoder", options={"model": "package:numpy/numpy"})
    assert anchor(given) == given


@pytest.mark.skipif(
    importlib.util.find_spec("tokenizers") is not None, reason="needs transformers to be absent"
)
def test_without_its_packages_one_line_says_what_to_install(tmp_path: Path) -> None:
    write_encoder(tmp_path)
    with pytest.raises(
        ConfigurationError,
        match=r"'tokenizers', which is not installed: .*requirements-encoder\.txt",
    ) as error:
        SentenceEncoder(EncoderOptions(model=str(tmp_path)))
    assert "\n" not in str(error.value)


def test_texts_of_similar_length_are_encoded_together() -> None:
    lengths = [5, 2, 0, 5, 2, 9, 3]
    assert list(batch_by_length(lengths, 10)) == [[1, 4, 6], [0, 3], [5]]
    assert list(batch_by_length(lengths, 1)) == [[1], [4], [6], [0], [3], [5]]
    assert list(batch_by_length([], 10)) == list(batch_by_length([0, 0], 10)) == []


def test_the_text_of_a_method_is_its_comment_and_its_code(tmp_path: Path) -> None:
    methods = make_methods(tmp_path, [("void a() {}", "/** A. */"), ("void b() {}", None)])
    assert list(iterate_texts(methods, ["comment", "code"])) == [
        "/** A. */\nvoid a() {}",
        "void b() {}",
    ]
    assert list(iterate_texts(methods, ["code"])) == ["void a() {}", "void b() {}"]
    named = EncoderOptions(model="a", names=True, comment=False)
    assert named.columns == ["class_name", "method_name", "code"]


@pytest.mark.parametrize("normalise", [True, False])
def test_vectors_made_elsewhere_are_searched(
    tmp_path: Path, normalise: bool, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write_vectors(tmp_path / "vectors")
    ranker = fit(folder, normalise=normalise)
    assert "1 of 4 methods have no vector" in caplog.text
    rows = np.load(folder / "method_vectors.npy").astype(np.float64)
    query = np.load(folder / "query_vectors.npy").astype(np.float64)[1]
    if normalise:
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        query /= np.linalg.norm(query)
    order = np.argsort(-rows @ query)
    run = ranker.search([Query(7, QUERIES[1])], k=9)
    assert run.ids.tolist() == [[3, 0, 1][row] for row in order]
    shares = run.scores / (rows @ query)[order]
    np.testing.assert_allclose(shares, shares[0], rtol=1e-6)

    ranker.save(tmp_path / "index")
    shutil.rmtree(folder)  # the index has all
    loaded = Encoder(options={"vectors": str(folder), "normalise": normalise})
    loaded.load(tmp_path / "index", corpus=CORPUS)
    np.testing.assert_array_equal(loaded.search([Query(7, QUERIES[1])], k=9).scores, run.scores)
    with pytest.raises(DataError, match="has no vector of the query 'other'; add it to queries"):
        loaded.search([Query(8, "other")], k=1)


def test_methods_of_zeros_have_no_vector(tmp_path: Path) -> None:
    vectors = np.array([[0, 0], [1, 0], [0, 2]], np.float32)
    folder = write_vectors(tmp_path, method_vectors=vectors, query_vectors=vectors[:2])
    run = fit(folder).search([Query(1, QUERIES[0]), Query(2, QUERIES[1])], k=4)
    assert (run.query_ids.tolist(), run.ids.tolist()) == ([2, 2], [0, 1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"corpus": {"corpus_hash": "other"}}, "are of the corpus 'other', not of 'synthetic'"),
        ({"corpus": []}, "are of the corpus None"),
        ({"methods": np.array([0, 1, 4])}, "4 is no method id; those of the corpus are 0 to 3"),
        ({"methods": np.array([0, 1, -1])}, "-1 is no method id"),
        ({"methods": np.array([0, 1, 1])}, "method 1 is there twice"),
        ({"methods": np.array([0.0, 1, 2])}, "is no list of integers but an array of float64"),
        ({"methods": np.arange(2)}, "has 3 vectors, but methods.npy has 2 entries"),
        ({"methods": np.zeros(0, int)}, "holds no method"),
        ({"method_vectors": np.ones((3, 5))}, "is an array of float64 of shape (3, 5)"),
        ({"method_vectors": np.ones(3, np.float32)}, "write rows of vectors"),
        (
            {"method_vectors": np.ones((3, 4), np.float32)},
            "vectors of 5 numbers, but those of method_vec",
        ),
        (
            {"method_vectors": np.diag([1, 1, np.nan, 1, 1])[:3].astype(np.float16)},
            "the vector of method 1 has a number that is not finite",
        ),
        ({"method_vectors": np.array([{}] * 3)}, "cannot be read as an array"),
        ({"queries": ["a", "a"]}, "'a' is there twice"),
        ({"queries": {"a": 1}}, "is no list of texts"),
        ({"queries": ["a"]}, "has 2 vectors, but queries.json has 1 entries"),
        (
            {"query_vectors": np.full((2, 5), np.inf, np.float32)},
            "the vector of query 0 has a number that is not finite",
        ),
    ],
)
def test_vectors_that_fit_nothing_are_refused(
    tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    folder = write_vectors(tmp_path, **changed)
    with pytest.raises(DataError, match=re.escape(message)) as error:
        fit(folder)
    assert "\n" not in str(error.value) and str(folder) in str(error.value)


def test_an_absent_file_of_vectors_is_named(tmp_path: Path) -> None:
    (write_vectors(tmp_path) / "queries.json").unlink()
    with pytest.raises(ConfigurationError, match=r"has no queries\.json; it takes corpus\.json"):
        fit(tmp_path)


def test_vectors_lie_on_the_disk_or_one_line_says_that_it_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = make_rows(3, 2)
    assert rows.dtype == np.float32 and not rows.any()
    assert make_rows(0, 2).shape == (0, 2)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(document_vectors.os, "posix_fallocate", refuse)
    with pytest.raises(DataError, match=r"no room for 4\.0 GB of vectors .*; name a folder"):
        make_rows(1_000_000, 1000)


def test_inner_products_keep_their_order_and_digits_in_the_unit_ball() -> None:
    rows = np.array([[3, 4], [0, 0], [1e-3, 0], [100, 1]], np.float32)
    scaled = rows.copy()
    assert fit_into_unit_ball(scaled, normalise=False).tolist() == [True, False, True, True]
    np.testing.assert_array_equal(scaled * np.float32(128), rows)
    assert np.linalg.norm(scaled, axis=1).max() <= 1
    query = scale_query(rows[0], normalise=False)
    assert query is not None and query.tolist() == [3 / 8, 4 / 8]
    assert scale_query(rows[1], normalise=True) is None
    fit_into_unit_ball(rows, normalise=True)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 0, 1, 1], rtol=1e-6)


def make_project(root: Path, folder: Path, options: str) -> None:
    for part in ("config", "resources"):
        shutil.copytree(root / part, folder / part)
    text = f"kind: encoder\ntrained_on: elsewhere\nsource_text: true\noptions: {options}\n"
    (folder / "config" / "models" / "mine.yaml").write_text(text)


def describe_inputs(folder: Path) -> dict[str, Any]:
    run = load_run({"dataset": "sample", "models": ["bm25", "mine"]}, root=folder)
    states = {name: describe_input(path, run.published) for name, path in run.inputs.items()}
    return {name: state for name, state in states.items() if name.startswith("model-mine-")}


def test_the_bytes_of_the_folder_are_raw_inputs_of_index_and_search(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(root, tmp_path, "{model: encoder}")
    monkeypatch.chdir(tmp_path)
    write_encoder(tmp_path / "encoder")
    before = describe_inputs(tmp_path)
    assert [state["path"] for state in before.values()] == [
        "encoder/config.json",
        "encoder/tokenizer.json",
        "encoder/model.safetensors",
    ]
    write_encoder(tmp_path / "encoder", seed=2)
    after = describe_inputs(tmp_path)
    assert [name for name in before if before[name] != after[name]] == [
        "model-mine-model.safetensors"
    ]


def test_a_refused_folder_ends_the_run_when_the_snakefile_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(root, tmp_path, "{vectors: absent}")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ConfigurationError,
        match=r"mine\.yaml: options: vectors: absent has no corpus\.json",
    ):
        describe_inputs(tmp_path)


def read_section(root: Path) -> str:
    page = (root / "docs/add-a-model.md").read_text(encoding="utf-8")
    return page.partition("\n## A sentence encoder\n")[2].partition("\n## ")[0]


def read_blocks(root: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", read_section(root), re.DOTALL)


def test_the_page_names_the_files_and_makes_such_a_folder(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path / "data/sample"))
    questions = read_questions([root / "resources/sample/questions.json"])
    write_table(tmp_path / "data/sample/questions.parquet", questions, QUESTION_SCHEMA)
    (tmp_path / "my_encoder.py").write_text(
        "import numpy as np\n\n\ndef encode(texts):\n"
        "    return np.array([[len(text), 1] for text in texts], np.float32)\n"
    )
    (code,) = read_blocks(root, "python")
    exec(code, {})  # noqa: S102
    documents = build_documents(corpus, WordOptions())
    first, _, second = (yaml.safe_load(block) for block in read_blocks(root, "yaml"))
    ranker = Encoder(options=second["options"])
    ranker.fit(corpus=documents)
    queries = [Query(1, text) for text in questions["question"].to_pylist()[:1]]
    assert len(ranker.search(queries, k=5).ids) == 5
    texts = list(iterate_texts(corpus, ["comment", "code"]))
    lengths = np.load("vectors/my_encoder/method_vectors.npy")[:, 0]
    assert np.abs(lengths - [len(text) for text in texts]).max() <= 1  # an empty comment
    for name in [path.name for path in Path("vectors/my_encoder").iterdir()]:
        assert f"`{name}`" in read_section(root)

    assert EncoderOptions.parse(first["options"], where="page").maximum_length == 256
    for model in (first, second):
        assert {"kind": model["kind"], "source_text": model["source_text"]} == {
            "kind": "encoder",
            "source_text": True,
        }


def test_paths_are_whole_where_an_index_is_kept_for_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = RankerSpecification(kind="encoder", options={"model": "a", "pooling": "max"})
    anchored = {"model": str(tmp_path / "a"), "pooling": "max"}
    assert anchor(given).options == anchored
    postranked = RankerSpecification(kind="ncs_postrank", base=given)
    base = anchor(postranked).base
    assert base is not None and base.options == anchored
