"""Copied files, forks, vendored libraries and duplicate methods of a corpus."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.corpus.checks.duplicate_counts import (
    COMMON_TEXT,
    count_clusters,
    describe_fork,
    find_forks,
    find_libraries,
    read_files,
    write_duplicates,
)
from ncsbench.corpus.layout.documents import find_first_of_equal
from ncsbench.corpus.layout.ledger_schema import (
    DUPLICATE_COLUMNS,
    FIRST_SCHEMA,
    LEDGER_SCHEMA,
    RULES,
)
from ncsbench.corpus.methods.file_extraction import describe_text
from tests.unit.corpus.test_equal_words import build, write

BODY = " ".join(f"name{number}();" for number in range(20))


def java(package: str, name: str, body: str = "f();") -> str:
    return f"package {package};\nclass {name} {{\n  void m{name}() {{ {body} }}\n}}\n"


def ledger(path: Path, files: list[tuple[str, str, int]]) -> Path:
    """A ledger of files, each given by its repository, text and number of methods."""
    none = {"status": "taken", "reason": None, "nested": 0, "field_initialisers": 0}
    lines = [
        {
            **{"repository": name, "path": f"{number}.java", "methods": methods},
            **none,
            **describe_text(text.encode(), text),
        }
        for number, (name, text, methods) in enumerate(files)
    ]
    heads = [
        {"repository": name, "path": None, "methods": 0, **none}
        for name in sorted({name for name, *_ in files})
    ]
    write_table(path, pa.Table.from_pylist([*heads, *lines], LEDGER_SCHEMA), LEDGER_SCHEMA)
    return path


def test_clusters_are_counted_by_size_and_by_repositories() -> None:
    members = {2: 3, 4: 1, 25: 1, 101: 1}
    codes = np.concatenate(
        [
            np.repeat(1000 * size + np.arange(count), size)
            for size, count in {1: 5, **members}.items()
        ]
    )
    repositories = np.zeros(len(codes), np.int64)
    repositories[-1] = repositories[6] = 1
    counts = count_clusters(find_first_of_equal(codes), repositories)
    assert counts == {
        **{"total": len(codes), "clusters": 6, "across": 2},
        **{"copies": 3 + 3 + 24 + 100, "largest": 101},
        **{"size_2": 3, "size_3_5": 1, "size_6_20": 0, "size_21_100": 1, "size_101_up": 1},
    }
    empty = count_clusters(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert empty == dict.fromkeys(counts, 0)
    assert find_first_of_equal(np.array([7, 3, 7, 3, 1])).tolist() == [0, 1, 0, 1, 4]


def test_forks_share_most_texts_of_the_smaller_one(tmp_path: Path) -> None:
    own = {name: [java(f"{name}.own", f"C{n}") for n in range(12)] for name in "abcd"}
    shared = [java("x.y.z.deep", f"S{n}") for n in range(10)]
    fork = [text.replace("\n", "\r\n") for text in own["a"][:10]]
    files = [
        *(("o/a", text, 2) for text in own["a"]),
        *(("o/b", text, 3) for text in [*fork, *own["b"][:9], *shared]),
        *(("o/c", text, 1) for text in [*own["c"], *shared]),
        *(("o/d", text, 1) for text in own["d"][:9]),
        *(("o/e", text, 1) for text in own["d"][:9]),  # all they have, but too few
    ]
    read = read_files(ledger(tmp_path / "l", files))
    assert list(read["repository"].cat.categories) == ["o/a", "o/b", "o/c", "o/d", "o/e"]
    assert find_forks(read) == [(0, 1)]
    described = describe_fork(read, 0, 1)
    assert described == {
        **{"kind": "fork", "name": "o/b and o/a", "repositories": 2, "total": 12},
        **{"copies": 10, "clusters": 10, "methods": 20},
    }


def test_a_text_that_too_many_have_makes_no_fork(tmp_path: Path) -> None:
    texts = [java("p", f"C{n}") for n in range(10)]
    for count, forks in ((2, 1), (COMMON_TEXT, COMMON_TEXT * (COMMON_TEXT - 1) // 2)):
        files = [(f"o/{number:03}", text, 1) for number in range(count) for text in texts]
        assert len(find_forks(read_files(ledger(tmp_path / "l", files)))) == forks
    more = [*files, *(("o/more", text, 1) for text in texts)]
    assert find_forks(read_files(ledger(tmp_path / "l", more))) == []


def test_vendored_libraries_are_named_by_package_and_forks_have_none_of_their_own(
    tmp_path: Path,
) -> None:
    library = [java(f"com.lib.{part}", f"L{n}") for part in ("a", "a.b") for n in range(6)]
    small = [java("com.few", f"F{n}") for n in range(9)]
    mine = [java("org.mine.app", f"M{n}") for n in range(30)]
    unnamed = [f"class U{n} {{}}" for n in range(20)]
    files = [
        *(("o/a", text, 1) for text in [*library, *small, *mine, *unnamed]),
        *(("o/a", text, 4) for text in [java("com.lib.a", "OnlyHere")]),
        *(("o/b", text, 1) for text in [*library[:11], *small, *unnamed[:5]]),
        *(("o/c", text, 1) for text in mine),
    ]
    read = read_files(ledger(tmp_path / "l", files))
    forks = find_forks(read)
    assert forks == [(0, 1), (0, 2)]
    # Of a family of forks nothing is vendored.
    assert find_libraries(read, forks) == []
    found = find_libraries(read, [(0, 2)])
    assert found == [
        {
            **{"kind": "library", "name": "com.lib.a", "repositories": 2, "total": 24},
            **{"copies": 22, "clusters": 11, "methods": 22},
        }
    ]


def test_an_empty_ledger_has_no_copies(tmp_path: Path) -> None:
    read = read_files(ledger(tmp_path / "l", []))
    assert (find_forks(read), find_libraries(read, [])) == ([], [])


@pytest.fixture
def counted(tmp_path: Path) -> tuple[list[Row], pa.Table]:
    files = {
        "a/one/A.java": java("p.q", "A", BODY),
        "b/two/A.java": java("p.q", "A", BODY),
        "b/two/B.java": java("p.q", "A", BODY).replace("\n", "\n\n"),
        "b/two/C.java": java("p.q", "C", BODY.replace("name3", "other")),
    }
    corpus = build(tmp_path, tmp_path / "java", write(tmp_path / "java", files), "kept", shards=2)
    firsts, output = tmp_path / "firsts.parquet", tmp_path / "duplicates.csv"
    write_duplicates(corpus, dataset="d", firsts=firsts, output=output)
    return read_rows(output, DUPLICATE_COLUMNS), read_table(firsts, FIRST_SCHEMA)


def test_files_and_methods_are_counted_by_every_rule(
    counted: tuple[list[Row], pa.Table],
) -> None:
    rows, firsts = counted
    names = ("kind", "name", "total", "clusters", "across", "copies", "share", "methods")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("files", "equal_bytes", "4", "1", "1", "1", "0.2500", "1"),
        ("files", "equal_text", "4", "1", "1", "2", "0.5000", "2"),
        ("methods", "equal_lines", "4", "1", "1", "1", "0.2500", "1"),
        ("methods", "equal_words", "4", "1", "1", "2", "0.5000", "2"),
        ("methods", "near", "4", "1", "1", "3", "0.7500", "3"),
    ]
    assert {row["dataset"] for row in rows} == {"d"}
    assert {row["repositories"] for row in rows} == {"2"}
    assert [firsts[rule].to_pylist() for rule in RULES] == [
        [0, 0, 2, 3],
        [0, 0, 0, 3],
        [0, 0, 0, 0],
    ]
