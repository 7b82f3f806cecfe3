"""Benchmarks of a cleaning run: what they ask, what counts as right, what is not at hand."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_json, read_table, write_table
from ncsbench.corpus.function_corpus.function_schema import (
    EXTRACTED_SCHEMA,
    FUNCTION_LEDGER_SCHEMA,
    make_url,
)
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.cleaned_pairs.benchmark_files import (
    CODE_SCHEMA,
    DISTRACTORS,
    POSITIVES,
    QUERIES,
    QUERY_SCHEMA,
    load_benchmark,
)
from ncsbench.pairs.cleaned_pairs.benchmarks import load_guard, make_positives
from ncsbench.pairs.cleaned_pairs.stage_settings import PositivesSettings
from tests.extracted_functions import SHA, make_function

URL = make_url("Ann/App", SHA, "src/A.java", 10, 14)
QUERY_LIST = "query\nsort a list\nRead a File\nopen a socket\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Extracted functions of two files, and a ledger that knows of a third and of a clone."""
    extracted = [
        make_function("Ann/App", 1, path="src/A.java", identifier="A.B.read", code="int f() {}"),
        make_function("Ann/App", 3, path="src/A.java", identifier="g", code="int g() {}"),
        make_function("Bob/App", 1, path="src/A.java"),
    ]
    shard = tmp_path / "extracted" / "0000.parquet"
    write_table(shard, pa.Table.from_pylist(extracted, EXTRACTED_SCHEMA), EXTRACTED_SCHEMA)
    lines = [
        ledger_line("Ann/App", None),
        ledger_line("Ann/App", "src/A.java"),
        ledger_line("Ann/App", "test/A.java", "path word (test)"),
        ledger_line("Bob/App", None),
        ledger_line("Eve/App", None, "no clone"),
    ]
    ledger = tmp_path / "ledger.parquet"
    schema = FUNCTION_LEDGER_SCHEMA
    write_table(ledger, pa.Table.from_pylist(lines, schema), schema)
    write_table(shard.with_name("0000.ledger.parquet"), pa.Table.from_pylist([], schema), schema)
    return tmp_path


def ledger_line(repository: str, path: str | None, reason: str | None = None) -> dict[str, Any]:
    status = "skipped" if reason else "taken"
    counts = {"functions": 0, "documented": 0, "dropped": 0}
    return {"repository": repository, "path": path, "status": status, "reason": reason} | counts


def make(folder: Path, benchmark: Mapping[str, Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Queries, positives and the listing of a benchmark."""
    settings = PositivesSettings.parse({"name": "b", "benchmark": benchmark}, where="settings")
    listing, made = folder / "listing.csv", folder / "made"
    files = {"queries": made / QUERIES, "positives": made / POSITIVES, "listing": listing}
    make_positives(settings, **files, extracted=folder / "extracted", corpus=folder)
    with listing.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    queries = read_table(made / QUERIES, QUERY_SCHEMA).to_pylist()
    return queries, read_table(made / POSITIVES, CODE_SCHEMA).to_pylist(), rows


def annotate(folder: Path, rows: list[tuple[str, str, str, int]]) -> dict[str, str]:
    """A benchmark of these annotations: language, query, address, relevance."""
    lines = [",".join(map(str, (*row, ""))) for row in rows]
    text = "\n".join(["Language,Query,GitHubUrl,Relevance,Notes", *lines, ""])
    (folder / "annotations.csv").write_text(text)
    (folder / "queries.csv").write_text(QUERY_LIST)
    paths = {name: str(folder / f"{name}.csv") for name in ("annotations", "queries")}
    return {"kind": "annotations", "corpus": "csn", **paths}


def ask(folder: Path, questions: Mapping[str, list[str]]) -> dict[str, str]:
    """A benchmark of questions with addresses of examples."""
    path = folder / "questions.json"
    rows = [
        {"stackoverflow_id": number, "question": text, "answer": "f();", "examples_url": urls}
        for number, (text, urls) in enumerate(questions.items())
    ]
    path.write_text(json.dumps(rows))
    return {"kind": "questions", "corpus": "android", "questions": str(path)}


def answer(folder: Path, answers: str, code: str | bytes) -> dict[str, str]:
    """A benchmark of CosBench's form."""
    (folder / "answers.json").write_text(answers)
    data = code if isinstance(code, bytes) else code.encode()
    (folder / "code.jsonl").write_bytes(data)
    paths = {"answers": str(folder / "answers.json"), "code": str(folder / "code.jsonl")}
    return {"kind": "answers", "corpus": "csn", **paths}


def test_each_relevant_function_is_a_query_of_its_own_dev_190(corpus: Path) -> None:
    other = make_url("Ann/App", SHA, "src/A.java", 30, 34)
    benchmark = annotate(
        corpus,
        [
            ("Java", "read a file", URL, 3),
            ("Java", "read a file", other.replace("Ann/App", "ann/app"), 1),
            ("Java", "read a file", make_url("Bob/App", SHA, "src/A.java", 10, 14), 0),
            ("Java", "Sort a list", URL, 1),
            ("Go", "open a socket", URL, 3),
        ],
    )
    queries, positives, listing = make(corpus, benchmark)
    assert [(one["text"], one["group"], one["positives"]) for one in queries] == [
        ("sort a list", "sort a list", [0]),
        ("read a file", "read a file", [0]),
        ("read a file", "read a file", [1]),
        ("open a socket", "open a socket", []),  # no training may see it all the same
    ]
    assert [(one["at_hand"], one["published"]) for one in queries] == [(1, 1)] * 3 + [(0, 0)]
    assert [tuple(one.values()) for one in positives] == [
        (0, "github:Ann/App/src/A.java#L10-L14", URL, "int f() {}", "A.B"),
        (1, "github:Ann/App/src/A.java#L30-L34", other, "int g() {}", ""),
    ]
    assert [(one["query"], one["found"]) for one in listing] == [(str(n), "yes") for n in range(3)]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("javascript:alert(1)", "no address of lines at a commit"),
        ("", "no address of lines at a commit"),
        (URL.replace("#L10-L14", ""), "no address of lines at a commit"),
        (URL.replace("L14", "L99999999999"), "no address of lines at a commit"),
        (URL.replace(SHA, "6" * 40), "the corpus has its repository at another commit"),
        (URL.replace("Ann", "Zoe"), "its repository is not in the corpus"),
        (URL.replace("Ann", "Eve"), "its repository: no clone"),
        (URL.replace("src/", "lib/"), "its file is not there"),
        (URL.replace("src/", "test/"), "its file: path word (test)"),
        (URL.replace("L10", "L11"), "no function has exactly its lines"),
    ],
)
def test_what_is_not_at_hand_is_listed_with_its_reason_dev_190(
    corpus: Path, url: str, why: str
) -> None:
    queries, _, listing = make(corpus, ask(corpus, {"draw a circle": [URL, url]}))
    assert [(one["positives"], one["at_hand"], one["published"]) for one in queries] == [
        ([0], 1, 2)
    ]
    assert listing == [
        {"query": "0", "url": URL, "found": "yes"},
        {"query": "0", "url": url, "found": why},
    ]
    assert "circle" not in (corpus / "listing.csv").read_text()


@pytest.mark.parametrize(
    ("first", "found"),
    [
        (50, "yes"),
        (51, "yes"),
        (53, "yes"),
        (54, "no function has exactly its lines"),
        (49, "no f"),
    ],
)
def test_an_address_may_begin_behind_annotations_dev_190(
    corpus: Path, first: int, found: str
) -> None:
    code = '@Override\n@Get(\n  "x")\npublic void Get(\nint a) {}\n}'
    shard = corpus / "extracted" / "0001.parquet"
    rows = [make_function("Ann/App", 5, path="src/A.java", identifier="A.Get", code=code)]
    rows[0]["end_line"] = 55
    write_table(shard, pa.Table.from_pylist(rows, EXTRACTED_SCHEMA), EXTRACTED_SCHEMA)
    url = make_url("Ann/App", SHA, "src/A.java", first, 55)
    _, positives, listing = make(corpus, ask(corpus, {"draw a circle": [URL, url]}))
    assert listing[1]["found"].startswith(found)
    keys = [one["key"] for one in positives[1:]]
    assert keys == (["github:Ann/App/src/A.java#L50-L55"] if found == "yes" else [])


def test_no_positive_at_hand_ends_in_one_line(corpus: Path) -> None:
    with pytest.raises(DataError, match=r"^benchmark b: no positive was found; of the first: no"):
        make(corpus, ask(corpus, {"draw a circle": ["x"]}))
    assert "no address" in (corpus / "listing.csv").read_text()
    for shard in (corpus / "extracted").glob("*"):
        shard.unlink()
    with pytest.raises(DataError, match="extracted: has no extracted functions"):
        make(corpus, ask(corpus, {"draw a circle": [URL]}))


ANSWERS = """[
  {"id": "1", "query": "compare strings", "answerList": ["b", "a", "b", "z"]},
  {"id": "2", "query": "string compare,,", "answerList": ["z", "b",, "a"]},
  {"id": "3", "query": "parse xml", "answerList": ["y"]}
]"""


def test_answers_with_the_same_ids_are_one_group_dev_190(corpus: Path) -> None:
    code = '{"id": "a", "code": "f();"}\n{"id": "b", "code": "g();"}\n{"id": "c", "code": "h();"}\n'
    for data in (code, gzip.compress(code.encode())):
        queries, positives, listing = make(corpus, answer(corpus, ANSWERS, data))
        assert [tuple(one.values()) for one in queries] == [
            (0, "compare strings", "a b z", [0, 1], 2, 3),
            (1, "string compare,,", "a b z", [0, 1], 2, 3),
            (2, "parse xml", "y", [], 0, 1),
        ]
        assert [(one["key"], one["code"]) for one in positives] == [
            ("cosbench:b", "g();"),
            ("cosbench:a", "f();"),
        ]
        assert [one["found"] for one in listing][-2:] == ["yes", "no code has its id"]


def test_lines_of_code_that_cannot_be_used_are_listed(corpus: Path) -> None:
    lines = [
        b'{"id": "a", "code": "f();"}',
        b'{"id": "a", "code": "f();"}',
        b'{"id": "a", "code": "other();"}',
        b'{"id": "b", "code": " "}',
        b'{"id": "b"}',
        b'{"id": 7, "code": "f();"}',
        b'\xff{"id": "b"',
        b"[1]",
    ]
    _, positives, listing = make(corpus, answer(corpus, ANSWERS, b"\n".join(lines)))
    assert [one["code"] for one in positives] == ["f();"]
    assert [one["found"] for one in listing if not one["query"]] == [
        "line 3 of the code: a is there twice with other code; the first counts",
        "line 4 of the code: b: its code is empty",
        "line 5 of the code: not readable: has no field 'code'",
        "line 6 of the code: the field 'id' is no text",
        "line 7 of the code: not readable: is no UTF-8",
        "line 8 of the code: not readable: is no JSON object",
    ]
    _, _, listing = make(corpus, answer(corpus, ANSWERS, b"\n".join([lines[0], *[b"["] * 100])))
    assert listing[-1]["found"] == "80 more lines of the code likewise"


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (ANSWERS.replace("]}\n]", "]}}\n]"), "is not valid JSON, beside one double comma"),
        (ANSWERS.replace('"y"', '"y",, "x"'), "is not valid JSON, beside one double comma"),
        ("[" * 100_000, "is not valid JSON"),
        ("{}", "must be a JSON list of at least one query"),
        ("[]", "must be a JSON list of at least one query"),
        ("[1]", "query 1: must be an object"),
        ('[{"query": " ", "answerList": []}]', "query 1: field 'query' is missing, empty or no"),
        ('[{"query": "q", "answerList": "a"}]', "query 1: field 'answerList' must be a list of"),
        ('[{"query": "q", "answerList": [1]}]', "query 1: field 'answerList' must be a list of"),
    ],
)
def test_another_file_of_answers_ends_in_one_line(corpus: Path, answers: str, message: str) -> None:
    with pytest.raises(DataError, match=f"answers.json: {message}") as raised:
        make(corpus, answer(corpus, answers, '{"id": "a", "code": "f();"}'))
    assert "\n" not in str(raised.value)


def test_an_absent_file_ends_in_one_line(corpus: Path) -> None:
    benchmark = answer(corpus, ANSWERS, "")
    with pytest.raises(DataError, match="no positive was found; of the first: no code has its id"):
        make(corpus, benchmark)
    (corpus / "code.jsonl").unlink()
    with pytest.raises(DataError, match=r"code\.jsonl: cannot be read"):
        make(corpus, benchmark)
    (corpus / "answers.json").unlink()
    with pytest.raises(DataError, match=r"answers\.json: cannot be read"):
        make(corpus, benchmark)


def test_a_kind_that_is_none_ends_in_one_line() -> None:
    with pytest.raises(ConfigurationError, match=r"benchmark.*'posts'"):
        PositivesSettings.parse({"name": "b", "benchmark": {"kind": "posts"}}, where="b.json")


def test_the_published_answers_of_cosbench(root: Path, tmp_path: Path) -> None:
    """52 queries, 994 answers, 27 sets of answers (what-the-texts-settle, section 5.4)."""
    published = root.parent / "shared" / "data" / "metrics" / "cosbench-queries.json"
    if not published.is_file():
        pytest.skip("needs ../shared")
    entries = read_json(published)
    first = entries[0]["answerList"][0]
    text = published.read_text(encoding="utf-8").replace('", "', '",, "', 1)
    code = json.dumps({"id": first, "code": "a.equals(b);"})
    queries, positives, _ = make(tmp_path, answer(tmp_path, text, code))
    assert len(queries) == 52
    assert len({one["group"] for one in queries}) == 27
    assert sum(len(one["answerList"]) for one in entries) == 994
    assert [one["key"] for one in positives] == [f"cosbench:{first}"]


CODE = {
    "id": 0,
    "key": "github:o/a/A.java#L1-L3",
    "url": "",
    "code": "int f() {}",
    "class_name": "",
}
ASKED = {"query": 0, "text": "sort a list", "group": "sort a list", "positives": [0]}


def write_benchmark(folder: Path) -> Path:
    """A benchmark with one query that has a positive, and one that has none at hand."""
    queries = [
        ASKED | {"at_hand": 1, "published": 1},
        ASKED | {"query": 1, "text": "open a map", "positives": [], "at_hand": 0, "published": 3},
    ]
    write_table(folder / QUERIES, pa.Table.from_pylist(queries, QUERY_SCHEMA), QUERY_SCHEMA)
    for name in (POSITIVES, DISTRACTORS):
        write_table(folder / name, pa.Table.from_pylist([CODE], CODE_SCHEMA), CODE_SCHEMA)
    return folder


def test_only_queries_with_positives_are_ranked(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "annotated"))
    assert benchmark.queries["text"].to_pylist() == ["sort a list"]
    assert len(benchmark.positives) == len(benchmark.distractors) == 1


def test_a_guard_names_queries_and_questions_without_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(
        json.dumps([{"stackoverflow_id": 7, "question": "draw a circle", "answer": "draw();"}])
    )
    guard = load_guard([write_benchmark(tmp_path / "annotated")], [path])
    held = [guard.find_text(f"how to {text}") for text in ("open a map", "draw a circle", "go")]
    assert [one and one.held for one in held] == ["annotated:1", "stackoverflow:7", None]
    overlap = guard.find_code("int f() { }")
    assert overlap is not None
    assert (overlap.reason, overlap.held) == ("equal", CODE["key"])
