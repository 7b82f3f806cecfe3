"""The manual pass over the candidates: its sheet and what is read of it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.artifacts.storage import read_table, write_json, write_table
from ncsbench.corpus.corpus_schemas import METHOD_SCHEMA
from ncsbench.errors import DataError
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.questions.curation_file import Decision, Place, adopt_matches, read_decisions
from ncsbench.questions.curation_sheet import COLUMNS, write_sheet
from ncsbench.questions.question_schema import QUESTION_SCHEMA

HASH = "ab" * 32
A, B, C = (Place("o/r", "A.java", f"{line}-{line}") for line in (4, 2, 3))
NEW = "id,repository,path,lines,keep,reason\n"
EVIL = "=1+1\x1b[2J\u202e"


def write_corpus(folder: Path, matches: list[tuple[int, int]]) -> None:
    """Three candidates, 101 to 103, five methods, and matches by row of question and method id."""
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    questions = [
        texts | {
            "query_id": row, "stackoverflow_id": f"10{row}", "occurrence": 1, "answer": EVIL,
            "question": f"How to {row}", "examples": [], "examples_url": [],
        }
        for row in (1, 2, 3)
    ]  # fmt: skip
    methods = [
        {
            "id": i, "repository": "o/r", "path": "A.java", "filepath": "o/r/A.java", "lines": 1,
            "method_name": "m", "class_name": "C", "start_line": i, "end_line": i, "tokens": 1,
            "code": f"void m{i}() {{ }}",
        }
        for i in range(5)
    ]  # fmt: skip
    corpus = folder / "corpus"
    shards = [{"first_id": 0}, {"first_id": 3}]
    write_json(corpus / "manifest.json", {"shards": shards, "corpus_hash": HASH})
    for shard, part in enumerate((methods[:3], methods[3:])):
        table = pa.Table.from_pylist(part, METHOD_SCHEMA)
        write_table(corpus / "methods" / f"{shard:04}.parquet", table, METHOD_SCHEMA)
    found = [
        {"judge": "dice", "query_id": row, "rank": rank, "id": id_, "similarity": 0.75}
        for rank, (row, id_) in enumerate(matches, 1)
    ]
    for name, rows, schema in (("q", questions, QUESTION_SCHEMA), ("m", found, MATCH_SCHEMA)):
        table = pa.Table.from_pylist(rows, schema)
        write_table(folder / f"{name}.parquet", table, schema, corpus_hash=HASH)


def make_sheet(folder: Path, matches: list[tuple[int, int]]) -> tuple[str, list[dict[str, str]]]:
    write_corpus(folder, matches)
    output = folder / "c.csv"
    found = read_table(folder / "m.parquet", MATCH_SCHEMA)
    state = write_sheet(folder / "q.parquet", found, folder / "corpus", output=output, judge=None)
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert all(tuple(row) == COLUMNS for row in rows)
    return state, rows


def decide(folder: Path, **decisions: str) -> None:
    """Fill in ``keep`` as a person does; a decision is ``yes``, or the reason for a no."""
    output = folder / "c.csv"
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    with output.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            made = decisions.get(f"q{row['id']}", row["keep"])
            no = {"keep": "no", "reason": made} if made not in {"yes", "no", ""} else {}
            writer.writerow({**row, "keep": made, **no})


def test_a_new_sheet_has_a_row_for_every_match_and_decides_nothing(tmp_path: Path) -> None:
    state, rows = make_sheet(tmp_path, [(1, 4), (1, 2), (3, 3)])
    assert state == "0 kept, 0 not kept, 2 left to decide"
    assert [(row["id"], row["lines"], row["keep"]) for row in rows] == [
        ("101", "4-4", ""), ("101", "2-2", ""), ("103", "3-3", ""),
    ]  # fmt: skip
    assert rows[0]["question"] == "How to 1" and rows[0]["match"] == "void m4() { }"
    assert read_decisions(tmp_path / "c.csv") == {}


def test_decisions_stay_when_the_sheet_is_written_again(tmp_path: Path) -> None:
    make_sheet(tmp_path, [(1, 4), (1, 2), (3, 3)])
    decide(tmp_path, q101="yes", q103="vague, very")
    made = {"101": Decision(True, "", (A, B)), "103": Decision(False, "vague, very", (C,))}
    assert read_decisions(tmp_path / "c.csv") == made
    state, _ = make_sheet(tmp_path, [(1, 4), (1, 2), (3, 3)])
    assert state == "1 kept, 1 not kept, 0 left to decide"
    assert read_decisions(tmp_path / "c.csv") == made


def test_a_sheet_is_not_taken_for_damaged_when_it_is_filled_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "data/checksums")
    make_sheet(tmp_path, [(1, 4)])
    decide(tmp_path, q101="yes")
    assert [one.keep for one in read_decisions(tmp_path / "c.csv").values()] == [True]


def test_another_corpus_asks_only_for_new_matches(tmp_path: Path) -> None:
    make_sheet(tmp_path, [(1, 4), (3, 3)])
    decide(tmp_path, q101="yes", q103="yes")
    # A match of question 103 is another one; 101 has no match any more, and its decision stays.
    state, rows = make_sheet(tmp_path, [(2, 4), (3, 2)])
    assert state == "0 kept, 0 not kept, 2 left to decide"
    assert [(row["id"], row["lines"], row["keep"]) for row in rows] == [
        ("102", "4-4", ""), ("103", "2-2", ""), ("103", "3-3", "yes"), ("101", "4-4", "yes"),
    ]  # fmt: skip
    decide(tmp_path, q102="no question", q103="yes")
    assert read_decisions(tmp_path / "c.csv")["103"] == Decision(True, "", (B, C))
    assert make_sheet(tmp_path, [(3, 3)])[0] == "1 kept, 0 not kept, 0 left to decide"


def test_texts_of_others_act_neither_on_a_spreadsheet_nor_on_a_terminal(tmp_path: Path) -> None:
    _, rows = make_sheet(tmp_path, [(1, 4)])
    assert rows[0]["answer"] == "'=1+1<U+001B>[2J<U+202E>"


def test_a_text_is_cut_so_that_every_program_reads_the_cell(tmp_path: Path) -> None:
    write_corpus(tmp_path, [(1, 4)])
    questions = read_table(tmp_path / "q.parquet", QUESTION_SCHEMA).to_pylist()
    questions[0]["answer"] = "x" * 200_000 + "\n" * 1000
    table = pa.Table.from_pylist(questions, QUESTION_SCHEMA)
    write_table(tmp_path / "q.parquet", table, QUESTION_SCHEMA, corpus_hash=HASH)
    found = read_table(tmp_path / "m.parquet", MATCH_SCHEMA)
    sheet = tmp_path / "c.csv"
    write_sheet(tmp_path / "q.parquet", found, tmp_path / "corpus", output=sheet, judge="dice")
    assert "more characters" in sheet.read_text() and sheet.stat().st_size < 32_767


def test_an_old_file_is_written_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "c.csv").write_text("id,keep,reason\n101,yes,\n")
    state, _ = make_sheet(tmp_path, [(1, 4), (3, 3)])
    assert state == "1 kept, 0 not kept, 1 left to decide"
    assert "names no matches" in caplog.text
    assert read_decisions(tmp_path / "c.csv") == {"101": Decision(True, "", (A,))}


def test_the_command_prints_what_is_left_and_refuses_another_corpus(
    tmp_path: Path, root: Path
) -> None:
    write_corpus(tmp_path, [(1, 4), (3, 3)])
    command = [
        sys.executable, "-m", "ncsbench", "questions", "sheet", "--questions", "q.parquet",
        "--matches", "m.parquet", "--corpus", "corpus", "-o", "c.csv",
    ]  # fmt: skip
    environment = {"PYTHONPATH": str(root / "workflow")}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    done = run()
    assert done.stdout == "c.csv: 0 kept, 0 not kept, 2 left to decide\n"
    assert (done.returncode, done.stderr) == (0, "")
    write_table(
        tmp_path / "m.parquet", read_table(tmp_path / "m.parquet", MATCH_SCHEMA), MATCH_SCHEMA,
        corpus_hash="cd" * 32,
    )  # fmt: skip
    done = run()
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "m.parquet to corpus cdcdcdcdcdcd" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the header must be 'id,repository,path,lines,keep,reason'"),
        ("id,keep\n", "line 1: the header must be"),
        ("id,keep,reason\n1,yes,\n2,maybe,x\n", "line 3: keep must be yes or no, not 'maybe'"),
        ("id,keep,reason\n1,yes,\n\n1,no,x\n", "line 4: id '1' stands in line 2 already"),
        ("id,keep,reason\n ,yes,\n", "line 2: has no id"),
        ("id,keep,reason\n1,no,vague, odd\n", "line 2: has 4 cells, not 3"),
        ('id,keep,reason\n1,no,"open\n', "line 2: is not a valid CSV file"),
        (f"{NEW}1,o/r,A,1-2,yes,\n1,o/r,A,1-2,yes,\n", "line 3: id '1' with this match stands in"),
        (f"{NEW}1,o/r,A,1-2,yes,\n1,o/r,B,1-2,no,\n", "line 3: id '1' has another keep or reason"),
        (f"{NEW}1,o/r,A,1-2,yes\n", "line 2: has 5 cells, not 6"),
        (b"id,keep,reason\n1,no,\xff\n", "is not a CSV file in UTF-8"),
    ],
)
def test_a_broken_file_is_one_line_with_the_place(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=r"c\.csv") as error:
        read_decisions(path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_by_a_spreadsheet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b'\xef\xbb\xbfid,keep,reason\r\n1, YES,\r\n"2",no,"a\nb"\r\n')
    assert read_decisions(path) == {"1": Decision(True), "2": Decision(False, "a\nb")}


def test_an_old_file_stands_for_the_present_matches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "c.csv").write_text("id,keep,reason\n1,yes,\n2,no,vague question\n")
    old = read_decisions(tmp_path / "c.csv")
    assert old == {"1": Decision(True), "2": Decision(False, "vague question")}
    adopted = adopt_matches(old, {"1": (A, B)})
    assert adopted == {"1": Decision(True, seen=(A, B)), "2": old["2"]}
    (line,) = caplog.messages
    assert "names no matches" in line and "'ncsbench questions sheet'" in line
    caplog.clear()
    assert adopt_matches(adopted, {"1": (C,)}) == adopted
    assert adopt_matches({}, {}) == {} and not caplog.messages
