"""Gold: files that say which places of code are right, and the methods there."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_table, write_json, write_table
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.graded_measures import measure_questions
from ncsbench.evaluation.statistics.evaluation_options import GoldSettings
from ncsbench.posts.questions.gold_entries import read_gold
from ncsbench.posts.questions.question_entries import read_entries
from ncsbench.posts.questions.questions_file import write_questions
from ncsbench.posts.questions.selection_options import QuestionSettings
from ncsbench.studies.gold.gold_methods import GOLD_SCHEMA, find_gold, grade_ranking

METHODS = [("o/a", "A.java", 1, 5), ("o/a", "A.java", 3, 4), ("o/a", "A.java", 8, 9),
           ("o/a", "Same.java", 1, 2), ("o/b", "Same.java", 1, 2)]  # fmt: skip


def find(tmp_path: Path, text: str, name: str = "gold.csv") -> pa.Table:
    corpus = CorpusFolder(tmp_path / "corpus")
    rows = [
        {
            **{"id": id_, "repository": repository, "path": path, "start_line": start},
            **{"filepath": f"{repository}/{path}", "end_line": end, "code": "", "tokens": 1},
            **{"method_name": "m", "class_name": "C", "lines": end - start + 1},
        }
        for id_, (repository, path, start, end) in enumerate(METHODS)
    ]
    write_table(
        corpus.path / "methods/0000.parquet", pa.Table.from_pylist(rows, METHOD_SCHEMA),
        METHOD_SCHEMA,
    )  # fmt: skip
    write_json(corpus.manifest_path, {"shards": [{}], "corpus_hash": "c" * 64})
    gold, asked = tmp_path / name, tmp_path / "questions.parquet"
    gold.write_text(text)
    for file in ("asked.csv", "again.csv"):  # a text in two files is one question
        (tmp_path / file).write_text("question\nsave it\nload it\n\n")
    files = (str(tmp_path / "asked.csv"), str(tmp_path / "again.csv"))
    settings = QuestionSettings(questions=files, gold=(str(gold),))
    write_questions(settings, asked)
    find_gold(GoldSettings(gold=(str(gold),)), corpus, asked, tmp_path / "gold.parquet")
    return read_table(tmp_path / "gold.parquet", GOLD_SCHEMA)


def test_places_name_methods(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = (
        "question,repository,path,start_line,end_line,grade\n"
        "load it,o/a,A.java,4,,2\n"  # a line: both methods around it
        "save it,,A.java,5,8,\n"  # a range
        "save it,o/b,Same.java,,,\n"  # a file
        "save it,,Gone.java,,,\n"
    )
    with caplog.at_level(logging.WARNING):
        rows = find(tmp_path, text).to_pylist()
    found = [(row["query_id"], row["target"], row["id"], row["grade"]) for row in rows]
    assert found == [(1, 0, 0, 1), (1, 0, 2, 1), (1, 1, 4, 1), (1, 2, -1, 1),
                     (2, 0, 0, 2), (2, 0, 1, 2)]  # fmt: skip
    assert "1 of 4 right places have no method in the corpus" in caplog.text
    assert "Gone.java" in caplog.text


def test_document_ids_and_qrels(tmp_path: Path) -> None:
    text = "save it\to/a/A.java:3\t1\nload it\to/a/A.java:7\t1\n"
    table = find(tmp_path, "query-id\tcorpus-id\tscore\n" + text, "gold.tsv")
    assert table["id"].to_pylist() == [1, -1]  # no method begins in line 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question,document\nsave it,Same.java\n", "is a file of o/a and of o/b; write the repo"),
        ("question,document\nother,A.java\n", "gold.csv, line 2: there is no question 'other'"),
        (
            "question,document,grade\nsave it,A.java,x\n",
            "line 2: a grade must be a whole number",
        ),
        ("question,path,grade\nsave it,A.java,.5\n", "a grade must be a whole number, not '.5'"),
        ("question,path,line\nsave it,A.java,0\n", "lines must count from 1 and ascend"),
        (
            "question,grade\nsave it,1\n",
            "line 1: a column is missing; there must be question",
        ),
        ("question,document\n", "has no entry"),
        ("", "line 1: a column is missing"),
        ("question;path\nsave it;A.java\n", "has semicolons between its cells"),
        ("question,path,lien\nsave it,A.java,1\n", "'lien' is no column"),
        ("question,document,line\nsave it,o/a/A.java:3,4\n", "names lines twice"),
        ("question,document,path\nsave it,A.java,A.java\n", "has a document and a path"),
        ("question,path\nSave it,A.java\n", "there is no question 'Save it'; did you mean 'save"),
        ("question,path\nsave it,B.java\n", "none of the 1 right places is in the corpus; the fi"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        find(tmp_path, text)


def test_qrels_of_trec(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 0 d -1\n1 0 e 2\n\n")
    assert [(one.document, one.grade) for one in read_gold([path])] == [("d", 0), ("e", 2)]
    path.write_text("1 0 d\n")
    with pytest.raises(DataError, match="line 1: is no line of qrels"):
        read_gold([path])


def test_a_target_counts_once(tmp_path: Path) -> None:
    table = find(tmp_path, "question,path\nsave it,A.java\nload it,A.java\n")
    query_ids = np.array([1, 2], np.int32)
    truth = grade_ranking(np.array([[3, 2, 0, 1], [3, 4, -1, -1]]), table, query_ids)
    assert truth.grades.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]]
    assert measure_questions("RR@10", truth).tolist() == [0.5, 0]
    assert measure_questions("R@2", truth).tolist() == [1, 0]


def test_overlapping_targets_do_not_exceed_one(tmp_path: Path) -> None:
    text = "question,path,line,grade\nsave it,A.java,1,1\nsave it,A.java,,3\nsave it,A.java,1,2\n\n"
    table = find(tmp_path, text)
    assert table.group_by("target").aggregate([("grade", "max")])["grade_max"].to_pylist() == [2, 3]
    truth = grade_ranking(np.array([[0, 2, 1]]), table, np.array([1], np.int32))
    assert truth.grades.tolist() == [[3, 0, 0]]  # the first result counts for the file alone
    assert measure_questions("nDCG@10", truth)[0] < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Question\nsave it\n", "line 1: must name a column question, with commas"),
        ("id;question\n1;save it\n", "line 1: must name a column question, with commas"),
        ("", "line 1: must name a column question"),
        ("id,question\n1,save it, at once\n", "line 2: has 3 cells, not 2; a text with commas"),
        ("id,question\n1,save it\n1,load it\n", "line 3: id 1 has another question above"),
    ],
)
def test_a_csv_file_of_questions_has_their_texts_and_may_have_their_ids(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "asked.csv"
    path.write_text("id,question,asked by\n7,save it,A\n9,save it,B\n7,save it,C\n")
    rows = read_entries([path], answered=False)
    found = [(row["stackoverflow_id"], row["question"]) for row in rows]
    assert found == [("7", "save it"), ("9", "save it")]
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_entries([path], answered=False)
