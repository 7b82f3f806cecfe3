"""Functions of repositories: rows, ledger, shards, and files that give nothing."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_table
from ncsbench.corpus.function_corpus.corpus_options import ExtractionSettings
from ncsbench.corpus.function_corpus.function_extraction import extract_shard
from ncsbench.corpus.function_corpus.function_schema import (
    COUNTS,
    EXTRACTED_SCHEMA,
    FUNCTION_LEDGER_SCHEMA,
)
from ncsbench.corpus.layout.ledger import count_lines, join_ledgers
from ncsbench.corpus.sources.inventory import write_inventory
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_protocol import MAXIMUM_BYTES
from ncsbench.errors import DataError

SHA = "c" * 40
GO = """package a

// Sum adds two numbers.
//
// It never fails.
func Sum(a int, b int) int {
\treturn a + b
}

func bare() int { return 1 }
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Two repositories, with files of every fate."""
    one, two = tmp_path / "repositories" / "o" / "one", tmp_path / "repositories" / "o" / "two"
    (one / "vendor").mkdir(parents=True)
    two.mkdir()
    (one / "a.go").write_text(GO)
    (one / "a_test.go").write_text(GO)
    (one / "broken.go").write_text("package a\nfunc f() { return (1 }\n")
    (one / "empty.go").write_text("")
    (one / "large.go").write_bytes(b" " * (MAXIMUM_BYTES + 1))
    (one / "latin.go").write_bytes(b"package a\n// caf\xe9 is open\nfunc g() int { return 1 }\n")
    (one / "vendor" / "v.go").write_text(GO)
    (one / "A.java").write_text("class A { }")
    (two / "b.go").write_text(GO.replace("Sum", "Total"))
    return tmp_path / "repositories"


def settings_of(sources: Path, shards: int = 1, language: str = "go") -> ExtractionSettings:
    given = {"language": language, "shards": shards, "rules": "as_meant"}
    source = {"kind": "directory", "path": str(sources)}
    return ExtractionSettings.parse(given | {"source": source}, where="test")


def extract(
    tmp_path: Path, sources: Path, shards: int, *, language: str = "go"
) -> tuple[list[Any], list[Any]]:
    source = open_source("directory", str(sources), suffixes=(f".{language}",))
    listed = [Repository("o", name, SHA) for name in ("absent", "one", "two")]
    folder = tmp_path / str(shards)
    inventory = folder / "inventory.parquet"
    write_inventory(
        RepositoryList(listed, [("o", "is not owner/name")]), source,
        output=inventory, language=language,
    )  # fmt: skip
    functions, ledgers = [], []
    for shard in range(shards):
        ledgers.append(folder / f"{shard}.ledger.parquet")
        extract_shard(
            settings_of(sources, shards, language),
            inventory,
            shard,
            functions=folder / f"{shard}.parquet",
            ledger=ledgers[-1],
        )
        functions += read_table(folder / f"{shard}.parquet", EXTRACTED_SCHEMA).to_pylist()
    joined = join_ledgers(inventory, ledgers, schema=FUNCTION_LEDGER_SCHEMA, counts=COUNTS)
    return functions, [row for table in joined for row in table.to_pylist()]


def test_functions_and_the_fate_of_every_file(tmp_path: Path, sources: Path) -> None:
    functions, ledger = extract(tmp_path, sources, 1)
    assert extract(tmp_path, sources, 3) == (functions, ledger)
    first = functions[0]
    assert (first["repo"], first["sha"], first["path"], first["name"]) == (
        *("o/one", SHA, "a.go", "Sum"),
    )
    assert (first["start_line"], first["end_line"]) == (6, 8)
    assert first["docstring_tokens"] == ["Sum", "adds", "two", "numbers", "."]
    assert first["code_tokens"][:4] == ["func", "Sum", "(", "a"]
    assert [row["name"] for row in functions if row["repo"] == "o/two"] == ["Total", "bare"]
    lines = {
        (row["repository"], row["path"]): (row["status"], row["reason"], row["functions"])
        for row in ledger
    }
    assert lines["o", None] == ("skipped", "is not owner/name", 0)
    assert lines["o/absent", None] == ("skipped", "folder not found", 0)
    assert lines["o/one", None][::2] == ("taken", sum(row["repo"] == "o/one" for row in functions))
    assert lines["o/one", "a.go"] == ("taken", None, 2)
    assert lines["o/one", "a_test.go"] == ("skipped", "path word (test)", 0)
    assert lines["o/one", "vendor/v.go"] == ("skipped", "path word (vendor)", 0)
    assert lines["o/one", "broken.go"][:2] == ("taken", "syntax errors")
    assert lines["o/one", "empty.go"] == ("taken", None, 0)
    assert str(lines["o/one", "large.go"][1]).startswith("too large (")
    assert lines["o/one", "latin.go"] == ("taken", "read as Latin-1", 1)
    assert ("o/one", "A.java") not in lines
    joined = pa.Table.from_pylist(ledger, FUNCTION_LEDGER_SCHEMA)
    assert count_lines([joined], all_remarks=True) == {
        "repositories": {"skipped": 2, "taken": 2},
        "files": {"skipped": 3, "taken": 5},
        "skipped": {
            **{"folder not found": 1, "is not owner/name": 1, "path word": 2, "too large": 1},
        },
        "remarks": {"read as Latin-1": 1, "syntax errors": 1},
    }
    hashed = {row["path"]: row["text_hash"] for row in ledger if row["repository"] == "o/one"}
    assert hashed["a.go"] is not None
    assert hashed["a_test.go"] is None


def test_the_ledger_says_where_types_were_read_as_blanks_dev_183(
    tmp_path: Path, sources: Path
) -> None:
    code = f"int f() {{\n    {'a<' * 40}b;\n    return 1;\n  }}"
    (sources / "o" / "one" / "A.java").write_text(f"class A {{\n  {code}\n}}\n")
    functions, ledger = extract(tmp_path, sources, 1, language="java")
    assert [row["code"] for row in functions] == [code]
    reasons = {row["path"]: row["reason"] for row in ledger if row["repository"] == "o/one"}
    assert reasons["A.java"] == "deep types read as blanks"


def test_a_repository_that_went_since_it_was_listed(tmp_path: Path, sources: Path) -> None:
    source = open_source("directory", str(sources), suffixes=(".go",))
    listed = RepositoryList([Repository("o", "one", SHA)], [])
    write_inventory(listed, source, output=tmp_path / "inventory.parquet", language="go")
    shutil.rmtree(sources / "o" / "one")
    with pytest.raises(DataError, match="o/one: was listed and cannot be read now"):
        extract_shard(
            settings_of(sources),
            tmp_path / "inventory.parquet",
            0,
            functions=tmp_path / "functions.parquet",
            ledger=tmp_path / "ledger.parquet",
        )
