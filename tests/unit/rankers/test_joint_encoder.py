"""Joint encoders as rankers: what is encoded, found, kept and refused."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.code.functions.java_functions import tokenize_java
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.encoders.encoder import Encoder
from ncsbench.rankers.vectors import vector_ranker
from ncsbench.rankers.vectors.joint_encoder import JointEncoder, encode_methods
from tests.encoder_corpus import make_methods
from tests.random_encoder import make_parts
from tests.synthetic_documents import make_documents

CODES = [
    *("open ( file ) ;", "close ( view ) ;", "open ( file ) ;", "read ( view , file ) ;", ""),
    "write ( file , open ( view ) ) ;",
]
QUERIES = [Query(3, "Open a file"), Query(5, "close the VIEW"), Query(8, "  ")]
CORPUS = make_documents(["some"] * len(CODES))
WORDS = [*CODES, "open a file close the view"]


@dataclass
class Tokens:
    """Functions that come with tokens, as those of CodeSearchNet."""

    language: str = "java"
    path: Path = Path("functions")
    size: int = 4

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        for start in range(0, len(CODES), self.size):
            yield [code.split() for code in CODES[start : start + self.size]]

    def manifest(self) -> dict[str, Any]:
        return {}

    def iterate_methods(self, columns: list[str]) -> Iterator[Any]:
        raise AssertionError("tokens are there already")


def fit() -> JointEncoder:
    ranker = JointEncoder(options={}, seed=1)
    ranker.fit(corpus=CORPUS, methods=Tokens(), encoder=Encoder(*make_parts(WORDS)))
    return ranker


def rank_plainly(encoder: Encoder, query: str) -> list[int]:
    """Ids by cosine, ties by ascending id."""
    (asked,) = encoder.embed_queries([tokenize_docstring(query)])
    vectors = encoder.embed_code("java", [code.split() for code in CODES]).astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1)
    known = np.flatnonzero(lengths)
    cosines = vectors[known] @ asked / lengths[known]
    return [int(known[i]) for i in np.lexsort((known, -cosines.round(6)))]


def show(run: Run) -> list[list[Any]]:
    return [run.query_ids.tolist(), run.ids.tolist(), run.scores.tolist()]


def list_results(ranker: JointEncoder, queries: Sequence[Query], k: int) -> dict[int, list[int]]:
    run = ranker.search(queries, k=k)
    return {query.query_id: run.ids[run.query_ids == query.query_id].tolist() for query in queries}


def test_methods_are_ranked_by_cosine_and_equal_ones_by_id_dev_161(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        ranker = fit()
    assert "1 of 6 methods have no vector and are never found" in caplog.text
    encoder = Encoder(*make_parts(WORDS))
    found = list_results(ranker, QUERIES, 6)
    assert found == {
        3: rank_plainly(encoder, "Open a file"),
        5: rank_plainly(encoder, "close the VIEW"),
        8: [],
    }
    assert found[3].index(2) == found[3].index(0) + 1 and 4 not in found[3]
    assert list_results(ranker, QUERIES, 2) == {row: ids[:2] for row, ids in found.items()}
    alone = ranker.search(QUERIES[1:2], k=6)
    together = ranker.search(QUERIES, k=6)
    assert alone.scores.tolist() == together.scores[together.query_ids == 5].tolist()


def test_an_index_holds_what_queries_need_and_no_network_of_code(tmp_path: Path) -> None:
    ranker = fit()
    ranker.save(tmp_path / "index")
    files = {path.name for path in (tmp_path / "index").rglob("*") if path.is_file()}
    assert files == {
        *("index.json", "methods.npy", "document_vectors.npy"),
        *("weights.safetensors", "vocabularies.json", "about.json"),
    }
    again = JointEncoder(options={})
    again.load(tmp_path / "index", corpus=CORPUS)
    assert show(again.search(QUERIES, k=6)) == show(ranker.search(QUERIES, k=6))
    again.save(tmp_path / "other")
    for name in ("document_vectors.npy", "query_encoder/weights.safetensors"):
        assert (tmp_path / "index" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    other = make_documents(["some"] * 6, corpus_hash="other")
    with pytest.raises(DataError, match="another corpus_hash"):
        JointEncoder(options={}).load(tmp_path / "index", corpus=other)


def test_java_methods_are_split_without_the_comment_above_dev_160(tmp_path: Path) -> None:
    code = "void open(File file) { read(file); // now\n}"
    methods = make_methods(tmp_path, [(code, "/** open */"), ("void a() { }", None)])
    seen: list[list[str]] = []

    class Recorder(Encoder):
        def embed_code(self, language: str, codes: Any) -> Any:
            assert language == "java"
            seen.extend(codes)
            return super().embed_code(language, codes)

    vectors = encode_methods(CorpusFolder(methods.path), 2, Recorder(*make_parts(WORDS)))
    assert seen == [tokenize_java(code), ["void", "a", "(", ")", "{", "}"]]
    assert seen[0][-2:] == ["// now", "}"]
    assert vectors.shape == (2, 8)


@pytest.mark.parametrize("network", ["nbow", "cnn", "rnn", "self_attention"])
def test_equal_methods_have_equal_bits_however_they_are_divided(
    monkeypatch: pytest.MonkeyPatch, network: str
) -> None:
    monkeypatch.setattr(vector_ranker, "_CHUNK", 2)
    encoder = Encoder(*make_parts(WORDS, network=network))
    vectors = encode_methods(Tokens(), 6, encoder)
    assert vectors[0].tobytes() == vectors[2].tobytes()
    assert not vectors[4].any()
    assert vectors.tobytes() == encode_methods(Tokens(size=1), 6, encoder).tobytes()


def test_what_cannot_be_encoded_ends_in_one_line() -> None:
    encoder = Encoder(*make_parts(WORDS, ["go"]))
    with pytest.raises(ConfigurationError, match="was not trained on 'java'") as refused:
        encode_methods(Tokens(), 6, encoder)
    assert "\n" not in str(refused.value)
    encoder = Encoder(*make_parts(WORDS))
    for count in (5, 7):
        with pytest.raises(DataError, match="holds another number of methods than its words"):
            encode_methods(Tokens(), count, encoder)
    parts = make_parts(WORDS)
    parts[0]["code.java.table"][:] = 3e38
    with np.errstate(all="ignore"), pytest.raises(DataError, match="a vector that is not finite"):
        encode_methods(Tokens(), 6, Encoder(*parts))
