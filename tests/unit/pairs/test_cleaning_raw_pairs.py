"""Raw pairs, distractors and titles hold nothing that a benchmark counts as right."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_headed_rows
from ncsbench.base.files.storage import read_table, write_json, write_table
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA, make_url
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.benchmark_files import (
    CODE_SCHEMA,
    POSITIVES,
    QUERIES,
    QUERY_SCHEMA,
    Code,
    write_codes,
)
from ncsbench.pairs.cleaned_pairs.benchmarks import draw_distractors
from ncsbench.pairs.cleaned_pairs.raw_pairs import make_raw_pairs
from ncsbench.pairs.cleaned_pairs.stage_settings import (
    DistractorSettings,
    RawPairSettings,
    TitleSettings,
)
from ncsbench.pairs.cleaned_pairs.titles_apart import write_titles
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from tests.extracted_functions import SHA, make_function
from tests.posts_dumps import HEAD, TAIL, question

NEAR = "int read(Reader r) { return a.b(c, d, e, f, g, h, i); }"


def function(repo: str, number: int, part: str = "train", **cells: Any) -> dict[str, Any]:
    cells = {"path": "A.java", "docstring": f"Reads <b>file</b> {number}. All.", **cells}
    made = make_function(repo, number, part=part, is_pair=True, **cells)
    return {"function_id": number, **{name: made[name] for name in made if name != "name"}}


def write_corpus(folder: Path, functions: Sequence[dict[str, Any]], language: str = "java") -> Path:
    rows = [row | {"function_id": number} for number, row in enumerate(functions)]
    table = pa.Table.from_pylist(rows, FUNCTION_SCHEMA)
    write_table(folder / "functions.parquet", table, FUNCTION_SCHEMA)
    write_json(folder / "manifest.json", {"language": language, "corpus_hash": "c"})
    return folder


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    """One query, with a positive of Ann/App."""
    folder = tmp_path / "annotated"
    asked = {"query": 0, "text": "close a socket", "group": "", "positives": [0]}
    rows = [asked | {"at_hand": 1, "published": 1}]
    write_table(folder / QUERIES, pa.Table.from_pylist(rows, QUERY_SCHEMA), QUERY_SCHEMA)
    url = make_url("Ann/App", SHA, "A.java", 100, 104)
    write_codes(folder / POSITIVES, [Code("github:right", url, NEAR, "")])
    return folder


def make_pairs(
    folder: Path,
    corpus: Path,
    benchmark: Path,
    *,
    maximum_pairs: int | None = None,
    seed: int = 1,
    published: Path | None = None,
) -> list[dict[str, Any]]:
    make_raw_pairs(
        RawPairSettings(source="csn", maximum_pairs=maximum_pairs, seed=seed),
        corpus,
        [benchmark],
        output=folder / "raw.parquet",
        funnel=folder / "funnel.csv",
        overlap=folder / "overlap.csv",
        shares=folder / "shares.csv",
        published=published,
    )
    return read_table(folder / "raw.parquet", PAIR_SCHEMA).to_pylist()


def test_raw_pairs_hold_nothing_of_a_benchmark(root: Path, tmp_path: Path, benchmark: Path) -> None:
    corpus = write_corpus(
        tmp_path / "corpus",
        [
            function("Ann/App", 1),
            function("Ann/App", 9, start_line=90, end_line=100),
            function("Ann/App", 11, code=NEAR.replace("{", "\n{")),
            function("Bob/App", 1, code=NEAR.replace("read", "load")),
            function("Bob/App", 2, docstring="Closes sockets: to close a socket\nNow."),
            function("Bob/App", 3, docstring="Reads"),
            function("Bob/App", 4) | {"is_pair": False},
            function("Eve/App", 1, "test"),
        ],
    )
    figures = root / "config" / "published" / "nlqf_tables.csv"
    pairs = make_pairs(tmp_path, corpus, benchmark, published=figures)
    assert [(one["key"], one["query"]) for one in pairs] == [
        ("github:Ann/App/A.java#L10-L14", "Reads <b>file</b> 1"),
        ("github:Bob/App/A.java#L30-L34", "Reads"),
    ]
    _, funnel = read_headed_rows(tmp_path / "funnel.csv")
    steps = {row["step"]: (row["kept"], row["removed"]) for row in funnel}
    assert steps["read"] == ("8", "0")
    assert steps["of the part"] == ("7", "1")
    assert steps["a pair of the corpus"] == ("6", "1")
    assert list(steps.items())[-5:] == [
        ("shares no line with a positive", ("5", "1")),
        ("not equal to a positive", ("4", "1")),
        ("no near copy of a positive", ("3", "1")),
        ("without all words of a query", ("2", "1")),
        ("drawn", ("2", "0")),
    ]
    _, overlap = read_headed_rows(tmp_path / "overlap.csv")
    assert [(row["reason"], row["held"]) for row in overlap] == [
        ("place", "github:right"),
        ("equal", "github:right"),
        ("near", "github:right"),
        ("query", "annotated:0"),
    ]
    assert "socket" not in (tmp_path / "overlap.csv").read_text()
    _, shares = read_headed_rows(tmp_path / "shares.csv")
    assert list(shares[1].values()) == ["as_published", "detach_html_tags", "1", "0.5000", "0.0836"]


@pytest.mark.parametrize(
    ("docstring", "held"),
    [
        ("Closes; close a soc<b>ket</b>", ["annotated:0"]),
        ("Closes a so<i>ck</i> {@link Net}", []),
        ("find (all of) a file\n", ["annotated:1"]),
        ("find (all of) a folder", []),
    ],
)
def test_no_rule_makes_a_query_of_a_comment_dev_181(
    docstring: str, held: list[str], tmp_path: Path, benchmark: Path
) -> None:
    queries = read_table(benchmark / QUERIES, QUERY_SCHEMA).to_pylist()
    queries.append(queries[0] | {"query": 1, "text": "find a file in java"})
    write_table(benchmark / QUERIES, pa.Table.from_pylist(queries, QUERY_SCHEMA), QUERY_SCHEMA)
    corpus = write_corpus(
        tmp_path / "corpus", [function("Ann/App", 1), function("Bob/App", 1, docstring=docstring)]
    )
    pairs = make_pairs(tmp_path, corpus, benchmark)
    assert len(pairs) == 2 - len(held)
    _, overlap = read_headed_rows(tmp_path / "overlap.csv")
    assert [(row["reason"], row["held"]) for row in overlap] == [("query", one) for one in held]


def test_pairs_are_drawn_by_seed_in_their_order(tmp_path: Path, benchmark: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", [function("Ann/App", one) for one in range(1, 9)])
    everything = [one["key"] for one in make_pairs(tmp_path, corpus, benchmark)]
    drawn = {}
    for seed in (1, 1, 2, 3):
        pairs = make_pairs(tmp_path, corpus, benchmark, maximum_pairs=3, seed=seed)
        keys = [one["key"] for one in pairs]
        assert len(keys) == 3
        assert keys == [key for key in everything if key in keys]
        assert drawn.setdefault(seed, keys) == keys
    assert len(set(map(tuple, drawn.values()))) > 1
    assert len(make_pairs(tmp_path, corpus, benchmark, maximum_pairs=99)) == len(everything)


def test_no_pair_at_all_ends_in_one_line(tmp_path: Path, benchmark: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", [function("Eve/App", 1, "test")])
    with pytest.raises(DataError, match="corpus: gives no training pair to csn; its part 'train'"):
        make_pairs(tmp_path, corpus, benchmark)


def draw(folder: Path, corpus: Path, benchmark: Path, count: int, seed: int = 1) -> list[str]:
    settings = DistractorSettings(name="annotated", count=count, seed=seed)
    output = folder / "distractors.parquet"
    raw = folder / "raw.parquet"
    raws = [raw] if raw.exists() else []
    draw_distractors(settings, corpus, benchmark / POSITIVES, raws, output)
    return [str(key) for key in read_table(output, CODE_SCHEMA)["key"].to_pylist()]


def test_distractors_are_neither_right_nor_of_a_trained_repository_dev_191(
    tmp_path: Path, benchmark: Path
) -> None:
    make_pairs(tmp_path, write_corpus(tmp_path / "a", [function("ann/lib", 1)]), benchmark)
    corpus = write_corpus(
        tmp_path / "corpus",
        [
            function("Ann/App", 10, "test"),
            function("Ann/App", 1, "test", identifier="A.f"),
            function("Ann/Lib", 1, "test"),
            function("Bob/App", 1, "test", code=NEAR),
            function("Bob/App", 2, "valid", code=NEAR.replace("read", "load")),
            function("Bob/App", 3, "valid"),
            function("Bob/App", 4, "test") | {"is_pair": False},
            function("Eve/App", 1, "train"),
        ],
    )
    keys = draw(tmp_path, corpus, benchmark, 2)
    assert sorted(keys) == ["github:Ann/App/A.java#L10-L14", "github:Bob/App/A.java#L30-L34"]
    table = read_table(tmp_path / "distractors.parquet", CODE_SCHEMA)
    assert sorted(table["class_name"].to_pylist()) == ["", "A"]
    message = (
        r"corpus: has 2 pairs that can be distractors of annotated, of 5 in .* 3 are asked for"
    )
    with pytest.raises(DataError, match=message):
        draw(tmp_path, corpus, benchmark, 3)
    with pytest.raises(DataError, match="distractors are of Java"):
        draw(tmp_path, write_corpus(tmp_path / "go", [], "go"), benchmark, 1)


def test_distractors_depend_on_the_seed_alone_dev_191(tmp_path: Path, benchmark: Path) -> None:
    functions = [function("Bob/App", one, "test") for one in range(1, 41)]
    corpus = write_corpus(tmp_path / "corpus", functions)
    one = draw(tmp_path, corpus, benchmark, 30)
    other = draw(tmp_path, corpus, benchmark, 30, seed=2)
    assert draw(tmp_path, corpus, benchmark, 30) == one
    assert len(set(one)) == len(one) == 30
    assert one != other


@pytest.mark.parametrize("form", ["lines", "jsonl", "dump"])
def test_titles_with_all_words_of_a_query_are_left_out(
    tmp_path: Path, benchmark: Path, form: str
) -> None:
    titles = ["How to  open a file?", "a socket: how to close", "", "Sort a list"]
    if form == "lines":
        path = tmp_path / "titles.txt"
        path.write_bytes("\n".join([*titles, ""]).encode() + b"\xff\n")
    elif form == "jsonl":
        path = tmp_path / "titles.jsonl.gz"
        lines = [json.dumps({"title": title}) for title in titles]
        path.write_bytes(gzip.compress("\n".join([*lines, "{}"]).encode()))
    else:
        path = tmp_path / "Posts.xml"
        found = (question(number, "<java>", Title=one) for number, one in enumerate(titles, 1))
        others = [question(8, "<go>", Title="Go"), question("x", "<java>", Title="No id")]
        path.write_bytes(b"".join([HEAD, *found, *others, TAIL]))
    output, overlap = tmp_path / "made" / "titles.txt", tmp_path / "overlap.csv"
    write_titles(TitleSettings(titles=path), [benchmark], output, overlap)
    assert output.read_text() == "How to open a file?\nSort a list\n"
    _, rows = read_headed_rows(overlap)
    assert [tuple(row.values()) for row in rows] == [
        ("kept", "", "2", ""),
        ("not readable", "", "1", ""),
        ("query", "annotated:0", "1", "2"),
    ]
    assert [one.name for one in output.parent.iterdir()] == ["titles.txt"]


def test_titles_that_cannot_be_used_end_in_one_line(tmp_path: Path, benchmark: Path) -> None:
    path, output, overlap = (tmp_path / name for name in ("t.txt", "out.txt", "overlap.csv"))
    with pytest.raises(DataError, match=r"t\.txt: cannot be read"):
        write_titles(TitleSettings(titles=path), [benchmark], output, overlap)
    path.write_text("close a socket\n")
    with pytest.raises(DataError, match=r"t\.txt: has no title that holds no query"):
        write_titles(TitleSettings(titles=path), [benchmark], output, overlap)
