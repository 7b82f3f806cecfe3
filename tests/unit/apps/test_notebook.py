"""Rankers side by side on the sample, ids of other tools, functions as rankers, own code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ncsbench
from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.document_ids import iterate_places, write_document_id
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_questions
from tests.own_code_folder import call, code  # noqa: F401
from tests.sample_corpus import build_sample_corpus

TABLE = "resources/sample/expected/results/sample/table1.csv"
JUDGES = {"pruned_jaccard_leaf": "", "dice": "strict_", "charged_overlap": "charged_"}


@pytest.fixture(scope="module")
def sample() -> ncsbench.Dataset:
    return ncsbench.load_sample()


@pytest.fixture(scope="module")
def bm25(sample: ncsbench.Dataset) -> ncsbench.Ranker:
    return ncsbench.create_ranker("bm25", sample.corpus)


@ncsbench.ranker
def longest(question: str, corpus: ncsbench.Corpus) -> dict[int, int]:
    assert question
    return corpus.methods(columns=["lines"]).set_index("method_id")["lines"].to_dict()


def test_figures_of_an_experiment_are_those_of_table_1(
    root: Path, sample: ncsbench.Dataset, bm25: ncsbench.Ranker
) -> None:
    table = ncsbench.read_table(root / TABLE).set_index("model")
    names = ["bm25", "elasticsearch_like"]
    compared = [bm25, names[1], longest, ("five", bm25.search(sample.questions, k=5))]
    found = ncsbench.experiment(
        compared, sample, baseline="bm25", measures=["RR@50", "Success@5", "AP"]
    )
    found = found.set_index(["judge", "measure", "model"])
    assert len(found) == 3 * 3 * 4
    for judge, prefix in JUDGES.items():
        for name in names:
            of_judge = found.loc[judge].xs(name, level="model")
            row = table.loc[name]
            assert round(of_judge.loc["RR@50", "value"], 6) == row[f"{prefix}mrr"]
            assert of_judge.loc["Success@5", "value"] * 40 == pytest.approx(
                row[f"{prefix}answered_5"]
            )
    assert found.xs("bm25", level="model")["p_holm"].isna().all()
    others = found.drop(index="bm25", level="model")
    assert (others["difference_low"] <= others["difference"]).all()
    assert others["p_holm"].between(0, 1).all() and (others["p_holm"] < 0.05).any()
    strict = found.loc["dice"].loc["AP"]
    assert strict.loc["longest", "difference"] == pytest.approx(
        strict.loc["longest", "value"] - strict.loc["bm25", "value"]
    )
    assert strict.loc["five", "value"] < strict.loc["bm25", "value"]


def test_p_and_intervals_are_those_of_the_functions_behind_the_tables(
    sample: ncsbench.Dataset, bm25: ncsbench.Ranker
) -> None:
    by_model = {"mine": longest, "base": bm25}
    means = ncsbench.experiment(by_model, sample, baseline="base", measures="RR@50")
    each = ncsbench.experiment(by_model, sample, measures="RR@50", per_question=True)
    assert list(each) == ["judge", "threshold", "measure", "model", "query_id", "value"]
    assert each["query_id"].tolist()[:40] == list(range(1, 41)) and len(each) == 3 * 2 * 40
    keys = ["judge", "model"]
    assert each.groupby(keys)["value"].mean().to_dict() == pytest.approx(
        means.set_index(keys)["value"].to_dict()
    )
    judged = ncsbench.judge_rankings(bm25.search(sample.questions), sample.questions, sample.corpus)
    figures = ncsbench.evaluate_rankings(judged, sample.questions)
    lenient = means[(means["judge"] == "pruned_jaccard_leaf") & (means["model"] == "base")].iloc[0]
    assert [figures[name] for name in ("mrr", "mrr_low", "mrr_high")] == pytest.approx(
        [lenient[name] for name in ("value", "low", "high")]
    )


def test_texts_are_ids_of_questions_and_document_ids_those_of_methods(
    sample: ncsbench.Dataset, bm25: ncsbench.Ranker
) -> None:
    questions = sample.questions.rename(columns={"query_id": "qid", "question": "query"})
    texts = questions.assign(qid="q" + questions["qid"].astype(str))
    names = list(map(write_document_id, iterate_places(CorpusFolder(sample.corpus.folder))))
    plain = bm25.search(sample.questions, k=10)
    named = bm25.search(texts, k=10)
    assert named["query_id"].tolist() == [f"q{id_}" for id_ in plain["query_id"]]
    other = pd.DataFrame(
        {"qid": named["query_id"], "docno": [names[id_] for id_ in named["method_id"]]}
    ).assign(score=named["score"])
    other = other.sample(frac=1, random_state=1)
    dataset = ncsbench.Dataset(sample.corpus, texts)
    assert repr(dataset) == "Dataset(40 questions, 925 methods)"
    found = ncsbench.experiment({"a": other}, dataset, measures=["AP"])
    expected = ncsbench.experiment({"a": plain}, sample, measures=["AP"])
    pd.testing.assert_frame_equal(found, expected)
    judged = ncsbench.judge_rankings(other, texts, sample.corpus)
    assert judged["docno"].tolist() == other["docno"].tolist()
    again = ncsbench.judge_rankings(plain, sample.questions, sample.corpus)
    assert ncsbench.evaluate_rankings(judged, texts) == ncsbench.evaluate_rankings(
        again, sample.questions
    )
    with pytest.raises(ncsbench.NcsbenchError, match="row 0: q99 is not one of the questions"):
        ncsbench.judge_rankings(other.assign(qid="q99"), texts, sample.corpus)
    with pytest.raises(ncsbench.NcsbenchError, match=r"C\.java:1' is no document of this"):
        ncsbench.judge_rankings(other.assign(docno="a/b/C.java:1"), texts, sample.corpus)


def test_methods_are_all_or_in_the_order_given(sample: ncsbench.Dataset) -> None:
    corpus = sample.corpus
    assert repr(corpus).startswith("Corpus(925 methods in ")
    assert corpus.methods(columns=["lines"])["method_id"].tolist() == list(range(925))
    assert corpus.methods([7, 3, 7, "12"])["method_id"].tolist() == [7, 3, 12]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([9, 4, 7], [9, 4, 7]),
        ({4: 1.0, 9: 2, 3: 1.0}, [9, 3, 4]),
        (pd.DataFrame({"docno": [5, 6], "score": [0.1, 0.2]}), [6, 5]),
        ([], []),
    ],
)
def test_a_function_of_question_and_corpus_is_a_ranker(
    found: Any, expected: list[int], sample: ncsbench.Dataset
) -> None:
    @ncsbench.ranker
    def mine(question: str, corpus: ncsbench.Corpus) -> Any:
        return found if question == "a" and len(corpus) else []

    made = mine(sample.corpus)
    assert repr(made) == "Ranker(mine on 925 methods)"
    results = made.search(["b", "a"], k=3)
    assert results["method_id"].tolist() == expected
    assert set(results["query_id"]) <= {2}
    assert made.search("a", k=2)["method_id"].tolist() == expected[:2]


def test_the_sample_is_the_corpus_of_the_workflow(
    root: Path, sample: ncsbench.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data/mine"
    corpus = build_sample_corpus(root, folder)
    assert ncsbench.load_corpus(corpus).corpus_hash == sample.corpus.corpus_hash
    questions = read_questions([root / "resources/sample/questions.json"])
    write_table(folder / "questions.parquet", questions, QUESTION_SCHEMA)
    monkeypatch.chdir(tmp_path)
    for named in ("mine", folder):
        pd.testing.assert_frame_equal(ncsbench.load_dataset(named).questions, sample.questions)
    monkeypatch.setattr("ncsbench.pipeline.runs.library_models.find_home", lambda: tmp_path)
    with pytest.raises(ncsbench.NcsbenchError, match="the sample is in a checkout of ncsbench"):
        ncsbench.load_sample()


@pytest.mark.usefixtures("code")
def test_the_index_of_own_code_is_searched() -> None:
    assert call("index", ".").exit_code == 0
    index = ncsbench.load_index(".")
    assert repr(index) == "Ranker(code_bm25 on 5 methods)"
    found = index.search("close the soft keyboard", k=1)
    places = index.corpus.methods(found["method_id"], ["path", "start_line"])
    assert places.values.tolist() == [[found["method_id"][0], "src/Keyboard.java", 3]]
    with pytest.raises(ncsbench.NcsbenchError, match="holds no index"):
        ncsbench.load_index("..")


def test_files_of_exports_are_read(tmp_path: Path) -> None:
    texts = {
        "qrels_strict.txt": "1 0 o/r/A.java:3 1\n2 0 o/r/B.java:9#2 0\n",
        "strict.tsv": "query-id\tcorpus-id\tscore\n1\to/r/A.java:3\t1\n",
        "bm25.trec": "1 Q0 o/r/A.java:3 1 2.5 bm25@f0c9c0636b0f\n",
        "queries.jsonl": '{"_id": "1", "text": "close", "metadata": {}}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = {name: ncsbench.read_table(tmp_path / name) for name in texts}
    assert found["qrels_strict.txt"].values.tolist() == [
        [1, "o/r/A.java:3", 1],
        [2, "o/r/B.java:9#2", 0],
    ]
    assert found["bm25.trec"].to_dict("records") == [
        {"query_id": 1, "method_id": "o/r/A.java:3", "rank": 1, "score": 2.5}
    ]
    assert found["strict.tsv"]["corpus-id"].tolist() == ["o/r/A.java:3"]
    assert found["queries.jsonl"]["_id"].tolist() == ["1"]
    (tmp_path / "queries.jsonl").write_text("{")
    with pytest.raises(ncsbench.NcsbenchError, match=r"queries\.jsonl: is damaged"):
        ncsbench.read_table(tmp_path / "queries.jsonl")


def test_names_are_listed() -> None:
    names: dict[str, Any] = {}
    exec("from ncsbench import *", names)  # noqa: S102
    assert {"experiment", "ranker"} <= names.keys() & set(dir(ncsbench))
    assert "bm25" in ncsbench.list_models()


def test_mistakes_of_an_experiment_are_one_line(
    sample: ncsbench.Dataset, bm25: ncsbench.Ranker
) -> None:
    ranking = bm25.search(sample.questions, k=2)
    anything: Any = bm25

    @ncsbench.ranker
    def wrong(question: str, corpus: ncsbench.Corpus) -> Any:
        return {0: "high"} if question == "a" else len(corpus)

    def plain(question: str, corpus: ncsbench.Corpus) -> Any:
        return []

    mistakes: dict[str, Callable[[], Any]] = {
        "dataset: must be a dataset": lambda: ncsbench.experiment([bm25], anything),
        "rankers: give a list, (name, frame)": lambda: ncsbench.experiment(anything, sample),
        'for a frame, or {"a": frame}': lambda: ncsbench.experiment([ranking], sample),
        "plain: put @ncsbench.ranker above": lambda: ncsbench.experiment([plain], sample),
        "no/index: there is no such folder": lambda: ncsbench.load_index("no/index"),
        "two have the name 'bm25'": lambda: ncsbench.experiment([bm25, "bm25"], sample),
        "baseline 'ncs': must be one of": lambda: ncsbench.experiment(
            [bm25, longest], sample, baseline="ncs"
        ),
        "measure 'MAP': is unknown": lambda: ncsbench.experiment([bm25], sample, measures=["MAP"]),
        "mine: column 'query_id', row 0: -1 is": lambda: ncsbench.experiment(
            {"mine": ranking.assign(query_id=-1)}, sample
        ),
        "x: ranker: must be a ranker,": lambda: ncsbench.experiment({"x": 3}, sample),
        "corpus: must be what": lambda: longest(anything),
        "model wrong: column 'score', row 0": lambda: wrong(sample.corpus).search("a"),
        "model wrong: ids of methods are needed": lambda: wrong(sample.corpus).search("b"),
        "frame of questions is empty": lambda: ncsbench.Dataset(
            sample.corpus, sample.questions[:0]
        ),
    }
    for message, mistake in mistakes.items():
        with pytest.raises(ncsbench.NcsbenchError) as caught:
            mistake()
        assert message in str(caught.value) and "\n" not in str(caught.value)
