from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.runs.trec_files import write_run
from ncsbench.base.text.words import split_tokens
from ncsbench.corpus.indexes.top_results import collect_run
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import Documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.vectors.ncs_postrank import (
    PostRank,
    score_rules,
)
from tests.ranked_runs import make_run
from tests.sample_corpus import build_sample_corpus
from tests.synthetic_documents import make_documents


def read_rules(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rules held, shape (methods, rules), by the scores of a run."""
    held = np.floor(scores / 4 + 0.5).astype(np.int64)
    return (held[:, None] >> np.arange(6)) & 1 == 1


class ByCosine:
    """A base with given cosines for every query."""

    options_type = RankerOptions

    def __init__(self, cosines: Mapping[int, float]) -> None:
        self.cosines = cosines
        self.asked: list[int] = []

    def fit(self, *, corpus: Documents, **inputs: Any) -> None: ...

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        self.asked.append(k)
        order = sorted(self.cosines, key=lambda i: (-self.cosines[i], i))[:k]
        ids = np.array(order, dtype=np.int64)
        scores = np.array([self.cosines[i] for i in order])
        return collect_run((query.query_id, (ids, scores)) for query in queries)

    def save(self, folder: Path) -> None: ...

    def load(self, folder: Path, *, corpus: Documents) -> None: ...


class Texts(CorpusFolder):
    """A corpus of given codes, whose class is Host."""

    codes: ClassVar[Sequence[str]] = ()

    def read_methods(self, ids: Iterable[int], columns: list[str]) -> dict[int, dict[str, Any]]:
        found = {"class_name": "Host", "comment": None}
        return {id_: {"id": id_, **found, "code": self.codes[id_]} for id_ in ids}


def make_texts(*codes: str) -> Documents:
    """Methods with the given codes, whose words no query has."""
    methods = Texts(Path("nowhere"))
    object.__setattr__(methods, "codes", codes)
    return make_documents(["none"] * len(codes), methods=methods)


FORMER = {"unsplit_in": "identifiers", "unsplit_counts": "content"}


def rank(
    query: str, corpus: Documents, cosines: Sequence[float], k: int = 100, **options: object
) -> list[int]:
    base = ByCosine(dict(enumerate(cosines)))
    options = {"stop_words": ["how", "to"], **options}
    if corpus.methods is None:
        options = {**FORMER, **options}
    ranker = PostRank(options=options, base=base, seed=0)
    ranker.fit(corpus=corpus)
    run = ranker.search([Query(1, query)], k=k)
    assert np.all(np.diff(run.scores) <= 0)
    return run.ids.tolist()


def test_each_rule_outweighs_all_before_it_and_the_cosine() -> None:
    # Method i holds rule i at most (and those it implies); the cosine says the opposite.
    corpus = make_documents(
        ["", "", "", "convert pixel", "convert pixel dp", "", "convert pixel dp"],
        identifiers=["", "", "", "", "", "convert pixel", "convert pixel dp"],
        lines=[2, 3, 2, 2, 2, 2, 2],
        token_counts=[9, 9, 10, 9, 9, 9, 9],
    )
    cosines = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, -0.9]
    assert rank("convert pixel dp", corpus, cosines) == [6, 5, 4, 3, 2, 1, 0]


def test_the_order_is_that_of_six_stable_sorts() -> None:
    generator = np.random.default_rng(8)
    words = np.array(["convert", "pixel", "dp", "other"])
    texts = [" ".join(words[generator.random(4) < 0.6]) for _ in range(300)]
    names = [" ".join(words[generator.random(4) < 0.6]) for _ in range(300)]
    lines, tokens = generator.integers(1, 6, size=300), generator.integers(5, 15, size=300)
    corpus = make_documents(texts, identifiers=names, lines=lines, token_counts=tokens)
    cosines = generator.choice([0.1, 0.2, 0.3, 0.4], size=300)
    order = sorted(range(300), key=lambda i: (-cosines[i], i))
    wanted = {"convert", "pixel", "dp"}
    missing_words = [len(wanted - set(text.split())) for text in texts]
    missing_tokens = [len(wanted - set(text.split())) for text in names]
    for rule in (
        lambda i: lines[i] >= 3,
        lambda i: tokens[i] >= 10,
        lambda i: missing_words[i] <= 1,
        lambda i: missing_words[i] == 0,
        lambda i: missing_tokens[i] <= 1,
        lambda i: missing_tokens[i] == 0,
    ):
        order.sort(key=rule, reverse=True)
    assert rank("convert pixel dp", corpus, cosines.tolist(), k=300) == order


def test_words_are_split_and_tokens_are_not() -> None:
    corpus = make_documents(["get view", "get view"], identifiers=["get view", "getview"])
    assert rank("getView", corpus, [0.9, 0.1]) == [1, 0]


def test_dev19_stop_words_do_not_count_in_n() -> None:
    corpus = make_documents(["", "pixel dp"])
    assert rank("how to pixel dp", corpus, [0.9, 0.1]) == [1, 0]
    # Counted, four are wanted and two of them missing: no rule holds.
    assert rank("how to pixel dp", corpus, [0.9, 0.1], stop_words=[]) == [0, 1]


def test_unsplit_tokens_are_looked_for_in_the_text_dev_84() -> None:
    corpus = make_texts(
        "void a() { }",
        "void b(AsyncTask task) { }",
        "/** Starts an asynctask. */ void c() { }",
        'void d() { x = new MyAsyncTask("async task"); }',
        "void e() { run(AsyncTask.execute); }",
    )
    cosines = [0.9, 0.8, 0.7, 0.6, 0.5]
    # Type, comment and receiver count, without regard to case; parts of a token do not.
    assert rank("AsyncTask execute", corpus, cosines) == [4, 1, 2, 0, 3]
    assert rank("host AsyncTask", corpus, cosines) == [1, 2, 4, 0, 3]
    # No method has the type among names, calls and constants.
    assert rank("AsyncTask execute", corpus, cosines, unsplit_in="identifiers") == [0, 1, 2, 3, 4]


def test_stop_words_count_in_m_dev_84() -> None:
    corpus = make_texts("void go(Intent intent) { }", "/* How to show one */ void go() { }")
    cosines = [0.9, 0.8]
    assert rank("how to show Intent", corpus, cosines) == [1, 0]
    assert rank("how to show Intent", corpus, cosines, unsplit_counts="content") == [0, 1]
    assert rank("how to", corpus, cosines) == [1, 0]
    assert rank("how to", corpus, cosines, unsplit_counts="content") == [0, 1]


def test_the_text_is_needed_where_it_is_looked_at() -> None:
    ranker = PostRank(options={}, base=ByCosine({0: 1.0}), seed=0)
    for attach in (ranker.fit, lambda corpus: ranker.load(Path("x"), corpus=corpus)):
        with pytest.raises(ConfigurationError, match="needs the text of the methods; give the"):
            attach(corpus=make_documents(["a"]))


def test_dev19_a_word_that_the_corpus_lacks_is_counted() -> None:
    corpus = make_documents(["", "pixel"])
    assert rank("pixel strange things", corpus, [0.9, 0.1]) == [0, 1]
    assert rank("pixel strange", corpus, [0.9, 0.1]) == [1, 0]


def test_without_a_word_that_counts_rules_3_to_6_hold_for_all() -> None:
    corpus = make_documents(["", "pixel"], lines=[2, 3])
    assert rank("how to", corpus, [0.9, 0.1]) == [1, 0]
    base = ByCosine({0: 0.5, 1: 0.25})
    ranker = PostRank(options={"stop_words": ["how"], **FORMER}, base=base, seed=0)
    ranker.fit(corpus=corpus)
    run = ranker.search([Query(1, "how")], k=2)
    assert run.scores.tolist() == [4 * 63 + 0.25, 4 * 62 + 0.5]


def test_rule_2_can_count_words() -> None:
    corpus = make_documents(["a", "a " * 10], token_counts=[10, 9])
    assert rank("b c d", corpus, [0.5, 0.4]) == [0, 1]
    assert rank("b c d", corpus, [0.5, 0.4], rule_2_tokens="words") == [1, 0]


def test_only_the_candidates_are_put_in_order() -> None:
    corpus = make_documents(["", "", "dp"])
    assert rank("dp", corpus, [0.3, 0.2, 0.1], depth=2) == [0, 1]
    assert rank("dp", corpus, [0.3, 0.2, 0.1], depth=3, k=1) == [2]


def test_wrong_depths_are_refused() -> None:
    with pytest.raises(ConfigurationError):
        rank("dp", make_documents(["dp"]), [0.5], k=0)


def test_the_text_is_that_of_the_corpus_dev_84(root: Path, tmp_path: Path) -> None:
    methods = CorpusFolder(build_sample_corpus(root, tmp_path))
    corpus = build_documents(methods, WordOptions())
    base = ByCosine(dict.fromkeys(range(len(corpus)), 0.5))
    queries = [Query(1, "the BufferedReader of a File"), Query(2, "String"), Query(3, "")]
    ranker = PostRank(options={"depth": len(corpus)}, base=base, seed=0)
    ranker.fit(corpus=corpus)
    run = ranker.search(queries, k=len(corpus))
    texts = {
        row["id"]: {*split_tokens(f"{row['class_name']} {row['comment'] or ''} {row['code']}")}
        for table in methods.iterate_methods(["id", "class_name", "comment", "code"])
        for row in table.to_pylist()
    }
    for query in queries:
        wanted = set(split_tokens(query.text))
        of_query = run.query_ids == query.query_id
        for id_, held in zip(run.ids[of_query], read_rules(run.scores[of_query]), strict=True):
            missing = len(wanted - texts[id_])
            assert held[4:].tolist() == [missing <= 1, missing == 0]
    assert read_rules(run.scores[run.query_ids == 2])[:, 5].any()


LINES, TOKENS, ALL_UNSPLIT = 1, 2, 32


def run_of(*scores: list[float]) -> Run:
    """A question for each list."""
    lengths = [len(each) for each in scores]
    return make_run(
        query_ids=np.repeat(np.arange(1, len(scores) + 1), lengths),
        ids=np.arange(sum(lengths)),
        scores=np.array([score for each in scores for score in each]),
        depth=500,
    )


@given(st.lists(st.tuples(st.integers(0, 63), st.floats(-1, 1)), min_size=1))
def test_no_cosine_outweighs_a_rule(methods: list[tuple[int, float]]) -> None:
    held = np.array([[(bits >> bit) & 1 == 1 for bit in range(6)] for bits, _ in methods])
    scores = score_rules(list(held.T), np.array([cosine for _, cosine in methods]))
    assert scores.tolist() == [4 * bits + cosine for bits, cosine in methods]
    assert np.array_equal(read_rules(scores), held)


def test_the_page_reads_the_rules_from_a_run_dev_84(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = [4 * (LINES + TOKENS + ALL_UNSPLIT) + 0.5, 4 * LINES + 0.9, -0.5]
    second = [4 * (LINES + TOKENS) + 0.1, 4 * (LINES + TOKENS) - 0.1]
    path = tmp_path / "results/sample/runs/ncs_postrank.trec.gz"
    write_run(path, run_of(first, second), tag="x", corpus_hash="ab" * 32)
    monkeypatch.chdir(tmp_path)
    page = (root / "docs/models.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(import ncsbench\n.*?)^```", page, re.M | re.S)
    exec(code, {})  # noqa: S102
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in told if line[1] != "0"] == [
        ["1", "4", "2"],
        ["2", "3", "2"],
        ["6", "1", "1"],
    ]
