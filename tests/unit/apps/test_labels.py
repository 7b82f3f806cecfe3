"""Sheets that people fill in, and how far people, judges and filters agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.apps.exports.built_dataset import BuiltDataset
from ncsbench.apps.labels.agreement import (
    GradeAgreement,
    compare_filter,
    compare_grades,
    compare_judges,
    decide,
    describe_grades,
)
from ncsbench.apps.labels.label_sheet import (
    COLUMNS,
    RELEVANCE,
    RELEVANCE_INSTRUCTIONS,
    YES_NO,
    YES_NO_INSTRUCTIONS,
    draw_comments,
    draw_results,
    match_query,
    read_sheet,
    write_sheet,
)
from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.cli.main import app
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.ranked_runs import make_run

HASH = "ab" * 32
LINES = (1, 1, 5, 9, 13)
TITLES = {1: "Close a stream", 2: "=Open \x1b[2J a file", 3: "close  a STREAM"}
RANKED = {"first": {1: [0, 1, 2], 2: [3]}, "second": {1: [2, 4], 2: [1], 3: [0]}}
HOSTILE = "void m() {\n  \x1b[31m\u202e" + "x" * 1000 + "\n}" + "\n//" * 100
HEADER = ",".join(COLUMNS) + "\n"


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
        judged = [
            {"query_id": query, "id": id_} | dict.fromkeys(SIMILARITIES, 0.9 if id_ == 0 else 0.1)
            for query, id_ in sorted(pairs)
        ]
        table = pa.Table.from_pylist(judged, JUDGEMENT_SCHEMA)
        path = tmp_path / f"data/judgements/{name}.parquet"
        write_table(path, table, JUDGEMENT_SCHEMA, corpus_hash=HASH)
    return BuiltDataset(
        name="toy", data=tmp_path / "data", results=tmp_path / "results", rows=tuple(RANKED),
        judges={"lenient": ("dice", 0.05), "strict": ("jaccard", 0.25)},
    )  # fmt: skip


def draw(dataset: BuiltDataset, seed: int = 7, **options: object) -> list[Row]:
    chosen = {"models": None, "depth": 10, "count": None} | options
    return draw_results(dataset, seed=seed, **chosen)  # type: ignore[arg-type]


def fill(path: Path, rows: list[Row], grades: list[str]) -> Path:
    """A sheet as somebody filled it in."""
    filled = [row | {"grade": grade} for row, grade in zip(rows, grades, strict=True)]
    write_sheet(path, filled, "")
    return path


def test_a_sheet_has_the_first_results_of_all_rows_in_an_order_of_the_seed(
    dataset: BuiltDataset,
) -> None:
    rows = draw(dataset)
    # Questions 1 and 3 have one text, but for case and blanks.
    assert len(rows) == len({(match_query(row["query"]), row["document"]) for row in rows}) == 6
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
    beside = write_sheet(path, draw(dataset), RELEVANCE_INSTRUCTIONS)
    assert beside == tmp_path / "mine_instructions.txt"
    assert beside.read_text(encoding="utf-8").startswith(RELEVANCE_INSTRUCTIONS)
    text = path.read_text(encoding="utf-8")
    assert not [word for word in (*RANKED, "\x1b", "\u202e") if word in text]
    assert "/** Closes it. */\nvoid m() {\n" in text and "<U+001B>[31m<U+202E>" in text
    assert "more characters" in text and "more lines" in text
    for row in read_rows(path, COLUMNS):
        assert row["query"][:1] in "'Cc" and row["grade"] == row["notes"] == ""
    with pytest.raises(ConfigurationError, match="is there already; name a new file"):
        write_sheet(path, [], "")


def test_what_is_filled_in_is_read(dataset: BuiltDataset, tmp_path: Path) -> None:
    rows = draw(dataset)
    sheet = read_sheet(fill(tmp_path / "a.csv", rows, ["3", " 0 ", "", "2", "1", ""]))
    assert [*sheet.grades.values()] == [3, 0, 2, 1] and (sheet.left, sheet.scale) == (2, RELEVANCE)
    said = describe_grades(sheet, "a.csv")
    assert said == (
        "a.csv: 1 of grade 3, 1 of grade 2, 1 of grade 1, 1 of grade 0; not graded yet: 2"
    )


def test_a_sheet_is_not_taken_for_damaged_when_it_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "data/checksums")
    sheet = Path("mine.csv")
    write_sheet(sheet, draw_comments(["Sorts a list"], count=None, seed=1), "")
    sheet.write_text(sheet.read_text().replace("list,,,", "list,,1,"))
    assert [*read_sheet(sheet).grades.values()] == [1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "line 1: the header must be"),
        (b"query,grade\n", "line 1: the header must be"),
        (HEADER.encode() + b"q,c,4,,u\n", "line 2: grade '4' must be one of 0, 1, 2, 3"),
        (HEADER.encode() + "q,c,\u0663,,u\n".encode(), "line 2: grade"),
        (HEADER.encode() + b"q,,2,,\n", "line 2: grade '2' must be one of 0, 1"),
        (HEADER.encode() + b"q,c,2,,u\n ,c,2,,u\n", "line 3: query is empty"),
        (HEADER.encode() + b"q,c,2,,u\nq,c,2,,\n", "line 3: document is empty"),
        (HEADER.encode() + b"q,c,2,,u\n Q ,c,,,u\n", "line 3: the same question and method"),
        (HEADER.encode() + b"q,c,2,u\n", "line 2: has 4 cells, not 5"),
        (HEADER.encode() + b"q,c,2,,u\nq,\xff,2,,u\n", "line 3: is not UTF-8 text"),
        (HEADER.encode() + b'q,"open\n', "line 2: is not a valid CSV file"),
    ],
)
def test_what_is_no_sheet_is_one_line(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text)
    with pytest.raises(DataError) as error:
        read_sheet(path)
    assert f"{path}, {told}" in str(error.value)


def test_kappa_by_hand() -> None:
    grades = ([0, 0, 1, 3, 3], [0, 1, 1, 3, 2])
    first, second = ({("q", str(at)): one for at, one in enumerate(all_)} for all_ in grades)
    found = compare_grades(first, {**second, ("q", "other"): 1}, RELEVANCE)
    assert (found.rows, found.first_alone, found.second_alone) == (5, 0, 1)
    assert found.observed == pytest.approx(0.6)
    # Chance of the same grade: 2*1 + 1*2 + 0*1 + 2*1 = 6 of 25.
    assert found.kappa == pytest.approx((15 - 6) / (25 - 6))
    # Squares by chance: 0: 2*(0+2*1+4+9)=30; 1: 1*(1+0+1+4)=6; 3: 2*(9+2*4+1+0)=36; 72 of 25.
    # Squares seen: 1 + 1 = 2, times 5 rows.
    assert found.quadratic_kappa == pytest.approx(1 - 2 / (72 / 5))
    lines = found.describe("a", "b")
    assert "  by b alone: 1" in lines and "  quadratic kappa: 0.8611" in lines
    undefined = GradeAgreement(np.zeros((2, 2), np.int64)).describe("a", "b")
    assert undefined[1:] == ["  same grade: undefined", "  Cohen's kappa: undefined"]


def test_people_say_yes_from_a_mean_grade_of_two_dev_110(
    dataset: BuiltDataset, tmp_path: Path
) -> None:
    rows = sorted(draw(dataset), key=lambda row: (row["query"] != TITLES[1], row["document"]))
    one = read_sheet(fill(tmp_path / "a.csv", rows, ["3", "1", "0", "", "", "2"]))
    other = read_sheet(fill(tmp_path / "b.csv", rows, ["2", "3", "1", "", "", "1"]))
    people = decide([one, other])
    assert [*people.values()] == [1, 1, 0, 0]  # means of 2.5, 2, 0.5 and 1.5
    judges = compare_judges(dataset, people)
    # The strict judge accepts the first method alone, the lenient one every method.
    assert judges["strict"].counts.tolist() == [[2, 0], [1, 1]]
    assert judges["lenient"].counts.tolist() == [[0, 2], [0, 2]]
    unknown = compare_judges(dataset, {("close a stream", "o/r/None.java:1"): 1})["lenient"]
    assert (unknown.rows, unknown.first_alone) == (0, 1)


def test_a_filter_is_compared_with_what_people_say_of_comments(tmp_path: Path) -> None:
    comments = ["Sorts a list", "sorts  a LIST", "@return the length of it", "- reads it all", ""]
    comments += ["x" * 2000]
    rows = draw_comments(comments, count=None, seed=3)
    assert {row["query"] for row in rows} == {comments[0], *comments[2:4]}
    assert draw_comments(comments, count=2, seed=3) == rows[:2]
    grades = ["0" if row["query"] == "- reads it all" else "1" for row in rows]
    sheet = read_sheet(fill(tmp_path / "a.csv", rows, grades))
    assert sheet.scale == YES_NO
    assert set(sheet.texts.values()) == {comments[0], *comments[2:4]}  # without an apostrophe
    rules = CommentFilter(load_rule_set("as_published"))
    found = compare_filter(rules, decide([sheet]), sheet.texts)
    assert found.counts.tolist() == [[0, 1], [1, 1]]
    with pytest.raises(DataError, match="there is no comment of at most 1,000 characters"):
        draw_comments(comments[4:], count=None, seed=3)


def test_comments_are_graded_by_the_commands(tmp_path: Path) -> None:
    comments, sheet = tmp_path / "comments.txt", tmp_path / "mine.csv"
    comments.write_text("Sorts a list\nReads a file\n", encoding="utf-8")
    asked = ["labels", "sheet", "--comments", str(comments), "-o", str(sheet)]
    done = CliRunner().invoke(app, asked)
    assert done.stdout.startswith(f"{sheet}: 2 rows to grade"), done.exception
    text = sheet.read_text(encoding="utf-8").replace("list,,,", "list,,1,")
    sheet.write_text(text.replace("file,,,", "file,,0,"), encoding="utf-8")
    done = CliRunner().invoke(app, ["labels", "agreement", str(sheet), str(sheet)])
    assert "Cohen's kappa: 1.0000" in done.stdout, done.exception
    assert "quadratic" not in done.stdout  # both kappas are one
    for wrong in ([*asked, "--model", "bm25"], ["labels", "sheet", "-o", "x.csv", "--field", "y"]):
        assert CliRunner().invoke(app, wrong).exit_code == 2
    judged = ["labels", "agreement", str(sheet), "--dataset", "sample"]
    assert CliRunner().invoke(app, judged).exit_code == 2


@pytest.mark.parametrize("instructions", [RELEVANCE_INSTRUCTIONS, YES_NO_INSTRUCTIONS])
def test_the_page_has_the_grades(root: Path, instructions: str) -> None:
    page = (root / "docs/explorer.md").read_text(encoding="utf-8")
    grades = [line.split("  ", 1) for line in instructions.splitlines() if line[:1].isdigit()]
    assert all(f"| {grade} | {says} |" in page for grade, says in grades)
    scale = RELEVANCE if instructions == RELEVANCE_INSTRUCTIONS else YES_NO
    assert [int(grade) for grade, _ in grades] == [*reversed(scale)]
