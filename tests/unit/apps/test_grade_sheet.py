"""Sheets that people fill in, and that are gold then."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ncsbench
from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.exports.grade_sheet import COLUMNS, INSTRUCTIONS, draw_results, write_sheet
from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import read_table, write_json, write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.statistics.evaluation_options import GoldSettings
from ncsbench.posts.questions.gold_entries import read_gold
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.gold.gold_methods import GOLD_SCHEMA, find_gold
from tests.ranked_runs import make_run

HASH = "ab" * 32
LINES = (1, 1, 5, 9, 13)
TITLES = {1: "Close a stream", 2: "=Open \x1b[2J a file", 3: "close  a STREAM"}
RANKED = {"first": {1: [0, 1, 2], 2: [3]}, "second": {1: [2, 4], 2: [1], 3: [0]}}
HOSTILE = "void m() {\n  \x1b[31m\u202e" + "x" * 1000 + "\n}" + "\n//" * 100


@pytest.fixture
def dataset(tmp_path: Path) -> BuiltDataset:
    """Five methods, two on one line, the last of another repository; two rows."""
    folder = tmp_path / "data/corpus"
    rows = [
        {
            "id": id_, "repository": "o/r", "path": "A.java", "lines": 1, "tokens": 1,
            "filepath": "o/r/A.java" if id_ < 4 else "p/q/B b.java", "method_name": f"m{id_}",
            "class_name": "A", "start_line": line, "end_line": line, "code": HOSTILE,
            "comment": "/** Closes it. */",
        }
        for id_, line in enumerate(LINES)
    ]  # fmt: skip
    about = {"shards": [{"first_id": 0, "methods": 5}], "corpus_hash": HASH, "methods": 5}
    write_json(folder / "manifest.json", about)
    table = pa.Table.from_pylist(rows, METHOD_SCHEMA)
    write_table(folder / "methods/0000.parquet", table, METHOD_SCHEMA)
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    lists = {"examples": [], "examples_url": []}
    questions = [
        {**texts, **lists, "query_id": id_, "occurrence": 1, "question": title}
        for id_, title in TITLES.items()
    ]
    table = pa.Table.from_pylist(questions, QUESTION_SCHEMA)
    write_table(tmp_path / "data/questions.parquet", table, QUESTION_SCHEMA)
    for name, rankings in RANKED.items():
        pairs = [(query, id_) for query, ids in rankings.items() for id_ in ids]
        run = make_run(
            query_ids=np.array([query for query, _ in pairs]),
            ids=np.array([id_ for _, id_ in pairs]),
            scores=-np.arange(len(pairs), dtype=float),
            depth=50,
        )
        write_run(tmp_path / f"results/runs/{name}.trec.gz", run, tag=name, corpus_hash=HASH)
    return BuiltDataset(
        name="toy", data=tmp_path / "data", results=tmp_path / "results", rows=tuple(RANKED),
        judges={"lenient": ("dice", 0.05)},
    )  # fmt: skip


def draw(dataset: BuiltDataset, seed: int = 7, **options: object) -> list[Row]:
    chosen = {"models": None, "depth": 10, "count": None} | options
    return draw_results(dataset, seed=seed, **chosen)  # type: ignore[arg-type]


def fill(path: Path, rows: list[Row], grades: list[str]) -> Path:
    """A sheet as somebody filled it in."""
    filled = [row | {"grade": grade} for row, grade in zip(rows, grades, strict=True)]
    write_sheet(path, filled)
    return path


def test_a_sheet_has_the_first_results_of_all_rows_in_an_order_of_the_seed(
    dataset: BuiltDataset,
) -> None:
    rows = draw(dataset)
    # Questions 1 and 3 have one text, but for case and blanks.
    assert len(rows) == len({(row["question"].split()[0], row["document"]) for row in rows}) == 6
    assert {row["document"] for row in rows} == {
        *("o/r/A.java:1", "o/r/A.java:1#2", "o/r/A.java:5", "o/r/A.java:9", "p/q/B%20b.java:13"),
    }
    orders = [[row["document"] for row in draw(dataset, seed)] for seed in (1, 1, 2, 3, 4)]
    assert orders[0] == orders[1] and len({tuple(order) for order in orders}) > 1
    assert draw(dataset, count=2) == rows[:2]
    assert len(draw(dataset, models=["second"], depth=1)) == 3
    with pytest.raises(ConfigurationError, match="toy: has no row third; it has first, second"):
        draw(dataset, models=["third"])


def test_a_sheet_names_no_row_and_harms_no_reader(dataset: BuiltDataset, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    beside = write_sheet(path, draw(dataset))
    assert beside == tmp_path / "mine_instructions.txt"
    assert beside.read_text(encoding="utf-8") == INSTRUCTIONS
    text = path.read_text(encoding="utf-8")
    assert not [word for word in (*RANKED, "\x1b", "\u202e") if word in text]
    assert "/** Closes it. */\nvoid m() {\n" in text and "<U+001B>[31m<U+202E>" in text
    assert "more characters" in text and "more lines" in text
    for row in read_rows(path, COLUMNS):
        assert row["question"][:1] in "'Cc" and row["grade"] == row["notes"] == ""
    with pytest.raises(ConfigurationError, match="is there already; name a new file"):
        write_sheet(path, [])


def test_what_is_filled_in_is_gold(
    dataset: BuiltDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "data/checksums")  # a sheet may change
    rows = sorted(draw(dataset), key=lambda row: (row["question"] != TITLES[1], row["document"]))
    sheet = fill(Path("a.csv"), rows, ["3", " 0 ", "", "2", "", "1"])
    sheet.write_text(sheet.read_text(encoding="utf-8").replace(",3,", ",2,"), encoding="utf-8")
    assert [entry.grade for entry in read_gold([sheet])] == [2, 0, 2, 1]
    questions, output = dataset.data / "questions.parquet", tmp_path / "gold.parquet"
    find_gold(GoldSettings(gold=(str(sheet),)), dataset.corpus, questions, output)
    found = read_table(output, GOLD_SCHEMA).to_pylist()
    grades = {(row["query_id"], row["id"]): row["grade"] for row in found}
    # The question that a spreadsheet would take for a formula is found in spite of its apostrophe.
    assert grades == {(1, 0): 2, (1, 1): 0, (1, 4): 2, (2, 3): 1}


def test_the_page_has_the_grades_and_its_code_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (root / "docs/explorer.md").read_text(encoding="utf-8")
    grades = [line.split("  ", 1) for line in INSTRUCTIONS.splitlines() if line[:1].isdigit()]
    assert all(f"| {grade} | {says} |" in page for grade, says in grades)
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    place = "mapleforge/pocketledger/src/com/mapleforge/ledger/money/Money.java:200"
    asked = ncsbench.load_sample().questions["question"].tolist()[:4]
    for name, given in (("anna", ["3", "0", "", "0"]), ("ben", ["3", "1", "2", "0"])):
        rows = [
            {**dict.fromkeys(COLUMNS, ""), "question": text, "grade": grade, "document": place}
            for text, grade in zip(asked, given, strict=True)
        ]
        write_sheet(Path(f"{name}.csv"), rows)
    names: dict[str, Any] = {}
    exec(code.replace('load_dataset("sample")', "load_sample()"), names)  # noqa: S102
    assert names["both"]["grade_x"].tolist() == [3, 0, 0]
    assert names["yes"].tolist() == [True, False, False]
    # Squared distances by hand: seen 1 of 3; by chance 2 * (0 + 1 + 9) + (9 + 4 + 0) = 33 of 9.
    said = capsys.readouterr().out.splitlines()
    assert float(said[0].removeprefix("people: ")) == pytest.approx(1 - 1 / 3 / (33 / 9))
    assert said[1].startswith("strict judge: ")
