"""The public names: what they promise, on the sample."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ncsbench
from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import write_run
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, list_made
from ncsbench.pipeline.runs.library_models import choose_model, load_configured
from ncsbench.rankers.learnt_kinds import LearntBlocks
from tests.sample_corpus import build_sample_corpus

EXPECTED = "resources/sample/expected/results/sample/table1.csv"
FIGURES = ["answered_1", "answered_5", "answered_10", "mrr", "mrr_low", "mrr_high"]


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as it is after a run of the workflow, as far as the pages need it."""
    folder = tmp_path_factory.mktemp("project")
    build_sample_corpus(root, folder / "data/sample")
    (folder / "resources").symlink_to(root / "resources")
    (folder / "results").mkdir()
    shutil.copy(root / EXPECTED, folder / "results/table1.csv")
    return folder


@pytest.fixture
def corpus(project: Path) -> ncsbench.Corpus:
    return ncsbench.load_corpus(project / "data/sample/corpus")


@pytest.fixture
def questions(root: Path) -> pd.DataFrame:
    return ncsbench.load_questions(root / "resources/sample/questions.json")


def test_the_names_are_few_and_described() -> None:
    from ncsbench import api

    assert len(api.__all__) < 20 and dir(ncsbench) == sorted([*api.__all__, "__version__"])
    assert all(getattr(ncsbench, name).__doc__ for name in api.__all__)
    with pytest.raises(AttributeError, match="no attribute 'retrieve'"):
        _ = ncsbench.retrieve


def test_type_checkers_see_the_same_names(root: Path) -> None:
    from ncsbench import api

    text = (root / "workflow/ncsbench/__init__.py").read_text()
    assert sorted(re.findall(r"from ncsbench\.api import (\w+)", text)) == sorted(api.__all__)
    assert (root / "workflow/ncsbench/py.typed").is_file()


def test_the_import_brings_none_of_the_large_packages(root: Path) -> None:
    program = (
        "import sys, ncsbench; print({*sys.modules} & {'numpy', 'pandas', 'pyarrow', 'torch'});"
        "ncsbench.create_ranker;"
        "print({*sys.modules} & {'torch', 'faiss', 'fasttext', 'numba', 'scipy', 'tree_sitter'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "set()\nset()\n"


@pytest.mark.parametrize("page", ["README.md", "docs/own-code.md"])
def test_the_code_of_the_pages_runs(
    page: str, root: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", (root / page).read_text(), re.M | re.S)
    assert blocks or page == "README.md"
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102


def test_figures_are_those_of_table_1(
    root: Path, corpus: ncsbench.Corpus, questions: pd.DataFrame
) -> None:
    rankings = ncsbench.create_ranker("bm25", corpus).search(questions)
    judged = ncsbench.judge_rankings(rankings, questions, corpus)
    table = ncsbench.read_table(root / EXPECTED).set_index("model")
    ours = ncsbench.evaluate_rankings(judged, questions)
    assert [round(ours[name], 6) for name in FIGURES] == table.loc["bm25", FIGURES].tolist()
    strict = ncsbench.evaluate_rankings(judged, questions, judge="dice")
    assert round(strict["mrr"], 6) == table.loc["bm25", "strict_mrr"]


def test_rankings_are_frames_ordered_by_question_and_rank(corpus: ncsbench.Corpus) -> None:
    ranker = ncsbench.create_ranker("bm25", corpus)
    found = ranker.search(["read a file", "zzzz", "show a toast"], k=3)
    assert found["query_id"].tolist() == [1, 1, 1, 3, 3, 3]
    assert found["rank"].tolist() == [1, 2, 3] * 2
    pd.testing.assert_frame_equal(ranker.search("read a file", k=3), found[:3])
    shown = found.merge(corpus.methods(found["method_id"], ["code", "url"]))
    assert len(shown) == 6 and shown["code"].str.len().min() > 0


def test_an_index_of_the_workflow_is_read(corpus: ncsbench.Corpus, tmp_path: Path) -> None:
    from ncsbench.rankers.registry import create_ranker

    made = create_ranker({"kind": "bm25"}, seed=1)
    made.fit(corpus=corpus.documents)
    made.save(tmp_path / "index")
    read = ncsbench.create_ranker("bm25", corpus, index=tmp_path / "index")
    expected = ncsbench.create_ranker("bm25", corpus)
    pd.testing.assert_frame_equal(read.search("open a file"), expected.search("open a file"))


def test_a_ranker_on_another_one_has_its_options(corpus: ncsbench.Corpus) -> None:
    ranker = ncsbench.create_ranker(
        "longest_first", corpus, options={"candidates": 5}, base={"kind": "bm25"}
    )
    found = ranker.search("open a file")
    assert len(found) == 5
    lines = corpus.methods(found["method_id"], ["lines"]).set_index("method_id")["lines"]
    assert lines[found["method_id"]].tolist() == found["score"].tolist()


def test_a_ranker_with_parts_fits_them_all(corpus: ncsbench.Corpus) -> None:
    parts = {"one": {"kind": "bm25"}, "other": {"kind": "elasticsearch_like"}}
    ranker = ncsbench.create_ranker("rank_fusion", corpus, options={"k": 0}, parts=parts)
    found = ranker.search("open a file", k=30)
    first = {
        ncsbench.create_ranker(part["kind"], corpus).search("open a file", k=1)["method_id"][0]
        for part in parts.values()
    }
    assert len(found) == 30 and first <= set(found["method_id"].head(4))


def test_a_model_file_brings_options_parts_and_stop_words(
    corpus: ncsbench.Corpus, root: Path, tmp_path: Path
) -> None:
    shipped = ncsbench.create_ranker(str(root / "config/models/fused_bm25f.yaml"), corpus)
    assert shipped.search("the of and").empty and not shipped.search("open a file").empty
    file = tmp_path / "mine.yaml"
    file.write_text(
        "kind: rank_fusion\ntrained_on: none\noptions: {k: 0}\n"
        "parts: {one: bm25, other: elasticsearch_like}\n"
    )
    parts = {"one": {"kind": "bm25"}, "other": {"kind": "elasticsearch_like"}}
    same = ncsbench.create_ranker("rank_fusion", corpus, options={"k": 0}, parts=parts)
    made = ncsbench.create_ranker(str(file), corpus)
    pd.testing.assert_frame_equal(made.search("open a file"), same.search("open a file"))
    file.write_text("like: fused_bm25f\n")  # Its stop words are left out of queries.
    assert ncsbench.create_ranker(str(file), corpus).search("the of and").empty


def test_a_model_file_brings_its_words(corpus: ncsbench.Corpus, tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("like: bm25\nwords: {constructor_calls: true}\n")
    own = ncsbench.create_ranker(str(tmp_path / "words.yaml"), corpus).search("new intent")
    assert (
        own["score"].tolist()
        != ncsbench.create_ranker("bm25", corpus).search("new intent")["score"].tolist()
    )


def test_options_replace_those_of_the_model_of_that_name(corpus: ncsbench.Corpus) -> None:
    ranker = ncsbench.create_ranker("fused_bm25f", corpus, options={"query_stop_words": "kept"})
    assert not ranker.search("the of and").empty
    assert ncsbench.create_ranker("fused_bm25f", corpus).search("the of and").empty


def test_every_key_of_a_model_is_used_or_refused(root: Path) -> None:
    """A new key of ``ModelConfiguration`` is put into one of these sets after it is looked at."""
    used = {"specification", "words", "learns", "seed", "base", "parts", "path"}
    pairs = set(LearntBlocks.model_fields) - {"embedding"}
    of_tables = {"trained_on", "published_as", "beside", "name", "seen"}
    of_runs = {"source_text", "haystack", "whole"}  # text is always given, all is searched
    names = {field.name for field in fields(ModelConfiguration)}
    assert names == used | of_tables | of_runs
    for path in sorted((root / "config/models").glob("*.yaml")):
        model = choose_model(path.stem, {}, dimension=None, seed=2019)
        assert model == load_configured(path.stem)
        keys = {
            key for one in list_made([model.indexed]) for key in pairs if getattr(one.learns, key)
        }
        assert bool(model.indexed.pair_sets) == bool(keys), path.name
        again = choose_model(path.stem, {}, dimension=200, seed=7)
        assert {one.seed for one in list_made([again])} == {7}
        assert {
            one.learns.embedding.dimension for one in list_made([again]) if one.learns.embedding
        } <= {200}


def test_post_ranking_reads_the_text_of_the_corpus(corpus: ncsbench.Corpus) -> None:
    ranker = ncsbench.create_ranker("ncs_postrank", corpus, base={"kind": "bm25"})
    best = ranker.search("stamps Bundle", k=1)["method_id"]
    code = corpus.methods(best, ["code"])["code"][0]
    assert "Bundle" in code and "stamps" in code


def test_word_vectors_are_trained_where_a_ranker_needs_them(
    corpus: ncsbench.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trained for real elsewhere: here it is enough that they are handed over."""
    from tests.synthetic_documents import make_embedding

    vectors = make_embedding(corpus.documents)
    monkeypatch.setattr(
        "ncsbench.learning.training.word_vectors.train_embedding",
        lambda *args, **options: (vectors, None),
    )
    assert len(ncsbench.create_ranker("ncs", corpus).search("open a file", k=2)) == 2


def test_rankings_of_others_are_judged(corpus: ncsbench.Corpus) -> None:
    code = corpus.methods([7], ["code"])["code"][0]
    questions = pd.DataFrame({"query_id": [4, 9], "answer": [code, "no java at all?"]})
    others = pd.DataFrame({"query_id": [4, 4, 9], "rank": [1, 2, 1], "method_id": [3, 7, 7]})
    judged = ncsbench.judge_rankings(others, questions, corpus)
    assert judged["dice"].tolist()[1:] == [1.0, 0.0]
    pd.testing.assert_frame_equal(judged[list(others)], others)
    again = ncsbench.judge_rankings(judged, questions, corpus)
    pd.testing.assert_frame_equal(again, judged)
    figures = ncsbench.evaluate_rankings(judged, questions, judge="dice", threshold=0.99)
    assert (figures["questions"], figures["answered_1"], figures["mrr"]) == (2, 0, 0.25)
    none = ncsbench.evaluate_rankings(judged[:0], questions)
    assert (none["questions"], none["mrr"]) == (2, 0.0)
    assert ncsbench.judge_rankings(others[:0], questions, corpus).empty


def test_tables_keep_their_texts_and_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("model,rank,verdict\nncs,NF,\nnan,3,None\n")
    table = ncsbench.read_table(tmp_path / "t.csv")
    assert table["model"].tolist() == ["ncs", "nan"]
    assert table["rank"].tolist() == ["NF", "3"]
    assert table["verdict"].isna().tolist() == [True, False]
    run = Run(np.array([1], np.int32), np.array([5]), np.array([0.5]))
    write_run(tmp_path / "x.trec", run, tag="x")
    assert ncsbench.read_table(tmp_path / "x.trec").to_dict("records") == [
        {"query_id": 1, "rank": 1, "method_id": 5, "score": 0.5}
    ]
    table.to_parquet(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(ncsbench.read_table(tmp_path / "t.parquet"), table)


def test_mistakes_end_in_one_line(
    corpus: ncsbench.Corpus, questions: pd.DataFrame, tmp_path: Path
) -> None:
    (tmp_path / "damaged.parquet").write_text("no table")
    ranking = pd.DataFrame({"query_id": [1], "rank": [1], "method_id": [10**6]})
    mistakes = {
        "holds no built corpus; make one in data/NAME/corpus: snakemake": lambda: (
            ncsbench.load_corpus(tmp_path)
        ),
        "no.json: cannot be read": lambda: ncsbench.load_questions(tmp_path / "no.json"),
        "name a file of questions": ncsbench.load_questions,
        "unknown kind of model 'bm52'": lambda: ncsbench.create_ranker("bm52", corpus),
        "mine.yaml: a model file has its own options": lambda: ncsbench.create_ranker(
            "mine.yaml", corpus, options={"k": 1}
        ),
        "column 'query_id', row 0: Q1 is not one of the questions": lambda: ncsbench.judge_rankings(
            ranking.assign(query_id="Q1"), questions, corpus
        ),
        "fused_parts: learns from training pairs": lambda: ncsbench.create_ranker(
            "fused_parts", corpus
        ),
        "or give create_ranker the 'index' that the workflow": lambda: ncsbench.create_ranker(
            "unif", corpus
        ),
        "no column 'query_id'": lambda: ncsbench.create_ranker("bm25", corpus).search(
            pd.DataFrame({"question": ["a"]})
        ),
        "column 'text' is unknown": lambda: corpus.methods([1], ["text"]),
        "column 'method_id', row 0: 1000000 is no document of this corpus, and": lambda: (
            ncsbench.judge_rankings(ranking, questions, corpus)
        ),
        "no column 'dice'": lambda: ncsbench.evaluate_rankings(ranking, questions, judge="dice"),
        "t.txt: is no table": lambda: ncsbench.read_table("t.txt"),
        "no.csv: cannot be read": lambda: ncsbench.read_table(tmp_path / "no.csv"),
        "damaged.parquet: is damaged": lambda: ncsbench.read_table(tmp_path / "damaged.parquet"),
    }
    for message, mistake in mistakes.items():
        with pytest.raises(ncsbench.NcsbenchError) as caught:
            mistake()
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
