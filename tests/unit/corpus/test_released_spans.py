"""A corpus made of the methods that a released list names."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.corpus.layout.corpus_settings import MethodOptions, ReleasedSettings
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.methods.extraction import take_spans
from ncsbench.corpus.methods.released_methods import ReleasedSpans, Span, write_spans
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.errors import DataError
from tests.building import build_from
from tests.released_lists import write_released_methods
from tests.sample_corpus import build_sample_corpus

TEXT = """class A {
    int one() { return 1; } int two() { return 2; }
    Runnable three() {
        return new Runnable() {
            public void run() { stop(); }
        };
    }
    @Override void
    four() { go(); }
}
"""


def names(text: str, spans: list[Span]) -> tuple[list[str], int]:
    methods, missing = take_spans(text, parse_methods(text.encode()).methods, spans)
    return [method.name for method in methods], missing


def test_methods_are_taken_by_their_lines_also_nested_ones_and_by_name_where_lines_are_shared() -> (
    None
):
    assert names(TEXT, [Span(2, 2, "two"), Span(3, 7, "three"), Span(5, 5, "run")]) == (
        ["two", "three", "run"],
        0,
    )
    assert names(TEXT, [Span(2, 2, "other")]) == (["one"], 0)


def test_methods_of_one_name_at_the_same_lines_are_taken_in_turn_and_none_twice() -> None:
    text = "class A { void f() { } void f(int x) { } void g() { } }\n"
    methods = parse_methods(text.encode()).methods
    f, g, other = (Span(1, 1, name) for name in ("f", "g", "other"))
    assert take_spans(text, methods, [g, f, f]) == (methods, 0)
    assert take_spans(text, methods, [f, f, f]) == (methods[:2], 1)
    assert take_spans(text, methods, [other, g]) == ([methods[0], methods[2]], 0)
    assert names("class A {\n void f() { }\n}\n", [Span(2, 2, "other"), Span(2, 2, "f")]) == (
        ["f"],
        1,
    )
    found, missing = take_spans("(\nvoid f() { } void g() { }\n", [], [Span(2, 2, "g")] * 2)
    assert ([method.name for method in found], missing) == (["g"], 1)  # where the parser finds none


def test_an_inner_method_that_ends_first_comes_after_the_one_around_it() -> None:
    text = "class A { void outer() { new T() { void run() {\n int a;\n } }.go();\n } }\n"
    assert names(text, [Span(1, 3, "run"), Span(1, 4, "outer")]) == (["outer", "run"], 0)


def test_lines_that_the_parser_has_no_method_at_are_read_on_their_own() -> None:
    broken = "class A { void x( {\n int five() {\n return 5;\n }\n"
    methods, missing = take_spans(
        broken, [], [Span(2, 4, "five"), Span(1, 1, "x"), Span(9, 9, "y")]
    )
    (five,) = methods
    assert missing == 2
    assert (five.name, five.start_line, five.end_line, five.class_name) == ("five", 2, 4, "")
    assert five.code == "int five() {\n return 5;\n }"
    # Lines begin at that of the name, whatever stands before it.
    assert names(TEXT, [Span(9, 9, "four")]) == (["four"], 0)


def sort_list(released: Sequence[Path], folder: Path) -> ReleasedSpans:
    settings = ReleasedSettings(released=tuple(released))
    write_spans(settings, spans=folder / "spans", counts=folder / "counts.json")
    return ReleasedSpans(folder / "spans")


def test_a_list_of_a_corpus_gives_this_corpus_back(root: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path / "one"))
    spans = sort_list(write_released_methods(corpus, tmp_path, part_methods=100), tmp_path)
    listed = read_repositories(root / "resources/sample/repositories.csv")
    again = build_from(
        tmp_path / "two",
        listed.repositories,
        open_source("directory", str(root / "resources/sample/repositories")),
        shards=3,
        # Whatever the options say.
        options=MethodOptions(nested="kept", field_initialisers="left_out"),
        spans=spans,
    )
    assert again.manifest()["corpus_hash"] == corpus.manifest()["corpus_hash"]
    assert read_json(tmp_path / "counts.json") == {
        "methods": corpus.manifest()["methods"],
        "rejected": {"lines": 0, "first": ""},
    }


def test_a_list_gives_methods_and_files_of_odd_names_back(tmp_path: Path) -> None:
    files = {
        "OneLine.java": "class A { void f() { int a; } void f(int x) { } void g() { } }",
        "tab\tname\n.java": "class T { void t() { } }",
        "Nested.java": "class N { void o() { new T() { void r() {\n int q;\n } }.go();\n } }",
    }
    (tmp_path / "src/o/r").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "src/o/r" / name).write_text(text)
    source = open_source("directory", str(tmp_path / "src"))
    corpora, spans = [], None
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        corpora.append(
            build_from(
                tmp_path / name,
                [Repository("o", "r", None)],
                source,
                options=MethodOptions(nested="kept"),
                spans=spans,
            )
        )
        spans = sort_list(write_released_methods(corpora[-1], tmp_path / name), tmp_path)
    first, second = (corpus.manifest() for corpus in corpora)
    assert first["methods"] == 6
    assert first["corpus_hash"] == second["corpus_hash"]


def test_a_list_that_fits_nothing_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "src/o/r").mkdir(parents=True)
    (tmp_path / "src/o/r/A.java").write_text(TEXT)
    entry = {"id": 7, "filepath": "o/x/A.java", "method_name": "m", "start_line": 1, "end_line": 1}
    (tmp_path / "list.jsonl").write_text(json.dumps(entry))
    spans = sort_list([tmp_path / "list.jsonl"], tmp_path)
    source = open_source("directory", str(tmp_path / "src"))
    message = r"none of the 1 places of 'released_methods' is there: .*ncsbench corpus compare"
    with pytest.raises(DataError, match=message):
        build_from(
            tmp_path,
            [Repository("o", "r", None)],
            source,
            spans=spans,
            released=tmp_path / "counts.json",
        )


@pytest.fixture
def hostile(tmp_path: Path) -> CorpusFolder:
    (tmp_path / "src/o/r").mkdir(parents=True)
    (tmp_path / "src/o/r/A.java").write_text(TEXT)
    (tmp_path / "src/o/r/B.java").write_text("class B { void b() { } }\n")
    lines = [
        ("o/r/A.java", 2, 2),
        ("o/r/A.java", 2, 2),
        ("o/r/A.java", 1, 999),
        ("o/r/C.java", 1, 1),
    ]
    entries = [
        {"id": 7, "filepath": path, "method_name": "one", "start_line": start, "end_line": end}
        for path, start, end in lines
    ]
    text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
    (tmp_path / "list.jsonl").write_text(f"{text}nonsense\n")
    spans = sort_list([tmp_path / "list.jsonl"], tmp_path)
    source = open_source("directory", str(tmp_path / "src"))
    return build_from(tmp_path, [Repository("o", "r", None)], source, spans=spans)


def test_the_ledger_says_which_listed_methods_are_not_there(hostile: CorpusFolder) -> None:
    rows = [row for table in hostile.iterate_methods(["method_name"]) for row in table.to_pylist()]
    assert rows == [{"method_name": "one"}]  # listed twice, there once; nothing of B.java
    ledger: pa.Table = read_table(hostile.ledger_path, LEDGER_SCHEMA)
    reasons = dict(zip(ledger["path"].to_pylist(), ledger["reason"].to_pylist(), strict=True))
    assert reasons == {None: None, "A.java": "no method at listed lines (2 times)", "B.java": None}
    counts = read_json(hostile.path.parent / "counts.json")
    assert counts["rejected"]["lines"] == 1
    assert counts["rejected"]["first"].endswith("line 5: not one JSON object of at most 64 KiB")
