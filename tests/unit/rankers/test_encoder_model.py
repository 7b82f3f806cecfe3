"""An encoder with random weights beside the same in NumPy; `make environments` runs this file."""

from __future__ import annotations

import importlib.util
import json
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from ncsbench.apps.own_code.asking import Asked, open_own
from ncsbench.apps.own_code.index_folder import IndexFolder
from ncsbench.apps.own_code.indexing import Wanted, index_folder
from ncsbench.apps.own_code.result_list import WantedList
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError, NcsbenchError
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import create_ranker
from ncsbench.rankers.vectors.encoder import Encoder
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder
from ncsbench.rankers.vectors.encoder_options import EncoderOptions
from tests.encoder_corpus import make_methods
from tests.synthetic_documents import make_documents
from tests.tiny_encoder import WIDTH, Weights, embed_tokens, token_ids, write_encoder

LENGTH = 12
TEXTS = [
    "open file",
    "void close() { stream.close(); }",
    "get set list view text read " * 9,
    "read text",
]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips, unless there is transformers; nothing may open a connection."""
    if importlib.util.find_spec("transformers") is None:
        pytest.skip("needs transformers (envs/requirements-encoder.txt); make environments")

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_encoder(tmp_path / "encoder")
    return tmp_path / "encoder"


def load(folder: Path, **options: Any) -> SentenceEncoder:
    given = {"model": str(folder), "maximum_length": LENGTH, **options}
    return SentenceEncoder(EncoderOptions.parse(given, where="test"))


def expect(weights: Weights, text: str, pooling: str) -> NDArray[np.float64]:
    hidden = embed_tokens(weights, token_ids(text, LENGTH))
    return {"mean": hidden.mean(axis=0), "max": hidden.max(axis=0), "cls": hidden[0]}[pooling]


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_vectors_are_those_of_the_encoder_in_numpy(folder: Path, pooling: str) -> None:
    weights = load_file(folder / "model.safetensors")
    found = load(folder, pooling=pooling).encode(TEXTS)
    assert found.dtype == np.float32 and found.shape == (len(TEXTS), WIDTH)
    expected = [expect(weights, text, pooling) for text in TEXTS]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_batch_changes_last_digits_at_most(folder: Path) -> None:
    many = TEXTS * 5
    together = load(folder).encode(many)
    for options in ({"batch_tokens": 1}, {"batch_tokens": 30}):
        np.testing.assert_allclose(
            load(folder, **options).encode(many), together, rtol=1e-4, atol=1e-5
        )
    np.testing.assert_array_equal(load(folder).encode(many), together)


def test_numbers_of_half_the_length_are_close(folder: Path) -> None:
    half = load(folder, dtype="bfloat16").encode(TEXTS)
    assert half.dtype == np.float32
    np.testing.assert_allclose(half, load(folder).encode(TEXTS), atol=0.1)


def test_threads_change_no_byte(folder: Path) -> None:
    many = [" ".join(TEXTS[:2] * count) for count in range(1, 40)]
    alone = load(folder, batch_tokens=30).encode(many)
    for threads in (2, 5):
        found = load(folder, batch_tokens=30, threads=threads).encode(many)
        np.testing.assert_array_equal(found, alone)


def test_an_error_of_a_batch_is_raised_with_threads(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = load(folder, batch_tokens=30, threads=2)
    monkeypatch.setattr(encoder._model, "forward", lambda **_: None)
    with pytest.raises(DataError, match="cannot encode"):
        encoder.encode(TEXTS * 5)


def test_an_architecture_without_fused_attention_has_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import BertModel

    fused = load(folder)
    monkeypatch.setattr(BertModel, "_supports_sdpa", False)
    plain = load(folder)
    used = [encoder._model.config._attn_implementation for encoder in (fused, plain)]
    assert used == ["sdpa", "eager"]
    np.testing.assert_allclose(plain.encode(TEXTS), fused.encode(TEXTS), rtol=1e-4, atol=1e-5)


def test_weights_in_parts_are_the_same(folder: Path) -> None:
    whole = load(folder).encode(TEXTS)
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    parts = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for part, own in parts.items():
        save_file({n: weights[n] for n in own}, folder / part, metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": {n: part for part, own in parts.items() for n in own}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    np.testing.assert_array_equal(load(folder).encode(TEXTS), whole)


def change_config(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def drop_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.0.output.dense.bias"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "model.safetensors").write_bytes(b"PK\3\4"), "cannot be read"),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "tokenizer.json: cannot be read"),
        (lambda f: change_config(f, model_type="unheard_of"), "cannot be read"),
        (lambda f: change_config(f, hidden_size=12), "cannot be read"),
        (lambda f: change_config(f, quantization_config={"quant_method": "gptq"}), "cannot be"),
        (drop_weight, "the weights lack 1 of those .* encoder.layer.0.output.dense.bias"),
    ],
)
def test_damaged_folders_end_in_one_line(folder: Path, damage: Any, message: str) -> None:
    damage(folder)
    with pytest.raises(NcsbenchError, match=message) as error:
        load(folder)
    assert "\n" not in str(error.value) and str(folder) in str(error.value)


def test_lengths_that_do_not_fit_end_before_the_first_text(folder: Path) -> None:
    with pytest.raises(DataError, match=r"1 x 41 tokens .*; lower 'maximum_length'"):
        load(folder, maximum_length=41)
    with pytest.raises(ConfigurationError, match="2 leaves no room for a text beside the 2 spec"):
        load(folder, maximum_length=2)


def make_ranker(folder: Path, **options: Any) -> Encoder:
    return Encoder(options={"model": str(folder), "maximum_length": LENGTH, **options})


@pytest.mark.parametrize("normalise", [True, False])
def test_methods_are_ranked_by_cosine_or_inner_product(
    folder: Path, tmp_path: Path, normalise: bool
) -> None:
    methods = make_methods(tmp_path / "corpus", [(text, "/** open */") for text in TEXTS])
    corpus = make_documents(TEXTS, methods=methods)
    prefixes = {"query_prefix": "view ", "document_prefix": "text "}
    ranker = make_ranker(folder, normalise=normalise, comment=False, **prefixes)
    ranker.fit(corpus=corpus, methods=methods)
    run = ranker.search([Query(1, "close stream"), Query(2, "file")], k=4)
    weights = load_file(folder / "model.safetensors")
    rows = np.array([expect(weights, f"text {text}", "mean") for text in TEXTS])
    query = expect(weights, "view close stream", "mean")
    if normalise:
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        query /= np.linalg.norm(query)
    order = np.argsort(-rows @ query)
    np.testing.assert_array_equal(run.ids[:4], order)
    shares = run.scores[:4] / (rows @ query)[order]
    np.testing.assert_allclose(shares, shares[0], rtol=1e-4)
    assert np.log2(shares[0]) == pytest.approx(round(np.log2(shares[0])), abs=1e-4)

    ranker.save(tmp_path / "index")
    loaded = make_ranker(folder, normalise=normalise, comment=False, **prefixes)
    loaded.load(tmp_path / "index", corpus=corpus)
    again = loaded.search([Query(2, "file")], k=4)
    np.testing.assert_array_equal(again.scores, run.scores[4:])


def test_the_first_methods_of_a_base_are_ranked_as_the_whole_corpus_is(
    folder: Path, tmp_path: Path
) -> None:
    methods = make_methods(tmp_path / "corpus", [(text, None) for text in [*TEXTS, TEXTS[0]]])
    corpus = make_documents([*TEXTS, TEXTS[0]], methods=methods)
    ranker = make_ranker(folder)
    base = RankerSpecification(kind="random_order")
    options = {"model": str(folder), "maximum_length": LENGTH, "depth": 4}
    specification = RankerSpecification(kind="encoder_rerank", base=base, options=options)
    reranked = create_ranker(specification, seed=1)
    for one in (ranker, reranked):
        one.fit(corpus=corpus, methods=methods)
    queries = [Query(1, "close stream"), Query(2, "open file")]
    found = reranked.search(queries, k=9)
    candidates = create_ranker(base, seed=1)
    candidates.fit(corpus=corpus)
    for query in queries:
        first = candidates.search([query], k=4).ids
        whole = ranker.search([query], k=5).ids
        own = found.ids[found.query_ids == query.query_id]
        assert own.tolist() == [method for method in whole.tolist() if method in first]
    np.testing.assert_array_equal(reranked.search(queries[1:], k=2).ids, found.ids[4:6])


def test_equal_texts_have_equal_bits_wherever_they_lie(folder: Path, tmp_path: Path) -> None:
    texts = [f"{a} {b}" for a in "open close file".split() for b in "read view list".split()]
    methods = make_methods(tmp_path / "corpus", [(text, None) for text in [*texts, *texts[::-1]]])
    ranker = make_ranker(folder)
    corpus = make_documents(["a"] * 18, methods=methods)
    ranker.fit(corpus=corpus, methods=methods)
    ranker.save(tmp_path / "index")
    vectors = np.load(tmp_path / "index" / "document_vectors.npy", allow_pickle=False)
    np.testing.assert_array_equal(vectors[:9], vectors[:8:-1])
    run = ranker.search([Query(1, "open")], k=18)
    assert (run.ids[::2] < run.ids[1::2]).all()  # of equal scores the first method comes first


def test_an_index_belongs_to_the_bytes_of_its_encoder(folder: Path, tmp_path: Path) -> None:
    methods = make_methods(tmp_path / "corpus", [(text, None) for text in TEXTS])
    corpus = make_documents(TEXTS, methods=methods)
    ranker = make_ranker(folder)
    ranker.fit(corpus=corpus, methods=methods)
    ranker.save(tmp_path / "index")
    make_ranker(folder, query_prefix="view ").load(tmp_path / "index", corpus=corpus)
    for changed in ({"pooling": "max"}, {"comment": False}):
        with pytest.raises(DataError, match="another options; make the index again"):
            make_ranker(folder, **changed).load(tmp_path / "index", corpus=corpus)
    write_encoder(folder, seed=2)
    with pytest.raises(DataError, match="another options; make the index again"):
        make_ranker(folder).load(tmp_path / "index", corpus=corpus)


def test_a_method_without_a_finite_vector_is_named(folder: Path, tmp_path: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][4] = np.inf  # open
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    methods = make_methods(tmp_path / "corpus", [("close file", None), ("open", None)])
    with pytest.raises(DataError, match="gives method 1 a vector that is not finite"):
        make_ranker(folder).fit(corpus=make_documents(["a", "b"], methods=methods), methods=methods)


def test_another_number_of_methods_is_refused(folder: Path, tmp_path: Path) -> None:
    methods = CorpusFolder(make_methods(tmp_path / "corpus", [("open", None)]).path)
    with pytest.raises(DataError, match="another number of methods than its words"):
        make_ranker(folder).fit(corpus=make_documents(["a", "b"]), methods=methods)


def test_an_index_of_own_code_is_made_again_for_another_encoder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "A.java").write_text("class A { void open() { read(); } void close() { get(); } }")
    text = "kind: encoder\ntrained_on: none\nsource_text: true\n"
    (tmp_path / "mine.yaml").write_text(text + "options: {model: encoder, maximum_length: 12}\n")
    monkeypatch.chdir(tmp_path)
    index = IndexFolder(tmp_path / "index")
    contents = set()
    for seed in (1, 2):
        write_encoder(folder, seed=seed)
        about, _ = index_folder(code, index, Wanted(model="mine.yaml"), lambda *_: None)
        contents.add(about.content)
        monkeypatch.chdir(code)
        assert len(Asked(open_own(index, None)).find("open", WantedList(2))) == 2
        monkeypatch.chdir(tmp_path)
    assert len(contents) == 2
