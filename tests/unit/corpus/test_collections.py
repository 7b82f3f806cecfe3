"""Collections of documents: read as a corpus, converted from other layouts, exported again."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.exports.formats import export_beir
from ncsbench.corpus.layout.corpus_settings import CorpusSettings
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.assembly import make_corpus
from ncsbench.corpus.methods.extraction import extract_shard
from ncsbench.corpus.sources.collection_layouts import (
    Collection,
    convert_collection,
    write_collection,
)
from ncsbench.corpus.sources.listing import list_files
from ncsbench.corpus.sources.source_protocol import ListSettings, SourceOptions
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.statistics.evaluation_options import GoldSettings
from ncsbench.posts.questions.questions_file import write_questions
from ncsbench.posts.questions.selection_options import QuestionSettings
from ncsbench.studies.gold.gold_methods import find_gold


def build(folder: Path, source: Path, shards: int = 2) -> BuiltDataset:
    """Make what the workflow makes of a collection with the split ``test``."""
    options = SourceOptions(kind="collection", path=str(source))
    made = CorpusSettings(source=options, shards=shards)
    corpus = CorpusFolder(folder / "corpus")
    listing = ListSettings(repositories="", source=options)
    list_files(listing, folder, corpus.inventory_path)
    for shard in range(shards):
        paths = (folder / f"{shard:04}.parquet", folder / f"{shard:04}.ledger.parquet")
        extract_shard(made, corpus.inventory_path, shard, *paths)
    make_corpus(made, corpus.inventory_path, folder, corpus)
    gold = str(source / "qrels" / "test.tsv")
    asked = QuestionSettings(questions=(str(source / "queries.jsonl"),), gold=(gold,))
    write_questions(asked, folder / "questions.parquet")
    find_gold(
        GoldSettings(gold=(gold,)), corpus, folder / "questions.parquet", folder / "gold.parquet"
    )
    return BuiltDataset("made", folder, folder, (), {}, is_collection=True)


def read_collection(folder: Path, split: str) -> list[list[tuple[str, ...]]]:
    documents, queries = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("corpus.jsonl", "queries.jsonl")
    )
    grades = (folder / "qrels" / f"{split}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [
        sorted((one["_id"], one["title"], one["text"]) for one in documents),
        sorted((one["_id"], one["text"]) for one in queries),
        sorted(tuple(line.split("\t")) for line in grades),
    ]


IDS = st.text(string.ascii_letters + string.digits + "/.:#-_ é", min_size=1, max_size=12).filter(
    lambda text: text == text.strip()
)
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=40
)
CODE = st.lists(TEXTS, min_size=1, max_size=3).map("\n".join)


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    ids = draw(st.lists(IDS, min_size=1, max_size=6, unique=True))
    asked = draw(st.lists(IDS, min_size=1, max_size=4, unique=True))
    documents = [{"_id": id_, "title": draw(TEXTS), "text": draw(CODE)} for id_ in ids]
    queries = [{"_id": id_, "text": f"a{draw(TEXTS)}"} for id_ in asked]
    grades = [(query, draw(st.sampled_from(ids)), draw(st.integers(0, 3))) for query in asked]
    return Collection(documents, queries, grades)


@settings(max_examples=8, deadline=None)
@given(collections())
def test_export_and_reader_are_inverse(
    tmp_path_factory: pytest.TempPathFactory, made: Collection
) -> None:
    folder = tmp_path_factory.mktemp("inverse")
    write_collection(folder / "source", made, "test")
    export_beir(build(folder / "data", folder / "source"), folder / "exported")
    documents, queries, grades = read_collection(folder / "exported", "gold")
    assert [documents, queries, grades] == read_collection(folder / "source", "test")


def convert(folder: Path, layout: str) -> list[list[tuple[str, ...]]]:
    convert_collection(layout, folder, "test", folder / "made")
    return read_collection(folder / "made", "test")


EXPECTED = [[("7", "", "def f(): pass"), ("8", "", "x")], [("q", "do it")], [("q", "7", "1")]]


def test_ir_datasets(tmp_path: Path) -> None:
    rows = [{"doc_id": "7", "text": "def f(): pass"}, {"doc_id": "8", "text": "x"}]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "queries.tsv").write_text("q\tdo it\n")
    (tmp_path / "qrels.test.txt").write_text("q 0 7 1\n")
    assert convert(tmp_path, "ir_datasets") == EXPECTED
    (tmp_path / "qrels.test.txt").write_text("q 0 7\n")
    with pytest.raises(DataError, match=r"qrels.test.txt, line 1: is no line of qrels"):
        convert(tmp_path, "ir_datasets")


def test_trec(tmp_path: Path) -> None:
    (tmp_path / "docs.trec").write_text(
        "<DOC>\n<DOCNO>7</DOCNO>def f(): pass</DOC>\n<doc><docno> 8 </docno>x</doc>"
    )
    (tmp_path / "topics.trec").write_text("<top>\n<num>q</num><title>\ndo  it\n</title></top>")
    (tmp_path / "qrels").write_text("q 0 7 1\n")
    assert convert(tmp_path, "trec") == EXPECTED
    (tmp_path / "topics.trec").unlink()
    with pytest.raises(DataError, match="has no file"):
        convert(tmp_path, "trec")


def test_coir(tmp_path: Path) -> None:
    files = {
        "corpus-0": [{"_id": "7", "text": "def f(): pass"}, {"_id": "8", "text": "x"}],
        "queries-0": [{"_id": "q", "text": "do it"}, {"_id": "other", "text": "of training"}],
        "test-0": [{"query_id": "q", "corpus_id": "7", "score": 1}],
    }
    for name, rows in files.items():
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    assert convert(tmp_path, "coir") == EXPECTED
    (tmp_path / "corpus-0.parquet").write_bytes(b"no")
    with pytest.raises(DataError, match="is no Parquet file"):
        convert(tmp_path, "coir")


def test_cosqa(tmp_path: Path) -> None:
    (tmp_path / "code_idx_map.txt").write_text(json.dumps({"def f(): pass": 7, "x": 8}))
    asked = [{"idx": "q", "doc": "do it", "retrieval_idx": 7, "label": 1}]
    (tmp_path / "cosqa-retrieval-test-500.json").write_text(json.dumps(asked))
    assert convert(tmp_path, "cosqa") == EXPECTED
    (tmp_path / "cosqa-retrieval-test-500.json").write_text('[{"idx": "q"}]')
    with pytest.raises(DataError, match="is no file of CoSQA"):
        convert(tmp_path, "cosqa")


def test_functions(tmp_path: Path) -> None:
    row = {"idx": 7, "docstring_tokens": ["do", "it"], "code": "def f(): pass"}
    (tmp_path / "test.jsonl").write_text(json.dumps(row))
    documents, queries, grades = convert(tmp_path, "functions")
    assert (documents, queries) == ([("7", "", "def f(): pass")], [("test-0", "do it")])
    assert grades == [("test-0", "7", "1")]
    (tmp_path / "codebase.jsonl").write_text('{"idx": 8, "code": "x"}\n' + json.dumps(row))
    assert len(convert(tmp_path, "functions")[0]) == 2


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="layout 'cosq' is unknown; did you mean 'cosqa'"):
        convert_collection("cosq", tmp_path, "test", tmp_path / "made")
    with pytest.raises(DataError, match=r"has no queries\.jsonl"):
        convert_collection("ir_datasets", tmp_path, "test", tmp_path / "made")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "x"}\n')
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    for text, message in (
        ("{\n", "line 1: is no JSON"),
        ("[]\n", "line 1: is no JSON object"),
        ('{"_id": 1}\n{"_id": ""}\n', "line 2: field '_id' must be a text"),
    ):
        (tmp_path / "corpus.jsonl").write_text(text)
        with pytest.raises(DataError, match=message):
            build(tmp_path / "data", tmp_path)
