"""BM25 over two fields: scores by hand, a plain re-implementation, indexes, mistakes."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.base.text.elasticsearch_analyzers import analyze_text
from ncsbench.base.text.words import split_words
from ncsbench.corpus.indexes.text_field import round_lengths
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.lexical.elasticsearch_like import ElasticsearchLike
from tests.synthetic_documents import make_documents

Method = tuple[str, str, str]
"""Name, comment and code."""

METHODS: list[Method] = [
    ("openFile", "/** Opens a file. */", "void openFile() { }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("show_view", "", "void show_view(View view) { view.show(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("获取", "", "int 获取() { return 1; }"),
]


def write_corpus(
    folder: Path, methods: list[Method], shards: int = 2, classes: list[str] | None = None
) -> CorpusFolder:
    corpus = CorpusFolder(folder)
    cuts = [round(len(methods) * shard / shards) for shard in range(shards + 1)]
    write_json(corpus.manifest_path, {"shards": [{}] * shards, "corpus_hash": "synthetic"})
    texts = dict.fromkeys(("repository", "path", "filepath", "class_name"), "x")
    numbers = dict.fromkeys(("start_line", "end_line", "lines", "tokens"), 1)
    for shard in range(shards):
        rows = [
            {**texts, **numbers, "id": i, "method_name": name, "comment": comment, "code": code}
            for i, (name, comment, code) in list(enumerate(methods))[cuts[shard] : cuts[shard + 1]]
        ]
        for row in rows if classes else ():
            row["class_name"] = classes[row["id"]]
        path = corpus.shard_paths("methods", shards)[shard]
        write_table(path, pa.Table.from_pylist(rows, METHOD_SCHEMA), METHOD_SCHEMA)
    return corpus


def fitted(
    methods: list[Method] = METHODS,
    *,
    shards: int = 2,
    classes: list[str] | None = None,
    **options: object,
) -> ElasticsearchLike:
    ranker = ElasticsearchLike(options=options)
    with tempfile.TemporaryDirectory() as folder:
        corpus = write_corpus(Path(folder), methods, shards, classes)
        ranker.fit(corpus=make_documents([""] * len(methods)), methods=corpus)
    return ranker


def plain_scores(
    methods: list[Method], query: str, *, k1: float = 1.2, b: float = 0.75
) -> list[float]:
    """The formula of the module's head, method by method, with exact lengths."""
    fields = [
        [analyze_text(" ".join(split_words(name))) for name, _, _ in methods],
        [analyze_text(comment + " " + code) for _, comment, code in methods],
    ]
    best = [0.0] * len(methods)
    for texts in fields:
        having = [text for text in texts if text]
        average = sum(map(len, having)) / (len(having) or 1)
        for number, text in enumerate(texts):
            score = 0.0
            for token in analyze_text(query):
                df = sum(token in other for other in having)
                tf = text.count(token)
                if tf:
                    idf = math.log(1 + (len(having) - df + 0.5) / (df + 0.5))
                    score += idf * tf / (tf + k1 * (1 - b + b * len(text) / average))
            best[number] = max(best[number], score)
    return best


def test_a_score_by_hand_dev_72() -> None:
    """Name: 5 methods of 2, 2, 2, 2 and 2 tokens; ``open`` in one of them, and so in the text."""
    idf = math.log(1 + (5 - 1 + 0.5) / (1 + 0.5))
    score = fitted().score("open")
    assert score.dtype == np.float64
    assert score.tolist() == [pytest.approx(idf * 1 / (1 + 1.2), rel=1e-15), 0, 0, 0, 0]


def test_the_text_is_comment_and_code_dev_71() -> None:
    ranker = fitted()
    assert np.flatnonzero(ranker.score("opens")).tolist() == [0]
    assert np.flatnonzero(ranker.score("return")).tolist() == [1, 3, 4]
    assert np.flatnonzero(ranker.score("x")).tolist() == []


def test_names_are_split_in_words_and_texts_are_not() -> None:
    ranker = fitted()
    for query, found in (
        ("show", [2]),
        ("show_view", [2]),
        ("view.show", [2]),
        ("readfile", [1, 3]),
        ("file.read", [1, 3]),
        ("获", [4]),
        ("void string", [0, 1, 2, 3]),
    ):
        assert np.flatnonzero(ranker.score(query)).tolist() == found, query


def test_the_larger_field_counts_or_the_sum_of_both_dev_74() -> None:
    larger, added = fitted().score("view"), fitted(query="most_fields").score("view")
    name = fitted([(name, "", "") for name, _, _ in METHODS]).score("view")
    text = fitted([("", comment, code) for _, comment, code in METHODS]).score("view")
    np.testing.assert_array_equal(larger, np.maximum(name, text))
    np.testing.assert_array_equal(added, name + text)
    assert 0 < name[2] < text[2] or 0 < text[2] < name[2]


CLASSES = ["VCardFile", "Files", "Views", "VCardFile", "Views"]
NAMED = {"tokenizer": "camel_case_joined", "query": "most_fields", "class_name": True}


def test_class_names_are_searched_where_they_are_a_field(tmp_path: Path) -> None:
    ranker = fitted(classes=CLASSES, **NAMED)
    for query, found in (
        ("vcard", [0, 3]),
        ("VCard", [0, 3]),
        ("card", [0, 3]),
        ("VCardFile", [0, 1, 3]),
        ("views", [2, 4]),
    ):
        assert np.flatnonzero(ranker.score(query)).tolist() == found, query
    without = fitted(classes=CLASSES, **(NAMED | {"class_name": False}))
    assert not without.score("vcard").any()
    np.testing.assert_array_equal(without.score("view"), ranker.score("view"))
    ranker.save(tmp_path)
    loaded = ElasticsearchLike(options=NAMED)
    loaded.load(tmp_path, corpus=make_documents([""] * len(METHODS)))
    np.testing.assert_array_equal(loaded.score("VCard.x"), ranker.score("VCard.x"))


def test_a_method_that_is_named_in_full_comes_first() -> None:
    loud = ("testReadFile", "", "void testReadFile() { new VCardFile().readFile(); }" * 9)
    ranker = fitted([*METHODS, loud], classes=[*CLASSES, "VCardFileTest"], **NAMED)
    for query in ("VCardFile.readFile", "VCardFile#readFile()", "use VCardFile::readFile"):
        assert ranker.search([Query(1, query)], k=1).ids.tolist() == [3], query
    hostile = " ".join(["VCardFile.readFile Files.readFile"] * 2000)
    assert np.isfinite(ranker.score(hostile)).all()


def test_only_methods_with_the_field_count_in_its_statistics() -> None:
    methods = [("open", "", "a"), ("", "", "b"), ("", "", "c"), ("read", "", "d")]
    expected = math.log(1 + (2 - 1 + 0.5) / 1.5) / 2.2
    assert fitted(methods).score("open")[0] == pytest.approx(expected, rel=1e-15)


def test_a_repeated_token_counts_twice() -> None:
    ranker = fitted()
    np.testing.assert_array_equal(ranker.score("open open"), 2 * ranker.score("open"))


def test_lengths_are_rounded_like_lucenes_byte() -> None:
    exact = list(range(41))
    lengths = [*exact, 41, 42, 43, 55, 56, 59, 60, 1000, 2**31 - 1]
    expected = [*exact, 40, 42, 42, 54, 56, 56, 60, 984, 2013265944]
    assert round_lengths(np.array(lengths, np.int32)).tolist() == expected
    assert len(np.unique(round_lengths(np.arange(1_000_000, dtype=np.int32)))) < 256


def test_lengths_are_rounded_unless_told_otherwise() -> None:
    methods = [("f", "", "word " * 42), ("f", "", "word " * 43), ("f", "", "other")]
    assert fitted(methods).score("word")[0] < fitted(methods).score("word")[1]
    lossy, exact = (fitted(methods, lossy_lengths=lossy).score("word") for lossy in (True, False))
    assert lossy[0] == exact[0]
    assert lossy[1] > exact[1]


words = st.lists(st.sampled_from("open read show view file the a.b it's 3.14".split()), max_size=12)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(words.map("_".join), words.map(" ".join), words.map(" ".join)), max_size=9),
    words.map(" ".join),
    st.floats(0, 5),
    st.floats(0, 1),
    st.integers(1, 3),
)
def test_scores_are_those_of_a_plain_re_implementation(
    methods: list[Method], query: str, k1: float, b: float, shards: int
) -> None:
    ranker = fitted(methods, shards=shards, k1=k1, b=b, lossy_lengths=False)
    plain = plain_scores(methods, query, k1=k1, b=b)
    np.testing.assert_allclose(ranker.score(query), plain, rtol=1e-12)
    run = ranker.search([Query(7, query)], k=4)
    scores = ranker.score(query)
    ordered = sorted(np.flatnonzero(scores).tolist(), key=lambda i: (-scores[i], i))
    assert run.ids.tolist() == ordered[:4]
    assert run.query_ids.tolist() == [7] * len(ordered[:4])


def test_an_index_of_another_corpus_or_other_options_is_refused(tmp_path: Path) -> None:
    fitted().save(tmp_path)
    corpus = make_documents([""] * len(METHODS))
    with pytest.raises(DataError, match="another options"):
        ElasticsearchLike(options={"b": 1}).load(tmp_path, corpus=corpus)
    with pytest.raises(DataError, match="another corpus_hash"):
        other = make_documents([""] * len(METHODS), corpus_hash="other")
        ElasticsearchLike(options={}).load(tmp_path, corpus=other)
    (tmp_path / "text.methods.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(DataError, match=r"text\.methods\.npy: cannot be read"):
        ElasticsearchLike(options={}).load(tmp_path, corpus=corpus)


def test_the_text_of_the_methods_is_needed_and_must_be_that_of_the_words(tmp_path: Path) -> None:
    ranker = ElasticsearchLike(options={})
    with pytest.raises(ConfigurationError, match="fit needs the input 'methods'"):
        ranker.fit(corpus=make_documents([""]))
    corpus = write_corpus(tmp_path, METHODS)
    with pytest.raises(DataError, match="not the corpus that the words were taken from"):
        ranker.fit(corpus=make_documents([""] * 5, corpus_hash="other"), methods=corpus)
    with pytest.raises(DataError, match="5 methods are indexed, but the corpus has 4"):
        ranker.fit(corpus=make_documents([""] * 4), methods=corpus)


@pytest.mark.parametrize("methods", [[], [("", "", "")], [("_", "/***/", "{ }")] * 2])
def test_a_corpus_without_tokens_gives_empty_rankings(
    methods: list[Method], tmp_path: Path
) -> None:
    ranker = fitted(methods)
    assert len(ranker.search([Query(1, "open"), Query(2, "")], k=3).ids) == 0
    ranker.save(tmp_path / "index")
    ranker.load(tmp_path / "index", corpus=make_documents([""] * len(methods)))
    assert len(ranker.search([Query(1, "open")], k=3).ids) == 0


def test_camel_case_is_split_in_methods_and_queries_dev_101() -> None:
    standard, split = fitted(), fitted(tokenizer="camel_case")
    # The code has openFile and file.read as one token each; the comment of the first has "file".
    assert np.flatnonzero(standard.score("void openfile")).tolist() == [0, 2]
    assert np.flatnonzero(split.score("openFile")).tolist() == [0, 1, 3]
    assert np.flatnonzero(split.score("openfile")).tolist() == []
